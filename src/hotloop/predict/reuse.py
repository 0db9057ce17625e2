"""Bytes that pass each memory level, from the requests of one group and how they move from group to group.

A compute unit's first-level cache sees the waves of its resident groups. On RDNA the units of a shader array share a cache behind
their own. A die's second-level cache sees the groups that run on it at one time, and keeps what the groups before them left; the
memory-side cache sees all. Groups start in the order of their numbers, x first, and are dealt to dies and then to compute units in
turn. Data that fit into a cache as a whole stay there from one call to the next, as they do when a call is timed again and again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.predict import lru
from hotloop.predict.card import Card
from hotloop.predict.footprint import Footprint
from hotloop.predict.requests import Requests, requests
from hotloop.predict.sample import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

_PAGE = 4096
"""Bytes of a page of addresses."""
_ROUNDS = 8
"""Largest number of rounds of work-groups that fill a cache before a round is examined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Residency:
    """How a launch lies on the machine."""

    grid: tuple[int, int, int]
    unit_groups: int
    """Groups on a compute unit at a time, at most what the grid gives it."""

    @property
    def groups(self) -> int:
        """Groups of the grid."""
        x, y, z = self.grid
        return x * y * z


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Bytes of a whole launch by the level that they come from or go to, and line accesses."""

    wave_lines: float
    """Different lines of the first-level cache that the accesses of one wave touch, summed over them."""
    wave_bytes: float
    """Bytes requested by one wave."""
    wave_filled_bytes: float
    """Bytes of one wave that go between the first-level cache and those behind it."""
    load_lines: float
    """Different lines of one load of a wave, on average: they are looked up one after the other."""
    l1_bytes: float
    """Bytes that leave the compute units."""
    l2_bytes: float
    """Bytes that reach the second-level caches."""
    mall_bytes: float
    """Bytes that go beyond the second-level caches."""
    memory_bytes: float
    """Bytes moved to and from device memory."""
    written: float
    """Share of writes in what leaves the compute units."""
    load_hit: float
    """Share of loads that find all of their lines in the first-level cache: a wave waits for the last of them."""
    l1_hit: float
    """Share of read lines; the following two are shares of what misses before, the caches of arrays counted with the second level."""
    l2_hit: float
    mall_hit: float
    footprint_bytes: float
    """Touched by the whole grid."""
    pages: float
    """Touched by the groups that run at a time."""
    density: float
    """Share of these pages that they touch."""
    running_bytes: float = 0.0
    """Touched by the groups that run at a time, in whole lines."""
    warm: str
    """The cache that holds the whole footprint from call to call; empty: none."""


@dataclass(frozen=True, slots=True)
class _Left:
    """What leaves a compute unit, as a mean over its resident groups."""

    reads: Sequence[tuple[Requests, int | None]]
    """Requests that miss the first-level cache, and of which resident group; None: of each."""
    missed: float
    """Lines that a group's reads miss."""
    share: float
    """Share of a group's requests that were looked at."""
    waiting: float
    """Share of loads of which a line is missed."""
    scalar_missed: float
    """Lines that a group's scalar loads miss in their cache; they stand in `reads`."""


@dataclass(frozen=True, slots=True)
class _Level:
    """A cache behind the first one."""

    bytes: int
    line: int
    stride: int
    """Distance of the numbers of groups that share one."""
    units: float
    """Compute units that share one."""


