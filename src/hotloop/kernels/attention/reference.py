"""Inputs and the float64 reference of attention."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hotloop.kernels.attention.problem import shape_of
from hotloop.model.kernel import Empty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem

    Float = NDArray[np.float64]


def inputs(problem: Problem, rng: np.random.Generator) -> Inputs:
    """Draw standard normal ``q``, ``k`` and ``v``; ``o`` is a pure output."""
    shape = shape_of(problem)
    queries = (shape.batch, shape.heads, shape.length_q, shape.size)
    keys = (shape.batch, shape.kv_heads, shape.length_k, shape.size)
    return {
        "q": rng.standard_normal(queries).astype(shape.dtype),
        "k": rng.standard_normal(keys).astype(shape.dtype),
        "v": rng.standard_normal(keys).astype(shape.dtype),
        "o": Empty(queries, shape.dtype),
    }


def attend(q: Float, k: Float, v: Float, *, causal: bool, shift: int = 0) -> tuple[Float, Float, Float]:
    """Return output, logarithm of the row sums, and ``weights·|v|``, in float64.

    q is [batch, heads, length, size], k and v have their own heads and length. With `causal`, query i sees the keys up to
    i + shift. A row that sees nothing gives zeros and minus infinity, as flash attention defines it.
    """
    import numpy as np

    group = q.shape[1] // k.shape[1]
    k, v = (np.repeat(np.asarray(x, np.float64), group, axis=1) for x in (k, v))
    with np.errstate(all="ignore"):  # NaN and infinity in the inputs spread as they must
        scores = np.asarray(q, np.float64) @ k.swapaxes(2, 3) / np.sqrt(q.shape[3])
        last = np.arange(q.shape[2])[:, None] + shift if causal else k.shape[2]
        seen = np.broadcast_to(np.arange(k.shape[2])[None, :] <= last, scores.shape[2:])
        scores = np.where(seen, scores, -np.inf)
        blind = ~seen.any(axis=1, keepdims=True)
        most = scores.max(3, keepdims=True)
        weights = np.exp(scores - np.where(blind, 0.0, most))
        norm = weights.sum(3, keepdims=True)
        weights = np.where(blind, 0.0, weights / norm)
        lse = (most + np.log(norm))[..., 0]
        return _weigh(weights, v, seen), lse, _weigh(weights, np.abs(v), seen)


def _weigh(weights: Float, v: Float, seen: NDArray[np.bool_]) -> Float:
    """Return weights·v, in which a key that is not seen adds nothing, not even zero times infinity."""
    import numpy as np

    if np.isfinite(v).all():
        return weights @ v
    result = np.empty((*weights.shape[:3], v.shape[3]))
    for b, h, row in np.ndindex(*weights.shape[:3]):
        result[b, h, row] = weights[b, h, row, seen[row]] @ v[b, h, seen[row]]
    return result


def reference(problem: Problem, arrays: Inputs) -> Outputs:
    """Return o in float64."""
    return {"o": _attend(problem, arrays)[0]}


def magnitude(problem: Problem, arrays: Inputs) -> Outputs:
    """Return the scale of rounding errors: the weighted sum of |v|, at least the smallest number."""
    import numpy as np

    limits = np.finfo(shape_of(problem).dtype)
    with np.errstate(all="ignore"):
        return {"o": _attend(problem, arrays)[2] + float(limits.smallest_normal) / float(limits.eps)}


def _attend(problem: Problem, arrays: Inputs) -> tuple[Float, Float, Float]:
    import numpy as np

    q, k, v = (np.asarray(arrays[name], np.float64) for name in ("q", "k", "v"))
    return attend(q, k, v, causal=shape_of(problem).causal)


def tolerances(problem: Problem) -> float:
    """Return the length of the error chain in units of the output type's epsilon.

    Scores are float32 sums over a head, so a weight is off by their size times sqrt(size) roundings; output sums run over
    the keys; both are float32 in every type.
    """
    import numpy as np

    shape = shape_of(problem)
    float32 = float(np.finfo(np.float32).eps / np.finfo(shape.dtype).eps)
    return 2.0 + (8.0 * math.sqrt(shape.size) + shape.length_k) * float32
