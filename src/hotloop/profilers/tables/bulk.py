"""Long counter tables of any length, summed per dispatch and counted per kernel, in bounded memory.

A row is one instance (engine, die) of one counter of one dispatch. Rows of a dispatch need not be neighbours: parts are
put together as long as they are less than about 32 MB of text apart. Older ones are folded into sums per kernel and
counter, so memory depends on kernels × counters and on a fixed window, not on the length of the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hotloop.profilers.summary import GEOMETRY, kernel_profile
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import KernelProfile, Tally

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

UNKNOWN = -1
"""Stands for an absent integer inside a batch; profilers count from 0."""
_DISPATCH_BITS, _COUNTER_BITS, _ORIGIN_BITS = 36, 12, 15
_WINDOW_KEYS = 2_000_000
_WINDOW_BATCHES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Some rows in columns; text is given as place in a list of distinct values."""

    kernels: Sequence[str]
    kernel: Ints
    counters: Sequence[str]
    counter: Ints
    devices: Sequence[str]
    device: Ints
    process: Ints
    dispatch: Ints
    value: Floats
    """The value; NaN where it is absent."""
    begin_ns: Ints
    duration_ns: Ints
    """UNKNOWN where begin and end are absent or not in order."""
    geometry: Mapping[str, Ints]


@dataclass(slots=True)
class _Sum:
    count: int = 0
    total: float = 0.0
    minimum: float = float("inf")
    maximum: float = float("-inf")
    late: bool = False

    def add(self, count: int, total: float, minimum: float, maximum: float) -> None:
        self.count += count
        self.total += total
        self.minimum = min(self.minimum, minimum)
        self.maximum = max(self.maximum, maximum)

    def tally(self) -> Tally:
        return Tally(self.count, self.total, None if self.late else self.minimum, None if self.late else self.maximum)


@dataclass(slots=True)
class _Window:
    """Values by (origin, counter, dispatch) that may still grow."""

    combine: np.ufunc
    parts: list[tuple[Ints, Floats, Ints, Ints]] = field(default_factory=list)
    """(key, value, begin of the dispatch, batch)."""
    size: int = 0
    done: dict[int, int] = field(default_factory=dict)
    """Highest dispatch already folded, by (origin, counter)."""
    late: set[int] = field(default_factory=set)
    mixed: bool = False
    """True when one dispatch has several begins, so that several passes are in one table."""

    def add(self, key: Ints, value: Floats, begin: Ints, number: int) -> None:
        self.parts.append((key, value, begin, np.full(len(key), number, np.int64)))
        self.size += len(key)

    def close(self, before: int) -> tuple[Ints, Floats]:
        """Take out, in order of key, what no batch since `before` has touched; of several passes the earliest."""
        if not self.size:
            return np.empty(0, np.int64), np.empty(0)
        key, value, begin, seen = (np.concatenate(parts) for parts in zip(*self.parts, strict=True))
        order = np.argsort(key)
        key, value, begin, seen = key[order], value[order], begin[order], seen[order]
        starts = _starts(key)
        first, seen = np.minimum.reduceat(begin, starts), np.maximum.reduceat(seen, starts)
        kept = begin == np.repeat(first, np.diff(np.append(starts, len(key))))
        if not kept.all():
            self.mixed = True
            key, value = key[kept], value[kept]
            starts = _starts(key)
        key, value = key[starts], self.combine.reduceat(value, starts)
        new = seen >= before
        self.parts = [(key[new], value[new], first[new], seen[new])]
        self.size = int(new.sum())
        return key[~new], value[~new]

    def check_late(self, groups: Ints, first: Ints, last: Ints) -> None:
        """Remember groups in which a dispatch comes long after it, or a later one, was folded."""
        for group, lowest, highest in zip(groups.tolist(), first.tolist(), last.tolist(), strict=True):
            if lowest <= self.done.get(group, -1):
                self.late.add(group)
            self.done[group] = max(highest, self.done.get(group, -1))


