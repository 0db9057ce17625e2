"""Reductions and normalisations of contiguous rows.

Sizes: ``rows columns``; ``operation`` sum, max, softmax, rmsnorm or layernorm; ``dtype`` of all arrays (arithmetic is
float32); ``epsilon`` of the norms. Sum and max write one element per row. bfloat16, which OpenCL C lacks, is for
the CUDA and HIP implementations.
"""

from __future__ import annotations

from functools import lru_cache

from hotloop.kernels.reduction.geometry import ELEMENT_BYTES, OPERATIONS, Rows
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record

FAMILY = "reduction"
FLOPS = {"sum": 1, "max": 1, "softmax": 5, "rmsnorm": 4, "layernorm": 7}
"""Per element: softmax compares, subtracts, exponentiates, adds, scales; norms square, add, scale, and centre or shift."""

DEFAULT = Problem(FAMILY, Record(rows=2048, columns=2048, operation="softmax", dtype="float32", epsilon=1e-5))


@lru_cache(maxsize=256)
def rows_of(problem: Problem) -> Rows:
    """Return the sizes as `Rows`. Raises ValueError when one has no meaning."""
    for name, allowed in (("operation", OPERATIONS), ("dtype", tuple(ELEMENT_BYTES))):
        if problem.sizes[name] not in allowed:
            raise ValueError(f"{name}={problem.sizes[name]!r} is not one of {', '.join(allowed)}")
    for name in ("rows", "columns"):
        if problem.integer(name) < 1:
            raise ValueError(f"{name}={problem.integer(name)} is not positive")
    return Rows(
        operation=str(problem.operation),
        rows=problem.integer("rows"),
        columns=problem.integer("columns"),
        dtype=str(problem.dtype),
        epsilon=float(problem.epsilon),
    )


def work(problem: Problem) -> Work:
    """Return a few flops per element and every array moved once."""
    rows = rows_of(problem)
    flops = FLOPS[rows.operation] * rows.rows * rows.columns
    text = f"{FLOPS[rows.operation]} flops per element, exp counted as one; x read once, y written once"
    return Work(float(flops), float(rows.compulsory_bytes), text)


def awkward(problem: Problem) -> tuple[Problem, ...]:
    """Return small problems that break wrong kernels: single rows and columns, primes, one more than a power of two."""
    sizes = ((1, 1), (1, 1000), (37, 1), (7, 127), (3, 257), (129, 5), (2, 4099))
    return tuple(problem.replace(rows=rows, columns=columns) for rows, columns in sizes)
