"""Inputs and the float64 reference of packed attention: attention of each sequence by itself."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from hotloop.kernels.attention.reference import chain, computed, least
from hotloop.kernels.attention_packed.problem import lengths_of, shape_of
from hotloop.model.kernel import Empty
from hotloop.model.problem import Problem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs, Outputs

    Float = NDArray[np.float64]


def inputs(problem: Problem, rng: np.random.Generator) -> Inputs:
    """Draw standard normal ``q``, ``k`` and ``v``; starts follow from the problem, ``o`` and ``lse`` are pure outputs."""
    import numpy as np

    from hotloop.model.dtype import dtype_of

    shape, (queries, keys) = shape_of(problem), lengths_of(problem)
    dtype, row = dtype_of(shape.dtype), (shape.heads, shape.size)
    pairs = (shape.rows_k, shape.kv_heads, shape.size)
    sums = {"lse": Empty((shape.heads, shape.rows_q), "float32")} if shape.lse else {}
    return {
        "q": rng.standard_normal((shape.rows_q, *row)).astype(dtype),
        "k": rng.standard_normal(pairs).astype(dtype),
        "v": rng.standard_normal(pairs).astype(dtype),
        "starts_q": np.array(list(accumulate(queries, initial=0)), np.int32),
        "starts_k": np.array(list(accumulate(keys, initial=0)), np.int32),
        "o": Empty((shape.rows_q, *row), shape.dtype),
        **sums,
    }


def reference(problem: Problem, arrays: Inputs) -> Outputs:
    """Return o, and lse where it is asked for, in float64."""
    return _computed(problem, arrays)[0]


def magnitude(problem: Problem, arrays: Inputs) -> Outputs:
    """Return the scale of rounding errors, as in attention."""
    return _computed(problem, arrays)[1]


def _computed(problem: Problem, arrays: Inputs) -> tuple[Outputs, Outputs]:
    """Return results and magnitudes; rows of a sequence without keys are zeros and minus infinity."""
    import numpy as np

    shape = shape_of(problem)
    q, k, v, starts_q, starts_k = (_given(arrays, name) for name in ("q", "k", "v", "starts_q", "starts_k"))
    o, size = np.zeros_like(q, np.float64), np.full_like(q, least(shape.dtype), np.float64)
    sums = (shape.heads, shape.rows_q)
    lse, scale = (np.full_like(q, value, np.float64, shape=sums) for value in (-np.inf, 1.0))
    for rows, keys in zip(_slices(starts_q), _slices(starts_k), strict=True):
        if rows.start == rows.stop or keys.start == keys.stop:
            continue
        alone = replace(shape.bound, batch=1, length_q=rows.stop - rows.start, length_k=keys.stop - keys.start)
        made, sizes = computed(replace(alone, lse=True), *(_alone(x) for x in (q[rows], k[keys], v[keys])))
        o[rows], size[rows] = (x["o"][0].swapaxes(0, 1) for x in (made, sizes))
        lse[:, rows], scale[:, rows] = made["lse"][0], sizes["lse"][0]
    if not shape.lse:
        return {"o": o}, {"o": size}
    return {"o": o, "lse": lse}, {"o": size, "lse": scale}


def _given(arrays: Inputs, name: str) -> NDArray[np.generic]:
    return arrays[name]  # type: ignore[return-value]


def _alone(x: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return [rows, heads, size] as [1, heads, rows, size]."""
    return x.swapaxes(0, 1)[None]


def _slices(starts: NDArray[np.generic]) -> list[slice]:
    return [slice(first, last) for first, last in pairwise(starts.tolist())]


def tolerances(problem: Problem) -> float:
    """Return the length of the error chain of the longest sequence."""
    return chain(shape_of(problem).bound)
