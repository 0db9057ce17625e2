"""Inputs that find bugs in any kernel, made of the values that the kernel's own `inputs` draws.

Ties and halves, constants, flat areas, sorted and reversed rows, one sign only, values far from zero, values far apart, the ends of
integer types, other numbers by value. What `hotloop.verify.domain` finds to have an order or relation stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.model.dtype import floating
from hotloop.verify.domain import COUNTER, STAYS, Freedom, reach
from hotloop.verify.told.chained import blocks, chained
from hotloop.verify.told.digests import collided
from hotloop.verify.told.landmarks import landed
from hotloop.verify.told.largest import largest, roundest
from hotloop.verify.told.notable import noted
from hotloop.verify.told.specials import lone, special_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

    Array = NDArray[np.generic]
    Draw = Callable[[Array, Freedom, np.random.Generator], Array | None]

SHIFT, STRETCH = 128.0, 32.0
"""How far values are moved, in units of their root mean square, and by how much they are scaled: beyond what exp() takes, and
far enough for squares to cancel in 24 bits."""
_FEW, _TWO = 5, 2
"""Values of integers with ties, and of those of which sums are often equal, too: of two values, one as often as the other."""
_SHARED = 0.25
"""Part of the elements that are taken from another array."""
_BITS = (-3, -5, -7, -9)
"""Values are multiples of one of these powers of two of the largest: many are equal, and many are halves of any unit."""
_OWN_BITS = 3
"""Further bits of the values themselves where they lie in so many binades: halves of what is rounded to up to eleven bits."""

_BITS_FEW = (-2,)
"""The same for all: sums of few terms are equal, too."""


def vary(
    kind: str,
    inputs: Inputs,
    free: Mapping[str, Freedom],
    rng: np.random.Generator,
    marks: frozenset[float] = frozenset(),
    turn: int = 0,
) -> Inputs | None:
    """Return inputs of one of the `KINDS` that values alone decide; None where it changes nothing that may be changed.

    `marks`: numbers of the file; `turn`: of two, for what cannot be done to all arrays at once.
    """
    if kind == SCALARS:
        return _numbers(inputs, free, rng)
    draw = MARKED[kind](marks, inputs) if kind in MARKED else _DRAWS[kind]
    changed, varied = False, dict(inputs)
    resting = _resting(kind, inputs, free, turn)
    for name, value in inputs.items():
        if isinstance(value, np.ndarray) and value.size and value.ndim and name not in resting:
            made = _amid(draw, value, free.get(name, STAYS), rng) if free.get(name, STAYS).values else None
            if made is not None:
                varied[name], changed = np.ascontiguousarray(made).astype(value.dtype), True
    if kind in EXACT and changed:
        varied |= {name: _shared(name, varied, rng) for name, freedom in free.items() if freedom.values}
        varied |= {name: _power(value) for name, value in inputs.items() if _fraction(value)}
    return varied if changed else None


def _amid(draw: Draw, value: Array, free: Freedom, rng: np.random.Generator) -> Array | None:
    """Return what becomes of the numbers of an array; where it holds NaN or infinities these stay, for nothing could be made of their range."""
    if not floating(value.dtype) or (known := np.isfinite(value.astype(np.float64))).all() or not known.any():
        return draw(value, free, rng)
    made = draw(np.where(known, value, rng.choice(value[known], value.shape)), free, rng)
    return None if made is None else np.where(known, made, value)


def _shared(name: str, inputs: Inputs, rng: np.random.Generator) -> Array:
    """Return an array in which a part of the values was taken from another input, where they fit its range, so that both have equal keys."""
    value = inputs[name]
    assert isinstance(value, np.ndarray)
    others = [
        v for k, v in inputs.items() if isinstance(v, np.ndarray) and k != name and v.dtype == value.dtype and v.size
    ]
    if not others:
        return value
    pool = rng.choice(others[int(rng.integers(len(others)))].reshape(-1), value.shape)
    fits = (pool >= value.min()) & (pool <= value.max()) & (rng.random(value.shape) < _SHARED)
    return np.where(fits, pool, value)


def _numbers(inputs: Inputs, free: Mapping[str, Freedom], rng: np.random.Generator) -> Inputs | None:
    """Return other numbers by value: floats of the same sign, counters anywhere in their type; sizes stay."""
    made = {name: _other(value, rng, counts=free.get(name) == COUNTER) for name, value in inputs.items()}
    changed = {name: value for name, value in made.items() if value is not None}
    return {**inputs, **changed} if changed else None


def _other(value: object, rng: np.random.Generator, *, counts: bool) -> Any:  # noqa: ANN401 - of the number's own type
    """Return another number of the same type; None for an array, and for a number that may be a size."""
    if _fraction(value):
        number = float(value)  # type: ignore[arg-type]
        return _typed(value, float(np.copysign((abs(number) or 1.0) * rng.uniform(0.3, 0.9), number)))
    if not (isinstance(value, np.generic) and counts):
        return None
    bits = 8 * value.dtype.itemsize
    near = 2**32 - 5 if bits == 64 else 2**bits - 3
    return _typed(value, near if rng.integers(2) else int(rng.integers(2**33, 2**45)) % 2**bits)


def _typed(value: object, number: float) -> Any:  # noqa: ANN401 - of the number's own type
    return value.dtype.type(number) if isinstance(value, np.generic) else number


def _fraction(value: object) -> bool:
    whole = isinstance(value, int | np.integer | np.bool_)
    return isinstance(value, Real | np.floating) and not whole


def _power(value: object) -> Any:  # noqa: ANN401 - of the number's own type
    """Return the nearest power of two: products and quotients by it are exact."""
    number = float(value)  # type: ignore[arg-type]
    return _typed(value, float(np.copysign(2.0 ** round(np.log2(abs(number))), number)) if number else 0.0)


def _ties(value: Array, free: Freedom, rng: np.random.Generator, bits: tuple[int, ...] = _BITS) -> Array:
    if floating(value.dtype):
        wide = value.astype(np.float64)
        unit: Any = _unit(wide)
        if np.median(np.abs(wide)) < unit * 2.0 ** min(_BITS):  # of many binades, most of which would become zero
            unit = 2.0 ** (np.frexp(wide)[1] - 1 + rng.integers(-_OWN_BITS, 1, value.shape))
        step = unit * 2.0 ** rng.choice(bits, value.shape)
        rounded = np.round(wide / step) * step
        return np.asarray(rounded if free.signs else np.clip(rounded, wide.min(), wide.max()))
    count = _FEW if bits == _BITS else _TWO
    few = rng.choice(value.reshape(-1), count)
    return np.asarray(rng.choice(_round(few, value, free, rng) if value.dtype.kind in "iu" else few, value.shape))


def _round(few: Array, value: Array, free: Freedom, rng: np.random.Generator) -> Array:
    """Return integers of which about half are multiples of powers of two, within the range of an array: halves of what is shifted out.

    The first is the multiple of the largest power that the range has: of products with it a shift leaves halves most often.
    """
    some: Any = few
    low, high = reach(value)
    cut = rng.integers(0, 8 * value.dtype.itemsize, few.shape).astype(value.dtype)
    made = some >> cut << cut
    chosen = (rng.random(few.shape) < 0.5) & (made >= low) & (made <= high)
    made = np.where(chosen, made, few)
    if made.size > _TWO:
        made[0] = roundest(*(free.ends or (low, high)))
    return made


def _unit(wide: NDArray[np.float64]) -> float:
    """Return the largest power of two that is no larger than an array's largest magnitude."""
    largest = float(np.abs(wide).max())
    return float(2.0 ** np.floor(np.log2(largest))) if 0 < largest < np.inf else 1.0


