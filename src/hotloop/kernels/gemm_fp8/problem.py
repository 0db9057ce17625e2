"""Products of 8-bit floats: ``C = act(scale_a · scale_b · (A · Wᵀ) + bias)`` for A [m, k] and W [n, k] of float8_e4m3fn.

Sizes: ``m n k`` (k a multiple of 16, n of 8, so that rows lie at multiples of 16 bytes); ``dtype`` of C and the bias, bfloat16 or
float16; ``scales``: ``one`` factor for each operand, or ``rows`` (one for each row of A), ``columns`` (one for each column of C) or
``both``; ``epilogue`` none, bias, an activation, or ``bias-`` and an activation; ``fast_accum``: whether the matrix instruction,
which adds with about 14 bits, may add up all of k (without it at most 256 products are added so, the rest in float32);
``lda ldw`` elements from row to row of A and W, multiples of 16 (0: as tight as possible).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from hotloop.kernels.gemm.problem import epilogue
from hotloop.model.dtype import FLOAT8
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record

FAMILY = "gemm_fp8"
OPERANDS = FLOAT8
RESULTS = ("bfloat16", "float16")
RESULT_BYTES = 2
SCALES = ("one", "rows", "columns", "both")
ACTIVATIONS = ("none", "relu", "gelu-erf", "silu")
"""Position is the sources' ACT."""
ALIGNED_K, ALIGNED_N = 16, 8
"""Elements of A and W, and of C, in 16 bytes, to which the copy engine wants rows aligned."""
EXACT_STEPS = 256
"""Most products that the instruction adds up where the rest is added in float32."""
INSTRUCTION_STEPS = 32
"""Products that one matrix instruction of 8-bit floats adds up for each sum."""

DEFAULT = Problem(
    FAMILY,
    Record(m=1024, n=1024, k=1024, dtype="bfloat16", scales="one", epilogue="none", fast_accum=False, lda=0, ldw=0),
)


@dataclass(frozen=True, slots=True)
class Product:
    """A problem as the kernels see it."""

    m: int
    n: int
    k: int
    dtype: str
    """Type of C and the bias."""
    row_scales: bool
    """A factor for each row of A, or one for all."""
    column_scales: bool
    """A factor for each column of C, or one for all."""
    bias: bool
    activation: str
    fast: bool
    """The instruction may add up all of k."""
    lda: int
    """Elements from one row of A to the next."""
    ldw: int


@lru_cache(maxsize=256)  # a search asks about the same few problems for every configuration
def product(problem: Problem) -> Product:
    """Return what a problem asks for.

    Raises:
        ValueError: a size or name has no meaning here.
    """
    m, n, k = (problem.integer(name) for name in "mnk")
    biased, activation = epilogue(str(problem.epilogue), ACTIVATIONS)
    if min(m, n, k) < 1 or k % ALIGNED_K or n % ALIGNED_N:
        raise ValueError(f"m={m} must be at least 1, k={k} a multiple of {ALIGNED_K} and n={n} of {ALIGNED_N}")
    for name, allowed in (("dtype", RESULTS), ("scales", SCALES)):
        if problem.sizes[name] not in allowed:
            raise ValueError(f"{name}={problem.sizes[name]!r} is not one of {', '.join(allowed)}")
    scales = problem.scales
    return Product(
        m=m,
        n=n,
        k=k,
        dtype=str(problem.dtype),
        row_scales=scales in ("rows", "both"),
        column_scales=scales in ("columns", "both"),
        bias=biased,
        activation=activation,
        fast=bool(problem.fast_accum),
        lda=_distance(problem, "lda"),
        ldw=_distance(problem, "ldw"),
    )


def _distance(problem: Problem, name: str) -> int:
    k = problem.integer("k")
    given = problem.integer(name) or k
    if given < k or given % ALIGNED_K:
        raise ValueError(f"{name}={given} must be at least k={k} and a multiple of {ALIGNED_K}")
    return given


def work(problem: Problem) -> Work:
    """Return 2·m·n·k flops and the bytes of operands, factors and bias read once and of C written once."""
    form = product(problem)
    factors = 4 * ((form.m if form.row_scales else 1) + (form.n if form.column_scales else 1))
    results = RESULT_BYTES * (form.m * form.n + (form.n if form.bias else 0))
    return Work(
        2.0 * form.m * form.n * form.k,
        float(form.k * (form.m + form.n) + factors + results),
        "2·m·n·k flops; A, W, factors and bias read once, C written once",
    )


def awkward(problem: Problem) -> tuple[Problem, ...]:
    """Return small problems that break wrong kernels: edges, primes, remainders of k, few rows, and every option."""
    tight = problem.replace(lda=0, ldw=0)
    changes: tuple[dict[str, int | str | bool], ...] = (
        {"m": 37, "n": 56, "k": 48},
        {"m": 1, "n": 8, "k": 16},
        {"m": 131, "n": 24, "k": 272},
        {"m": 5, "n": 264, "k": 1168},  # several blocks of k and a remainder
        {"m": 300, "n": 200, "k": 656, "lda": 672, "ldw": 720},
        {"m": 67, "n": 40, "k": 80, "scales": "both", "epilogue": "bias-gelu-erf"},
        {"m": 19, "n": 72, "k": 528, "scales": "rows", "epilogue": "silu", "fast_accum": True},
        {"m": 140, "n": 136, "k": 144, "scales": "columns", "epilogue": "bias-relu", "dtype": "float16"},
    )
    return tuple(tight.replace(**change) for change in changes)
