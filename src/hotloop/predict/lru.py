"""Least-recently-used caches, run over the requests of the groups that share them.

Groups that start together go through the same code on other data, and wait for the same memory: they are taken to run in step, so that what
they share is asked for by all of them at about the same time. A first-level cache is small, and its order is kept exactly. A larger one sees very many requests:
of its lines a random part is looked at, with as small a part of its capacity, and its order is kept to an eighth of that.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.predict.requests import Requests

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

    Block = tuple[Requests, Array]
    """Requests, and the numbers of the groups that make them."""

_EXACT = 200_000
"""Largest number of requests of which the exact order is kept."""
_KEPT = 400_000
"""Largest number of requests of a round that are simulated in a larger cache."""
_MOVED = 8_000_000
"""Largest number of requests of a round whose addresses are computed."""
_BATCH = 1 << 18
"""Number of addresses that are computed at once."""
_LEAST_LINES = 1024
"""Least number of lines that a part of a cache holds."""
_PARTS = 8
_ROOM = 1 << 25
"""Largest number of lines whose last use is kept in an array with one place for each line."""
_MIX = np.uint64(0x9E3779B97F4A7C15)
"""2^64 over the golden ratio: spreads numbers of lines evenly (D. Knuth, The Art of Computer Programming 3, 6.4)."""


def exactly(asked: Requests, groups: Array, line: int, lines: int) -> tuple[Array, int]:
    """Return which requests of each group miss a cache that the groups share; shape [groups, requests looked at].

    Args:
        asked: by the sampled group.
        groups: their numbers.
        line: bytes of a line.
        lines: that the cache holds.

    Returns:
        True where a request misses, and the number of requests that were looked at, from the first on.
    """
    looked = min(len(asked), max(1, _EXACT // max(1, len(groups))))
    some = asked.where(np.arange(looked))
    numbers = some.of(asked.paths.offsets(groups)) // line
    who, at = (axis.reshape(-1) for axis in np.meshgrid(np.arange(len(groups)), np.arange(looked), indexing="ij"))
    order = np.lexsort((at, who, some.step[at]))
    misses, cache = np.zeros((len(groups), looked), bool), OrderedDict[int, None]()
    for group, n, number in zip(who[order].tolist(), at[order].tolist(), numbers[at, who][order].tolist(), strict=True):
        if number in cache:
            cache.move_to_end(number)
            continue
        misses[group, n] = True
        cache[number] = None
        if len(cache) > lines:
            cache.popitem(last=False)
    return misses, looked


def missed(rounds: Sequence[Sequence[Block]], line: int, lines: int) -> float:
    """Return the share of the last round's requests that miss a cache.

    Args:
        rounds: groups that run at a time, one round after the other; the earlier ones fill the cache.
        line: bytes of a line.
        lines: that the cache holds.
    """
    asked = sum(len(accesses) * len(groups) for accesses, groups in rounds[-1])
    if not asked:
        return 0.0
    part = 1
    while asked / part > _KEPT and lines // (2 * part) >= _LEAST_LINES:
        part *= 2
    share = min(1.0, _MOVED / asked, _KEPT * part / asked)
    streams = [*(_stream(blocks, line, part, share) for blocks in rounds)]
    names = _named(np.concatenate(streams))
    before = sum(map(len, streams[:-1]))
    count = len(names) - before
    return _misses(names, before, max(1, lines // part)) / count if count else 0.0


def _named(numbers: Array) -> Array:
    """Return lines numbered from 0 on, without great gaps."""
    if not len(numbers):
        return numbers
    low = int(numbers.min())
    if int(numbers.max()) - low < _ROOM:
        return numbers - low
    numbered: Array = np.unique(numbers, return_inverse=True)[1]
    return numbered


def _stream(blocks: Sequence[Block], line: int, part: int, share: float) -> Array:
    """Return the lines that a round asks for, in order, of those that are looked at."""
    lines: list[Array] = []
    steps: list[Array] = []
    for asked, groups in blocks:
        looked, offsets = max(1, int(len(asked) * share)), asked.paths.offsets(groups)
        size = max(1, _BATCH // max(1, len(groups)))
        for begin in range(0, looked, size):
            some = asked.where(np.arange(begin, min(looked, begin + size)))
            numbers = some.of(offsets) // line
            taken = _looked_at(numbers, part)
            lines.append(numbers[taken])
            steps.append(np.broadcast_to(some.step[:, None], numbers.shape)[taken])
    every = np.concatenate(lines) if lines else np.zeros(0, np.int64)
    if len(blocks) < 2:
        return every
    ordered: Array = every[np.argsort(np.concatenate(steps), kind="stable")]
    return ordered


def _looked_at(numbers: Array, part: int) -> Array:
    if part == 1:
        return np.ones(numbers.shape, bool)
    mixed = (numbers.astype(np.uint64) * _MIX) >> np.uint64(64 - part.bit_length() + 1)
    taken: Array = mixed == 0
    return taken


def _misses(names: Array, before: int, lines: int) -> int:
    """Return the misses from a place in a stream on, of a cache whose order is known to an eighth of its lines."""
    size = max(1, lines // _PARTS)
    last, mark = (np.zeros(int(names.max()) + 1, np.int32) for _ in range(2))
    places = np.arange(size, dtype=np.int32)
    alive, low, misses = 0, 1, 0
    counts = np.zeros(len(names) // size + 3, np.int64)
    now = 1
    begins = [*range(0, before, size), *range(before, len(names), size)]
    for begin, end in zip(begins, [*begins[1:], len(names)], strict=True):
        every = names[begin:end]
        mark[every] = places[: len(every)]
        some = every[mark[every] == places[: len(every)]]  # each once
        held = last[some]
        hit = held >= low
        np.subtract.at(counts, held[hit], 1)
        missing = len(some) - int(hit.sum())
        misses += missing if begin >= before else 0
        last[some], counts[now], alive = now, len(some), alive + missing
        while alive > lines and low < now:
            alive -= counts[low]
            low += 1
        now += 1
    return misses
