"""A generator whose numbers lie where chance hardly ever puts them: what a file makes of them keeps every order and relation that it has.

Arrays that belong together stay as drawn by all other kinds, for no change of their values is known to be legal. A change of the numbers
that they are made of is: `inputs` could have been given these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.verify.drawing import generator

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

    Array = NDArray[Any]

CALLS = 64
"""Calls that are steered; all later ones draw by chance, for a file may draw again until it likes what it got."""
PARTS = (8, 64)
"""Parts along the first axis of what a call returns, each of which lies elsewhere: few large ones, or so many that two calls meet in all ways."""
_NEAR, _EDGE = 1 / 64, 2.0**-16
"""Part of the range into which numbers are drawn together, and what is kept between them and its end: in float32 that end is not reached."""
_SEED = 2**16
"""Range from which on a single integer is taken for the seed of another generator."""
_WIDEST = 2**62
"""Magnitude of limits up to which integers are steered."""
_RANGES: Mapping[str, Callable[..., tuple[Any, Any]]] = {
    "random": lambda *_args, **_options: (0.0, 1.0),
    "uniform": lambda low=0.0, high=1.0, *_args, **_options: (low, high),
    "integers": lambda low, high=None, *_args, endpoint=False, **_options: (
        (0, np.asarray(low) - (not endpoint)) if high is None else (low, np.asarray(high) - (not endpoint))
    ),
    "standard_normal": lambda *_args, **_options: (-3.0, 3.0),
    "normal": lambda loc=0.0, scale=1.0, *_args, **_options: (loc - 3.0 * np.asarray(scale), loc + 3.0 * np.asarray(scale)),
}  # fmt: skip
"""Least and greatest number that a method may return, inclusive of integers; of a normal distribution three standard deviations."""


class Steered(np.random.Generator):
    """NumPy's generator; parts of what some calls return lie near an end of their range, near both, or in order."""

    def __init__(self, seed: int, parts: int) -> None:
        super().__init__(np.random.PCG64(seed))
        self._numbers, self._left, self._seed, self._parts = generator(seed), CALLS, seed, parts

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401 - any method of NumPy's
        if name not in _RANGES:
            return super().__getattribute__(name)

        def call(*args: Any, **options: Any) -> Any:  # noqa: ANN401 - NumPy's
            made = getattr(self._numbers, name)(*args, **options)
            self._left -= 1
            if self._left < 0:
                return made
            rng = np.random.default_rng([self._seed, self._left])
            return steer(made, _RANGES[name](*args, **options), self._parts, rng)

        return call

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what only the inner generator has
        return getattr(self._numbers, name)


def steer(made: Any, ends: tuple[Any, Any], parts: int, rng: np.random.Generator) -> Any:  # noqa: ANN401 - of the method's type
    """Return what a call returned, parts of which lie elsewhere between its ends.

    >>> parts = steer(np.linspace(0, 1, 64), (0.0, 1.0), 8, np.random.default_rng(1)).reshape(8, 8)
    >>> [bool(part.max() < 0.1) for part in parts].count(True) > 0
    True
    """
    low, high = (np.asarray(end) for end in ends)
    if not np.ndim(made):
        return _single(made, low, high, rng)
    whole = made.dtype.kind in "iu"
    if not made.size or made.dtype.kind == "b" or (whole and _beyond(low, high)):
        return made
    steps = np.linspace(0, len(made), min(parts, len(made)) + 1).astype(int)
    alike = not low.ndim and not high.ndim  # only then may numbers change places
    least, most = np.broadcast_to(low, made.shape), np.broadcast_to(high, made.shape)
    ways = rng.permutation(parts) % (len(_WAYS) if alike else _APART)  # each of them once at least, where there is room
    for way, first, last in zip(ways, steps[:-1], steps[1:], strict=False):
        part = slice(first, last)
        made[part] = _WAYS[way](made[part], least[part], most[part], rng)
    return made


