"""Reading kernels' source text for mistakes that their language's compiler reports badly, or not at all."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Mistake:
    """One place in a source text."""

    line: int
    rule: str
    what: str
    """What is wrong, in one sentence without its end."""
    advice: str
    silent: bool
    """True when the compiler accepts it and the result is wrong."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}; {self.advice} ({self.rule})"
