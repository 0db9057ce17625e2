"""Whole numbers that shortcuts of number theory get wrong: the longest divisions, numbers that pass for primes, squares and what lies beside them.

A kernel that takes too few steps, or asks too few questions, is right for nearly every number. So these stand side by side in integers of wide ranges;
what the file does not draw is not among them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from hotloop.verify.domain import reach

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.generic]

_BITS = 64
_PSEUDOPRIMES = (
    2047, 3277, 4033, 4681, 8321, 15841, 29341, 42799, 49141, 52633, 65281, 74665, 80581, 85489, 88357, 90751,
    1373653, 1530787, 1987021, 2284453, 3116107, 5173601, 25326001, 161304001, 960946321, 1157839381, 3215031751,
    4759123141, 1122004669633, 2152302898747, 3474749660383, 341550071728321, 3825123056546413051,
)  # fmt: skip
"""Strong pseudoprimes: to base 2 (OEIS A001262), to bases 2 and 3, to 2, 3 and 5, and the least ones to the first 4 and more primes (A014233), to 2, 7 and 61."""
_CARMICHAEL = (561, 1105, 1729, 2465, 2821, 6601, 8911, 10585, 46657, 101101, 252601, 294409, 1024651, 56052361)
"""Numbers that pass Fermat's test to every base (OEIS A002997)."""
_LONGEST = (
    27,
    97,
    703,
    871,
    6171,
    35655,
    77031,
    106239,
    113383,
    159487,
    270271,
    626331,
    837799,
    1723519,
    8400511,
    63728127,
    670617279,
)
"""Numbers that take more steps, or climb higher, than all below them in Collatz's problem (OEIS A006877, A006884)."""
_PRIMES = (
    2,
    3,
    5,
    7,
    61,
    127,
    251,
    257,
    509,
    8191,
    32749,
    46337,
    65521,
    65537,
    2147483629,
    2147483647,
    4294967279,
    4294967291,
)
"""Primes: small ones, and those at the ends of 8, 16, 31 and 32 bits."""
_TURNS = 4
_LEAST = 16
"""Numbers that a range must hold for this to be worth a case."""


def noted(value: Array, rng: np.random.Generator, *, whole_type: bool) -> Array | None:
    """Return integers half of which are such numbers, neighbours side by side in several arrays; None where the range holds few of them."""
    if value.dtype.kind not in "iu" or value.dtype.itemsize < 4:
        return None
    limits = np.iinfo(value.dtype.name)
    low, high = (limits.min, limits.max) if whole_type else reach(value)
    inside = [one for one in _numbers() if low <= one <= high]
    if len(inside) < _LEAST:
        return None
    places = np.arange(value.size)
    turned = rng.integers(0, _TURNS, places.size // len(inside) + 1)[
        places // len(inside)
    ]  # neighbours meet in some blocks
    made = np.array(inside, value.dtype)[(places + turned) % len(inside)]
    return np.where(rng.random(value.size) < 0.5, made, value.reshape(-1)).reshape(value.shape)


@cache
def _numbers() -> tuple[int, ...]:
    """Return all of them in order, but for Fibonacci's, which stay neighbours."""
    others = {*_PSEUDOPRIMES, *_CARMICHAEL, *_LONGEST, *_PRIMES, *_powers()} - set(_fibonacci())
    return (*_fibonacci(), *sorted(others))


@cache
def _fibonacci() -> tuple[int, ...]:
    """Return Fibonacci's numbers: two neighbours take Euclid the most divisions for their size (Lamé)."""
    found = [1, 2]
    while found[-1] < 2**_BITS:
        found.append(found[-2] + found[-1])
    return tuple(found)


def _powers() -> Iterator[int]:
    """Yield squares of primes, squares and powers at the ends of types, and their neighbours."""
    yield from (prime * prime for prime in _PRIMES)
    for bits in range(2, _BITS + 1):
        root = int((1 << bits) ** 0.5)
        yield from ((1 << bits) - 1, 1 << bits, (1 << bits) + 1, root * root - 1, root * root, root * root + 1)
    for base in (3, 7, 10):
        yield from (base**power + d for power in range(2, 20) for d in (-1, 0))
