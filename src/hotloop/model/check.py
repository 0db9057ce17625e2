"""The result of a verification: the cases that were run, the result of each, and what accuracy one variant gives up beside another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from hotloop import units


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
    """The result is wrong when work-groups and work-items run in another order."""
    FRESH = "new inputs in place"
    """New inputs in the same buffers gave a wrong result, or a stored one."""
    NORM = "norm of errors"
    """The norm of all errors is larger than rounding can explain."""
    FOREIGN = "poison or canary read"
    """A result is NaN as poison or bands are, where the reference is a number: memory outside the inputs was read."""
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
    output: str = ""
    """Output whose values the reason is about; empty where it is about none."""
    guard: Guard | None = None
    """Guard that detected the error; None when it passed."""
    max_err: float | None = None
    """Largest absolute error."""
    norm_err: float | None = None
    """Euclidean norm of the error over the norm of the reference."""
    cos_sim: float | None = None
    worst_ratio: float | None = None
    """Largest error divided by its own element's bound; above 1 is a failure."""

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells which inputs it had."""
        return self.problem, self.distribution, self.seed


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
        cases = "1 case passes" if len(self.cases) == 1 else f"{len(self.cases)} cases pass"
        return f"{cases}, largest error {worst:.2g} of its bound"


NOTED = 0.25
"""Share of the tolerance from which a loss is told: below it a result is about as good as the file asks for."""
MUCH = 3.0
"""Growth of the largest error from which it is told: another order of summation usually changes it by less."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Largest errors of two variants on the same inputs, as shares of the bounds of their elements; 1 is the tolerance's end."""

    before: float
    after: float

    @property
    def lost(self) -> bool:
        """Return whether accuracy was given up: errors that were small beside the tolerance use up much of it now."""
        return self.after >= NOTED and self.after >= MUCH * self.before

    @property
    def words(self) -> str:
        """Return both shares.

        >>> Accuracy(0.003, 0.61).words, Accuracy(0.0, 0.061).words
        ('uses 61 % of the tolerance instead of 0.30 %', 'uses 6.1 % of the tolerance instead of nothing')
        """
        return f"uses {share(self.after)} of the tolerance instead of {share(self.before)}"

    @property
    def warning(self) -> str:
        """Return what a verdict must say; empty where no accuracy was lost."""
        return f"less accurate: {self.words}" if self.lost else ""

    @classmethod
    def of(cls, before: CheckReport | None, after: CheckReport | None) -> Self | None:
        """Return the errors of two verified variants on the cases that both ran; None where there are no such cases, or no errors."""
        if before is None or after is None:
            return None
        errors = {case.key: case.worst_ratio for case in before.cases}
        pairs = [(errors[case.key], case.worst_ratio) for case in after.cases if case.key in errors]
        both = [(first, second) for first, second in pairs if first is not None and second is not None]
        return cls(max(first for first, _ in both), max(second for _, second in both)) if both else None

    def refused(self, after: CheckReport, most: float, one_rounding: float) -> CheckReport | None:
        """Return the report of a variant whose errors grew more than `most` times, with the reason; None where they did not.

        `one_rounding`: share of the bound that one rounding of the result uses; smaller errors count as that.
        """
        if self.after <= most * max(self.before, one_rounding):
            return None
        worst = max(after.cases, key=lambda case: case.worst_ratio or 0.0)
        reason = f"less accurate than allowed: {self.words}; more than {most:g} × as large an error is refused"
        lossy = replace(worst, passed=False, reason=reason, guard=Guard.LOSS)
        return CheckReport(tuple(lossy if case is worst else case for case in after.cases))


def share(part: float) -> str:
    """Return a share of the tolerance with two digits.

    >>> share(0.61), share(0.0034), share(0.0)
    ('61 %', '0.34 %', 'nothing')
    """
    return f"{units.significant(100 * part, 2)} %" if part > 0 else "nothing"
