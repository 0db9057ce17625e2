"""Arrays that lie with the witness: a reference that is written for NumPy computes there, operation by operation.

The reference's own code runs where it always ran; what crosses is the name of a NumPy function and the numbers of arrays.
NumPy itself hands its functions over (NEP 13, NEP 18), and its own rules say in which type each of them computes. What is not
in the tables raises `OnHostError`, and the whole reference is computed by NumPy as before: nothing is done half here, half there.
"""

# ruff: noqa: ANN401 - NumPy's protocols take and give anything

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray


class OnHostError(TypeError):
    """What is asked of a far array can be done by NumPy only."""


Form = tuple["np.dtype[np.generic]", tuple[int, ...]]
"""Type and shape of an array."""


class Channel(Protocol):
    """What a far array asks of the witness."""

    def call(self, name: str, arguments: Sequence[object], cast: str = "", result: Form | None = None) -> Far:
        """Return the result of an operation; arrays among the arguments are cast to a type first, where one is named.

        `result`: type and shape, where they are known: then nobody needs to wait for it.
        """

    def item(self, array: Far) -> bool | int | float:
        """Return the one element of an array."""

    def fetch(self, array: Far) -> NDArray[np.generic]:
        """Return the elements of an array."""

    def release(self, number: int) -> None:
        """Forget an array, with the next message."""


class Far(NDArrayOperatorsMixin):
    """An array that lies with the witness; an operation on it is done there."""

    __slots__ = ("_channel", "dtype", "number", "shape")
    __hash__ = object.__hash__  # equality is an operation on elements

    def __init__(self, channel: Channel, number: int, dtype: np.dtype[np.generic], shape: tuple[int, ...]) -> None:
        self._channel, self.number, self.dtype, self.shape = channel, number, dtype, shape

    def __del__(self) -> None:
        self._channel.release(self.number)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.itemsize

    @property
    def T(self) -> Far:  # noqa: N802 - NumPy's name
        """The transposed array."""
        return self.transpose()

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __array__(self, *_: object, **__: object) -> NoReturn:
        raise OnHostError("a conversion to an array of this process")

    def __bool__(self) -> bool:
        return bool(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __index__(self) -> int:
        if self.dtype.kind not in "iu":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return int(self.item())

    def item(self) -> bool | int | float:
        """Return the only element."""
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._channel.item(self)

    def __getitem__(self, index: object) -> Far:
        return self._channel.call("getitem", (self, index if isinstance(index, tuple) else (index,)))

    def __setitem__(self, index: object, value: object) -> None:
        self._channel.call("setitem", (self, index if isinstance(index, tuple) else (index,), value))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **given: Any) -> Far:
        out = given.pop("out", None)
        dtype = given.pop("dtype", None)
        given.pop("casting", None)
        if method == "reduce" and ufunc.__name__ in _REDUCED and out is None:
            reduced: Far = FUNCTIONS[_REDUCED[ufunc.__name__]](*inputs, dtype=dtype, **{"axis": 0, **given})
            return reduced
        if method != "__call__" or given or dtype is not None or ufunc.nout != 1:
            raise OnHostError(f"{ufunc.__name__}.{method} with {', '.join(given)}")
        loop = _loop(ufunc, inputs)
        form = (loop[-1], broadcast(inputs)) if ufunc.signature is None else None
        made = self._channel.call(ufunc.__name__, inputs, loop[0].name, form)
        if out is None:
            return made
        (target,) = out
        if not isinstance(target, Far):
            raise OnHostError("a result in an array of this process")
        self._channel.call("assign", (target, made), "", (target.dtype, target.shape))
        return target

    def __array_function__(self, function: Any, _types: object, args: Any, kwargs: Any) -> Any:
        own = FUNCTIONS.get(function.__name__)
        if own is not None:
            return own(*args, **kwargs)
        if function.__name__ in _WRITTEN_IN_OTHERS:
            return function.__wrapped__(*args, **kwargs)
        raise OnHostError(f"numpy.{function.__name__}")

    def astype(self, dtype: DTypeLike, *_: object, **__: object) -> Far:
        """Return a copy in another type."""
        wanted = np.dtype(dtype)
        return self._channel.call("copy", (self,), wanted.name, (wanted, self.shape))

    def copy(self, *_: object) -> Far:
        """Return a copy."""
        return self.astype(self.dtype)

    def reshape(self, *shape: Any, **given: Any) -> Far:
        """Return the same elements in another shape."""
        if given:
            raise OnHostError("another order of elements")
        sizes = shape[0] if len(shape) == 1 and not isinstance(shape[0], int | np.integer) else shape
        return self._channel.call("reshape", (self, tuple(map(operator.index, sizes))))

    def ravel(self, *order: object) -> Far:
        """Return all elements in one dimension."""
        if order and order != ("C",):
            raise OnHostError("another order of elements")
        return self.reshape(-1)

    flatten = ravel

    def transpose(self, *axes: Any) -> Far:
        """Return the array with its axes in another order."""
        chosen = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        order = tuple(chosen or range(self.ndim)[::-1])
        return self._channel.call("transpose", (self, tuple(axis % self.ndim for axis in order)))

    def strided(self, shape: tuple[int, ...], steps: tuple[int, ...], offset: int) -> Far:
        """Return a view of a flat array; steps and offset count elements."""
        if self.ndim != 1:
            raise OnHostError("a strided view of an array with several dimensions")
        return self._channel.call("strided", (self, shape, steps, offset))

    def erf(self) -> Far:
        """Return the error function of each element, which NumPy has not."""
        return self._channel.call("erf", (self,))

    def tolist(self) -> Any:
        """Return the elements as Python's numbers in lists."""
        return self._channel.fetch(self).tolist()

    def swapaxes(self, first: int, other: int) -> Far:
        """Return the array with two axes exchanged."""
        order = list(range(self.ndim))
        order[first], order[other] = order[other], order[first]
        return self.transpose(order)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in _METHODS:
            raise AttributeError(name)
        return lambda *args, **kwargs: FUNCTIONS[name](self, *args, **kwargs)


