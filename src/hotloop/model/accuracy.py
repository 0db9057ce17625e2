"""What a faster variant pays in accuracy: how much of the tolerance its errors use, beside those of what it replaces."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hotloop import units
from hotloop.model.check import CaseResult, CheckReport, Guard

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


def share(part: float) -> str:
    """Return a share of the tolerance with two digits.

    >>> share(0.61), share(0.0034), share(0.0)
    ('61 %', '0.34 %', 'nothing')
    """
    return f"{units.significant(100 * part, 2)} %" if part > 0 else "nothing"


def of(before: CheckReport | None, after: CheckReport | None) -> Accuracy | None:
    """Return the errors of two verified variants on the cases that both ran; None where there are no such cases, or no errors."""
    if before is None or after is None:
        return None
    errors = {_key(case): case.worst_ratio for case in before.cases}
    pairs = [(errors[_key(case)], case.worst_ratio) for case in after.cases if _key(case) in errors]
    both = [(first, second) for first, second in pairs if first is not None and second is not None]
    return Accuracy(max(first for first, _ in both), max(second for _, second in both)) if both else None


def refused(accuracy: Accuracy | None, after: CheckReport, most: float, one_rounding: float) -> CheckReport | None:
    """Return the report of a variant whose errors grew more than `most` times, with the reason; None where they did not.

    `one_rounding`: share of the bound that one rounding of the result uses; smaller errors count as that.
    """
    if accuracy is None or accuracy.after <= most * max(accuracy.before, one_rounding):
        return None
    worst = max(after.cases, key=lambda case: case.worst_ratio or 0.0)
    reason = f"less accurate than allowed: {accuracy.words}; more than {most:g} × as large an error is refused"
    cases = (
        replace(case, passed=False, reason=reason, guard=Guard.LOSS) if case is worst else case for case in after.cases
    )
    return CheckReport(tuple(cases))


def _key(case: CaseResult) -> tuple[str, str, int]:
    return case.problem, case.distribution, case.seed
