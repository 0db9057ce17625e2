"""Which values a reference's indices select: found by watching its NumPy calls, whatever the outputs are called.

An index is right when the value that it selects is the least, or the largest, as far as the arithmetic can tell. The values
stand nowhere among the outputs, so the reference is run on arrays that tell whoever asks them for an argmin, argmax or argsort.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.errors import KernelFileError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

    Outputs = Mapping[str, NDArray[np.generic]]

_MOST = 1 << 16
"""Calls that are kept of one run: a loop over rows makes one for each."""


@dataclass(frozen=True, slots=True)
class Selection:
    """One call: what was looked at, rows last, and the indices found."""

    values: NDArray[np.float64]
    found: NDArray[np.int64]
    """Indices that were returned for the rows, as many for each as were asked for."""


class _Watched(np.ndarray):
    """An array that writes down what indices are asked of it, and of what is computed from it."""

    calls: list[Selection]

    def __array_finalize__(self, other: object) -> None:
        self.calls = getattr(other, "calls", [])

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:  # noqa: ANN401
        result = super().__array_function__(function, types, arguments, options)
        return _watched(result, self.calls) if type(result) is np.ndarray else result

    def argmin(self, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:  # noqa: ANN401, ARG002 - NumPy's own
        return self._noted("argmin", axis, keepdims=keepdims)

    def argmax(self, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:  # noqa: ANN401, ARG002 - NumPy's own
        return self._noted("argmax", axis, keepdims=keepdims)

    def argsort(self, axis: Any = -1, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401
        return self._noted("argsort", axis, *arguments, **options)

    def _noted(self, name: str, axis: Any, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401
        plain = self.view(np.ndarray)
        value = getattr(plain, name)(axis, *arguments, **options)
        if (
            len(self.calls) < _MOST and plain.size and plain.dtype.kind == "f"
        ):  # of equal truths and whole numbers the first is the right one
            rows = plain.reshape(1, -1) if axis is None else np.moveaxis(plain, axis, -1)
            order = name == "argsort" and axis is not None
            indices = np.moveaxis(value, axis, -1) if order else np.asarray(value).reshape(-1, 1)
            self.calls.append(Selection(rows.reshape(-1, rows.shape[-1]).astype(np.float64), _rows(indices)))
        return value


def _rows(indices: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(indices).reshape(-1, indices.shape[-1])


def _watched(value: NDArray[np.generic], calls: list[Selection]) -> _Watched:
    seen = value.view(_Watched)
    seen.calls = calls
    return seen


def selections(reference: Callable[[Inputs], Outputs], inputs: Inputs) -> tuple[Selection, ...]:
    """Return what indices a reference asks for, in order; nothing where it raises on such arrays."""
    calls: list[Selection] = []
    try:
        reference({k: _watched(v, calls) if isinstance(v, np.ndarray) else v for k, v in inputs.items()})
    except KernelFileError:  # the user's code does not like arrays of another type; then nothing is known
        return ()
    return tuple(calls)


def behind(output: NDArray[np.generic], calls: tuple[Selection, ...]) -> tuple[int, ...]:
    """Return which calls an output holds the indices of: one of them, or all of one length in a row; else nothing."""
    flat = output.reshape(-1)
    if not flat.size or output.dtype.kind not in "iu":
        return ()
    for index, call in enumerate(calls):
        if call.found.size == flat.size and np.array_equal(call.found.reshape(-1), flat):
            return (index,)
    every = [call.found.reshape(-1) for call in calls]
    if every and sum(part.size for part in every) == flat.size and np.array_equal(np.concatenate(every), flat):
        return tuple(range(len(calls)))
    return ()
