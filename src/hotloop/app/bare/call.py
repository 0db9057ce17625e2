"""One launch of a bare source's kernel: its numbers, work-items and group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Call:
    """One launch with its numbers."""

    kernel: str
    values: Mapping[str, float]
    extents: tuple[int, ...]
    group: tuple[int, ...] | None = None
    rounds: int = 1
    """Launches of a loop of the host that this one does together."""
    end: int | None = None
    """Number of rounds at which the launch's loop ends, for a kernel that has a parameter for it."""


def filled_up(extents: tuple[int, ...], group: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return work-items that are whole groups."""
    if group is None:
        return extents
    return tuple(-(-extent // size) * size for extent, size in zip(extents, group, strict=True))
