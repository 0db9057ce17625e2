"""Atomics of local memory that stored nothing: a compare-and-swap that failed, an addition of zero.

Such an atomic only reads, so plain reads beside it are no races. A plain store beside it is one, as it would have been read atomically.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.sanitizer.findings import Trouble

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded

_TEXT = "writes local memory that another wave reads by an atomic that stored nothing, with no barrier in between"


class Tried:
    """Of each place of local memory: how many barriers each wave of the group had passed when it looked there by such an atomic."""

    __slots__ = ("_barriers",)

    def __init__(self, waves_per_group: int, places: int) -> None:
        """Make room for all places of all groups."""
        self._barriers = np.zeros((waves_per_group, places), np.int32)
        """One more than the barriers passed; 0: never."""

    def note(self, waves: Array, places: Array, lanes: Array, now: Array) -> None:
        """Take note of an atomic by waves at places [waves, lanes, parts] that stored nothing."""
        wave = np.nonzero(lanes)[0]
        self._barriers[(waves % len(self._barriers))[wave], places[lanes]] = now[wave, 0, 0] + 1

    def stored(self, c: Cohort, ins: Decoded, where: tuple[Array, Array, Array]) -> None:
        """Report a plain store (places, lanes and parts that it changes, barriers passed) where another wave looked with no barrier since."""
        places, lanes, now = where
        found = self._barriers[:, places] > now
        own = np.arange(len(found))[:, None] == c.waves_at % len(found)
        clash = lanes & (found & ~own[:, :, None, None]).any(axis=0)
        if clash.any():
            wave, lane, _ = (int(n[0]) for n in np.nonzero(clash))
            c.batch.findings.add(Trouble.LOCAL_RACE, ins, c, wave, lane, _TEXT, None)
