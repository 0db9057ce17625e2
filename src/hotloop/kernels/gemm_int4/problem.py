"""Products with 4-bit weights: ``C = act(A · W + bias)`` for A [m, k] of 16 bits and W = (q - 8) · scale, q of 0 to 15.

Sizes: ``m n k`` (k a multiple of 128, n of 64: the blocks in which weights are stored, see `storage`); ``dtype`` of A, scales, bias
and C, bfloat16 or float16; ``epilogue`` none, bias, an activation, or ``bias-`` and an activation; ``lda`` elements from row to row of
A (0: as tight as possible). Each 128 weights below each other share a scale. Sums are float32.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from hotloop.kernels.gemm.problem import epilogue
from hotloop.kernels.gemm_fp8.problem import ACTIVATIONS
from hotloop.kernels.gemm_int4.storage import COLUMNS, GROUP
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record

FAMILY = "gemm_int4"
DTYPES = ("bfloat16", "float16")
ITEM_BYTES = 2
DEFAULT = Problem(FAMILY, Record(m=16, n=1024, k=1024, dtype="bfloat16", epilogue="none", lda=0))


@dataclass(frozen=True, slots=True)
class Product:
    """A problem as the kernel sees it."""

    m: int
    n: int
    k: int
    dtype: str
    bias: bool
    activation: str
    lda: int
    """Elements from one row of A to the next."""

    @property
    def act(self) -> int:
        """The source's constant for the activation."""
        return ACTIVATIONS.index(self.activation)


@lru_cache(maxsize=256)  # a search asks about the same few problems for every configuration
def product(problem: Problem) -> Product:
    """Return what a problem asks for.

    Raises:
        ValueError: a size or name has no meaning here.
    """
    m, n, k = (problem.integer(name) for name in "mnk")
    if min(m, n, k) < 1 or k % GROUP or n % COLUMNS:
        raise ValueError(f"m={m} must be at least 1, k={k} a multiple of {GROUP} and n={n} of {COLUMNS}")
    if problem.dtype not in DTYPES:
        raise ValueError(f"dtype={problem.dtype!r} is not one of {', '.join(DTYPES)}")
    lda = problem.integer("lda") or k
    if lda < k:
        raise ValueError(f"lda={lda} must be at least k={k}")
    return Product(m, n, k, str(problem.dtype), *epilogue(str(problem.epilogue), ACTIVATIONS), lda)


def work(problem: Problem) -> Work:
    """Return 2·m·n·k flops and the bytes of weights, scales, A and bias read once and of C written once."""
    form = product(problem)
    weights = form.k * form.n // 2 + ITEM_BYTES * (form.k // GROUP) * form.n
    others = ITEM_BYTES * (form.m * (form.k + form.n) + (form.n if form.bias else 0))
    return Work(
        2.0 * form.m * form.n * form.k,
        float(weights + others),
        "2·m·n·k flops; weights of 4 bits, scales, A and bias read once, C written once",
    )


def awkward(problem: Problem) -> tuple[Problem, ...]:
    """Return small problems that break wrong kernels: one row, one block, primes of rows, many blocks of k, and every option."""
    changes: tuple[dict[str, int | str], ...] = (
        {"m": 1, "n": 64, "k": 128},
        {"m": 7, "n": 192, "k": 640},
        {"m": 33, "n": 128, "k": 1664, "lda": 1700},
        {"m": 131, "n": 320, "k": 256},
        {"m": 5, "n": 64, "k": 384, "epilogue": "bias-gelu-erf"},
        {"m": 65, "n": 128, "k": 512, "epilogue": "silu", "dtype": "float16"},
        {"m": 18, "n": 256, "k": 128, "epilogue": "bias-relu"},
    )
    return tuple(problem.replace(lda=0).replace(**change) for change in changes)
