"""What a reference's sums come to in float32 in the orders in which right kernels add: one by one, by groups of neighbours, in several parts.

Rounding errors of a sum add up like steps of a random walk, unless terms are alike: then one addition after the other is rounded the same
way, and the error grows with the number of terms instead of its root (Higham, The Accuracy of Floating Point Summation, SIAM J. Sci.
Comput. 14, 1993). So whether errors are larger in norm than rounding explains is asked of the very inputs. Which way an addition is rounded changes with
the ratio of a term to the sum: who adds pairs, or half of the terms, may err in the other direction. What some order explains is no lack of bits, and
what lies beyond all of them is: a part of the terms that was left out, say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs
    from hotloop.verify.condition import Outputs

WAYS = ((1, 1), (2, 1), (1, 2), (4, 1), (1, 3), (3, 1), (8, 1), (6, 1), (1, 5), (16, 1), (1, 8))
"""Orders, the most usual first: terms that are added to one another before they are added to a sum, and parts that are summed each for itself. Of 43 right
orders none erred by more than a thousandth beyond these (sums of 2^16 to 2^23 terms that are alike)."""
_BEYOND = 0.05
"""Part of the largest of these errors by which any other order may err more."""
_FEW = 256
"""Most results of a product of matrices that are added up one by one: what has more is as NumPy computes it."""


class OneByOne(np.ndarray[Any, Any]):
    """An array whose sums are added up in float32, term by term; all else is as NumPy computes it."""

    way: tuple[int, int] = WAYS[0]

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:  # noqa: ANN401 - NumPy's protocol
        """Call a function of NumPy's; its sums are replaced where all terms of an axis are added up."""
        if options.get("out"):
            options["out"] = tuple(map(_plain, options["out"]))
        plain = tuple(map(_plain, inputs))
        whole = options.get("where", True) is True and "initial" not in options and not options.get("out")
        if ufunc is np.add and method == "reduce" and whole:
            return self._marked(
                _sum(plain[0], options.get("axis", 0), self.way, keepdims=bool(options.get("keepdims")))
            )
        if (
            ufunc.__name__ in ("matmul", "vecdot")
            and method == "__call__"
            and not options
            and (found := _product(plain, self.way)) is not None
        ):
            return self._marked(found)
        return self._marked(getattr(ufunc, method)(*plain, **options))

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:  # noqa: ANN401 - NumPy's protocol
        """Call a function of NumPy's that is none of its universal ones: products of vectors are sums, too."""
        if function in (np.dot, np.vdot, np.inner) and len(args) == 2 and all(np.ndim(one) == 1 for one in args):
            return self._marked(_sum(_plain(args[0]) * _plain(args[1]), -1, self.way, keepdims=False))
        return super().__array_function__(function, types, args, kwargs)

    def _marked(self, value: Any) -> Any:  # noqa: ANN401 - what NumPy returns
        return _of(value, type(self))


_KINDS = [type(OneByOne.__name__, (OneByOne,), {"way": way}) for way in WAYS]


def errors(
    reference: Callable[[Inputs], Outputs], inputs: Inputs, outputs: Outputs, number: int = 0
) -> dict[str, NDArray[np.float64]]:
    """Return by how much outputs are above what they should be when all sums of a reference are added up in an order of `WAYS`, by name."""
    with np.errstate(all="ignore"):
        answer = reference({name: _of(value, _KINDS[number]) for name, value in inputs.items()})
        return {
            name: np.nan_to_num(
                np.asarray(_plain(answer[name]), np.float64) - value.astype(np.float64), posinf=0.0, neginf=0.0
            )
            for name, value in outputs.items()
        }


def unexplained(error: NDArray[np.float64], orders: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return what is left of errors beyond those that sums in some orders have, or any part of them.

    >>> unexplained(np.array([1.05, 2.05, -0.25, -2.0]), [np.array([1.0, 1.0, 1.0, 1.0]), np.array([0.0, 0.5, -0.2, 0.1])]).round(9).tolist()
    [0.0, 1.0, 0.0, -1.95]
    """
    low, high = (limit.reduce([np.zeros_like(error), *orders]) for limit in (np.minimum, np.maximum))
    more = _BEYOND * np.maximum(high, -low)
    return np.asarray(error - np.clip(error, low - more, high + more), np.float64)


def _of(value: Any, kind: type[OneByOne]) -> Any:  # noqa: ANN401 - inputs are arrays and numbers
    return value.view(kind) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value


def _plain(value: Any) -> Any:  # noqa: ANN401
    return value.view(np.ndarray) if isinstance(value, OneByOne) else value


def _sum(value: NDArray[Any], axis: Any, way: tuple[int, int], *, keepdims: bool) -> Any:  # noqa: ANN401 - an array or a number
    """Return sums along one axis or several: running sums are added up in order, which NumPy's plain sums are not."""
    if value.dtype.kind != "f":
        return value.sum(axis=axis, keepdims=keepdims)
    axes = range(value.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    last = [each % value.ndim for each in axes]
    kept = [each for each in range(value.ndim) if each not in last]
    rows = value.astype(np.float32).transpose(kept + last).reshape([value.shape[each] for each in kept] + [-1])
    if not rows.shape[-1]:
        return value.sum(axis=axis, keepdims=keepdims)
    sums = _added(rows, *way).astype(np.float64)
    return sums.reshape([1 if each in last else size for each, size in enumerate(value.shape)]) if keepdims else sums


def _added(rows: NDArray[np.float32], group: int, parts: int) -> NDArray[np.float32]:
    """Return sums of rows, of which `group` neighbours are added first, and `parts` parts each for itself.

    >>> five = np.array([1.0, 2.0, 3.0, 4.0, 5.0], np.float32)
    >>> float(_added(five, 2, 1)), float(_added(five, 1, 2))
    (15.0, 15.0)
    """
    for each in (group, 0 if parts == 1 else -(-rows.shape[-1] // parts)):
        if each > 1:
            padded = np.pad(rows, [(0, 0)] * (rows.ndim - 1) + [(0, -rows.shape[-1] % each)])
            rows = _serial(padded.reshape(*padded.shape[:-1], -1, each))
    return _serial(rows)


def _serial(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.add.accumulate(rows, axis=-1, dtype=np.float32)[..., -1])


def _product(factors: Sequence[Any], way: tuple[int, int]) -> Any:  # noqa: ANN401 - arrays
    """Return the product of a matrix and a vector, or of two vectors, where it has few results; None for others."""
    one, other = factors
    if np.ndim(other) != 1 or np.ndim(one) not in (1, 2) or np.size(one) > _FEW * np.size(other):
        return None
    return _sum(one * other, -1, way, keepdims=False)
