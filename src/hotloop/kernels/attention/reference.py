"""Inputs and the float64 reference of attention."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from typing import TYPE_CHECKING

from hotloop.kernels.attention.problem import shape_of
from hotloop.model.kernel import Empty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.kernels.attention.problem import Shape
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem

    Float = NDArray[np.float64]

_BLOCK = 256
"""Queries whose scores are in memory at a time, for each thread: 16 MiB with 8192 keys."""
_MOST_SCORES = 1 << 27
"""Scores at a time of arrays that lie elsewhere, where each operation is a message: 1 GiB."""
_MANY = 1 << 22
"""Scores from which threads are worth their start."""
_SUMS_CHAIN = 4.0
"""Roundings of the logarithm of a row sum beside those of the scores."""


def inputs(problem: Problem, rng: np.random.Generator) -> Inputs:
    """Draw standard normal ``q``, ``k`` and ``v``; ``o``, and ``lse`` where it is asked for, are pure outputs."""
    from hotloop.model.dtype import dtype_of

    shape = shape_of(problem)
    dtype = dtype_of(shape.dtype)
    queries = (shape.batch, shape.heads, shape.length_q, shape.size)
    keys = (shape.batch, shape.kv_heads, shape.length_k, shape.size)
    sums = {"lse": Empty(queries[:3], "float32")} if shape.lse else {}
    return {
        "q": rng.standard_normal(queries).astype(dtype),
        "k": rng.standard_normal(keys).astype(dtype),
        "v": rng.standard_normal(keys).astype(dtype),
        "o": Empty(queries, shape.dtype),
        **sums,
    }


def attend(
    q: NDArray[np.generic], k: NDArray[np.generic], v: NDArray[np.generic], *, causal: bool, shift: int = 0,
    scale: float | None = None, window: int = 0,
) -> tuple[Float, Float, Float]:  # fmt: skip
    """Return output, logarithm of the row sums, and ``weights·|v|``, in float64.

    q is [batch, heads, length, size], k and v have their own heads and length. With `causal`, query i sees the keys up to
    i + shift, with a `window` those nearer than it to i + shift. A row that sees nothing gives zeros and minus infinity, as flash attention defines it. Queries are taken in
    blocks, and keys that no query of a block sees are left out: the same sums in far less memory.
    """
    import numpy as np

    batch, heads, length, _ = q.shape
    group, factor = heads // k.shape[1], q.shape[3] ** -0.5 if scale is None else scale
    o, size = (np.zeros_like(q, np.float64, shape=(*q.shape[:3], v.shape[3])) for _ in range(2))
    lse = np.full_like(q, -np.inf, np.float64, shape=q.shape[:3])
    block = _BLOCK if isinstance(q, np.ndarray) else max(_BLOCK, _MOST_SCORES // max(1, k.shape[2]))

    def compute(at: tuple[int, int, int]) -> None:
        b, h, first = at
        rows = slice(first, min(first + block, length))
        places = np.arange(rows.start, rows.stop) + shift
        right = places + 1 if causal else places + window if window else np.full(rows.stop - first, k.shape[2])
        left = np.clip(places - window + 1, 0, k.shape[2]) if window else np.zeros_like(places)
        limits = np.maximum(np.clip(right, 0, k.shape[2]), left)
        keys = slice(int(left.min()), int(limits.max()))
        if keys.stop > keys.start:
            o[b, h, rows], lse[b, h, rows], size[b, h, rows] = _rows(
                q[b, h, rows],
                k[b, h // group, keys],
                v[b, h // group, keys],
                left - keys.start,
                limits - keys.start,
                factor,
            )

    places = [(b, h, first) for b in range(batch) for h in range(heads) for first in range(0, length, block)]
    _each(compute, places, batch * heads * length * k.shape[2] if isinstance(q, np.ndarray) else 0)
    return o, lse, size


def _each(compute: Callable[[tuple[int, int, int]], None], places: list[tuple[int, int, int]], scores: int) -> None:
    """Compute all blocks, side by side where there are many scores: NumPy lets threads run."""
    if scores < _MANY:
        for place in places:
            compute(place)
        return
    with ThreadPoolExecutor() as pool:
        list(pool.map(compute, places))


def _rows(
    q: NDArray[np.generic], k: NDArray[np.generic], v: NDArray[np.generic], firsts: NDArray[np.int64],
    limits: NDArray[np.int64], factor: float,
) -> tuple[Float, Float, Float]:  # fmt: skip
    """Return the same as `attend` of some queries of one head; each sees the keys from its first one to before its limit."""
    import numpy as np

    wide = v.astype(np.float64)
    with np.errstate(all="ignore"):  # NaN and infinity in the inputs spread as they must
        scores = q.astype(np.float64) @ k.astype(np.float64).T
        scores *= factor
        if firsts.max() > 0 or limits.min() < len(k):
            places = (np.zeros_like(k, np.int64, shape=(len(k),)) + np.arange(len(k)))[None, :]
            seen = (places >= firsts[:, None]) & (places < limits[:, None])
            scores = np.where(seen, scores, -np.inf)
        blind = limits[:, None] <= firsts[:, None]
        most = scores.max(1, keepdims=True)
        scores -= np.where(blind, 0.0, most)
        weights = np.exp(scores, out=scores)
        norm = weights.sum(1, keepdims=True)
        weights /= norm
        if blind.any():
            weights[blind[:, 0]] = 0.0
        lse = (most + np.log(norm))[:, 0]
        return _weigh(weights, wide, firsts, limits), lse, _weigh(weights, np.abs(wide), firsts, limits)


def _weigh(weights: Float, v: Float, firsts: NDArray[np.int64], limits: NDArray[np.int64]) -> Float:
    """Return weights·v, in which a key that is not seen adds nothing, not even zero times infinity."""
    import numpy as np

    if np.isfinite(v).all():
        return weights @ v
    result = np.zeros_like(weights, shape=(len(weights), v.shape[1]))
    for row, (first, limit) in enumerate(zip(firsts, limits, strict=True)):
        result[row] = weights[row, first:limit] @ v[first:limit]
    return result


def reference(problem: Problem, arrays: Inputs) -> Outputs:
    """Return o, and lse where it is asked for, in float64."""
    made, sizes = _computed(problem, arrays)
    _KEPT.clear()
    _KEPT[_key(problem, arrays)] = sizes
    return made


def magnitude(problem: Problem, arrays: Inputs) -> Outputs:
    """Return the scale of rounding errors, at least the smallest number: the weighted sum of |v|, and what scores are summed from.

    Who asks for it has just asked for the reference of the same inputs: what was worked out then is handed over once.
    """
    kept = _KEPT.pop(_key(problem, arrays), None)
    return _computed(problem, arrays)[1] if kept is None else kept


_KEPT: dict[bytes, Outputs] = {}
"""The magnitudes of the last reference, by problem and contents of the inputs: large problems take seconds."""


def _key(problem: Problem, arrays: Inputs) -> bytes:
    import numpy as np

    made = blake2b(problem.key.encode())
    for name in ("q", "k", "v"):
        array = arrays[name]
        if isinstance(array, np.ndarray):
            made.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
        else:  # one that lies elsewhere is known by its number there
            made.update(f"{id(array)} {getattr(array, 'number', '')}".encode())
    return made.digest()


def _computed(problem: Problem, arrays: Inputs) -> tuple[Outputs, Outputs]:
    return computed(shape_of(problem), *(arrays[name] for name in ("q", "k", "v")))  # type: ignore[arg-type]


def computed(
    shape: Shape, q: NDArray[np.generic], k: NDArray[np.generic], v: NDArray[np.generic]
) -> tuple[Outputs, Outputs]:
    """Return results and magnitudes."""
    o, lse, size = attend(q, k, v, causal=shape.causal, shift=shape.shift, scale=shape.factor, window=shape.window)
    size += least(shape.dtype)
    if not shape.lse:
        return {"o": o}, {"o": size}
    return {"o": o, "lse": lse}, {"o": size, "lse": _sums_size(shape, q, k, lse)}


def least(dtype: str) -> float:
    """Return the size below which an error has the smallest number's epsilon."""
    from hotloop.model.dtype import dtype_of, limits

    finite = limits(dtype_of(dtype))
    return finite.normal / finite.eps


def _sums_size(shape: Shape, q: NDArray[np.generic], k: NDArray[np.generic], lse: Float) -> Float:
    """Return the scale of errors of the logarithms: products of norms bound the scores and the terms that they are summed from."""
    import numpy as np

    far = np.linalg.norm(q.astype(np.float64), axis=3)
    near = np.linalg.norm(k.astype(np.float64), axis=3).max(2)
    bound = shape.factor * far * np.repeat(near, shape.group, axis=1)[:, :, None]
    size: Float = _SUMS_CHAIN * (1.0 + bound + np.where(np.isfinite(lse), np.abs(lse), 0.0))
    return size


def tolerances(problem: Problem) -> float:
    """Return the length of the error chain in units of the output type's epsilon.

    Scores are float32 sums over a head, so a weight is off by their size times sqrt(size) roundings; output sums run over
    the keys; both are float32 in every type.
    """
    return chain(shape_of(problem))


def chain(shape: Shape) -> float:
    """Return the same for sizes as numbers."""
    from hotloop.model.dtype import dtype_of, limits

    float32 = limits(dtype_of("float32")).eps / limits(dtype_of(shape.dtype)).eps
    return 2.0 + (8.0 * math.sqrt(shape.size) + shape.length_k) * float32
