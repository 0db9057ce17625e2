"""Accesses of one work-group to device memory, in arrays."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.sanitizer.access import Kind
from hotloop.predict.watch import Touch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


_COMMON = 0.9
"""Least share of lanes that take part in both of two groups whose accesses are alike."""


@dataclass(frozen=True, slots=True, eq=False)
class Accesses:
    """Shapes [accesses], and [accesses, lanes] of `addresses` and `lanes`."""

    order: Array
    """Position in the order of issue; waves that run together have the same."""
    instruction: Array
    """Index in the program."""
    wave: Array
    """Place in the group."""
    bytes: Array
    """Bytes that each lane accesses."""
    read: Array
    atomic: Array
    """True for atomic accesses. An access that is neither a read nor atomic is a write."""
    scalar: Array
    """True for scalar instructions, whose accesses go through a cache of their own."""
    addresses: Array
    """Bytes from the beginning of the arena."""
    lanes: Array
    """Which lanes take part."""

    def __len__(self) -> int:
        return len(self.order)

    @property
    def lane_bytes(self) -> float:
        """Bytes that lanes ask for, of vector instructions."""
        return float((self.lanes.sum(axis=1) * self.bytes * ~self.scalar).sum())

    def where(self, chosen: Array) -> Accesses:
        """Return some of them, by a mask or by numbers."""
        return Accesses(
            self.order[chosen], self.instruction[chosen], self.wave[chosen], self.bytes[chosen], self.read[chosen],
            self.atomic[chosen], self.scalar[chosen], self.addresses[chosen], self.lanes[chosen],
        )  # fmt: skip

    def moved(self, other: Accesses) -> tuple[Array, Array] | None:
        """Return by how many bytes each access lies elsewhere in another group, and by how much lanes differ in that; None: it does others.

        Both are ordered by wave and issue; shapes [accesses]. A few lanes may take part in one of them only, as at the edge of a grid.
        """
        if len(self) != len(other) or (self.wave != other.wave).any() or (self.instruction != other.instruction).any():
            return None
        if self.lanes.shape != other.lanes.shape:
            return None
        lanes = self.lanes & other.lanes
        if not lanes.any(axis=1).all() or lanes.sum() < _COMMON * max(self.lanes.sum(), other.lanes.sum()):
            return None
        difference = np.where(lanes, other.addresses - self.addresses, 0)
        most = np.where(lanes, difference, np.iinfo(np.int64).min).max(axis=1)
        least = np.where(lanes, difference, np.iinfo(np.int64).max).min(axis=1)
        return difference.sum(axis=1) / lanes.sum(axis=1), most - least


def of(touches: Sequence[Touch], groups: int, group_waves: int) -> list[Accesses]:
    """Return the accesses of each group, by wave and then in the order of issue; waves are numbered through."""
    if not touches:
        none = np.zeros(0, np.int64)
        flag = none.astype(bool)
        return [Accesses(none, none, none, none, flag, flag, flag, none.reshape(0, 1), flag.reshape(0, 1))] * groups
    width = max(touch.lanes.shape[1] for touch in touches)
    rows = [len(touch.waves) for touch in touches]
    number = np.concatenate([touch.waves for touch in touches])
    order = np.repeat(np.arange(len(touches)), rows)
    made = Accesses(
        order=order,
        instruction=np.array([touch.instruction for touch in touches])[order],
        wave=number % group_waves,
        bytes=np.array([touch.bytes for touch in touches])[order],
        read=np.array([touch.kind in (Kind.READ, Kind.COPY) for touch in touches])[order],
        atomic=np.array([touch.kind is Kind.ATOMIC for touch in touches])[order],
        scalar=np.array([touch.scalar for touch in touches])[order],
        addresses=np.concatenate([_widened(touch.addresses, width) for touch in touches]).astype(np.int64),
        lanes=np.concatenate([_widened(touch.lanes, width) for touch in touches]).astype(bool),
    )
    sorted_ = np.lexsort((order, number))
    ends = np.searchsorted(number[sorted_] // group_waves, np.arange(groups + 1))
    return [made.where(sorted_[begin:end]) for begin, end in itertools.pairwise(ends)]


def _widened(rows: Array, width: int) -> Array:
    return rows if rows.shape[1] == width else np.pad(rows, ((0, 0), (0, width - rows.shape[1])))
