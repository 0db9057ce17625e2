"""Translates NumPy's functions on far arrays (those that the witness holds) into operations of the witness, with their types and arguments.

A use of a function that the witness has no operation for raises `OnHostError`.
"""

# ruff: noqa: ANN401, FBT001, FBT002, SLF001 - signatures are NumPy's, which take anything; a far array's channel is theirs to use

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from hotloop.engine.witness.far import Far, OnHostError, broadcast


def _reduction(name: str) -> Callable[..., Far]:
    def reduce(
        array: Far, axis: Any = None, dtype: Any = None, out: object = None, keepdims: Any = False, **more: Any
    ) -> Far:  # fmt: skip
        if out is not None or any(value is not np._NoValue for value in more.values() if value is not True):
            raise OnHostError(f"{name} with {', '.join(more) or 'out'}")
        axes = tuple(range(array.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        kept = keepdims is not np._NoValue and bool(keepdims)
        cast = np.dtype(dtype) if dtype is not None else _accumulator(name, array.dtype)
        positive = tuple(operator.index(number) % max(1, array.ndim) for number in axes)
        return array._channel.call(name, (array, positive, kept), cast.name)

    return reduce


def _accumulator(name: str, dtype: np.dtype[np.generic]) -> np.dtype[np.generic]:
    """Return the type in which NumPy reduces."""
    if name in ("sum", "prod") and dtype.kind in "bi":
        return np.dtype(np.int64)
    if name in ("mean", "var", "std") and dtype.kind in "bi":
        return np.dtype(np.float64)
    if name in ("any", "all"):
        return np.dtype(np.bool_)
    return dtype


def _plain(name: str, *, cast: bool = False) -> Callable[..., Far]:
    """Return an operation whose arguments are passed on in their order."""

    def call(*arguments: Any) -> Far:
        arrays = [operand for operand in _flat(arguments) if isinstance(operand, Far)]
        kind = (
            np.result_type(*[operand.dtype for operand in _flat(arguments) if isinstance(operand, Far | np.ndarray)])
            if cast
            else None
        )
        return arrays[0]._channel.call(name, arguments, "" if kind is None else kind.name)

    return call


def _flat(values: Sequence[object]) -> list[object]:
    return [item for value in values for item in (_flat(value) if isinstance(value, list | tuple) else (value,))]


def _where(condition: Any, *chosen: Any) -> Far:
    if len(chosen) != 2:
        raise OnHostError("numpy.where without values")
    kind = np.result_type(*[operand.dtype if isinstance(operand, Far) else operand for operand in chosen])
    channel = next(operand for operand in (condition, *chosen) if isinstance(operand, Far))._channel
    return channel.call("where", (condition, *chosen), kind.name, (kind, broadcast((condition, *chosen))))


def _clip(array: Far, low: Any = None, high: Any = None, *args: Any, **kwargs: Any) -> Far:
    if args or kwargs:
        raise OnHostError("numpy.clip with more than bounds")
    least = array if low is None else np.maximum(array, low)
    return least if high is None else np.minimum(least, high)


def _like(value: float) -> Callable[..., Far]:
    return lambda array, dtype=None, *args, **more: _full(array, value, dtype, *args, **more)


def _full(
    array: Far, value: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, **more: Any
) -> Far:  # fmt: skip
    if order not in ("K", "C") or more or not subok or not isinstance(value, bool | int | float | np.generic):
        raise OnHostError("an array that is filled in another way")
    kind = np.dtype(dtype) if dtype is not None else array.dtype
    sizes = array.shape if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    return array._channel.call("full", (sizes, value), kind.name)


def _moved(array: Far, source: Any, target: Any) -> Far:
    ours, theirs = (
        [number % array.ndim for number in ((axis,) if isinstance(axis, int) else axis)] for axis in (source, target)
    )
    order = [axis for axis in range(array.ndim) if axis not in ours]
    for place, axis in sorted(zip(theirs, ours, strict=True)):
        order.insert(place, axis)
    return array.transpose(order)


def _joined(name: str) -> Callable[..., Far]:
    def join(arrays: Sequence[Any], axis: int | None = 0, **more: Any) -> Far:
        if more or axis is None:
            raise OnHostError(f"numpy.{name} with more than an axis")
        return _plain(name, cast=True)(list(arrays), axis)

    return join


def _repeated(array: Far, times: Any, axis: int | None = None) -> Far:
    if not isinstance(times, int | np.integer) or axis is None:
        raise OnHostError("numpy.repeat of unlike counts")
    return _plain("repeat")(array, int(times), axis % array.ndim)


def _padded(array: Far, width: Any, mode: str = "constant", *, constant_values: float = 0) -> Far:
    if mode != "constant" or not isinstance(constant_values, int | float):
        raise OnHostError(f"numpy.pad in mode {mode}")
    pairs = np.broadcast_to(np.asarray(width), (array.ndim, 2)).tolist()
    sizes = tuple(size + before + behind for size, (before, behind) in zip(array.shape, pairs, strict=True))
    padded = _like(constant_values)(array, shape=sizes)
    padded[tuple(slice(before, before + size) for size, (before, _) in zip(array.shape, pairs, strict=True))] = array
    return padded


def _summed(text: str, *arrays: Any, **more: Any) -> Far:
    if any(key != "optimize" for key in more) or not isinstance(text, str):
        raise OnHostError("numpy.einsum with more than arrays")
    return _plain("einsum", cast=True)(text, *arrays)


def _normed(array: Far, order: object = None, axis: Any = None, keepdims: bool = False) -> Far:
    if order not in (None, 2) or (order == 2 and not isinstance(axis, int)):
        raise OnHostError("another norm than that of vectors")
    wide = array if array.dtype.kind == "f" else array.astype(np.float64)
    return np.sqrt((wide * wide).sum(axis=axis, keepdims=keepdims))  # type: ignore[no-any-return]


def _running(array: Far, axis: int | None = None, dtype: Any = None, out: object = None) -> Far:
    if out is not None:
        raise OnHostError("numpy.cumsum into an array")
    flat, kind = (array.ravel(), 0) if axis is None else (array, axis), _accumulator("sum", array.dtype)
    return flat[0]._channel.call("cumsum", (flat[0], flat[1] % flat[0].ndim), np.dtype(dtype or kind).name)


def _around(array: Far, decimals: int = 0, out: object = None) -> Far:
    if decimals or out is not None:
        raise OnHostError("numpy.round to decimals")
    return np.rint(array)  # type: ignore[return-value]


def _axis(name: str) -> Callable[..., Far]:
    def along(array: Far, axis: int = -1) -> Far:
        return array._channel.call(name, (array, axis % array.ndim))

    return along


TABLE: dict[str, Callable[..., Any]] = {
    **{name: _reduction(name) for name in ("sum", "prod", "mean", "max", "min", "any", "all", "var", "std")},
    "amax": _reduction("max"),
    "amin": _reduction("min"),
    "where": _where,
    "clip": _clip,
    "zeros_like": _like(0),
    "ones_like": _like(1),
    "empty_like": _like(0),
    "full_like": _full,
    "moveaxis": _moved,
    "transpose": lambda array, axes=None: array.transpose(axes or ()),
    "swapaxes": lambda array, one, other: array.swapaxes(one, other),
    "reshape": lambda array, shape, **more: array.reshape(shape, **more),
    "ravel": lambda array, *order: array.ravel(*order),
    "copy": lambda array, *_, **__: array.copy(),
    "expand_dims": _plain("expand_dims"),
    "squeeze": lambda array, axis=None: array.reshape(
        [size for place, size in enumerate(array.shape) if not (size == 1 if axis is None else place == axis % array.ndim)]
    ),
    "broadcast_to": lambda array, shape, **_: _plain("broadcast_to")(array, tuple(shape)),
    "concatenate": _joined("concatenate"),
    "stack": _joined("stack"),
    "repeat": _repeated,
    "pad": _padded,
    "einsum": _summed,
    "dot": lambda one, other: np.matmul(one, other) if one.ndim == other.ndim == 2 else _nothing("numpy.dot"),
    "outer": lambda one, other: one.ravel()[:, None] * other.ravel()[None, :],
    "norm": _normed,
    "cumsum": _running,
    "round": _around,
    "around": _around,
    "tril": lambda array, k=0: _plain("tril")(array, k),
    "triu": lambda array, k=0: _plain("triu")(array, k),
    "flip": lambda array, axis: _plain("flip")(array, axis % array.ndim),
    "sort": _axis("sort"),
    "shape": lambda array: array.shape,
    "ndim": lambda array: array.ndim,
    "size": lambda array: array.size,
}  # fmt: skip


def _nothing(what: str) -> NoReturn:
    raise OnHostError(what)
