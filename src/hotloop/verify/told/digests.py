"""Contents that differ and have the same digest: what a kernel takes for equal that compares hashes in the place of texts or long numbers.

Most quick hashes are linear in what they take: a sum of elements times powers of a multiplier, or one half of a number and the other times one,
all modulo 2^32. Adding what such a sum makes zero of changes the contents and not the hash. The multipliers are the numbers that stand in the
text, and some that are much used. Every value stays within what the file draws.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.verify.domain import reach

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.generic]
    Whole = NDArray[np.int64]

_USUAL = (31, 33, 37, 131, 257, 65599, 0x01000193, 0x9E3779B1)
"""Multipliers of much used hashes: Java's strings, Bernstein's, SDBM's, Fowler, Noll and Vo's, Knuth's golden ratio."""
_BITS, _PLACES, _STEP = 32, 8, 9
"""Bits of a digest, elements that a change spans, and how far it moves each where the multiplier is no small number."""
_OWN, _SEARCHED = 6, 3
"""Multipliers of the text that are tried, and for how many of all a change is searched; which is drawn."""
_CHANGED, _SPARSE, _LEAST = 0.5, 32, 8
"""Part of the rows, or of the long numbers, that are changed; of an array without rows one place of so many, and some, begin a change."""


def collided(
    value: Array, marks: frozenset[float], rng: np.random.Generator, ends: tuple[int, int] | None = None
) -> Array | None:
    """Return integers of which many rows, or long numbers, have other values with the digest that they had; None where there is no room for any.

    Args:
        value: of at least one dimension.
        marks: numbers of the text, which may be multipliers.
        rng: chooses.
        ends: least and greatest value that the file asked for, where that is known.
    """
    if value.dtype.kind not in "iu":
        return None
    low, high = ends or reach(value)
    own = sorted({int(one) for one in marks if one == int(one) and 1 < one < 2**_BITS})
    chosen = [own[at] for at in rng.permutation(len(own))[:_OWN]] or list(_USUAL)
    chosen = [*chosen, *rng.choice(_USUAL, 2).tolist()]
    made: Any = _halves(value, chosen, rng) if value.dtype.itemsize == 8 else _rows(value, (low, high), chosen, rng)
    if made is None:
        return None
    kept = np.where((made >= low) & (made <= high), made, value)
    return None if np.array_equal(kept, value) else kept


def _halves(value: Array, multipliers: list[int], rng: np.random.Generator) -> Array:
    """Return numbers of 64 bits whose upper halves are a little larger, and the lower ones smaller by that times a multiplier; or both with bits changed."""
    words = np.ascontiguousarray(value).view(np.uint64)
    upper, lower = words >> np.uint64(_BITS), words & np.uint64(2**_BITS - 1)
    more = rng.integers(1, 4, value.shape).astype(np.uint64)
    by = rng.choice(np.array([1, *multipliers], np.uint64), value.shape)
    mask = np.uint64(2**_BITS - 1)
    added = (upper + more & mask) << np.uint64(_BITS) | (lower - more * by & mask)
    crossed = (upper ^ more) << np.uint64(_BITS) | (lower ^ more)
    made = np.where(rng.random(value.shape) < _CHANGED, np.where(rng.random(value.shape) < 0.75, added, crossed), words)
    return np.asarray(made.view(value.dtype))


def _rows(value: Array, ends: tuple[int, int], multipliers: list[int], rng: np.random.Generator) -> Array | None:
    """Return rows, or stretches of an array without rows, changed at some place in a way that leaves a digest as it was."""
    length = value.shape[-1]
    changes = _changes(multipliers, ends[1] - ends[0], length, rng)
    if not changes:
        return None
    made = value.astype(np.int64).reshape(-1, length)
    if value.ndim == 1:
        begins = rng.choice(length, min(length, max(_LEAST, length // _SPARSE)), replace=False)
        places = [(0, int(begin)) for begin in begins]
    else:
        places = [(int(row), -1) for row in np.flatnonzero(rng.random(len(made)) < _CHANGED)[:_MOST]]
    for row, begin in places[:_MOST]:
        same = changes[int(rng.integers(len(changes)))]
        change = same[int(rng.integers(len(same)))]
        at = int(rng.integers(length - len(change) + 1)) if begin < 0 else min(begin, length - len(change))
        now = made[row, at : at + len(change)] + change * int(rng.choice((-1, 1)))
        if (now >= ends[0]).all() and (now <= ends[1]).all():
            made[row, at : at + len(change)] = now
    return made.reshape(value.shape).astype(value.dtype)


_MOST = 4096
"""Rows and stretches that are changed at most."""


def _changes(multipliers: list[int], span: int, length: int, rng: np.random.Generator) -> list[list[Whole]]:
    """Return by multiplier what may be added to neighbours: one more, and the multiplier less beside it, where that fits; else what a search finds."""
    large = [one for one in dict.fromkeys(multipliers) if one > span]
    searched = (
        [large[at] for at in rng.permutation(len(large))[:_SEARCHED]] if span > _STEP and length >= _PLACES else []
    )
    found = [[np.array([1, -one], np.int64)] for one in dict.fromkeys(multipliers) if one <= span and length > 1]
    found += [[np.array(one, np.int64) for one in relations(multiplier)] for multiplier in searched]
    return [each for each in found if each]


@lru_cache(maxsize=64)
def relations(multiplier: int) -> tuple[tuple[int, ...], ...]:
    """Return some small changes of eight neighbours that a polynomial hash with a multiplier does not see, modulo 2^32.

    Sums of the first four places are met with those of the last four: of 19^8 changes about four have a digest of zero.

    >>> all(sum(d * 65599 ** (7 - at) for at, d in enumerate(one)) % 2**32 == 0 for one in relations(65599))
    True
    """
    steps = np.arange(-_STEP, _STEP + 1)
    each: Whole = np.stack(np.meshgrid(*[steps] * (_PLACES // 2), indexing="ij"), -1).reshape(-1, _PLACES // 2)
    powers = [pow(multiplier, _PLACES - 1 - at, 2**_BITS) for at in range(_PLACES)]
    first = each @ np.array(powers[: _PLACES // 2]) % 2**_BITS
    last = -(each @ np.array(powers[_PLACES // 2 :])) % 2**_BITS
    order = np.argsort(last, kind="stable")
    at = np.minimum(np.searchsorted(last[order], first), len(order) - 1)
    found = [
        (*each[left].tolist(), *each[order[at[left]]].tolist()) for left in np.flatnonzero(last[order[at]] == first)
    ]
    return tuple(one for one in found if any(one))