def _constant(value: Array, _free: Freedom, rng: np.random.Generator) -> Array:
    return np.full(value.shape, rng.choice(value.reshape(-1)))


def _sorted(value: Array, _free: Freedom, _rng: np.random.Generator) -> Array:
    return np.sort(value, axis=-1)


def _reversed(value: Array, _free: Freedom, _rng: np.random.Generator) -> Array:
    return np.sort(value, axis=-1)[..., ::-1]


def _negative(value: Array, free: Freedom, _rng: np.random.Generator) -> Array | None:
    return -np.abs(value) if free.signs else None


def _moved(sign: float) -> Draw:
    def draw(value: Array, free: Freedom, _rng: np.random.Generator) -> Array | None:
        if not _movable(value, free):
            return None
        wide = value.astype(np.float64)
        return np.asarray(wide + sign * SHIFT * float(np.sqrt(np.mean(wide * wide))))

    return draw


def _movable(value: Array, free: Freedom) -> bool:
    return free.signs and value.dtype.itemsize >= 4


def _resting(kind: str, inputs: Inputs, free: Mapping[str, Freedom], turn: int) -> set[str]:
    """Return which arrays are not moved: of several every other one is, for products of moved ones cancel in squares.

    In two turns each is moved up and down.
    """
    arrays = {name: value for name, value in inputs.items() if isinstance(value, np.ndarray)}
    movable = [name for name, value in arrays.items() if _movable(value, free.get(name, STAYS))]
    if len(movable) < 2 or kind not in (FAR_UP, FAR_DOWN):
        return set()
    return set(movable[(arrays[movable[0]].size + (kind == FAR_DOWN) + turn) % 2 :: 2])