def _loop(ufunc: np.ufunc, inputs: Sequence[object]) -> tuple[np.dtype[np.generic], ...]:
    """Return the types in which NumPy would compute: of the operands, which must be one, and of the result."""
    kinds = tuple(_kind(value) for value in inputs)
    try:
        types = ufunc.resolve_dtypes((*kinds, None))
    except TypeError as error:
        raise OnHostError(str(error)) from None
    if len(set(types[:-1])) != 1:
        raise OnHostError(f"{ufunc.__name__} of operands that stay unlike")
    return types


def broadcast(inputs: Sequence[object]) -> tuple[int, ...]:
    """Return the shape of what is computed element by element. Raises ValueError as NumPy does."""
    return np.broadcast_shapes(*(operand.shape for operand in inputs if isinstance(operand, Far | np.ndarray)))


def _kind(value: object) -> Any:
    if isinstance(value, bool):
        return np.dtype(np.bool_)
    if isinstance(value, int | float) and not isinstance(value, np.generic):
        return type(value)
    if isinstance(value, Far | np.ndarray | np.generic):
        return value.dtype
    raise OnHostError(f"an operand of type {type(value).__name__}")


_REDUCED = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}


FUNCTIONS: dict[str, Callable[..., Any]] = {}
"""NumPy's functions by name, as they are done there; see `functions`."""
_METHODS = frozenset(
    {
        "sum",
        "prod",
        "mean",
        "max",
        "min",
        "any",
        "all",
        "var",
        "std",
        "clip",
        "cumsum",
        "round",
        "repeat",
        "squeeze",
        "dot",
    }
)
_WRITTEN_IN_OTHERS = frozenset({"array_split", "split"})
"""Functions of NumPy's that are written in terms of an array's own methods."""
