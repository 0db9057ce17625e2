"""How much of an error a problem itself makes of the rounding of its inputs: what no algorithm can avoid.

A backward stable algorithm returns what is right for inputs that differ from the given ones by a few units in the last place
(Higham, Accuracy and Stability of Numerical Algorithms, section 1.5). So the reference is asked for such inputs, too, and by
how much its answers differ is added to the bound. Equal values are moved equally: a tie stays a tie.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.model.dtype import floating
from hotloop.verify.domain import structured

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

    Outputs = Mapping[str, NDArray[np.generic]]

TRIES = 4
_ULPS = 4 * 2.0**-24
"""Relative amount by which values are moved: some roundings of float32."""
_ROOM = 4.0
"""Safety factor between the effect that a few tries show and the effect that is tolerated."""
_SHORT_BITS = 12
"""Most bits of a number that is taken to be exactly what a file says."""
_ODD = np.uint64(0x9E3779B97F4A7C15)


def moved(inputs: Inputs, attempt: int) -> Inputs:
    """Return inputs whose floating-point values differ by some units in the last place of float32, numbers that were rounded among them."""
    return {
        name: _nudged(v, attempt)
        if isinstance(v, np.ndarray) and floating(v.dtype)
        else _beside(v, attempt)
        if _long(v)
        else v
        for name, v in inputs.items()
    }


def _long(value: object) -> bool:
    """Tell whether a number by value has so many bits that it was rounded: a limit of 100 or a half stays, for values may lie exactly there.

    >>> _long(np.float32(31.7)), _long(np.float32(100.5)), _long(0.25), _long(7)
    (True, False, False, False)
    """
    if not isinstance(value, float | np.floating) or not np.isfinite(value):
        return False
    fraction = float(np.frexp(np.float32(value))[0]) * 2.0**_SHORT_BITS
    return fraction != int(fraction)


def _beside(value: Any, attempt: int) -> Any:  # noqa: ANN401 - a number of any floating-point type
    moved_by = _nudged(np.asarray([value], np.float64), attempt)[0]
    return value.dtype.type(moved_by) if isinstance(value, np.generic) else float(moved_by)


def apart(inputs: Inputs, attempt: int) -> Inputs:
    """Return such inputs with each value moved for itself, so that ties come apart; what shows an order stays together."""
    rng = np.random.default_rng(attempt + 1)
    return {
        name: _strewn(v, rng) if isinstance(v, np.ndarray) and floating(v.dtype) and not structured(v) else value
        for (name, v), value in zip(inputs.items(), moved(inputs, 2 + attempt).values(), strict=True)
    }


def _loose(inputs: Inputs, attempt: int) -> Inputs:
    """Return inputs with the values of arrays that hold a single one moved, each for itself."""
    rng = np.random.default_rng(attempt)
    return {
        name: _strewn(v, rng)
        if isinstance(v, np.ndarray) and floating(v.dtype) and bool((v == v.flat[:1]).all())
        else v
        for name, v in inputs.items()
    }


def _strewn(value: NDArray[np.generic], rng: np.random.Generator) -> NDArray[np.generic]:
    kind = value.dtype if value.dtype.itemsize >= 4 else np.dtype(np.float32)
    return np.asarray((value.astype(np.float64) * (1.0 + rng.uniform(-_ULPS, _ULPS, value.shape))).astype(kind))


def aligned(inputs: Inputs, attempt: int, *, last: bool) -> Inputs:
    """Return such inputs moved by their place along the last axis, or the others, and by value: equal rows, or columns, stay equal."""
    return {
        name: _shifted(v, attempt, last=last) if isinstance(v, np.ndarray) and floating(v.dtype) else v
        for name, v in inputs.items()
    }


def touched(value: NDArray[np.generic], *, last: bool) -> NDArray[np.generic]:
    """Return an array with the elements of one place in the middle of its last axis, or of its others, moved."""
    kind = value.dtype if value.dtype.itemsize >= 4 else np.dtype(np.float32)
    wide = value.astype(np.float64)
    rows = wide.reshape(-1, wide.shape[-1]) if wide.ndim > 1 or last else wide.reshape(-1, 1)
    where = (slice(None), rows.shape[1] // 2) if last else (rows.shape[0] // 2, slice(None))
    rows[where] = rows[where] * (1.0 + 2.0**-10) + 2.0**-10
    return wide.astype(kind)


def _shifted(value: NDArray[np.generic], attempt: int, *, last: bool) -> NDArray[np.generic]:
    if value.ndim < 2 and not last:  # of one row each element is a column
        return _strewn(value, np.random.default_rng(attempt + 1))
    shape = value.shape[-1:] if last else (*value.shape[:-1], 1)
    places = np.arange(np.prod(shape, dtype=np.int64), dtype=np.uint64).reshape(shape) + np.uint64(1 + 7919 * attempt)
    wide = value.astype(np.float64)
    bits = (wide.view(np.uint64) ^ (places * _ODD)) * _ODD
    bits = (bits ^ (bits >> np.uint64(29))) * _ODD  # sums of places and values would move places some apart alike
    unit = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-52 - 1.0
    kind = value.dtype if value.dtype.itemsize >= 4 else np.dtype(np.float32)
    size = np.where(
        wide == 0, np.abs(wide).mean(), wide
    )  # a zero, too: sums that hold it in other places are other sums
    return np.asarray((wide + _ULPS * unit * size).astype(kind))


def slack(
    reference: Callable[[Inputs], Outputs], inputs: Inputs, outputs: Outputs, *, equal: bool = False
) -> dict[str, NDArray[np.float64]]:
    """Return by how much outputs may differ because inputs are rounded: of integers the change itself, of floats with room.

    `equal`: all values are equal, and their mean, which is rounded, is not theirs: floats must bear that they come apart.
    """
    most = {name: np.zeros(value.shape) for name, value in outputs.items()}
    with np.errstate(all="ignore"):
        for attempt in range(TRIES + 2 * equal):
            other = moved(inputs, attempt) if attempt < TRIES else _loose(inputs, attempt)
            for name, value in reference(other).items():
                if attempt >= TRIES and not floating(outputs[name].dtype):
                    continue
                change = np.abs(np.asarray(value, np.float64) - np.asarray(outputs[name], np.float64))
                most[name] = np.maximum(most[name], np.nan_to_num(change, nan=0.0, posinf=0.0))
        return {name: _roomy(change) if floating(outputs[name].dtype) else change for name, change in most.items()}


def _roomy(change: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a change with room: of an element that hardly moved by chance, that of its row."""
    if change.ndim == 0:
        return _ROOM * change
    return np.asarray(_ROOM * np.maximum(change, np.broadcast_to(change.mean(axis=-1, keepdims=True), change.shape)))


def _nudged(value: NDArray[np.generic], attempt: int) -> NDArray[np.generic]:
    """Return values moved all up, all down, then each by its own part of that: of two roundings one meets every edge."""
    wide = value.astype(np.float64)
    kind = value.dtype if value.dtype.itemsize >= 4 else np.dtype(np.float32)
    if attempt < 2:
        return (wide * (1.0 + (_ULPS, -_ULPS)[attempt])).astype(kind)
    bits = (wide.view(np.uint64) + np.uint64(attempt * 7919 + 1)) * _ODD
    unit = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-52 - 1.0
    return (wide * (1.0 + _ULPS * unit)).astype(kind)
