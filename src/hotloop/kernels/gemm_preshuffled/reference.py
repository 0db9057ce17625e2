"""Inputs and the float64 reference: what the stored weights mean, multiplied and added exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.kernels._eight import narrowed, widened
from hotloop.kernels.gemm.reference import MOST_SCALE
from hotloop.kernels.gemm_preshuffled.problem import BLOCK_K, BLOCK_N, MX_BLOCK, product
from hotloop.kernels.gemm_preshuffled.storage import LANES, shape, unshuffle, unshuffle_factors
from hotloop.model.dtype import dtype_of
from hotloop.model.kernel import Empty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.kernels.gemm_preshuffled.problem import Product
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem

    Float = NDArray[np.float64]

_MIDDLE, _AROUND = 127, 6
"""Powers of two are stored with this bias (E8M0), and drawn from 2^-6 to 2^6."""


def inputs(problem: Problem, rng: np.random.Generator) -> Inputs:
    """Draw ``a w scale_a scale_w``; where the form has no factors, a single one that nobody reads. C is a pure output."""
    import numpy as np

    asked = product(problem)
    form, stored = asked.form, shape(asked.form, asked.n, asked.k)
    kind = dtype_of(form.activations)

    def floats(*sizes: int) -> NDArray[np.generic]:
        drawn = rng.standard_normal(sizes, np.float32)
        return narrowed(drawn, form.activations) if kind.itemsize == 1 else drawn.astype(kind)

    def factors(count: int) -> NDArray[np.generic]:
        return rng.integers(1, MOST_SCALE, count, endpoint=True).astype(np.float32)

    def powers(*sizes: int) -> NDArray[np.generic]:
        return rng.integers(_MIDDLE - _AROUND, _MIDDLE + _AROUND, sizes, np.uint8, endpoint=True)

    size = (asked.m, asked.k)
    rows, columns = (asked.m if form.row_scales else 1), (asked.n if form.column_scales else 1)
    steps = asked.k // BLOCK_K
    return {
        "a": rng.integers(-127, 127, size, np.int8, endpoint=True) if form.integers else floats(*size),
        "w": rng.integers(0, 256, stored, np.uint8) if form.weight_bits == 4 else floats(*stored),
        "c": Empty((asked.m, asked.n), "bfloat16"),
        "scale_a": powers(asked.m, asked.k // MX_BLOCK) if form.blocks else factors(rows),
        "scale_w": powers(asked.n // BLOCK_N, steps, LANES) if form.blocks else factors(columns),
    }


def reference(problem: Problem, arrays: Inputs) -> Outputs:
    """Return C in float64."""
    import numpy as np

    with np.errstate(all="ignore"):  # NaN and infinity in the inputs spread as they must
        return {"c": _sums(product(problem), arrays, absolute=False)}


def magnitude(problem: Problem, arrays: Inputs) -> Outputs:
    """Return the products of the magnitudes: the scale of rounding errors."""
    import numpy as np

    with np.errstate(all="ignore"):
        return {"c": _sums(product(problem), arrays, absolute=True)}


def _sums(asked: Product, arrays: Inputs, *, absolute: bool) -> Float:
    import numpy as np

    form = asked.form
    a, w = widened(np.asarray(arrays["a"])), widened(unshuffle(form, np.asarray(arrays["w"])))
    scale_a, scale_w = (np.asarray(arrays[name]) for name in ("scale_a", "scale_w"))
    if form.blocks:
        a *= np.repeat(np.ldexp(1.0, scale_a.astype(int) - _MIDDLE), MX_BLOCK, axis=1)
        w *= np.repeat(np.ldexp(1.0, unshuffle_factors(scale_w).astype(int) - _MIDDLE), MX_BLOCK, axis=1)
    total: Float = np.abs(a) @ np.abs(w).T if absolute else a @ w.T
    if form.row_scales:
        total = total * scale_a.astype(np.float64)[:, None]
    return total * scale_w.astype(np.float64)[None, :] if form.column_scales else total


def tolerances(problem: Problem) -> float:
    """Return the length of the error chain in epsilons of float32: k additions (integers add exactly) and the factors."""
    asked = product(problem)
    return 4.0 if asked.form.integers else 4.0 + asked.k
