"""What came of executing a task: findings with source lines, counts, the comparison with a reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hotloop.emulate.sanitizer.findings import Finding
from hotloop.isa.sourcemap import SourceLine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.model.check import CaseResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A finding with the kernel and the source lines that it is about."""

    kernel: str
    finding: Finding
    source: SourceLine | None = None
    other_source: SourceLine | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How often one instruction was executed, and what its accesses cost."""

    kernel: str
    line: int | None
    instruction: str
    executions: int
    """Number of times it was executed, summed over waves."""
    accesses: int = 0
    """Memory accesses, summed over waves."""
    cache_lines: int = 0
    """Distinct lines of device memory, summed over accesses."""
    bank_cycles: int = 0
    """Cycles of local memory in the accesses that were looked at, and how many there were at least."""
    bank_ideal: int = 0
    bank_looked: int = 0
    """Accesses that were looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a task."""

    label: str
    target: str
    findings: tuple[Told, ...]
    notes: tuple[str, ...] = ()
    executed: int
    """Wave instructions of one execution."""
    waves: int
    duration_s: float
    """Seconds that the execution took on this machine, with all checks."""
    arrays: Mapping[str, NDArray[np.generic]] = field(repr=False)
    counts: tuple[Count, ...] = ()
    result: CaseResult | None = None
    """Comparison with the reference; None: there is none."""

    @property
    def passed(self) -> bool:
        """True when nothing is wrong."""
        return not self.findings and (self.result is None or self.result.passed)

    def judged(self, result: CaseResult) -> Answer:
        """Return it with the comparison."""
        return replace(self, result=result)
