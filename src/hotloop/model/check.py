"""The answer of a verification: which cases were run and what each one showed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Guard(StrEnum):
    """What a wrong result was caught by; of several the first one here explains the rest."""

    CANARY = "canary bands"
    """Bytes before or behind an array were overwritten."""
    INPUTS = "inputs unchanged"
    POISON = "poison"
    """An element of an output was never written."""
    REPEATED = "repeated run"
    """A second run on the same inputs gave another result, or a wrong one."""
    NEW_INPUTS = "new inputs in place"
    """With new inputs in the buffers of the timed run the result was wrong, or suspiciously fast."""
    NORM = "norm of errors"
    """Each error is within its bound, all together are more than rounding adds up to."""
    READ = "poison or canary read"
    """NaN where a number is expected: the kernel used what it must not read."""
    REFERENCE = "reference"
    """An element is beyond its bound."""

    @classmethod
    def strongest(cls, guards: Iterable[Guard]) -> Guard:
        """Return the first of some guards in the order above; there must be one."""
        caught = set(guards)
        return next(guard for guard in cls if guard in caught)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """One problem with one kind of input, run and compared."""

    problem: str
    """Key of the problem."""
    distribution: str
    """How the inputs were drawn: ``normal``, ``positive``, ``wide``, ``integers``, ``special``."""
    seed: int
    passed: bool
    reason: str = ""
    """Why it failed, one line; empty when it passed."""
    guard: Guard | None = None
    """What caught it; None when it passed, and in older records."""
    max_err: float | None = None
    """Largest absolute error."""
    norm_err: float | None = None
    """Euclidean norm of the error over the norm of the reference."""
    cos_sim: float | None = None
    worst_ratio: float | None = None
    """Largest error divided by its own element's bound; above 1 is a failure."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All cases of one verification."""

    cases: tuple[CaseResult, ...]

    @property
    def passed(self) -> bool:
        """True when at least one case ran and none failed."""
        return bool(self.cases) and all(case.passed for case in self.cases)

    @property
    def summary(self) -> str:
        """One line: the first failure, or the worst error seen."""
        failed = [case for case in self.cases if not case.passed]
        if failed:
            first = failed[0]
            return f"{len(failed)} of {len(self.cases)} cases fail, first {first.problem} ({first.distribution}): {first.reason}"
        worst = max((case.worst_ratio or 0.0 for case in self.cases), default=0.0)
        return f"{len(self.cases)} cases pass, largest error {worst:.2g} of its bound"
