"""What one wave's stores to device memory mean to others: what is known to be done at barriers, and what atomics pass on.

Within a work-group a barrier orders stores: at once where its waves share their first cache (gfx9, CU mode), otherwise
those that were waited for before it. Between work-groups a release does: an atomic, after a wait for the stores, and on
gfx942 and gfx950 after the second cache was written back (``buffer_wbl2 sc1``), unless the stores pass it (``sc1``). Who meets that
atomic afterwards may read them. Source: LLVM, "User Guide for AMDGPU Backend", memory models of gfx90a to gfx12.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.sanitizer.access import Kind
from hotloop.isa.amdgcn.counters import Stream

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array, World
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.program import Program

    Known = dict[int, Array]

_RELEASES = 2
"""Row of what is known of a work-group that has its releases; before it are its waves' stores."""
_MOST_PAIRS = 4096
"""Atomic places of one instruction above which they are counters of many, not a way to wait for each other."""


class Causality:
    """Counts of stores, by wave: issued, known at barriers, written back, and what each work-group has been told."""

    __slots__ = (
        "_barrier",
        "_flushed",
        "_passed",
        "_releases",
        "_seen",
        "_shared",
        "_slots",
        "_stamps",
        "_stream",
        "_writeback",
        "first",
    )

    def __init__(self, program: Program) -> None:
        """Take the program: its processor decides what a release is."""
        gfx9 = not program.family.stores_apart
        self._stream = Stream.VECTOR if gfx9 else Stream.STORES
        self._shared = program.descriptor.shared_cache
        self._writeback = program.target.has("releases that write the second cache back")
        self._releases: dict[int, int] = {}
        """Atomics by which each work-group has told others what it did."""
        self._seen: dict[int, Known] = {}
        self._stamps: dict[int, Known] = {}
        self.first = 0
        """Number of the batch's first work-group in the launch."""
        self._slots = 1
        self._barrier = self._flushed = np.zeros(0, np.int64)
        self._passed = np.zeros((0, 0), np.int64)

    def begin(self, batch: World, first: int) -> None:
        """Take the next work-groups."""
        waves = len(batch.group_of)
        self.first, self._slots = first, batch.waves_per_group
        self._barrier, self._flushed = np.zeros(waves, np.int64), np.zeros(waves, np.int64)
        self._passed = np.zeros((waves, 64), np.int64)

    @property
    def any(self) -> bool:
        """Tell whether any work-group has been told anything."""
        return bool(self._seen)

    # -- what waves do ----------------------------------------------------------------------------------------------

    def number(self, c: Cohort) -> int:
        """Return the number of the store that is being issued."""
        return c.streams.issued.get(self._stream, 0) + 1

    def barrier(self, c: Cohort, barriers: Array) -> None:
        """Take note of what waves' stores are worth behind a barrier."""
        source = c.streams.issued if self._shared else c.streams.done
        epoch = barriers[c.waves_at]
        while int(epoch.max()) >= self._passed.shape[1]:
            self._passed = np.concatenate((self._passed, np.zeros_like(self._passed)), axis=1)
        self._barrier[c.waves_at] = self._passed[c.waves_at, epoch] = source.get(self._stream, 0)

    def write_back(self, c: Cohort) -> None:
        """The second cache is written back: what the waves have issued, and what their work-groups had behind a barrier."""
        for group in np.unique(c.groups).tolist():
            part = slice(group * self._slots, (group + 1) * self._slots)
            self._flushed[part] = np.maximum(self._flushed[part], self._barrier[part])
        self._flushed[c.waves_at] = c.streams.issued.get(self._stream, 0)

    def meet(self, c: Cohort, key: int, places: Array, lanes: Array, kind: Kind) -> None:
        """Work-groups touch places atomically: what is written there before comes along, and what they know stays there."""
        if kind is Kind.READ and not self._stamps:
            return
        groups = np.broadcast_to((c.groups + self.first)[:, None], lanes.shape)[lanes]
        pairs = _in_turn(places[lanes], groups)
        if len(pairs) > _MOST_PAIRS:
            return
        own: dict[int, Array] = {}
        for group in np.unique(groups).tolist() if kind is not Kind.READ else ():
            self._releases[group] = self._releases.get(group, 0) + 1
            own[group] = self._own(c, group)
        for place, group in pairs.tolist():
            stamp = self._stamps.setdefault(key << 40 | place, {})
            known = self._seen.setdefault(group, {})
            if kind is not Kind.WRITE:
                _merge(known, stamp)
            if kind is not Kind.READ:
                _merge(stamp, known)
                _merge(stamp, {group: own[group]})

    def _own(self, c: Cohort, group: int) -> Array:
        """Return a work-group's stores, by wave, that a release publishes: those that passed the second cache, others; its releases."""
        first = (group - self.first) * self._slots
        done = self._barrier[first : first + self._slots].copy()
        waves = c.waves_at[c.groups == group - self.first] - first
        done[waves] = np.maximum(done[waves], c.streams.done.get(self._stream, 0))
        flushed = np.minimum(done, self._flushed[first : first + self._slots]) if self._writeback else done
        return np.stack((done, flushed, np.full_like(done, self._releases[group])))

    # -- who may rely on what ---------------------------------------------------------------------------------------

    def behind_barrier(self, wave: Array, now: Array, number: Array) -> Array:
        """Tell which stores of waves of the own work-group are visible after `now` barriers; waves count in the launch."""
        place = wave - self.first * self._slots
        inside = (place >= 0) & (place < len(self._passed))
        passed = self._passed[np.where(inside, place, 0), np.minimum(now, self._passed.shape[1] - 1)]
        return inside & (number <= passed)

    def told(self, groups: Array, wave: Array, number: Array, through: Array, clash: Array) -> Array:
        """Tell which of the clashing stores the reading work-groups have been told of; all of one shape."""
        result = np.zeros(clash.shape, bool)
        where = np.nonzero(clash)
        readers, writers, slots = groups[where], wave[where] // self._slots, wave[where] % self._slots
        numbers, kinds = number[where], np.where(through[where], 0, 1)
        known = np.zeros(len(readers), bool)
        for reader, writer in np.unique(np.stack((readers, writers), axis=1), axis=0).tolist():
            counts = self._seen.get(reader, {}).get(writer)
            if counts is not None:
                chosen = (readers == reader) & (writers == writer)
                known[chosen] = numbers[chosen] <= counts[kinds[chosen], slots[chosen]]
        result[where] = known
        return result

    def releases(self, groups: Array) -> Array:
        """Return how often work-groups have released."""
        found, back = np.unique(groups, return_inverse=True)
        return np.array([self._releases.get(group, 0) for group in found.tolist()])[back].reshape(groups.shape)

    def heard(self, groups: Array, readers: Array, releases: Array) -> Array:
        """Tell which work-groups have been told of a release after the first so many of others; all of one length."""
        known = np.zeros(len(groups), bool)
        for group, reader in np.unique(np.stack((groups, readers), axis=1), axis=0).tolist():
            counts = self._seen.get(group, {}).get(reader)
            if counts is not None:
                chosen = (groups == group) & (readers == reader)
                known[chosen] = releases[chosen] < counts[_RELEASES, 0]
        return known


def _in_turn(places: Array, groups: Array) -> Array:
    """Return pairs of place and group: at each place in the order in which the lanes change it, which is not that of the groups."""
    pairs = np.stack((places, groups), axis=1)[np.argsort(places, kind="stable")]
    return pairs[np.r_[True, (pairs[1:] != pairs[:-1]).any(axis=1)]]


def _merge(into: Known, other: Known) -> None:
    for group, counts in other.items():
        mine = into.get(group)
        into[group] = counts if mine is None else np.maximum(mine, counts)
