"""Who read each element of a buffer last: a wave, several of a work-group, or several work-groups, and after which barrier.

One word an element: 20 bits of a wave's or work-group's number plus one, a bit that says which, and the number of barriers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array

_MANY = np.uint32(0xFFFFFFFF)
"""Stands for a reader that is several work-groups."""
_SEVERAL = np.uint32(1 << 11)
_EPOCHS = 2047
"""Barriers that are told apart; behind so many nothing is said within a work-group."""
_IDS = (1 << 20) - 2
_TRIES = 3


class Readers:
    """The words of one buffer."""

    __slots__ = ("_words",)

    def __init__(self, count: int) -> None:
        """Take the number of elements."""
        self._words = np.zeros(count, np.uint32)

    def at(self, places: Array) -> Array:
        """Return the words of places."""
        return self._words[places]

    def note(self, places: Array, valid: Array, wave: Array, group: Array, now: Array, slots: int) -> None:
        """Waves read places [waves, lanes, parts], those that are `valid`."""
        epoch = np.minimum(now, _EPOCHS).astype(np.uint32)
        mine = np.broadcast_to(((wave % _IDS + 1).astype(np.uint32) << np.uint32(12)) | epoch, places.shape)
        several = np.broadcast_to(
            ((group % _IDS + 1).astype(np.uint32) << np.uint32(12)) | _SEVERAL | epoch, places.shape
        )
        for _ in range(_TRIES):
            new = self._joined(self._words[places], mine, several, group, slots)
            self._words[places[valid]] = new[valid]
            if not (valid & (self._words[places] != new)).any():
                return

    def _joined(self, old: Array, mine: Array, several: Array, group: Array, slots: int) -> Array:
        if (old == _MANY).all():
            return old
        same_wave = (old | np.uint32(_EPOCHS)) == (mine | np.uint32(_EPOCHS))
        if ((old == 0) | same_wave).all():
            return np.maximum(old, mine)
        number = (old >> np.uint32(12)).astype(np.int64) - 1
        its_group = np.where(old & _SEVERAL != 0, number, number // slots)
        same_group = (old != _MANY) & (its_group == group % _IDS)
        low = np.uint32(_EPOCHS)
        joined = several & ~low | np.maximum(several & low, old & low)
        return np.where((old == 0) | same_wave, np.maximum(old, mine), np.where(same_group, joined, _MANY)).astype(
            np.uint32
        )


class Recent:
    """The last two work-groups that read each element of a buffer, and how often each had released when it did."""

    __slots__ = ("_clock", "_group")

    def __init__(self, count: int) -> None:
        """Take the number of elements."""
        self._group, self._clock = np.full((2, count), -1, np.int32), np.zeros((2, count), np.int32)

    def note(self, places: Array, group: Array, clock: Array) -> None:
        """Work-groups read places; all three of one shape."""
        older = places[self._group[0, places] != group]
        self._group[1, older], self._clock[1, older] = self._group[0, older], self._clock[0, older]
        self._group[0, places], self._clock[0, places] = group, clock
        lost = self._group[0, places] != group  # two of them read it by one instruction
        self._group[1, places[lost]], self._clock[1, places[lost]] = group[lost], clock[lost]

    def at(self, places: Array) -> tuple[Array, Array]:
        """Return the groups, -1 for none, and their releases; the first axis is the two."""
        return self._group[:, places], self._clock[:, places]


def clashing(readers: Array, wave: Array, group: Array, now: Array, slots: int) -> tuple[Array, Array]:
    """Tell which stores meet a read by another wave of the own work-group since the last barrier, and by another work-group."""
    number = (readers >> np.uint32(12)).astype(np.int64) - 1
    several = readers & _SEVERAL != 0
    its_group = np.where(several, number, number // slots)
    epoch = (readers & np.uint32(_EPOCHS)).astype(np.int64)
    mine = its_group == group % _IDS
    between = (readers != 0) & ((readers == _MANY) | ~mine)
    other = several | (number != wave % _IDS)
    within = (readers != 0) & (readers != _MANY) & mine & other & (epoch >= now) & (epoch < _EPOCHS)
    return within, between
