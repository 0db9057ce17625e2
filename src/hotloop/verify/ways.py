"""One long way through all places: as an order of them, as a maze, and as bits of words that relate places to one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.generic]

DRAWN = 64
"""Different matrices that are made: an array of very many repeats them."""
_LEAST_BITS = 8
"""Length from which rows of words with as many bits are a matrix of bits, and no chance."""


@dataclass(frozen=True, slots=True)
class Related:
    """How the bits of drawn words relate places to one another."""

    both: bool
    """Each to each other."""
    own: bool
    """Each to itself."""
    upper: bool
    """To later ones only, or itself."""
    lower: bool
    """To earlier ones only, or itself."""

    @property
    def any(self) -> bool:
        """Whether there is a relation that chance does not draw."""
        return self.both or self.own or self.upper or self.lower

    def matrix(self, length: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Return a chain with the same relation, all that it allows, or all but a chain; or a maze where there is none."""
        if not self.any and rng.integers(2):
            return np.asarray(maze(length, length, 0.0, 1.0, rng) > 0)
        way = order(length, rng)
        if self.upper or self.lower:
            way = np.arange(length)[:: -1 if self.lower else 1]
        chain = np.zeros((length, length), bool)
        chain[way[:-1], way[1:]] = True
        chain |= chain.T & self.both
        itself: Any = np.eye(length, dtype=bool)
        every = np.tril(~itself) if self.lower else np.triu(~itself) if self.upper else ~itself
        made = (chain, chain, every, every & ~chain)[int(rng.integers(4))]  # few relations, all, all but a few
        return np.asarray(made | itself if self.own else made)


def bits(value: Array) -> Related | None:
    """Return how words are related whose rows are as long as the words have bits that are used, a matrix of bits; None for other arrays.

    >>> bits(np.array([[2, 1, 8, 4, 32, 16, 128, 64]], "u1")), bits(np.array([[3, 5, 8]], "u1"))
    (Related(both=True, own=False, upper=False, lower=False), None)
    """
    length = value.shape[-1] if value.ndim else 0
    if value.dtype.kind != "u" or not _LEAST_BITS <= length <= 8 * value.dtype.itemsize:
        return None
    if int(np.bitwise_or.reduce(value.reshape(-1))) != 2**length - 1:
        return None
    places: Any = np.arange(length, dtype=value.dtype)
    drawn = value.reshape(-1, length)[:DRAWN, :, None] >> places & value.dtype.type(1)
    both = bool((drawn == drawn.transpose(0, 2, 1)).all())
    own = bool(np.diagonal(drawn, axis1=1, axis2=2).all())
    upper, lower = (not part.any() for part in (np.tril(drawn, -1), np.triu(drawn, 1)))
    return Related(both, own, upper, lower)


def of_bits(value: Array, related: Related, rng: np.random.Generator) -> Array:
    """Return rows of words that are chains, or mazes, with the same relation."""
    length = value.shape[-1]
    places: Any = np.arange(length, dtype=value.dtype)
    made = np.stack([related.matrix(length, rng) for _ in range(DRAWN)])
    words = np.asarray((made.astype(value.dtype) << places).sum(axis=2), value.dtype)
    return np.asarray(words[rng.integers(0, DRAWN, value.size // length)]).reshape(value.shape)


def order(size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return all places once, the first one first: in order, in reverse, or as it comes."""
    rest = np.arange(1, size)
    orders = (rest, rest[::-1], rest[::-1], rng.permutation(rest))
    return np.concatenate([[0], orders[int(rng.integers(len(orders)))]])


def maze(rows: int, columns: int, low: float, high: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return a way that goes along every other row and round their ends by turns."""
    made = np.full((rows, columns), low)
    made[::2] = high
    first = int(rng.integers(2))
    made[1::4, -1 if first else 0] = made[3::4, 0 if first else -1] = high
    return made


def ending(value: NDArray[np.generic]) -> bool:
    """Tell whether the numbers of each row are places in it, and whoever follows them comes to an end: linked lists, forests in any order.

    An end is a place that leads to itself, or a negative number. Of random rows of n numbers e/n end so.

    >>> ending(np.array([[1, 2, 3, 4, 4, 0], [5, 5, 0, 2, 3, 5]] * 3)), ending(np.array([[1, 2, 3, 4, 4, 0], [5, 3, 1, 2, 3, 5]] * 3))
    (True, False)
    """
    length = value.shape[-1] if value.ndim else 0
    if length < _LEAST_ROW or value.max() >= length or value.max() < 2 or value.min() < -1:
        return False
    rows = value.reshape(-1, length).astype(np.int64)
    if np.unique(rows[0]).size * _VARIED < length:  # labels and counts: few numbers lead anywhere
        return False
    chance = len(rows) * (1.0 - np.log(length))  # (e/n) to the number of rows, as a logarithm
    return bool(chance < _BY_CHANCE) and _end(rows[:1]) and _end(rows)


def _end(rows: NDArray[np.int64]) -> bool:
    leads = np.where(rows < 0, np.arange(rows.shape[1]), rows)
    to = leads
    for _ in range(rows.shape[1].bit_length()):
        to = np.take_along_axis(to, to, 1)
    return bool((np.take_along_axis(leads, to, 1) == to).all())


_LEAST_ROW = 5
"""Length of a row from which on its numbers may be taken for links."""
_VARIED = 3
"""Part of a row's length, as a divisor, that its numbers must be different ones; of random places about two thirds are."""
_BY_CHANCE = -4.0
"""Logarithm of how probable it may be that random places lead to ends."""
