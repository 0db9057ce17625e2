"""Comparison of a kernel's executions before and after a patch: the same bits, or differences by rounding."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Compared:
    """One launch of both kernels."""

    trial: str
    groups: int
    written: int
    """Elements that the original writes."""
    differ: int
    """Number of those elements that have other bits afterwards, in any run."""
    largest: float
    """Largest absolute difference of finite elements."""
    beyond: int | None
    """How many of the patched are beyond the error bound of the original's arithmetic; None: no reference."""
    lost: int
    """Elements that are finite before and not afterwards, or the other way round, or written by one only."""
    findings: tuple[str, ...] = ()
    """Findings of the adversary in the patched kernel that the original does not have."""
    executed: tuple[int, int] = (0, 0)
    """Wave instructions before and after."""


@dataclass(frozen=True, slots=True)
class Proof:
    """Executions of all launches of a patched kernel, compared with the original."""

    rows: tuple[Compared, ...]
    runs: int

    @property
    def identical(self) -> bool:
        """Every bit is the same."""
        return all(not row.differ and not row.findings for row in self.rows)

    @property
    def holds(self) -> bool:
        """Identical, or every difference is one of rounding: judged ones within the bound, no value lost."""
        return self.identical or (
            any(row.beyond is not None for row in self.rows)
            and all(not row.beyond and not row.lost and not row.findings for row in self.rows)
        )
