"""The result of a verification: the cases that were run and the result of each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Guard(StrEnum):
    """The part of a verification that detects an error. If several detect one, the first in this order explains the others."""

    CANARY = "canary bands"
    """Bytes beside an array were overwritten."""
    FENCE = "pages without access"
    """Memory beside an array was read or written."""
    INPUTS = "inputs unchanged"
    """An input was written to."""
    POISON = "poison"
    """An element of an output was never written."""
    REPEAT = "repeated run"
    """A second run on the same inputs gave another result: a race, or memory that was never set."""
    ORDER = "opposite order"
    """With work-groups and work-items in another order the result is wrong."""
    FRESH = "new inputs in place"
    """New inputs in the same buffers gave a wrong result, or a stored one."""
    NORM = "norm of errors"
    """The norm of all errors is larger than rounding can explain."""
    FOREIGN = "poison or canary read"
    """A result is NaN where the reference is a number: memory outside the inputs was read."""
    REFERENCE = "reference"
    """The error of an element exceeds its bound."""
    LOSS = "loss of accuracy"
    """Errors within the bound are larger than those of the start by more than the file or the command allows."""


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
    """Guard that detected the error; None when it passed."""
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
    def ordered(self) -> bool:
        """Return whether every failure depends on the order of work-items."""
        failed = [case for case in self.cases if not case.passed]
        return bool(failed) and all(case_result.guard in (Guard.ORDER, Guard.REPEAT) for case_result in failed)

    @property
    def summary(self) -> str:
        """One line: the first failure, or the worst error seen."""
        failed = [case for case in self.cases if not case.passed]
        if failed:
            first = failed[0]
            return f"{len(failed)} of {len(self.cases)} cases fail, first {first.problem} ({first.distribution}): {first.reason}"
        worst = max((case.worst_ratio or 0.0 for case in self.cases), default=0.0)
        return f"{len(self.cases)} cases pass, largest error {worst:.2g} of its bound"
