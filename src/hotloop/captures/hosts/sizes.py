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

    @property
    def changes(self) -> bool:
        """Tell whether there are fewer work-items, or a group."""
        return self.group is not None or any(step > 1 for step in self.steps)

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
