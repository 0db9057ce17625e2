"""Inputs and the float64 reference: what the stored weights mean, multiplied and added exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.kernels.gemm.reference import MOST_SCALE, activated
from hotloop.kernels.gemm_int4.problem import product
from hotloop.kernels.gemm_int4.storage import BLOCK_BYTES, COLUMNS, GROUP, dequantized, unpack
from hotloop.model.dtype import dtype_of
from hotloop.model.kernel import Empty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.kernels.gemm_int4.problem import Product
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem

    Float = NDArray[np.float64]


def inputs(problem: Problem, rng: np.random.Generator) -> Inputs:
    """Draw ``a w scale`` and ``bias`` if there is one, gaps between rows filled; C is a pure output."""
    import numpy as np

    form = product(problem)
    dtype, groups = dtype_of(form.dtype), form.k // GROUP
    made: dict[str, NDArray[np.generic] | Empty | float] = {
        "a": rng.standard_normal((form.m, form.lda), np.float32).astype(dtype),
        "w": rng.integers(0, 256, (groups, form.n // COLUMNS, BLOCK_BYTES), np.uint8),
        "scale": rng.integers(1, MOST_SCALE, (groups, form.n), endpoint=True).astype(dtype),
        "c": Empty((form.m, form.n), form.dtype),
    }
    if form.bias:
        made["bias"] = rng.standard_normal(form.n).astype(dtype)
    return made


def reference(problem: Problem, arrays: Inputs) -> Outputs:
    """Return C in float64."""
    import numpy as np

    form = product(problem)
    with np.errstate(all="ignore"):  # NaN and infinity in the inputs spread as they must
        total = _sums(form, arrays, absolute=False)
        made = activated(total, form.activation)
        if form.activation == "gelu-erf":
            made[np.isneginf(total)] = 0.0  # the limit, where the formula has infinity times zero
        return {"c": made}


def magnitude(problem: Problem, arrays: Inputs) -> Outputs:
    """Return ``|A||W| + |bias|``: the scale of rounding errors."""
    import numpy as np

    with np.errstate(all="ignore"):
        return {"c": _sums(product(problem), arrays, absolute=True)}


def _sums(form: Product, arrays: Inputs, *, absolute: bool) -> Float:
    import numpy as np

    def value(wide: Float) -> Float:
        return np.abs(wide) if absolute else wide

    weights = dequantized(unpack(np.asarray(arrays["w"], np.uint8)), np.asarray(arrays["scale"]))
    total = value(np.asarray(arrays["a"]).astype(np.float64)[:, : form.k]) @ value(weights)
    return total + value(np.asarray(arrays["bias"]).astype(np.float64)) if form.bias else total


def tolerances(problem: Problem) -> float:
    """Return the length of the error chain in epsilons of float32: k products, a scale for each group, and the epilogue."""
    form = product(problem)
    return 1.0 + form.k + form.k // GROUP