def _beyond(low: Array, high: Array) -> bool:
    return bool(abs(int(np.max(high))) >= _WIDEST or abs(int(np.min(low))) >= _WIDEST)


def _single(made: Any, low: Array, high: Array, rng: np.random.Generator) -> Any:  # noqa: ANN401 - a number
    """Return a number near an end; integers of a wide range, which may be seeds, stay."""
    value = np.asarray(made)
    if value.dtype.kind not in "iuf" or (value.dtype.kind in "iu" and (_beyond(low, high) or high - low >= _SEED)):
        return made
    way = (_same, _low, _high)[int(rng.integers(3))]
    steered = way(value, low, high, rng)
    return steered if isinstance(made, np.ndarray) else type(made)(steered)  # `choice` asks for an array of no axis


def _same(value: Array, _low: Array, _high: Array, _rng: np.random.Generator) -> Array:
    return value


def _low(value: Array, low: Array, high: Array, _rng: np.random.Generator) -> Array:
    """Return numbers near the lower end, in the order of the given ones."""
    if value.dtype.kind in "iu":
        return np.asarray(low + ((value.astype(np.int64) - low) * _NEAR).astype(np.int64)).astype(value.dtype)
    return np.asarray(low + (high - low) * _EDGE + (value.clip(low, high) - low) * _NEAR).astype(value.dtype)


def _high(value: Array, low: Array, high: Array, _rng: np.random.Generator) -> Array:
    """Return numbers near the upper end, in the order of the given ones."""
    if value.dtype.kind in "iu":
        return np.asarray(high - ((high - value.astype(np.int64)) * _NEAR).astype(np.int64)).astype(value.dtype)
    return np.asarray(high - (high - low) * _EDGE - (high - value.clip(low, high)) * _NEAR).astype(value.dtype)


def _both(value: Array, low: Array, high: Array, rng: np.random.Generator) -> Array:
    ends = _low(value, low, high, rng), _high(value, low, high, rng)
    return np.where(rng.random(value.shape) < 0.5, *ends)


def _run(value: Array, low: Array, high: Array, rng: np.random.Generator) -> Array:
    """Return numbers near the lower end, and one run of some length in each row, at times one number, near the upper one."""
    length, rows = max(1, value.shape[-1]), (*value.shape[:-1], 1)
    first = rng.integers(0, length, rows) * rng.integers(0, 2, rows)  # half of them begin with the row
    last = first + length ** rng.random(rows)
    places = np.arange(value.shape[-1])
    return np.where((first <= places) & (places < last), _high(value, low, high, rng), _low(value, low, high, rng))


def _rising(value: Array, _low: Array, _high: Array, _rng: np.random.Generator) -> Array:
    return np.sort(value, axis=-1)


def _falling(value: Array, _low: Array, _high: Array, _rng: np.random.Generator) -> Array:
    return np.sort(value, axis=-1)[..., ::-1]


_WAYS: Sequence[Callable[[Array, Array, Array, np.random.Generator], Array]] = (
    _same, _low, _high, _both, _run, _rising, _falling,
)  # fmt: skip
_APART = 5
"""Those of them that leave numbers at their places."""


def redrawn(inputs: Callable[[np.random.Generator], Inputs], usual: Inputs, seed: int, parts: int) -> Inputs | None:
    """Return what a file draws with such a generator; None where that is empty or no number although it usually is one."""
    made = inputs(Steered(seed, parts))
    for name, value in usual.items():
        other = made.get(name)
        if isinstance(value, np.ndarray) and not (isinstance(other, np.ndarray) and _as_sound(other, value)):
            return None
    return made


def _as_sound(made: Array, usual: Array) -> bool:
    if made.dtype != usual.dtype or bool(made.size) != bool(usual.size):
        return False
    return made.dtype.kind != "f" or bool(np.isfinite(made).all()) or not bool(np.isfinite(usual).all())
