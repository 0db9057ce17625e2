"""Another spacing of what only has an order: sorted keys and times, ends of intervals, runs and rows of sorted numbers, shares of one.

Every other kind of input leaves such arrays as the file draws them, which is evenly: a kernel that looks only where even keys would be, or
takes no run to be long, would pass. One rising function of all of them keeps every order among them, and what is equal stays equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.model.dtype import floating
from hotloop.verify.domain import alike, counted, ordered, shares, structured

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

    Array = NDArray[np.generic]

_POWER = 4.0
"""Of what lies between the least and the greatest value."""
_EVEN = 1e-3
"""Relative difference of steps up to which sorted values are a grid, on whose equal steps a kernel may count."""
_SURPLUS = 0.5
"""Part of all that runs and rows have beyond the shortest which goes to a single one of them."""
_DEFINITE = 0.9
"""Part of the least eigenvalue that is taken from the diagonal of a matrix that a file calls definite."""
_LARGEST_MATRIX, _MOST_NUMBERS = 128, 2**22
_KEYS = 64
_ORDERS = ("", "sorted", "intervals")
"""Words of a file that leave another spacing legal."""


def uneven(
    inputs: Inputs, again: Inputs, words: Mapping[str, str], sizes: Iterable[object], rng: np.random.Generator
) -> Inputs | None:
    """Return inputs whose arrays keep their order and nothing else; None where there are none.

    Args:
        inputs: as drawn.
        again: the same problem, drawn from another seed: what is equal in both is a table.
        words: what the file says, by input.
        sizes: of the problem; one of them, or a number among the inputs, may limit the length of a row or a run.
        rng: where chance comes from.
    """
    arrays = {k: v for k, v in inputs.items() if isinstance(v, np.ndarray) and v.size > 2 and _drawn(v, again.get(k))}
    fixed = {name for name in arrays if words.get(name, "") not in _ORDERS}
    made: dict[str, Any] = {}
    limits = [int(size) for size in (*sizes, *inputs.values()) if isinstance(size, int | np.integer)]
    rows = _rows(arrays)
    for group in _groups({name: v for name, v in arrays.items() if name not in fixed | rows}):
        made |= _spaced(group, rng)
    for name, value in arrays.items():
        word = words.get(name, "")
        if word in ("", "probabilities") and floating(value.dtype) and shares(value.astype(np.float64)):
            made[name] = _peaked(value, rng)
        elif word == "definite" and floating(value.dtype):
            made |= {name: nearer} if (nearer := _nearer(value)) is not None else {}
        elif name not in fixed | made.keys() and value.dtype.kind in "iu" and value.ndim == 1 and _rising(value):
            others = [other for key, other in arrays.items() if key != name]
            made |= {name: runs} if (runs := _runs(value, others, limits, rng)) is not None else {}
    return {**inputs, **made} if made else None


def _drawn(value: Array, again: object) -> bool:
    """Tell whether an array is another one with another seed, and so no table."""
    return not (isinstance(again, np.ndarray) and value.shape == again.shape and value.tobytes() == again.tobytes())


def _rising(value: Array) -> bool:
    return bool((np.diff(value.astype(np.float64)) >= 0).all())


def _groups(arrays: Mapping[str, Array]) -> Iterable[dict[str, Array]]:
    """Yield numbers of one type that belong together: those in order, or ends of intervals, and those that lie among them."""
    for kind in {
        value.dtype
        for value in arrays.values()
        if value.dtype.kind in "fiu" and value.dtype.itemsize >= 4 and value.dtype != np.uint64
    }:
        same = {
            name: value for name, value in arrays.items() if value.dtype == kind and (floating(kind) or _wide(value))
        }
        sound = {name: value for name, value in same.items() if np.isfinite(value.astype(np.float64)).all()}
        led = {name: value for name, value in sound.items() if ordered(value.astype(np.float64)) and not _grid(value)}
        led |= {name: sound[name] for name in _intervals(sound)}
        others = {name: value for name, value in sound.items() if name not in led}
        for low, high in _spans(led.values()):
            among = {name: value for name, value in others.items() if _among(value, low, high)}
            others = {name: value for name, value in others.items() if name not in among}
            yield {name: value for name, value in led.items() if low <= float(value.min()) <= high} | among


def _rows(arrays: Mapping[str, Array]) -> set[str]:
    """Return integers that say where rows of another array begin or end, or how long they are: no keys, however far apart they are."""
    whole = {name: value for name, value in arrays.items() if value.dtype.kind in "iu" and value.ndim == 1}
    longest = max((value.size for value in arrays.values()), default=0)
    found = {name for name, value in whole.items() if value[0] >= 0 and value[-1] <= longest and _rising(value)}
    for one, other in permutations(whole, 2):
        if counted(whole[one], whole[other]):
            found |= {one, other}
    return found


def _intervals(arrays: Mapping[str, Array]) -> set[str]:
    """Return ends of intervals; numbers that are below others only because they are drawn from a lower range are none."""
    pairs = (dict(pair) for pair in combinations(arrays.items(), 2))
    return set[str]().union(*(alike(pair) for pair in pairs if len(_spans(pair.values())) == 1))


def _spans(arrays: Iterable[Array]) -> list[tuple[float, float]]:
    """Return the ranges of some arrays, those that overlap as one.

    >>> _spans([np.array([0.0, 1]), np.array([5.0, 7]), np.array([0.5, 2])])
    [(0.0, 2.0), (5.0, 7.0)]
    """
    found = list[tuple[float, float]]()
    for low, high in sorted((float(value.min()), float(value.max())) for value in arrays):
        if found and low < found[-1][1]:
            low, high = found[-1][0], max(high, found.pop()[1])  # noqa: PLW2901 - the range that both take
        found.append((low, high))
    return found


def _wide(value: Array) -> bool:
    """Tell whether integers are keys: of a range in which most numbers are missing, as those of indices and offsets are not."""
    return int(value.max()) - int(value.min()) > _KEYS * value.size


def _among(value: Array, low: float, high: float) -> bool:
    room = (high - low) / 8
    return not structured(value) and low - room <= float(value.min()) and float(value.max()) <= high + room


def _grid(value: Array) -> bool:
    """Tell whether neighbours in each row are equally far apart."""
    steps = np.diff(value.astype(np.float64), axis=-1)
    return bool(np.ptp(steps) <= _EVEN * abs(float(steps.mean())))


def _spaced(group: Mapping[str, Array], rng: np.random.Generator) -> dict[str, Array]:
    """Return the arrays with one rising function applied to all: what differed differs still, what was equal is."""
    kinds = np.unique(np.concatenate([value.reshape(-1) for value in group.values()]))
    bent = _bent(kinds, turned=bool(rng.integers(2))) if kinds.size > 2 else kinds
    return {name: bent[np.searchsorted(kinds, value)] for name, value in group.items()}


def _bent(kinds: NDArray[Any], *, turned: bool) -> NDArray[Any]:
    """Return as many different values between the least and the greatest of some, most of them near one end.

    >>> _bent(np.array([0, 1, 2, 3, 4], "f4"), turned=False).tolist(), _bent(np.float32(1) + np.arange(4, dtype="f4") * 2**-23, turned=True).size
    ([0.0, 0.015625, 0.25, 1.265625, 4.0], 4)
    """
    wide = kinds.astype(np.float64)
    part = (wide - wide[0]) / (wide[-1] - wide[0])
    bent = 1 - (1 - part) ** _POWER if turned else part**_POWER
    steps = np.arange(kinds.size)
    places = _places((wide[0] + (wide[-1] - wide[0]) * bent).astype(kinds.dtype))
    first, last = _places(kinds[[0, -1]])
    apart = np.maximum.accumulate(np.maximum(places, first) - steps) + steps
    return _values(np.minimum(apart, last - steps[::-1]), kinds.dtype)


def _places(values: NDArray[Any]) -> NDArray[np.int64]:
    """Return the places of numbers among all of their type, in order."""
    if values.dtype.kind in "iu":
        return values.astype(np.int64)
    bits = values.view(f"i{values.dtype.itemsize}").astype(np.int64)
    return np.where(bits < 0, -(bits & np.iinfo(f"i{values.dtype.itemsize}").max), bits)


def _values(places: NDArray[np.int64], kind: np.dtype[Any]) -> NDArray[Any]:
    if kind.kind in "iu":
        return places.astype(kind)
    least = np.iinfo(f"i{kind.itemsize}").min
    return np.where(places < 0, least - places, places).astype(f"i{kind.itemsize}").view(kind)


def _peaked(value: Array, rng: np.random.Generator) -> Array:
    """Return rows that add up to one, half of which is the share of one place that had a share: where there is none, none may be legal."""
    made = value.astype(np.float64).reshape(-1, value.shape[-1]) / 2
    made[np.arange(made.shape[0]), (rng.random(made.shape) * (made > 0)).argmax(axis=1)] += 0.5
    return made.reshape(value.shape).astype(value.dtype)


def _nearer(value: Array) -> Array | None:
    """Return symmetric matrices nearer to those that have no inverse; None for other or large ones."""
    wide = value.astype(np.float64)
    square = wide.ndim >= 2 and wide.shape[-1] == wide.shape[-2] <= _LARGEST_MATRIX and wide.size <= _MOST_NUMBERS
    if not square or not np.array_equal(wide, np.swapaxes(wide, -1, -2)):
        return None
    least = np.linalg.eigvalsh(wide)[..., :1, None]
    return np.asarray(wide - _DEFINITE * np.maximum(least, 0.0) * np.eye(wide.shape[-1])).astype(value.dtype)


def _runs(value: Array, others: list[Array], limits: list[int], rng: np.random.Generator) -> Array | None:
    """Return sorted integers with one long run, or offsets of rows with one long row; None where a contract may forbid it."""
    whole = value.astype(np.int64)
    if any(counted(value, other) or counted(other, value) for other in others):
        return None
    if whole[0] == 0 and any(whole[-1] == other.size or whole[-1] in other.shape for other in others):
        if any(_rows_rise(whole, other) for other in others if other.size == whole[-1]):
            return None
        return np.concatenate([[0], np.cumsum(_skewed(np.diff(whole), limits, rng))]).astype(value.dtype)
    kinds, lengths = np.unique(whole, return_counts=True)
    if kinds.size < 2 or kinds.size > value.size // 2 or _begun(whole, others):
        return None
    return np.repeat(kinds, _skewed(lengths, limits, rng)).astype(value.dtype)


def _begun(whole: NDArray[np.int64], others: list[Array]) -> bool:
    """Tell whether another array says where the runs of equal numbers begin, as offsets beside the number of each element's row do."""
    begins = np.flatnonzero(np.diff(whole)) + 1
    rising = (other for other in others if other.dtype.kind in "iu" and other.ndim == 1 and _rising(other))
    return any(bool(np.isin(begins, other).all()) for other in rising)


def _rows_rise(offsets: NDArray[np.int64], other: Array) -> bool:
    """Tell whether the values of each row never fall."""
    falls = np.flatnonzero(np.diff(other.reshape(-1).astype(np.float64)) < 0) + 1
    return bool(np.isin(falls, offsets).all())


def _skewed(lengths: NDArray[np.int64], limits: list[int], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return lengths of the same sum, none below the shortest, of which one is long, or several as long as the size that limits them.

    >>> made = _skewed(np.full(9, 5) + np.arange(9), [], np.random.default_rng(1))
    >>> int(made.sum()), int(made.min()) >= 5, int(made.max()) >= 23
    (81, True, True)
    >>> int(_skewed(np.full(9, 5) + np.arange(9), [4, 15], np.random.default_rng(1)).max())
    15
    """
    least = int(lengths.min())
    most = min((limit for limit in limits if limit >= lengths.max()), default=int(lengths.sum()))
    made = least + ((lengths - least) * (1 - _SURPLUS)).astype(np.int64)
    for place in rng.permutation(made.size):
        made[place] += min(most - int(made[place]), int(lengths.sum() - made.sum()))
    return np.asarray(made)