def flow(sample: Sample, card: Card, place: Residency, l1_line: int) -> Flow:
    """Return what a launch moves."""
    asked = requests(sample, l1_line)
    reads, writes = asked.where(~asked.write & ~asked.scalar), asked.where(asked.write)
    groups, units = place.groups, card.units
    resident = max(1, min(place.unit_groups, -(-groups // units)))
    left = _left(sample, reads, asked.where(~asked.write & asked.scalar), card, place, resident, l1_line)
    stored = writes.where(np.arange(int(len(writes) * left.share)))
    crowd = _Crowd(sample, place, resident * units, resident)
    every, line = Footprint(sample), card.line_bytes
    whole = min(every.bytes(line, np.arange(groups)), sample.room_bytes)
    leaving = left.missed + left.scalar_missed
    l1 = (leaving + len(writes)) * l1_line * groups
    l2 = l1
    if card.arrays and card.array_bytes:
        level = _Level(card.array_bytes, l1_line, card.arrays, units / card.arrays)
        l2 = (crowd.missed(level, left.reads, None, every) * leaving + len(writes)) * l1_line * groups
    level = _Level(card.l2_bytes, line, card.dies, units / card.dies)
    beyond, warm = 0.0, "second-level cache"
    requested = (leaving + len(writes)) * groups * line
    if whole >= card.l2_bytes:  # one that is full to the last byte keeps no arguments and no code
        beyond, warm = min(max(whole, crowd.missed(level, left.reads, stored, every) * requested), max(whole, l2)), ""
    memory = beyond
    if card.mall_bytes and whole < card.mall_bytes:
        memory, warm = 0.0, warm or "memory-side cache"
    elif card.mall_bytes:
        level = _Level(card.mall_bytes, line, 1, units)
        memory = min(beyond, max(whole, crowd.missed(level, left.reads, stored, every) * requested))
    lines, pages = (every.bytes(grain, crowd.running) for grain in (line, _PAGE))
    return Flow(
        wave_lines=float((~asked.scalar).sum()) / sample.group_waves,
        wave_bytes=sample.accesses.lane_bytes / sample.group_waves,
        wave_filled_bytes=(left.missed + len(writes)) * l1_line / sample.group_waves,
        load_lines=len(reads) / max(1, int((sample.accesses.read & ~sample.accesses.scalar).sum())),
        l1_bytes=l1,
        l2_bytes=l2,
        mall_bytes=beyond,
        memory_bytes=memory,
        written=len(writes) / max(1.0, leaving + len(writes)),
        load_hit=1 - left.waiting,
        l1_hit=1 - left.missed / len(reads) if len(reads) else 0.0,
        l2_hit=1 - min(1.0, beyond / l1) if l1 else 0.0,
        mall_hit=1 - min(1.0, memory / beyond) if beyond else 0.0,
        footprint_bytes=whole,
        pages=pages / _PAGE,
        density=min(1.0, lines / pages) if pages else 1.0,
        running_bytes=lines,
        warm=warm,
    )


def _left(
    sample: Sample, reads: Requests, scalars: Requests, card: Card, place: Residency, resident: int, line: int
) -> _Left:
    """Run the first-level caches of a compute unit over the reads of its resident groups.

    Where a unit is a pair (WGP), every other wave of a group sees the one cache and the others the second, or every other group
    where groups are single waves.
    """
    caches, lines = card.unit_simds // card.simds, max(1, card.l1_bytes // line)
    numbers = together(place.groups, resident, card)
    at = np.unique(numbers, return_index=True)[1]
    at = at[sample.paths.known(numbers[at])]
    left_over, missed, looked = list[tuple[Requests, int | None]](), 0.0, 0
    waiting: list[Array] = []
    for cache in range(caches):
        single = sample.group_waves < caches
        mine = at[cache::caches] if single else at
        some = reads if single else reads.where(reads.wave % caches == cache)
        if not len(mine) or not len(some):
            continue
        flags, seen = lru.exactly(some, numbers[mine], line, lines)
        waiting.append(_waiting(some, flags))
        weight = len(mine) / len(at) if single else 1.0
        missed += float(flags.sum()) / len(mine) * len(some) / seen * weight
        looked += int(seen * (weight if single else 1))
        alike = (flags == flags[0]).all()
        chosen = [(flags[0], None)] if alike and not single else [*zip(flags, mine.tolist(), strict=True)]
        left_over += [(some.where(np.flatnonzero(row)), number) for row, number in chosen]
    late = float(np.concatenate(waiting).mean()) if waiting else 0.0
    fetched, scalar_missed = _scalar(scalars, numbers, at, line, max(1, int(card.fact("scalar_bytes")) // line))
    share = looked / len(reads) if len(reads) else 1.0
    return _Left([*left_over, *fetched], missed, share, late, scalar_missed)


def together(groups: int, resident: int, card: Card) -> Array:
    """Return numbers of groups that a compute unit holds at a time: any of those that run, of one die.

    The first ones are dealt to the units in turn. After that a unit gets the next group whenever one of its own ends, so that those that it holds
    lie at no fixed distance.

    Args:
        groups: of the grid.
        resident: groups that a unit holds.
        card: the machine.
    """
    begin = max(0, groups // 2 - resident * card.units // 2)
    running = -(-min(resident * card.units, groups - begin) // card.dies)
    drawn = np.random.default_rng(0).choice(running, min(resident, running), replace=False)
    some: Array = begin + np.sort(drawn) * card.dies
    return some


def _scalar(
    asked: Requests, numbers: Array, at: Array, line: int, lines: int
) -> tuple[list[tuple[Requests, int | None]], float]:
    """Return what scalar loads of resident groups ask for beyond their cache, and how many lines that are for a group."""
    if not len(asked) or not len(at):
        return [], 0.0
    flags, seen = lru.exactly(asked, numbers[at], line, lines)
    rows = [(asked.where(np.flatnonzero(row)), n) for row, n in zip(flags, at.tolist(), strict=True) if row.any()]
    return [*rows], float(flags.sum()) / len(at) * len(asked) / seen


def _waiting(some: Requests, flags: Array) -> Array:
    """Return of each load of each group whether one of its lines is missed; flags of the lines of shape [groups, requests]."""
    looked = flags.shape[1]
    begins = np.flatnonzero(np.diff(some.step[:looked], prepend=-1) | np.diff(some.wave[:looked], prepend=-1))
    return np.logical_or.reduceat(flags, begins, axis=1).reshape(-1)


@dataclass(frozen=True, slots=True)
class _Crowd:
    """The groups of a launch that run at a time."""

    sample: Sample
    place: Residency
    most: int
    resident: int

    @property
    def running(self) -> Array:
        """Numbers of groups from the middle of the grid that run at a time."""
        begin = max(0, self.place.groups // 2 - self.most // 2)
        return np.arange(begin, min(self.place.groups, begin + self.most))

    def missed(
        self,
        level: _Level,
        reads: Sequence[tuple[Requests, int | None]],
        writes: Requests | None,
        every: Footprint,
    ) -> float:
        """Return the share of requests that miss the caches of a level."""
        together = max(1, int(min(self.place.groups, self.most) // level.stride))
        begin = max(0, self.place.groups // 2 - together * level.stride // 2)
        last = self._numbers(begin, together, level.stride)
        union = every.bytes(level.line, last)
        rounds = min(_ROUNDS, int(level.bytes // max(union, 1.0)) + 1)
        begins = [begin - n * together * level.stride for n in range(rounds, -1, -1)]
        parts = [
            self._blocks(self._numbers(start, together, level.stride), level, reads, writes)
            for start in begins
            if start >= 0
        ]
        seen = len(last) / min(together, self.place.groups)  # of unknown groups' part of the cache nothing is known
        return lru.missed(parts, level.line, max(1, int(level.bytes * seen) // level.line))

    def _numbers(self, begin: int, count: int, stride: int) -> Array:
        numbers = begin + np.arange(count) * stride
        numbers = numbers[numbers < self.place.groups]
        return numbers[self.sample.paths.known(numbers)]

    def _blocks(
        self, numbers: Array, level: _Level, reads: Sequence[tuple[Requests, int | None]], writes: Requests | None
    ) -> list[lru.Block]:
        turn = (np.arange(len(numbers)) // max(1.0, level.units)).astype(np.int64) % self.resident
        return [*_dealt(numbers, turn, reads), *([(writes, numbers)] if writes is not None and len(writes) else [])]


def _dealt(numbers: Array, turn: Array, reads: Sequence[tuple[Requests, int | None]]) -> Iterator[lru.Block]:
    for asked, number in reads:
        mine = numbers if number is None else numbers[turn == number]
        if len(mine) and len(asked):
            yield asked, mine
