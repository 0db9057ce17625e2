"""What may be put in the place of an input: what its file says in a word, else what its own values show.

Nothing legal may be refused, so values are only changed where they show no order or relation that a kernel may count on:
tables (equal whatever the seed), sorted keys and offsets, distinct indices, symmetric or diagonally dominant matrices,
lower and upper ends of intervals, rows that add up to one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.model.dtype import floating
from hotloop.verify.ways import bits, ending

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

ANY, FINITE, RANGE, POSITIVE, NAN = "any", "finite", "range", "positive", "nan"
STRUCTURE = "structure"
FIXED = ("fixed", "sorted", "unique", "definite", "indices", "intervals", "probabilities", STRUCTURE)
WORDS = (ANY, FINITE, RANGE, POSITIVE, NAN, *FIXED)
"""Words with which a file may describe an input: any value of the type; no NaN or infinities; nothing beyond what `inputs` draws; no other
sign; NaN and infinities reach no further than the reference says; and the reason why other values must stay as drawn."""
_ENOUGH = 8
"""Elements from which on an order among them is no chance."""
_COVERING = 0.25
"""Part of an integer type's range from which on values are taken to be any of the type."""
_DOMINANT = 3.0
_FAR = 4
"""All other values are a quarter as large at most where an end of a type is no value of a range."""
_COUNTERS = re.compile(r"seed|key|salt|nonce|counter|ctr|state", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Freedom:
    """What may be done with one array."""

    values: bool = False
    """Other values of its own range, in any order."""
    signs: bool = False
    """Other signs, other magnitudes: values are spread around zero."""
    extremes: bool = False
    """Any value of the type."""
    specials: tuple[float, ...] = ()
    """Infinities, NaN, zeros and numbers below the least normal one that may stand anywhere, whole rows of them too."""
    ends: tuple[int, int] | None = None
    """Least and greatest integer that the file asked for, which it need not have drawn."""


STAYS = Freedom()
COUNTER = Freedom(extremes=True)
"""Freedom of a number passed by value: any value of its type."""


def freedoms(inputs: Inputs, again: Inputs, words: Mapping[str, str]) -> dict[str, Freedom]:
    """Return what may be done with each array of a kernel's inputs, and which numbers are counters.

    Args:
        inputs: as drawn.
        again: the same problem, drawn from another seed: what is equal in both is a table.
        words: what the file says, by input.
    """
    arrays = {name: value for name, value in inputs.items() if isinstance(value, np.ndarray) and value.size}
    bound = _related(arrays)
    return {
        **{name: COUNTER for name, value in inputs.items() if counts(name, value, words.get(name, ""))},
        **{
            name: _freedom(value, again.get(name), words.get(name, ""), name in bound) for name, value in arrays.items()
        },
    }


def _freedom(value: NDArray[np.generic], again: object, word: str, related: bool) -> Freedom:  # noqa: FBT001 - a fact, not a switch
    if word in FIXED:
        return STAYS
    spread = floating(value.dtype) and _spread(value)
    covering = value.dtype.kind in "iu" and _covers(value)
    if word in (ANY, FINITE, NAN):
        real = floating(value.dtype)
        specials = (
            ()
            if not real or word == FINITE
            else _SPECIALS
            if word == NAN
            else (*_SPECIALS, _FULL, *_least(value.dtype))
        )
        return Freedom(values=True, signs=real, extremes=value.dtype.kind in "iu", specials=specials)
    if word in (RANGE, POSITIVE):
        return Freedom(values=True)
    if related or not isinstance(again, np.ndarray) or _table(value, again) or structured(value):
        return STAYS
    return Freedom(values=True, signs=spread, extremes=covering, specials=_drawn(value))


def _least(dtype: np.dtype[Any]) -> tuple[float, ...]:
    """Return a number below the least normal one of a type, which arithmetic that flushes to zero loses, and some just above it.

    Squares of the latter vanish, and a limit against a division by zero may lie above them. Only where NumPy has the type.
    """
    return tuple(float(np.finfo(dtype).tiny) * part for part in _SMALL) if dtype.kind == "f" else ()


_SMALL = (0.25, 3.0, 2.0**7)
"""Very small numbers, in units of the least normal one."""


_SPECIALS = (float("nan"), float("inf"), float("-inf"), -0.0)
_FULL = float(np.array([2**63 - 1], np.uint64).view(np.float64)[0])
"""NaN with every bit set, in any type: what is added to its bits before they are cut carries into the sign."""


def _drawn(value: NDArray[np.generic]) -> tuple[float, ...]:
    """Return which of the special values a file draws by itself."""
    if not floating(value.dtype):
        return ()
    wide = value.astype(np.float64)
    met = (np.isnan(wide), wide == np.inf, wide == -np.inf)
    return tuple(special for special, where in zip(_SPECIALS, met, strict=False) if where.any())


def _table(value: NDArray[np.generic], again: NDArray[np.generic]) -> bool:
    same = value.shape == again.shape and value.tobytes() == again.tobytes()
    return same and value.size > 1


def _spread(value: NDArray[np.generic]) -> bool:
    """Tell whether numbers lie around zero; infinities and NaN among them are marks for nothing.

    >>> _spread(np.array([-3.0, 2.5])), _spread(np.array([-3.0, -np.inf, 2.5, np.nan])), _spread(np.array([0.0, np.inf, 2.5]))
    (True, True, False)
    """
    wide = value.astype(np.float64)
    known = wide[np.isfinite(wide)]
    if known.size < 2:
        return value.size < 2
    low, high = float(known.min()), float(known.max())
    return low < 0 < high and 0.1 < -low / high < 10


def _covers(value: NDArray[np.generic]) -> bool:
    """Tell whether values cover their type; of a signed one that has no negative value it is only half that may be drawn."""
    limits = np.iinfo(value.dtype.name)
    low, high = reach(value)
    return (
        value.size >= _ENOUGH
        and high - low >= _COVERING * (int(limits.max) - int(limits.min))
        and (low < 0 or not limits.min)
    )


def reach(value: NDArray[np.generic]) -> tuple[int, int]:
    """Return the least and the greatest of integers, but for an end of their type that stands far from all others: a mark for nothing.

    >>> reach(np.array([3, 9, 2**31 - 1], "i4")), reach(np.array([3, 9, 2**31 - 1, 2**30], "i4")), reach(np.array([-128, 5, 99], "i1"))
    ((3, 9), (3, 2147483647), (5, 99))
    """
    limits, flat = np.iinfo(value.dtype.name), value.reshape(-1)
    low, high = int(flat.min()), int(flat.max())
    if high == limits.max and (rest := flat[flat != flat.max()]).size and int(rest.max()) < high // _FAR:
        high = int(rest.max())
    if low == limits.min < 0 and (rest := flat[flat != flat.min()]).size and int(rest.min()) > low // _FAR:
        low = int(rest.min())
    return low, high


def structured(value: NDArray[np.generic]) -> bool:
    """Tell whether values show an order or relation that a kernel may count on."""
    wide = value.astype(np.float64)
    if value.size < _ENOUGH:  # of two keys nobody can tell whether they are sorted by chance
        steps = np.diff(wide) if wide.ndim == 1 else np.zeros(0)
        return bool(steps.size) and bool((steps >= 0).all() or (steps <= 0).all())
    return (
        ordered(wide) or (value.dtype.kind in "iu" and _places(value)) or _matrix(wide) or shares(wide) or bounds(wide)
    )


def _places(value: NDArray[np.generic]) -> bool:
    """Tell whether integers are places: distinct ones, permutations in rows, trees, links that end, or bits that relate places to one another."""
    related = bits(value)
    return _distinct(value) or permutes(value) or grows(value) or ending(value) or (related is not None and related.any)


def grows(value: NDArray[np.generic]) -> bool:
    """Tell whether each number is the place of an earlier one, as in a tree by the node above each, and these do not only rise.

    >>> grows(np.array([0, 0, 1, 0, 3, 2, 1, 5])), grows(np.array([0, 0, 1, 0, 3, 2, 6, 5])), grows(np.arange(8) - 1)
    (True, False, False)
    """
    if value.ndim != 1 or value.size < _ENOUGH or value[0] != 0 or value[1] != 0:
        return False
    places = value.astype(np.int64)
    rising = bool((np.diff(places) >= 0).all())
    return not rising and bool((places >= 0).all()) and bool((places[1:] < np.arange(1, value.size)).all())


def permutes(value: NDArray[np.generic]) -> bool:
    """Tell whether each row has every number from zero on once.

    >>> permutes(np.array([[2, 0, 1, 3, 4], [0, 1, 2, 4, 3]])), permutes(np.array([[2, 0, 1, 3, 3]]))
    (True, False)
    """
    length = value.shape[-1] if value.ndim else 0
    if length < _LEAST_ROW or value.min() != 0 or value.max() != length - 1:
        return False
    rows = value.reshape(-1, length)
    return _once(rows[:1]) and _once(rows)


def _once(rows: NDArray[np.generic]) -> bool:
    """Tell whether each row has each of its places as a number."""
    count, length = rows.shape
    met = np.zeros(rows.size, bool)
    met[(rows.astype(np.int64) + length * np.arange(count)[:, None]).reshape(-1)] = True
    return bool(met.all())


_LEAST_ROW = 5
"""Length of a row from which on it is no permutation by chance, if there are some."""


def ordered(wide: NDArray[np.float64]) -> bool:
    """Tell whether each row never falls, or never rises: sorted keys, offsets, segments."""
    if wide.shape[-1] < 3 or (wide.ndim > 1 and wide.size < 4 * wide.shape[0]):
        return False
    row = np.diff(wide.reshape(-1, wide.shape[-1])[0, :_ENOUGH])
    if (row < 0).any() and (row > 0).any():  # as random numbers do; all of a large array would take a tenth of a second
        return False
    steps = np.diff(wide, axis=-1)
    return bool((steps >= 0).all() or (steps <= 0).all())


def _distinct(value: NDArray[np.generic]) -> bool:
    """Tell whether integers are distinct although their range is small: indices of a permutation or a scatter.

    >>> _distinct(np.arange(-128, 128).astype("i1")), _distinct(np.array([2**64 - 1, 2**64 - 3], "u8")), _distinct(np.array([3, 5, 3]))
    (True, True, False)
    """
    reach = int(value.max()) - int(value.min()) + 1
    if reach > 4 * value.size:
        return False
    met = np.zeros(reach, bool)
    above = value.reshape(-1) - value.min()  # as an unsigned number it is right although it may wrap round
    met[above.view(f"u{value.itemsize}")] = True  # np.unique takes forty times as long
    return int(np.count_nonzero(met)) == value.size


def _matrix(wide: NDArray[np.float64]) -> bool:
    """Tell whether the last two axes are symmetric, triangular or dominated by the diagonal."""
    if wide.ndim < 2 or wide.shape[-1] != wide.shape[-2] or wide.shape[-1] < 2:
        return False
    # The first row, the first column and two corners say of random numbers what all of a large array would.
    if np.array_equal(wide[..., 0, :], wide[..., :, 0]) and np.array_equal(wide, np.swapaxes(wide, -1, -2)):
        return True
    if not wide[..., -1, 0].any() and not np.tril(wide, -1).any():
        return True
    if not wide[..., 0, -1].any() and not np.triu(wide, 1).any():
        return True
    return _dominated(wide[..., :1, :]) and _dominated(wide)


def _dominated(rows: NDArray[np.float64]) -> bool:
    """Tell whether the diagonal's magnitudes are far above the others' in the first rows of a matrix."""
    diagonal = np.abs(np.diagonal(rows, axis1=-2, axis2=-1))
    rest = np.abs(rows).sum(axis=-1) - diagonal
    return bool((diagonal > _DOMINANT * rest / max(1, rows.shape[-1] - 1)).all())


def shares(wide: NDArray[np.float64]) -> bool:
    """Tell whether each row adds up to one."""
    return wide.shape[-1] > 1 and bool((wide >= 0).all()) and bool(np.allclose(wide.sum(axis=-1), 1.0, rtol=1e-3))


def bounds(wide: NDArray[np.float64]) -> bool:
    """Tell whether one of a few columns is never above another one although their ranges meet: ends of intervals, corners of boxes.

    >>> bounds(np.sort(np.random.default_rng(1).random((40, 2)))), bounds(np.random.default_rng(1).random((40, 2)) + [0.0, 2.0])
    (True, False)
    """
    if wide.ndim < 2 or not 2 <= wide.shape[-1] <= _COLUMNS or wide.size < _ROWS * wide.shape[-1]:
        return False
    rows = wide.reshape(-1, wide.shape[-1])
    return any(_below(rows[:_ROWS], *pair) and _below(rows, *pair) for pair in permutations(range(rows.shape[1]), 2))


def _below(rows: NDArray[np.float64], one: int, other: int) -> bool:
    first, second = rows[:, one], rows[:, other]
    less = np.count_nonzero(first < second)
    return bool((first <= second).all() and 2 * less > len(rows) and first.max() > second.min())


_COLUMNS, _ROWS = 8, 32
"""Most columns of a table, and least rows from which on a relation between two of them is no chance."""


def _related(arrays: Mapping[str, NDArray[np.generic]]) -> set[str]:
    """Return arrays that are ends of intervals, or count what is in another one."""
    pairs = alike(arrays)
    for one, other in _pairs(arrays):
        if counted(arrays[one], arrays[other]) or counted(arrays[other], arrays[one]):
            pairs |= {one, other}
    return pairs


def alike(arrays: Mapping[str, NDArray[np.generic]]) -> set[str]:
    """Return arrays that are never above, or below, another one of the same form: ends of intervals.

    Columns of one array whose ranges do not even meet are different things, a price and a rate.

    >>> low, high = np.arange(9.0), np.arange(9.0) + 2
    >>> sorted(alike({"x": low, "y": high})), sorted(alike({"x": low, "y": high + 50})), sorted(alike({"x[0]": low, "x[1]": high + 50}))
    (['x', 'y'], ['x', 'y'], [])
    """
    pairs: set[str] = set()
    for one, other in _pairs(arrays):
        first, second = arrays[one], arrays[other]
        if first.shape == second.shape and first.dtype == second.dtype:
            if one.partition("[")[0] == other.partition("[")[0] and not _meet(first, second):
                continue
            ahead = first <= second  # type: ignore[operator]
            pairs |= {one, other} if ahead.all() or not ahead.any() else set()
    return pairs


def _meet(first: NDArray[np.generic], second: NDArray[np.generic]) -> bool:
    return bool(first.max() >= second.min() and second.max() >= first.min())


def _pairs(arrays: Mapping[str, NDArray[np.generic]]) -> Iterator[tuple[str, str]]:
    """Yield two names each of arrays that are long enough for a relation to be no chance."""
    return combinations([k for k, value in arrays.items() if value.size >= _ENOUGH and value.dtype.kind in "fiu"], 2)


def counted(numbers: NDArray[np.generic], of: NDArray[np.generic]) -> bool:
    """Tell whether an array says how often each number occurs in another one, or how far its neighbours are apart, itself or by groups.

    >>> keys = np.array([2, 0, 2, 3, 3, 2, 0, 1])
    >>> counted(np.array([2, 1, 3, 2]), keys), counted(np.array([3, 0, 4]), np.array([0, 3, 3, 7])), counted(keys, keys)
    (True, True, False)
    """
    if numbers.ndim != 1 or of.ndim != 1 or numbers.dtype.kind not in "iu" or of.dtype.kind not in "iu":
        return False
    if _steps(numbers.astype(np.int64), np.asarray(np.diff(of.astype(np.int64)), np.int64)):
        return True
    if numbers.sum(dtype=np.int64) != of.size or of.min() < 0 or of.max() >= numbers.size:
        return False
    return np.array_equal(np.bincount(of.astype(np.int64), minlength=numbers.size), numbers)


def _steps(numbers: NDArray[np.int64], steps: NDArray[np.int64]) -> bool:
    """Tell whether steps are some numbers, or as many times the largest of each group as one has members: rows padded to the longest one.

    >>> _steps(np.array([3, 1, 0, 2, 4]), np.array([6, 4, 8])), _steps(np.array([3, 1, 0]), np.array([3, 2, 0]))
    (True, False)
    """
    members = -(-numbers.size // max(1, steps.size))
    if not steps.size or -(-numbers.size // members) != steps.size:
        return False
    padded = np.zeros(members * steps.size, np.int64)
    padded[: numbers.size] = numbers
    return np.array_equal(members * padded.reshape(-1, members).max(axis=1), steps)


def counts(name: str, value: object, word: str = "") -> bool:
    """Tell whether a number is a counter or seed that may have any value of its type: by what the file says, its type, or its name.

    >>> counts("first", np.uint32(7)), counts("first", np.uint32(7), "any"), counts("seed", np.uint32(7), "fixed"), counts("seed", np.uint32(7))
    (False, True, False, True)
    """
    if not isinstance(value, np.unsignedinteger) or word in FIXED or word == RANGE:
        return False
    named = value.dtype.itemsize == 4 and bool(_COUNTERS.search(name))
    return value.dtype.itemsize == 8 or named or word == ANY
