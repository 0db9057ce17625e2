"""Inputs and the float64 reference, both written from the user's view: no operand swap, no packing, plain indexing."""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING, Any

from hotloop.kernels.gemm.problem import epilogue, gemm
from hotloop.model.kernel import Empty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.kernels.gemm.problem import Gemm, Matrix
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem

    Float = NDArray[np.float64]

MOST_SCALE = 7
"""Largest factor of quantized operands. Factors are whole numbers, so that sums of whole numbers stay such, and no powers of two, or
none would show a lost bit."""


def inputs(problem: Problem, rng: np.random.Generator) -> Inputs:
    """Draw flat arrays ``a b c`` (and ``bias``) with offsets and gaps filled; C is left out where nothing of it is read.

    Tight C with beta = 0 is a pure output; otherwise its old elements, gaps included, are part of what is verified.
    """
    from hotloop.model.dtype import dtype_of

    form = gemm(problem)
    dtype = dtype_of(form.dtype)
    made: dict[str, NDArray[np.generic] | Empty | float] = {}
    for matrix in sorted((form.a, form.b, form.c), key=lambda m: m.name):
        pure = matrix.name == "c" and form.beta == 0 and matrix.ld == matrix.columns and not matrix.offset
        made[matrix.name] = (
            Empty((matrix.elements,), form.dtype)
            if pure and not form.empty
            else rng.standard_normal(matrix.elements).astype(dtype)
        )
    if form.bias != "none":
        made["bias"] = rng.standard_normal(max(1, problem.integer("n"))).astype(dtype)
    return made


def reference(problem: Problem, arrays: Inputs) -> Outputs:
    """Return C as the whole flat array of float64, untouched elements included."""
    import numpy as np

    form = gemm(problem)
    with np.errstate(all="ignore"):  # NaN and infinity in the inputs spread as they must
        product = _product(problem, form, arrays, absolute=False)
        return {"c": _placed(problem, form, arrays, activated(product, epilogue(str(problem.epilogue))[1]))}


def magnitude(problem: Problem, arrays: Inputs) -> Outputs:
    """Return ``|alpha||A||B| + |beta C| + |bias|`` as the whole flat array: the scale of rounding errors."""
    import numpy as np

    form = gemm(problem)
    with np.errstate(all="ignore"):
        placed = _placed(problem, form, arrays, _product(problem, form, arrays, absolute=True))
    return {"c": np.abs(placed)}


def view(matrix: Matrix, array: NDArray[np.generic], *, flipped: bool) -> NDArray[np.generic]:
    """Return a matrix as a two-dimensional view of its flat array, transposed when `flipped`."""
    import numpy as np

    shape, steps = (matrix.rows, matrix.columns), (matrix.ld, 1)
    strided = getattr(array, "strided", None)  # of one that lies elsewhere
    if strided is None:
        in_bytes = tuple(step * array.itemsize for step in steps)
        stored = np.lib.stride_tricks.as_strided(array[matrix.offset :], shape, in_bytes)
    else:
        stored = strided(shape, steps, matrix.offset)
    return stored.T if flipped else stored


def _product(problem: Problem, form: Gemm, arrays: Inputs, *, absolute: bool) -> Float:
    """Return ``alpha·op(A)·op(B) + beta·C + bias``, m by n; of absolute values when asked."""
    import numpy as np

    def value(x: NDArray[np.generic]) -> Float:
        wide = _wide(x)
        return np.abs(wide) if absolute else wide

    def number(x: float) -> float:
        return abs(float(x)) if absolute else float(x)

    col = problem.layout == "col"
    op = str(problem.op)
    matrices = {matrix.name: matrix for matrix in (form.a, form.b, form.c)}
    out = _zeros(arrays, (problem.integer("m"), problem.integer("n")), np.dtype(np.float64))
    if form.reads_operands and not form.empty:
        a = view(matrices["a"], _array(arrays, "a"), flipped=(op[0] == "t") != col)
        b = view(matrices["b"], _array(arrays, "b"), flipped=(op[1] == "t") != col)
        out += number(form.alpha) * (value(a) @ value(b))
    if form.beta != 0:
        out += number(form.beta) * value(view(matrices["c"], _array(arrays, "c"), flipped=col))
    if form.bias != "none" and not form.empty:
        out += value(_array(arrays, "bias"))[None, :]
    return out


def _wide(x: NDArray[np.generic]) -> Float:
    """Return float64 in the same order of memory, converted on all cores where the array lies here and without gaps."""
    import numpy as np

    from hotloop.verify import spread

    if getattr(x, "strided", None) is not None:  # it lies elsewhere
        return x.astype(np.float64)
    plain = x.T if x.flags.f_contiguous else x
    if not plain.flags.c_contiguous:
        return x.astype(np.float64)
    wide: Float = spread.copied(plain, np.dtype(np.float64))  # type: ignore[assignment]
    return wide if plain is x else wide.T


def _placed(problem: Problem, form: Gemm, arrays: Inputs, result: Float) -> Float:
    """Return the flat array of C with the result in its place."""
    import numpy as np

    flat = _array(arrays, "c").astype(np.float64)
    if not form.empty:
        target = view(form.c, flat, flipped=problem.layout == "col")
        target[...] = result
    return flat


def _array(arrays: Inputs, name: str) -> NDArray[np.generic]:

    from hotloop.model.dtype import dtype_of

    value = arrays[name]
    if isinstance(value, Empty):
        return _zeros(arrays, value.shape, dtype_of(value.dtype))
    assert not isinstance(value, int | float)
    return value


def _zeros(arrays: Inputs, shape: tuple[int, ...], dtype: np.dtype[np.generic]) -> NDArray[Any]:
    """Return zeros where the inputs lie."""
    import numpy as np

    there = next((array for array in arrays.values() if not isinstance(array, Empty | Number)), np.zeros(0))
    return np.zeros_like(there, dtype, shape=shape)


def activated(x: Float, name: str) -> Float:
    """Return the activation of each number, by its name in `problem.ACTIVATIONS`."""
    import numpy as np

    if name == "relu":
        return np.maximum(x, 0.0)
    if name == "gelu-tanh":
        smooth: Float = 0.5 * x * (1.0 + np.tanh(np.sqrt(2.0 / np.pi) * (x + 0.044715 * x**3)))
        return smooth
    if name == "gelu-erf":
        return 0.5 * x * (1.0 + _erf(x / np.sqrt(2.0)))
    if name == "silu":
        made: Float = x / (1.0 + np.exp(-x))
        return made
    return x


def _erf(x: Float) -> Float:
    import math

    import numpy as np

    if (there := getattr(x, "erf", None)) is not None:  # numbers that lie elsewhere
        return there()  # type: ignore[no-any-return]
    return np.asarray(np.vectorize(math.erf, otypes=[np.float64])(x)) if x.size else x


def tolerances(problem: Problem) -> float:
    """Return the length of the error chain in units of the epsilon of the sums' type: k products and the epilogue."""
    return 1.0 + max(1, gemm(problem).k)


def arithmetic(problem: Problem) -> str:
    """Return the type of the sums; results of 16 bits are rounded once more, when they are stored."""
    return gemm(problem).accumulate
