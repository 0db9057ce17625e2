"""Bytes that pass each memory level, from the accesses of one group and how they move from group to group.

A compute unit's first-level cache sees the waves of its resident groups: a least-recently-used cache of the size that is left to
a group is run over the group's accesses in the order of their issue. A die's second-level cache sees the groups that are
resident on it at one time; what they touch together is fetched once where it fits. Groups start in the order of their numbers,
x first, and are dealt to dies and then to compute units in turn. Data that fit into a cache as a whole stay there from one call
to the next, as they do when a call is timed again and again.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.access import Kind
from hotloop.predict.card import Card
from hotloop.predict.sample import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

_MOST_LINES = 1 << 18
"""Lines that a union is counted over; of more offsets the rest follows from the growth."""
_MOST_GROUPS = 1 << 15
"""Groups whose offsets are looked at."""
_PAGE = 4096
"""Bytes of a page of addresses."""
_GRAIN = 32
"""Bytes to which addresses are rounded before they are moved: the least that memory transfers."""
_MOST_ACCESSES = 200_000
"""Line accesses that the first-level cache is simulated over."""


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

    requested_bytes: float
    """That lanes ask for."""
    wave_lines: float
    """Different lines of the first-level cache that the accesses of one wave touch, summed over them."""
    wave_bytes: float
    """Requested by one wave."""
    l2_bytes: float
    """Between the first- and the second-level caches."""
    mall_bytes: float
    """Beyond the second-level caches."""
    memory_bytes: float
    """To and from device memory."""
    l1_hit: float
    """Share of read lines; the following two are shares of what misses before."""
    l2_hit: float
    mall_hit: float
    footprint_bytes: float
    """Touched by the whole grid."""
    pages: float
    """Touched by the groups that run at a time."""
    density: float
    """Share of these pages that they touch."""
    warm: str
    """The cache that holds the whole footprint from call to call; empty: none."""


def flow(sample: Sample, card: Card, place: Residency, l1_line: int) -> Flow:
    """Return what a launch moves."""
    reads = _Lines.of(sample, l1_line, reads=True)
    writes = _Lines.of(sample, l1_line, reads=False)
    asked = reads.accesses
    resident = max(1, min(place.unit_groups, -(-place.groups // card.units)))
    missed = _missed(sample, l1_line, card.l1_bytes // resident)
    written = writes.distinct_per_access
    groups = place.groups
    l2 = (missed + written) * l1_line * groups
    whole = footprint(sample, card.line_bytes, np.arange(groups), place.grid)
    die_groups = max(1, min(groups, resident * card.units) // card.dies)
    beyond = _beyond(sample, card, place, die_groups, card.l2_bytes, l2, whole, stride=card.dies)
    warm = ""
    if whole <= card.l2_bytes:
        beyond, warm = 0.0, "second-level cache"
    memory = beyond
    if card.mall_bytes:
        if whole <= card.mall_bytes:
            memory, warm = 0.0, warm or "memory-side cache"
        else:
            device = min(groups, resident * card.units)
            memory = min(beyond, _beyond(sample, card, place, device, card.mall_bytes, beyond, whole, stride=1))
    running = _running(place, resident * card.units)
    lines, pages = (footprint(sample, grain, running, place.grid) for grain in (card.line_bytes, _PAGE))
    return Flow(
        requested_bytes=(reads.bytes + writes.bytes) * groups,
        wave_lines=(reads.distinct_per_access + writes.distinct_per_access) / sample.group_waves,
        wave_bytes=(reads.bytes + writes.bytes) / sample.group_waves,
        l2_bytes=l2,
        mall_bytes=beyond,
        memory_bytes=memory,
        l1_hit=1 - missed / asked if asked else 0.0,
        l2_hit=1 - min(1.0, beyond / l2) if l2 else 0.0,
        mall_hit=1 - min(1.0, memory / beyond) if beyond else 0.0,
        footprint_bytes=whole,
        pages=pages / _PAGE,
        density=min(1.0, lines / pages) if pages else 1.0,
        warm=warm,
    )


def _running(place: Residency, most: int) -> Array:
    """Return the numbers of groups from the middle of the grid that run at a time."""
    begin = max(0, place.groups // 2 - most // 2)
    return np.arange(begin, min(place.groups, begin + most))


@dataclass(frozen=True, slots=True)
class _Lines:
    """The accesses of a group by lines."""

    bytes: float
    distinct_per_access: float
    """Lines of each access of each wave, summed."""

    @property
    def accesses(self) -> float:
        """Line accesses."""
        return self.distinct_per_access

    @classmethod
    def of(cls, sample: Sample, line: int, *, reads: bool) -> _Lines:
        """Count the reads of a group, or its writes; atomics are both."""
        chosen = [t for t in sample.touches if (t.kind in (Kind.READ, Kind.COPY)) == reads]
        distinct = sum(len(_lines(t.addresses, t.bytes, line)) for t in chosen)
        return cls(float(sum(len(t.addresses) * t.bytes for t in chosen)), float(distinct))


def _lines(addresses: Array, size: int, line: int) -> Array:
    first, last = addresses // line, (addresses + size - 1) // line
    return np.unique(first) if (first == last).all() else np.unique(np.concatenate((first, last)))


def _missed(sample: Sample, line: int, capacity: int) -> float:
    """Return the lines that a group's reads miss in a first-level cache of a capacity."""
    cache: OrderedDict[int, None] = OrderedDict()
    most, missed, seen = max(1, capacity // line), 0, 0
    reads = [t for t in sample.touches if t.kind in (Kind.READ, Kind.COPY)]
    total = 0
    for touch in reads:
        numbers = _lines(touch.addresses, touch.bytes, line).tolist()
        total += len(numbers)
        if seen > _MOST_ACCESSES:
            continue
        seen += len(numbers)
        for number in numbers:
            if number in cache:
                cache.move_to_end(number)
                continue
            missed += 1
            cache[number] = None
            if len(cache) > most:
                cache.popitem(last=False)
    return missed * total / seen if seen else 0.0


def _beyond(
    sample: Sample,
    card: Card,
    place: Residency,
    together: int,
    capacity: int,
    asked: float,
    whole: float,
    *,
    stride: int,
) -> float:
    """Return the bytes that caches of a capacity let through, over the whole launch.

    Args:
        sample: accesses of one group.
        card: for the size of lines.
        place: the grid.
        together: groups that share one cache at a time.
        capacity: of that cache in bytes.
        asked: bytes that come to the caches.
        whole: footprint of the grid in bytes.
        stride: distance of the numbers of groups that share a cache.
    """
    begin = max(0, place.groups // 2 - together * stride // 2)
    numbers = begin + np.arange(together) * stride
    union = footprint(sample, card.line_bytes, numbers[numbers < place.groups], place.grid)
    fetched = max(whole, union * place.groups / max(1, together))
    if union > capacity:  # what does not fit is fetched again as often as it is asked for
        fetched += max(0.0, asked - fetched) * (1 - capacity / union)
    return min(max(asked, whole), fetched)


def footprint(sample: Sample, line: int, numbers: Array, grid: tuple[int, int, int]) -> float:
    """Return the bytes that groups touch together, in whole lines; `numbers` are theirs in the order of their start."""
    x, y, _ = grid
    chosen = numbers[:_MOST_GROUPS]
    places = np.stack((chosen % x, chosen // x % y, chosen // (x * y)), axis=1) - np.array(sample.origin)
    classes: dict[tuple[int, ...], list[Array]] = {}
    for touch, shift in zip(sample.touches, sample.shifts.tolist(), strict=True):
        classes.setdefault(tuple(shift), []).append(_lines(touch.addresses, touch.bytes, _GRAIN))
    total = 0.0
    for shift, parts in classes.items():
        base = np.unique(np.concatenate(parts)) * _GRAIN
        total += _shifted(base, places @ np.array(shift, np.int64), line) * line
    return total * _beyond_chosen(len(chosen), len(numbers), total)


def _beyond_chosen(chosen: int, every: int, total: float) -> float:
    """Return by what the footprint of the first groups is scaled to that of all: in proportion."""
    return every / chosen if chosen and total else 1.0


def _shifted(base: Array, offsets: Array, line: int) -> float:
    """Return how many lines the same accesses touch from several offsets together."""
    _, first = np.unique(offsets, return_index=True)
    moved = offsets[np.sort(first)]
    most = max(2, _MOST_LINES // max(1, len(base)))
    if len(moved) <= most:
        return float(_count(base, moved, line))
    whole, half = _count(base, moved[:most], line), _count(base, moved[: most // 2], line)
    return whole + (whole - half) / (most - most // 2) * (len(moved) - most)


def _count(base: Array, moved: Array, line: int) -> int:
    return len(np.unique((base[None, :] + moved[:, None]) // line))
