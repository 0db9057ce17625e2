"""The accesses of one work-group as requests for lines, in arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.predict.paths import Paths
    from hotloop.predict.sample import Sample

    Array = NDArray[Any]

_OFF = np.iinfo(np.int64).max
"""Stands for the address of a lane that takes no part."""


@dataclass(frozen=True, slots=True, eq=False)
class Requests:
    """Each access of each wave by the lines that it touches, in the order of issue; shapes [requests]."""

    address: Array
    """First byte that the access touches in the line."""
    track: Array
    """Number of the path that the request takes from group to group."""
    step: Array
    """Position in the order of issue; waves that run together issue in the same step."""
    wave: Array
    """Place in the group."""
    write: Array
    scalar: Array
    paths: Paths

    def __len__(self) -> int:
        return len(self.address)

    def where(self, chosen: Array) -> Requests:
        """Return some of them, by a mask or by numbers."""
        return Requests(
            self.address[chosen],
            self.track[chosen],
            self.step[chosen],
            self.wave[chosen],
            self.write[chosen],
            self.scalar[chosen],
            self.paths,
        )

    def of(self, offsets: Array) -> Array:
        """Return the addresses in groups whose tracks have some offsets, [tracks, groups]; shape [requests, groups]."""
        moved: Array = self.address[:, None] + offsets[self.track]
        return moved


def requests(sample: Sample, line: int) -> Requests:
    """Return the requests of a sample's first group for lines of some bytes; atomics are read and written."""
    made = sample.accesses
    first = np.where(made.lanes, made.addresses, _OFF)
    last = made.addresses + (made.bytes - 1)[:, None]
    over = made.lanes & (last // line != made.addresses // line)
    if over.any():
        first = np.concatenate((first, np.where(over, last // line * line, _OFF)), axis=1)
    first.sort(axis=1)  # of each access by itself: much sooner done than all together
    new = first != _OFF
    new[:, 1:] &= first[:, 1:] // line != first[:, :-1] // line
    number = np.repeat(np.arange(len(made)), np.count_nonzero(new, axis=1))
    return Requests(
        first[new], sample.paths.tracks[number], made.order[number], made.wave[number], ~made.read[number], made.scalar[number], sample.paths
    )  # fmt: skip