@dataclass(slots=True)
class CounterSums:
    """Takes batches of a long counter table; `kernels` gives the result."""

    window_keys: int = _WINDOW_KEYS
    _origins: dict[tuple[int, str, str], int] = field(default_factory=dict)
    """(process, device, kernel) → number."""
    _counters: dict[str, int] = field(default_factory=dict)
    _sums: dict[int, _Sum] = field(default_factory=dict)
    _times: dict[int, _Sum] = field(default_factory=dict)
    _launches: dict[int, int] = field(default_factory=dict)
    _geometry: dict[tuple[int, str], tuple[int, int]] = field(default_factory=dict)
    _values: _Window = field(default_factory=lambda: _Window(np.add))
    _durations: _Window = field(default_factory=lambda: _Window(np.maximum))
    _number: int = 0

    def add(self, batch: Batch) -> None:
        """Count rows in. Raises ProfileError for more kernels, counters or dispatches than a profile can have."""
        self._number += 1
        if not len(batch.dispatch):
            return
        origin = self._origin(batch)
        counter = self._counter(batch)
        if int(batch.dispatch.max()) >> _DISPATCH_BITS or int(batch.dispatch.min()) < 0:
            raise ProfileError("a Dispatch_Id is negative or beyond 2^36: the table is damaged.")
        finite = np.isfinite(batch.value)
        key = (((origin << _COUNTER_BITS) | counter) << _DISPATCH_BITS) | batch.dispatch
        self._values.add(key[finite], batch.value[finite], batch.begin_ns[finite], self._number)
        launch = (origin << (_COUNTER_BITS + _DISPATCH_BITS)) | batch.dispatch
        changed = _starts(launch, batch.begin_ns)
        self._durations.add(
            launch[changed], batch.duration_ns[changed].astype(np.float64), batch.begin_ns[changed], self._number
        )
        self._shape(origin[changed], {name: column[changed] for name, column in batch.geometry.items()})
        if self._values.size + self._durations.size > self.window_keys:
            self._fold(self._number - _WINDOW_BATCHES + 1)

    def kernels(self) -> tuple[KernelProfile, ...]:
        """Return all kernels, in the order in which they first appear; nothing can be added afterwards."""
        self._fold(self._number + 1)
        names = {number: key[2] for key, number in self._origins.items()}
        return tuple(
            self._kernel(name, [n for n, k in names.items() if k == name]) for name in dict.fromkeys(names.values())
        )

    @property
    def late(self) -> bool:
        """True when parts of a dispatch were too far apart: extremes are unknown, counts too high; known after `kernels`."""
        return bool(self._values.late or self._durations.late)

    @property
    def mixed(self) -> bool:
        """True when several passes of a dispatch are in the table, of which the earliest was used; known after `kernels`."""
        return self._values.mixed

    def _origin(self, batch: Batch) -> Ints:
        process, processes = _distinct(batch.process)
        width = max(1, len(batch.kernels)), max(1, len(batch.devices))
        code = (processes * width[1] + batch.device) * width[0] + batch.kernel
        present = np.flatnonzero(np.bincount(code))
        numbers = np.zeros(int(present[-1]) + 1, np.int64)
        for value in present.tolist():
            rest, kernel = divmod(value, width[0])
            which, device = divmod(rest, width[1])
            triple = (int(process[which]), batch.devices[device], batch.kernels[kernel])
            numbers[value] = self._origins.setdefault(triple, len(self._origins))
        if len(self._origins) >> _ORIGIN_BITS:
            raise ProfileError(
                f"there are more than {1 << _ORIGIN_BITS} kernels on different devices: the table is damaged."
            )
        origins: Ints = numbers[code]
        return origins

    def _counter(self, batch: Batch) -> Ints:
        numbers = np.array([self._counters.setdefault(n, len(self._counters)) for n in batch.counters], np.int64)
        if len(self._counters) >> _COUNTER_BITS:
            raise ProfileError(f"there are more than {1 << _COUNTER_BITS} counter names: the table is damaged.")
        return numbers[batch.counter]

    def _shape(self, origin: Ints, geometry: Mapping[str, Ints]) -> None:
        order = np.argsort(origin)
        ordered = origin[order]
        starts = _starts(ordered)
        for name, column in geometry.items():
            values = column[order]
            least, most = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
            for number, low, high in zip(ordered[starts].tolist(), least.tolist(), most.tolist(), strict=True):
                before = self._geometry.get((number, name), (low, high))
                self._geometry[number, name] = (min(low, before[0]), max(high, before[1]))

    def _fold(self, before: int) -> None:
        key, value = self._values.close(before)
        for group, count, total, least, most in _groups(self._values, key, value):
            self._sums.setdefault(group, _Sum()).add(count, total, least, most)
        key, value = self._durations.close(before)
        for group, count, _, _, _ in _groups(self._durations, key, value):
            self._launches[group] = self._launches.get(group, 0) + count
        counted = value >= 0
        for group, count, total, least, most in _groups(None, key[counted], value[counted]):
            self._times.setdefault(group, _Sum()).add(count, total, least, most)

    def _kernel(self, name: str, origins: list[int]) -> KernelProfile:
        shapes = {f: [self._geometry[n, f] for n in origins if (n, f) in self._geometry] for f in GEOMETRY}
        low = {f: min((s[0] for s in rows), default=UNKNOWN) for f, rows in shapes.items()}
        high = {f: max((s[1] for s in rows), default=UNKNOWN) for f, rows in shapes.items()}
        counters = {c: self._merged(self._sums, origins, n, self._values.late) for c, n in self._counters.items()}
        return kernel_profile(
            name,
            sum(self._launches.get(n << _COUNTER_BITS, 0) for n in origins),
            {f: None if value == UNKNOWN else value for f, value in high.items()},
            [f for f in GEOMETRY if low[f] != high[f]],
            self._merged(self._times, origins, 0, self._durations.late),
            {c: tally for c, tally in counters.items() if tally is not None},
        )

    def _merged(self, sums: Mapping[int, _Sum], origins: list[int], counter: int, late: set[int]) -> Tally | None:
        whole = _Sum()
        for origin in origins:
            group = (origin << _COUNTER_BITS) | counter
            part = sums.get(group)
            if part is not None:
                whole.add(part.count, part.total, part.minimum, part.maximum)
                whole.late |= group in late
        return whole.tally() if whole.count else None


