"""What a reference's sums come to in float32 where terms are added one by one, as the plainest right kernel does it.

Rounding errors of a sum add up like steps of a random walk, unless terms are alike: then one addition after the other is rounded the same
way, and the error grows with the number of terms instead of its root (Higham, The Accuracy of Floating Point Summation, SIAM J. Sci.
Comput. 14, 1993). So whether errors are larger in norm than rounding explains is asked of the very inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs
    from hotloop.verify.condition import Outputs

_FEW = 256
"""Most results of a product of matrices that are added up one by one: what has more is as NumPy computes it."""


class OneByOne(np.ndarray[Any, Any]):
    """An array whose sums are added up in float32, term by term; all else is as NumPy computes it."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:  # noqa: ANN401 - NumPy's protocol
        """Call a function of NumPy's; its sums are replaced where all terms of an axis are added up."""
        if options.get("out"):
            options["out"] = tuple(map(_plain, options["out"]))
        plain = tuple(map(_plain, inputs))
        whole = options.get("where", True) is True and "initial" not in options and not options.get("out")
        if ufunc is np.add and method == "reduce" and whole:
            return _marked(_sum(plain[0], options.get("axis", 0), keepdims=bool(options.get("keepdims"))))
        if (
            ufunc.__name__ in ("matmul", "vecdot")
            and method == "__call__"
            and not options
            and (found := _product(*plain)) is not None
        ):
            return _marked(found)
        return _marked(getattr(ufunc, method)(*plain, **options))

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:  # noqa: ANN401 - NumPy's protocol
        """Call a function of NumPy's that is none of its universal ones: products of vectors are sums, too."""
        if function in (np.dot, np.vdot, np.inner) and len(args) == 2 and all(np.ndim(one) == 1 for one in args):
            return _marked(_sum(_plain(args[0]) * _plain(args[1]), -1, keepdims=False))
        return super().__array_function__(function, types, args, kwargs)


def errors(reference: Callable[[Inputs], Outputs], inputs: Inputs, outputs: Outputs) -> dict[str, NDArray[np.float64]]:
    """Return by how much outputs are above what they should be when all sums of a reference are added up one by one, by name."""
    with np.errstate(all="ignore"):
        answer = reference({name: _of(value) for name, value in inputs.items()})
        return {
            name: np.nan_to_num(
                np.asarray(_plain(answer[name]), np.float64) - value.astype(np.float64), posinf=0.0, neginf=0.0
            )
            for name, value in outputs.items()
        }


def unexplained(error: NDArray[np.float64], serial: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what is left of errors beyond those of sums one by one: half as much more in their direction, a quarter in the other.

    Sums in several parts err less, and now and then in the other direction: their parts are smaller and rounded at other places.

    >>> unexplained(np.array([1.5, 2.0, -0.25, -2.0]), np.array([1.0, 1.0, 1.0, 1.0])).tolist()
    [0.0, 0.5, 0.0, -1.75]
    """
    size = np.abs(serial)
    above, below = np.where(serial > 0, _FARTHER, _OPPOSITE) * size, np.where(serial < 0, _FARTHER, _OPPOSITE) * size
    return np.asarray(error - np.clip(error, -below, above), np.float64)


_FARTHER, _OPPOSITE = 1.5, 0.25
"""Parts of the error of sums one by one that other orders of summation may have, in its direction and in the other."""


def _of(value: Any) -> Any:  # noqa: ANN401 - inputs are arrays and numbers
    return value.view(OneByOne) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value


def _plain(value: Any) -> Any:  # noqa: ANN401
    return value.view(np.ndarray) if isinstance(value, OneByOne) else value


def _marked(value: Any) -> Any:  # noqa: ANN401
    return value.view(OneByOne) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value


def _sum(value: NDArray[Any], axis: Any, *, keepdims: bool) -> Any:  # noqa: ANN401 - an array or a number
    """Return sums along one axis or several: running sums are added up in order, which NumPy's plain sums are not."""
    if value.dtype.kind != "f":
        return value.sum(axis=axis, keepdims=keepdims)
    axes = range(value.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    last = [each % value.ndim for each in axes]
    kept = [each for each in range(value.ndim) if each not in last]
    rows = value.astype(np.float32).transpose(kept + last).reshape([value.shape[each] for each in kept] + [-1])
    if not rows.shape[-1]:
        return value.sum(axis=axis, keepdims=keepdims)
    sums = np.add.accumulate(rows, axis=-1, dtype=np.float32)[..., -1].astype(np.float64)
    return sums.reshape([1 if each in last else size for each, size in enumerate(value.shape)]) if keepdims else sums


def _product(one: Any, other: Any) -> Any:  # noqa: ANN401 - arrays
    """Return the product of a matrix and a vector, or of two vectors, where it has few results; None for others."""
    if np.ndim(other) != 1 or np.ndim(one) not in (1, 2) or np.size(one) > _FEW * np.size(other):
        return None
    return _sum(one * other, -1, keepdims=False)
