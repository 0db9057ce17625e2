"""Inputs of a bare source: random, of a kind on which the text in single precision agrees with itself in double."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from hotloop.app.bare.contents import Held, drawn

if TYPE_CHECKING:
    from numpy.typing import NDArray

KINDS = ("signed", "positive", "divisible", "dominant", "apart")
"""Kinds of random inputs in the order in which they are tried: both signs; 0.5 to 1.5; large divisors and small other numbers; square
matrices with a large diagonal; values of which no two are nearer than about one, as particles that push each other off are."""
_DIVIDES = re.compile(r"/|\b(?:sqrt|rsqrt|log|log2|log10|pow|powr|native_divide|native_recip|native_log|native_sqrt)\b")


@dataclass(frozen=True, slots=True)
class Drawn:
    """How one array is drawn."""

    length: int
    dtype: str
    divisor: bool = False
    """True where the text divides by it, or takes its root: whole numbers are then not zero."""
    values: tuple[float, ...] = ()
    """Values that the user gave for its elements."""
    held: Held | None = None
    """Meaning of its integers (an index into another array, for example), where that is known."""
    lanes: int = 1
    """Numbers of a short vector, where its elements are such."""


def kinds(text: str) -> tuple[str, ...]:
    """Return the kinds of inputs that make sense for a text: one that divides by nothing needs no divisors."""
    bare = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    return KINDS if _DIVIDES.search(bare) else KINDS[:2]


def divisors(text: str) -> set[str]:
    """Return the names behind a division or below a root.

    >>> sorted(divisors("x[i] = y[i] / b[i-1] + sqrt(c[i]);"))
    ['b', 'c']
    """
    names = set(re.findall(r"[/%]\s*\(?\s*([A-Za-z_]\w*)\s*\[", text))
    return names | set(re.findall(r"\b(?:sqrt|rsqrt|log|log2|log10)\s*\(\s*([A-Za-z_]\w*)\s*\[", text))


def draw(kind: str, arrays: Mapping[str, Drawn], rng: np.random.Generator) -> dict[str, NDArray[np.generic]]:
    """Return arrays of a kind by name."""
    made: dict[str, NDArray[np.generic]] = {}
    for name, array in sorted(arrays.items(), key=lambda one: bool(one[1].held and one[1].held.of)):
        if array.held is not None and not array.values:
            made[name] = drawn(array.held, array.length, array.dtype, rng, made)
        else:
            made[name] = _one(kind, array, rng)
    return {name: made[name] for name in arrays}


def _one(kind: str, array: Drawn, rng: np.random.Generator) -> NDArray[np.generic]:
    dtype = np.dtype(array.dtype)
    if array.values:
        return np.resize(np.array(array.values), array.length).astype(dtype)
    if dtype.kind in "iu":
        return rng.integers(int(array.divisor), 4, array.length).astype(dtype)
    if kind == "signed":
        values = rng.uniform(-1.0, 1.0, array.length)
    elif kind == "positive":
        values = rng.uniform(0.5, 1.5, array.length)
    elif kind == "divisible":
        values = rng.uniform(1.5, 2.5, array.length) if array.divisor else rng.uniform(0.0, 0.25, array.length)
    elif kind == "apart":
        values = rng.permutation(array.length) + rng.uniform(0.75, 1.25, array.length)
    else:
        values = rng.uniform(0.0, 1.0, array.length)
        side = isqrt(array.length)
        if side * side == array.length:
            values[:: side + 1] += side
    return values.astype(dtype)


def factor(name: str) -> float:
    """Return the value of a real number that nobody named: between 0.5 and 1.5, always the same for a name."""
    return round(0.5 + crc32(name.encode()) % 1000 / 1000, 3)