def _stretched(value: Array, free: Freedom, _rng: np.random.Generator) -> Array | None:
    return np.asarray(value.astype(np.float64) * STRETCH) if free.signs and value.dtype.itemsize >= 4 else None


def _ends(value: Array, free: Freedom, rng: np.random.Generator) -> Array:
    """Return mostly the ends of what there is, among zeros and ones: of the type, where values cover it."""
    low: Any = value.min() if free.ends is None else value.dtype.type(free.ends[0])
    high: Any = value.max() if free.ends is None else value.dtype.type(free.ends[1])
    pool: list[Any] = [low, high, value.reshape(-1)[0]]
    if free.extremes:
        limits = np.iinfo(value.dtype.name)
        some = (limits.min, limits.max, limits.min + 1, limits.max - 1, 0, 1, -1, limits.max // 2, limits.max // 2 + 1)
        least, most = (limits.min, limits.max) if free.ends is None else free.ends
        most += most == limits.max - 1  # who says `high` for `high + 1` means the type's end
        pool += [value.dtype.type(end) for end in some if max(least, limits.min) <= end <= most]
    elif low <= 0 <= high:
        pool.append(value.dtype.type(0))
    ends = rng.choice(np.array(pool, value.dtype), value.shape)
    return np.where(rng.random(value.shape) < 0.75, ends, value)


def _spikes(value: Array, free: Freedom, rng: np.random.Generator) -> Array | None:
    """Return rows, or stretches, of very small values with one as large as any: in front, at the end or anywhere between.

    What is left out of a long sum or of a search for the largest shows there, however wide the bound of a long sum is.
    """
    if not floating(value.dtype) or value.dtype.itemsize < 4 or not (free.signs or value.min() <= 0 <= value.max()):
        return None
    wide = value.reshape(-1).astype(np.float64)
    length = value.shape[-1] if value.ndim > 1 else int(rng.integers(1, value.size + 1))
    begins = np.arange(0, value.size, max(1, length))
    ends = np.minimum(begins + length, value.size)
    where = np.choose(rng.integers(0, 3, begins.size), (begins, ends - 1, rng.integers(begins, ends)))
    made = wide * _SMALL
    made[where] = wide[np.abs(wide).argmax()]
    return made.reshape(value.shape)


def _striped(value: Array, _free: Freedom, rng: np.random.Generator) -> Array | None:
    """Return the values of each row in an order that goes with the bits of their places, but for some at both ends, which tell nothing of it.

    Any part that a sum leaves out, every other element, say, differs from the rest then.
    """
    length = value.shape[-1]
    if length < _LEAST_STRIPED:
        return None
    inner = slice(length // _ENDS, length - length // _ENDS)
    bits = (length - 1).bit_length()
    weights = rng.uniform(0.5, 1.5, bits) * rng.choice((-1.0, 1.0))
    score: Any = sum(weight * (np.arange(length)[inner] >> bit & 1) for bit, weight in enumerate(weights))
    made = value.copy()
    made[..., inner.start + np.argsort(score, kind="stable")] = np.sort(value[..., inner], axis=-1)
    return made


def _late(value: Array, free: Freedom, rng: np.random.Generator) -> Array | None:
    """Return what another order of a row has from some place on, to the end or nearly, and what is drawn elsewhere: a look there tells nothing.

    The whole row is put in order, so that values after the place are larger or smaller than those before it; some of them stand before it, too.
    """
    kinds = [_sorted, _reversed, _striped]  # no kind of mostly equal values, which are judged otherwise
    axis = int(rng.integers(value.ndim)) if value.ndim > 1 and min(value.shape) > 1 else value.ndim - 1
    length = value.shape[axis]
    made = kinds[int(rng.integers(len(kinds)))](value, free, rng) if value.ndim and length >= _RUN else None
    if made is None:
        return None
    shape = [length if place == axis else 1 for place in range(value.ndim)]
    begin, end = rng.integers(length // 4, length - length // 4), length - rng.integers(2) * (length // _ENDS)
    late: Any = ((np.arange(length) >= begin) & (np.arange(length) < end)).reshape(shape)
    return np.where(late, made.astype(value.dtype), value)


def _patches(value: Array, free: Freedom, rng: np.random.Generator) -> Array:
    """Return flat areas: runs of equal values along every axis that is long enough, some of them zero where values lie around it."""
    made = value
    for axis, length in enumerate(value.shape):
        if length >= _RUN:
            made = np.take(made, _runs(length, rng), axis=axis)
    if not (free.signs or value.min() < 0 or value.min() == 0):
        return made
    zeroed: Any = rng.random(made.shape[-1]) < _QUIET
    return np.where(zeroed[_runs(made.shape[-1], rng)], value.dtype.type(0), made)


def _runs(length: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return for each place the first one of its run."""
    places = np.arange(length)
    return np.maximum.accumulate(np.where(rng.random(length) < 1 / _RUN, places, 0))


def _exchanged(value: Array, _free: Freedom, rng: np.random.Generator) -> Array | None:
    """Return rows as they were drawn in which two values have changed places, now and then twice: their sums and counts stay as they are."""
    length = value.shape[-1]
    if length < _RUN:
        return None
    made = value.reshape(-1, length).copy()
    for _ in range(2):
        rows = np.flatnonzero(rng.random(len(made)) < _EXCHANGED)
        one, other = (rng.integers(0, length, rows.size) for _ in range(2))
        near = np.where(rng.random(rows.size) < 0.5, other, (one + rng.integers(1, 4, rows.size)) % length)
        made[rows, one], made[rows, near] = made[rows, near], made[rows, one]
    return made.reshape(value.shape)


def _notable(value: Array, free: Freedom, rng: np.random.Generator) -> Array | None:
    return noted(value, rng, whole_type=_whole(value, free))


def _whole(value: Array, free: Freedom) -> bool:
    """Tell whether the whole type may stand somewhere: the file asked for no less, but for an end by one."""
    if not free.extremes or free.ends is None:
        return free.extremes
    limits = np.iinfo(value.dtype.name)
    return free.ends[0] <= limits.min and free.ends[1] >= limits.max - 1


def _landing(marks: frozenset[float], inputs: Inputs) -> Draw:
    beside = frozenset(int(value) for value in inputs.values() if isinstance(value, int | np.integer))
    return lambda value, free, rng: landed(
        value, marks, rng, whole_type=_whole(value, free), ends=free.ends, beside=beside
    )


def _colliding(marks: frozenset[float], _inputs: Inputs) -> Draw:
    return lambda value, free, rng: collided(value, marks, rng, free.ends)


_EXCHANGED = 0.6
"""Part of the rows in which two values change places, each time."""
_SMALL = 2.0**-12
"""Factor of all values but one in each row."""
_LEAST_STRIPED, _ENDS = 64, 8
"""Length of a row from which its values get such an order, and the part of it at each end that stays as drawn."""
_RUN, _QUIET = 6, 0.3
"""Length of a run of equal values, on average, and the part of the runs that are zero."""
TIES, COARSE, CONSTANT, SORTED, REVERSED, NEGATIVE = "ties", "coarse", "constant", "sorted", "reversed", "negative"
FAR_UP, FAR_DOWN, STRETCHED, ENDS, ROWS, SCALARS = "far up", "far down", "stretched", "ends", "special rows", "numbers"
LONE, SPIKES = "lone specials", "spikes"
LANDMARKS, PATCHES, IDLE = "landmarks", "patches", "zero factors"
UNEVEN, NOTABLE, STRIPED, LATE = "uneven", "notable numbers", "striped", "late"
CHAINS, BLOCKS, ORDERS, EXCHANGED, LARGEST, DIGESTS, STEERED = (
    "chains",
    "blocks",
    "orders",
    "exchanged",
    "largest",
    "equal digests",
    "steered draws",
)
_DRAWS: dict[str, Draw] = {
    TIES: _ties, COARSE: partial(_ties, bits=_BITS_FEW), CONSTANT: _constant, SORTED: _sorted, REVERSED: _reversed, NEGATIVE: _negative, FAR_UP: _moved(1.0),
    FAR_DOWN: _moved(-1.0), STRETCHED: _stretched, ENDS: _ends, ROWS: special_rows, LONE: lone, SPIKES: _spikes, PATCHES: _patches,
    NOTABLE: _notable, STRIPED: _striped, LATE: _late, CHAINS: chained, BLOCKS: blocks, EXCHANGED: _exchanged, LARGEST: largest,
}  # fmt: skip
MARKED = {LANDMARKS: _landing, DIGESTS: _colliding}
"""Kinds that are made of numbers of the text."""
_EARLY = (TIES, NOTABLE, CHAINS, BLOCKS, EXCHANGED)
KINDS = (
    TIES,
    UNEVEN,
    ORDERS,
    *_EARLY[1:],
    *(kind for kind in _DRAWS if kind not in (*_EARLY, LARGEST)),
    LANDMARKS,
    SCALARS,
    IDLE,
    LARGEST,
    DIGESTS,
    STEERED,
)
SOON = (TIES, UNEVEN, ORDERS, *_EARLY[1:], LARGEST, DIGESTS, STEERED)
"""All of them, and those that a check tries before the others until its time is over: what no other kind can show. Three change what all others
leave (`hotloop.verify.told.uneven`, `.orders` and `.steered`); the one with zero factors asks the reference (`hotloop.verify.told.idle`)."""
EXACT = (TIES, COARSE)
"""Kinds whose values and numbers have so few bits that no rounding is an excuse for another integer."""
