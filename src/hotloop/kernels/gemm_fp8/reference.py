"""Inputs and the float64 reference, written from the user's view: what the stored numbers mean, multiplied and added exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.kernels._eight import narrowed, widened
from hotloop.kernels.gemm.reference import MOST_SCALE, activated
from hotloop.kernels.gemm_fp8.problem import EXACT_STEPS, INSTRUCTION_STEPS, OPERANDS, product
from hotloop.model.dtype import dtype_of, roundoff
from hotloop.model.kernel import Empty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.kernels.gemm_fp8.problem import Product
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem

    Float = NDArray[np.float64]

_CUT = 2.0**-13
"""Relative size at which the matrix instruction cuts products off, compared with the largest of them and the sum so far: it keeps about 14
bits (DeepSeek-V3 Technical Report, 2024, section 3.5.2)."""
_CUTS = 2.0
"""Units of `_CUT` that one instruction loses at most, relative to the magnitudes of all it has added: emulated for normal, positive
and wide numbers it is 1.2, where all have one sign and every cut goes the same way."""


def inputs(problem: Problem, rng: np.random.Generator) -> Inputs:
    """Draw ``a w scale_a scale_b`` and ``bias`` if there is one, gaps between rows filled; C is a pure output."""
    import numpy as np

    form = product(problem)
    wide = dtype_of(form.dtype)

    def factors(count: int) -> NDArray[np.generic]:
        return rng.integers(1, MOST_SCALE, count, endpoint=True).astype(np.float32)

    made: dict[str, NDArray[np.generic] | Empty | float] = {
        "a": narrowed(rng.standard_normal((form.m, form.lda), np.float32), OPERANDS),
        "w": narrowed(rng.standard_normal((form.n, form.ldw), np.float32), OPERANDS),
        "c": Empty((form.m, form.n), form.dtype),
        "scale_a": factors(form.m if form.row_scales else 1),
        "scale_b": factors(form.n if form.column_scales else 1),
    }
    if form.bias:
        made["bias"] = rng.standard_normal(form.n).astype(wide)
    return made


def reference(problem: Problem, arrays: Inputs) -> Outputs:
    """Return C in float64."""
    import numpy as np

    form = product(problem)
    with np.errstate(all="ignore"):  # NaN in the inputs spread as they must
        return {"c": activated(_sums(form, arrays, absolute=False), form.activation)}


def magnitude(problem: Problem, arrays: Inputs) -> Outputs:
    """Return ``|scale_a||scale_b||A||W| + |bias|``: the scale of rounding errors."""
    import numpy as np

    with np.errstate(all="ignore"):
        return {"c": _sums(product(problem), arrays, absolute=True)}


def _sums(form: Product, arrays: Inputs, *, absolute: bool) -> Float:
    import numpy as np

    def value(name: str) -> Float:
        wide = widened(np.asarray(arrays[name]))
        return np.abs(wide) if absolute else wide

    total = value("a")[:, : form.k] @ value("w")[:, : form.k].T * value("scale_a")[:, None] * value("scale_b")[None, :]
    return total + value("bias") if form.bias else total


def tolerances(problem: Problem) -> float:
    """Return the error in epsilons of float32: what the instructions cut off, additions in float32 and the epilogue."""
    form = product(problem)
    together = form.k if form.fast else min(form.k, EXACT_STEPS)
    cut = -(-together // INSTRUCTION_STEPS) * _CUTS * _CUT / (2 * roundoff("float32"))
    return 1.0 + -(-form.k // EXACT_STEPS) + cut
