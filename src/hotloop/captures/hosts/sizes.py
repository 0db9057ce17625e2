"""How a launch changes: the work-items and the group that a winner is launched with, as expressions of those that the program has."""

from __future__ import annotations

from dataclasses import dataclass


class UnclearError(Exception):
    """A launch that cannot be changed for sure: where it stands and why, one clause."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """A kernel's launch before and after."""

    entry: str
    steps: tuple[int, ...]
    """Factor by which each dimension has fewer work-items."""
    group: tuple[int, ...] | None
    """Work-items of a group from now on; None: the runtime chooses."""
    rounds: tuple[bool, ...] = ()
    """Dimensions in which the text has a bound, so that there may be more work-items than are needed; empty: in all."""

    def bounded(self) -> None:
        """Raise UnclearError where whole groups may be more work-items than the text has a bound for."""
        sizes = zip(self.group or (), self.rounds, strict=False)
        if any(size > 1 and not bound for size, bound in sizes):
            raise UnclearError("its text may have no bound for the work-items that whole groups need with other sizes")

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Return for each dimension by what the work-items are divided, rounded up, and by what the quotient is multiplied: whole groups.

        >>> Sizes("f", (4, 1), (8, 1)).pairs()
        ((32, 8), (1, 1))
        """
        groups = self.group or (1,) * len(self.steps)
        return tuple((step * size, size) for step, size in zip(self.steps, groups, strict=True))


def fewer(whole: str, by: int, size: int, division: str) -> str:
    """Return the expression of work-items that remain; it never has a negative number in it, for unsigned ones wrap.

    >>> fewer("n", 32, 8, "//")
    '(n + 31) // 32 * 8'
    """
    if by == 1:
        return whole
    rounded = f"({whole} + {by - 1}) {division} {by}"
    return rounded if size == 1 else f"{rounded} * {size}"
