"""What `verify-checker` found: a row for each mutant, the clean kernels, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What became of one mutant."""

    specimen: str
    mutant: str
    kind: str
    bug: str
    guard: str
    """The check that caught it; empty when none did."""
    stage: str
    """``quick``, ``timed`` or ``full``: the earliest check that caught it."""
    inputs: int
    """Inputs that were run until it was caught, or all of them."""
    reason: str
    allclose: bool | None
    """Whether ``numpy.allclose`` on one input of the asked problem catches it; None: not asked."""

    @property
    def caught(self) -> bool:
        """True when the check found it."""
        return bool(self.guard)


@dataclass(frozen=True, slots=True)
class Clean:
    """A kernel without a bug, verified like its mutants."""

    specimen: str
    problem: str
    config: str
    reason: str
    """Why the check refused it: a false alarm; empty when it passed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole catalogue, or all mutations of one kernel."""

    device: str
    rows: tuple[Row, ...]
    clean: tuple[Clean, ...]
    skipped: tuple[str, ...] = ()
    """Mutants that this machine cannot show, with the reason."""
    unrun: tuple[str, ...] = ()
    """Mutants and clean kernels that were not run within the budget, so that nothing is known of them."""

    @property
    def missed(self) -> tuple[Row, ...]:
        """Mutants that passed as right."""
        return tuple(row for row in self.rows if not row.caught)

    @property
    def alarms(self) -> tuple[Clean, ...]:
        """Clean kernels that were refused."""
        return tuple(kernel for kernel in self.clean if kernel.reason)

    @property
    def plain(self) -> int:
        """How many mutants the plain comparison catches."""
        return sum(bool(row.allclose) for row in self.rows)
