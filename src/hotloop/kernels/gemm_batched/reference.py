"""Inputs and the float64 reference of products of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.kernels.gemm.reference import activated
from hotloop.kernels.gemm_batched.problem import Form, form_of
from hotloop.model.kernel import Empty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem

    Float = NDArray[np.float64]


def inputs(problem: Problem, rng: np.random.Generator) -> Inputs:
    """Draw ``a b`` and, where the problem has them, ``bias``, ``residual`` and ``ends``; C is a pure output."""
    import numpy as np

    from hotloop.model.dtype import dtype_of

    form = form_of(problem)
    dtype = dtype_of(form.dtype)

    def drawn(*shape: int) -> NDArray[np.generic]:
        return rng.standard_normal(shape).astype(dtype)

    left = (form.m, form.k) if form.op[0] == "n" else (form.k, form.m)
    right = (form.k, form.n) if form.op[1] == "n" else (form.n, form.k)
    made: dict[str, NDArray[np.generic] | Empty | float] = {
        "a": drawn(form.rows, form.k) if form.uneven else drawn(1 if form.shared == "a" else form.batch, *left),
        "b": drawn(1 if form.shared == "b" else form.batch, *right),
    }
    if form.bias:
        made["bias"] = drawn(form.batch, form.n)
    if form.residual:
        made["residual"] = drawn(form.rows, form.n)
    if form.uneven:
        made["ends"] = np.sort(rng.integers(0, form.rows, form.batch, endpoint=True)).astype(np.int32)
        made["ends"][-1] = form.rows  # type: ignore[index]
    return {**made, "c": Empty((form.rows, form.n), form.dtype)}


def reference(problem: Problem, arrays: Inputs) -> Outputs:
    """Return C in float64."""
    import numpy as np

    form = form_of(problem)
    with np.errstate(all="ignore"):  # NaN in the inputs spread as they must
        made = activated(_sums(form, arrays, absolute=False), form.activation)
        return {"c": made + np.asarray(arrays["residual"], np.float64) if form.residual else made}


def magnitude(problem: Problem, arrays: Inputs) -> Outputs:
    """Return ``|A||B| + |bias| + |R|``: the scale of rounding errors."""
    import numpy as np

    form = form_of(problem)
    with np.errstate(all="ignore"):
        made = _sums(form, arrays, absolute=True)
        return {"c": made + np.abs(np.asarray(arrays["residual"], np.float64)) if form.residual else made}


def _sums(form: Form, arrays: Inputs, *, absolute: bool) -> Float:
    import numpy as np

    def value(name: str) -> Float:
        wide = np.asarray(arrays[name], np.float64)
        return np.abs(wide) if absolute else wide

    right = value("b") if form.op[1] == "n" else value("b").swapaxes(1, 2)
    if form.uneven:
        ends = np.asarray(arrays["ends"])
        starts = np.concatenate([[0], ends[:-1]])
        parts = [value("a")[first:last] @ right[i] for i, (first, last) in enumerate(zip(starts, ends, strict=True))]
        total, whose = np.concatenate(parts), np.repeat(np.arange(form.batch), ends - starts)
    else:
        left = value("a") if form.op[0] == "n" else value("a").swapaxes(1, 2)
        total = np.broadcast_to(left @ right, (form.batch, form.m, form.n)).reshape(form.rows, form.n)
        whose = np.repeat(np.arange(form.batch), form.m)
    return total + value("bias")[whose] if form.bias else total


def tolerances(problem: Problem) -> float:
    """Return the length of the error chain in units of the output type's epsilon; sums are float32 in every type."""
    from hotloop.model.dtype import dtype_of, limits

    form = form_of(problem)
    return 2.0 + form.k * limits(dtype_of("float32")).eps / limits(dtype_of(form.dtype)).eps
