"""Inputs and the float64 reference of the row operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.kernels.reduction.problem import rows_of
from hotloop.model.kernel import Empty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem

    Float = NDArray[np.float64]


def inputs(problem: Problem, rng: np.random.Generator) -> Inputs:
    """Draw ``x``, ``scale`` and ``shift`` (used by the norms alone); ``y`` is a pure output."""
    from hotloop.model.dtype import dtype_of

    rows = rows_of(problem)
    dtype = dtype_of(rows.dtype)
    size = (rows.rows,) if rows.operation in ("sum", "max") else (rows.rows, rows.columns)
    return {
        "x": rng.standard_normal((rows.rows, rows.columns)).astype(dtype),
        "scale": rng.standard_normal(rows.columns).astype(dtype),
        "shift": rng.standard_normal(rows.columns).astype(dtype),
        "y": Empty(size, rows.dtype),
    }


def reference(problem: Problem, arrays: Inputs) -> Outputs:
    """Return y in float64."""
    import numpy as np

    with np.errstate(all="ignore"):  # NaN and infinity in the inputs spread as they must
        return {"y": _result(problem, arrays)[0]}


def magnitude(problem: Problem, arrays: Inputs) -> Outputs:
    """Return the scale of rounding errors: of the terms that cancel, not of the result; at least the smallest number."""
    import numpy as np

    from hotloop.model.dtype import dtype_of, limits

    least = limits(dtype_of(rows_of(problem).dtype))
    with np.errstate(all="ignore"):
        return {"y": np.abs(_result(problem, arrays)[1]) + least.normal / least.eps}


def _result(problem: Problem, arrays: Inputs) -> tuple[Float, Float]:
    """Return the result and the size of what it was rounded from."""
    import numpy as np

    rows = rows_of(problem)
    x, scale, shift = (arrays[name].astype(np.float64) for name in ("x", "scale", "shift"))  # type: ignore[union-attr]
    if rows.operation == "sum":
        return x.sum(1), np.abs(x).sum(1)
    if rows.operation == "max":
        return x.max(1), np.abs(x.max(1))
    if rows.operation == "softmax":
        below = x - x.max(1, keepdims=True)
        result = np.exp(below) / np.exp(below).sum(1, keepdims=True)
        return result, result * (1.0 + np.abs(below))
    if rows.operation == "rmsnorm":
        result = x / np.sqrt((x * x).mean(1, keepdims=True) + rows.epsilon) * scale
        return result, result
    centre = x.mean(1, keepdims=True)
    factor = np.abs(scale) / np.sqrt(((x - centre) ** 2).mean(1, keepdims=True) + rows.epsilon)
    result = (x - centre) * factor * np.sign(scale) + shift
    return result, (np.abs(x) + np.abs(x).mean(1, keepdims=True)) * factor + np.abs(shift)


def tolerances(problem: Problem) -> float:
    """Return the length of the error chain in units of the output type's epsilon; sums are float32 in every type."""
    from hotloop.model.dtype import dtype_of, limits

    rows = rows_of(problem)
    return 2.0 + rows.columns * limits(dtype_of("float32")).eps / limits(dtype_of(rows.dtype)).eps
