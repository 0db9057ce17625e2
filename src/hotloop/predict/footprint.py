"""Bytes that many groups touch together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.predict.requests import requests

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.predict.sample import Sample

    Array = NDArray[Any]

_MOST_LINES = 1 << 18
"""Largest number of cache lines in a union that is counted; beyond it the size is extrapolated from its growth."""
_MOST_GROUPS = 1 << 15
"""Largest number of work-groups whose offsets are examined."""
_GRAIN = 32
"""Bytes to which addresses are rounded before they are moved: the least that memory transfers."""
_SPARSE = 64
"""Places per number above which numbers are sorted instead of marked in an array."""


class Footprint:
    """What a sampled group touches, ready to be moved to where other groups are."""

    def __init__(self, sample: Sample) -> None:
        """Put together what moves alike from group to group."""
        asked = requests(sample, _GRAIN)
        self._paths = asked.paths
        order = np.lexsort((asked.address, asked.track))
        grains, tracks = asked.address[order] // _GRAIN, asked.track[order]
        new = np.ones(len(order), bool)
        new[1:] = (tracks[1:] != tracks[:-1]) | (grains[1:] != grains[:-1])
        grains, tracks = grains[new], tracks[new]
        self._tracks, begins = np.unique(tracks, return_index=True)
        self._bases = np.split(grains * _GRAIN, begins[1:])

    def bytes(self, line: int, numbers: Array) -> float:
        """Return the bytes in whole lines; `numbers` are the groups' in the order of their start. Of unknown paths the rest follows in proportion."""
        executed = numbers[self._paths.known(numbers)][:_MOST_GROUPS]
        if not len(executed) or not len(self._tracks):
            return 0.0
        offsets = self._paths.offsets(executed)
        total = sum(_shifted(base, offsets[track], line) for track, base in zip(self._tracks, self._bases, strict=True))
        return total * line * len(numbers) / len(executed)


def _shifted(base: Array, offsets: Array, line: int) -> float:
    """Return how many lines the same accesses touch from several offsets together."""
    moved = np.array(list(dict.fromkeys(offsets.tolist())))
    most = max(2, _MOST_LINES // max(1, len(base)))
    if len(moved) <= most:
        return float(_count(base, moved, line))
    whole, half = _count(base, moved[:most], line), _count(base, moved[: most // 2], line)
    return whole + (whole - half) / (most - most // 2) * (len(moved) - most)


def _count(base: Array, moved: Array, line: int) -> int:
    lines = ((base[None, :] + moved[:, None]) // line).reshape(-1)
    low = int(lines.min())
    room = int(lines.max()) - low + 1
    if room > _SPARSE * len(lines):
        return len(np.unique(lines))
    marked = np.zeros(room, bool)
    marked[lines - low] = True
    return int(np.count_nonzero(marked))
