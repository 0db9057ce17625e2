"""Numbers at which kernels turn: those that stand in a file and their multiples, one beside them, what drawn ones lack of them, short ones.

A limit that is off by one shows at one value only, which random numbers of a wide range never hold. Every value stays within what the
file draws, so nothing is tried that may be illegal.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.model.dtype import floating
from hotloop.verify.domain import reach

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.generic]

_NUMBER = re.compile(
    r"(?<![\w.])(?P<wide>\d{1,20})[uUlL]*\s*(?:<<|\*\*)\s*(?P<by>\d{1,3})(?![\w.])|'(?P<sign>[ -~])'"
    r"|(?<![\w.])(?P<plain>0[xX][0-9a-fA-F]{1,16}|\d{1,20}\.?\d{0,40}(?:[eE][+-]?\d{1,3})?|\.\d{1,40})[uUlLfF]*(?![\w.])"
)
_MOST = 48
"""Numbers of a file that are tried in one array; which of more is drawn."""
_FEW = 5
_LEAST_RANGE = 32
_SUMS, _MOST_SUMS = 4, 4096
"""One of so many values is made what is, with a number of the file or one by value added, a multiple of another one or beside it; how many at most."""


def numbers(text: str) -> frozenset[float]:
    """Return the numbers that stand in a text, characters and shifted or raised ones among them.

    >>> sorted(numbers("if (c == 'A' || v >= 1u << 4 || x > 0.5f) y[2] = 0x10;"))
    [0.5, 1, 2, 4, 16, 65]
    >>> numbers("1e999"), numbers("9" * 5000)
    (frozenset(), frozenset())
    """
    return frozenset(value for match in _NUMBER.finditer(text) for value in _values(match) if isfinite(value))


def _values(match: re.Match[str]) -> Iterator[float]:
    if match["sign"]:
        yield ord(match["sign"])
    elif match["plain"]:
        text = match["plain"]
        yield int(text, 16) if text[:2] in ("0x", "0X") else int(text) if text.isdigit() else float(text)
    else:
        base, power = int(match["wide"]), int(match["by"])
        yield from (base, power)
        if power <= 64:
            yield base**power if "**" in match[0] else base << power


def landed(
    value: Array,
    marks: frozenset[float],
    rng: np.random.Generator,
    *,
    whole_type: bool,
    ends: tuple[int, int] | None = None,
    beside: frozenset[int] = frozenset(),
) -> Array | None:
    """Return an array with numbers at which kernels turn, all within its own range, its type's, or between `ends`; None where there are none.

    `beside`: whole numbers that a kernel is given by value, which it may add.
    """
    if floating(value.dtype):
        return _lone(value, marks, rng)
    if value.dtype.kind not in "iu":  # yes and no have no landmarks
        return None
    limits = np.iinfo(value.dtype.name)
    low, high = (limits.min, limits.max) if whole_type else ends or reach(value)
    return _turning(_whole(value, low, high, marks, rng), low, high, (marks, beside), rng)


def _turning(
    value: Array, low: int, high: int, known: tuple[frozenset[float], frozenset[int]], rng: np.random.Generator
) -> Array:
    """Return an array with some values that are multiples of a number of the file, or lie beside one, once another number is added: days with an offset."""
    marks, beside = known
    whole = sorted({int(m) for m in marks if m == int(m)})
    steps = [one for one in whole if 1 < one <= high - low]
    if not steps or high - low < _LEAST_RANGE:
        return value
    added = sorted({*whole, *beside, *(one * by for one in beside for by in whole)} | {0})
    made = value.copy().reshape(-1)
    places = rng.choice(made.size, min(_MOST_SUMS, -(-made.size // _SUMS)), replace=False)
    picked = (
        rng.integers(0, len(steps), places.size),
        rng.integers(0, len(added), places.size),
        rng.integers(-1, 2, places.size),
    )
    for place, step, by, off in zip(places.tolist(), *(each.tolist() for each in picked), strict=True):
        one, more = int(made[place]), added[by]
        turned = one - (one + more) % steps[step] + off
        made[place] = turned if low <= turned <= high else made[place]
    return made.reshape(value.shape)


def _lone(value: Array, marks: frozenset[float], rng: np.random.Generator) -> Array | None:
    """Return floats with a few exact numbers: so few that two seldom meet, as zero and zero would in a quotient."""
    wide = value.astype(np.float64)
    low, high = float(wide.min()), float(wide.max())
    exact = [m for m in {*marks, 0.0, *(-m for m in marks)} if low <= m <= high and float(value.dtype.type(m)) == m]
    if not exact:
        return None
    made = value.copy().reshape(-1)
    places = rng.choice(made.size, max(1, int(made.size**0.5) // 4), replace=False)
    made[places] = rng.choice(np.array(sorted(exact)), places.size).astype(value.dtype)
    return made.reshape(value.shape)


def _whole(value: Array, low: int, high: int, marks: frozenset[float], rng: np.random.Generator) -> Array:
    """Return a quarter each of: numbers near those of the file, few drawn ones, short ones, and what was there."""
    few = rng.choice(value.reshape(-1), _FEW)
    near = [one for one in _near(few, marks, rng) if low <= one <= high]
    pool = np.array(near, value.dtype) if near else few
    kind: Any = rng.integers(0, 4, value.shape)
    short: Any = value >> rng.integers(0, 8 * value.dtype.itemsize, value.shape).astype(value.dtype)
    short = np.clip(short, low, high).astype(value.dtype)
    made = np.where(kind == 0, rng.choice(pool, value.shape), np.where(kind == 1, rng.choice(few, value.shape), value))
    return np.asarray(np.where(kind == 2, short, made))


def _near(few: Array, marks: frozenset[float], rng: np.random.Generator) -> list[int]:
    """Return numbers of the file, one less and more, and of some drawn ones what they lack of them and their multiples below."""
    whole = sorted({int(m) for m in marks if m == int(m)} | {0})
    chosen = whole if len(whole) <= _MOST else [whole[i] for i in rng.choice(len(whole), _MOST, replace=False)]
    drawn = [int(one) for one in few]
    near = {m + d for m in chosen for d in (-1, 0, 1)} | {m - one for m in chosen for one in drawn}
    return sorted(near | {one - one % m for m in chosen if m > 1 for one in drawn})