def _distinct(values: Ints) -> tuple[Ints, Ints]:
    """Return the distinct values and the place of each among them; usually there is one."""
    if (values == values[0]).all():
        return values[:1], np.zeros(len(values), np.int64)
    distinct, places = np.unique(values, return_inverse=True)
    return distinct, places


def _starts(ordered: Ints, second: Ints | None = None) -> Ints:
    """Return the places at which a new value begins, of one or the other column."""
    if not len(ordered):
        return np.empty(0, np.int64)
    changes = ordered[1:] != ordered[:-1]
    if second is not None:
        changes |= second[1:] != second[:-1]
    return np.concatenate(([0], np.flatnonzero(changes) + 1)).astype(np.int64)


def _groups(window: _Window | None, key: Ints, value: Floats) -> list[tuple[int, int, float, float, float]]:
    """Return (origin and counter, dispatches, total, minimum, maximum) of sorted keys."""
    if not len(key):
        return []
    group = key >> _DISPATCH_BITS
    starts = _starts(group)
    ends = np.append(starts[1:], len(key))
    if window is not None:
        mask = (1 << _DISPATCH_BITS) - 1
        window.check_late(group[starts], key[starts] & mask, key[ends - 1] & mask)
    columns = (group[starts], ends - starts, *(op.reduceat(value, starts) for op in (np.add, np.minimum, np.maximum)))
    return list(zip(*(column.tolist() for column in columns), strict=True))
