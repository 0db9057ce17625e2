"""What is known of a kernel's rewrites where nothing can be timed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a rewrite of a kernel, or of several together."""

    names: str
    """Each with its value."""
    lines: tuple[int, ...] = ()
    """Lines of the text that it changes."""
    refused: str = ""
    """Why it does not apply; empty where it does."""
    grid: str = ""
    """Factor by which the launch's grid shrinks."""
    registers: int | None = None
    spills: int | None = None
    executed: str = ""
    """``same``, or how it differs; empty where nothing was executed."""
    diff: str = ""
    """Unified diff of the user's text."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of a kernel's rewrites."""

    kernel: str
    target: str
    registers: int | None
    spills: int | None
    tried: tuple[Tried, ...]
    remark: str = ""
    """Why nothing was executed; empty where everything was."""
