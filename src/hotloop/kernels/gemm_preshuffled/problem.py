"""Products with weights in the order of AMD's matrix instructions: ``C = scale_a · (A · Wᵀ) · scale_w`` for A [m, k] and W [n, k].

Sizes: ``m n k`` (k a multiple of 128, n of 16). ``form`` says what A and W are made of, C is bfloat16:

- ``bf16``: both bfloat16, no factors;
- ``fp8`` and ``fp8-fnuz``: both float8_e4m3fn or e4m3fnuz, the 8-bit floats of gfx950 and of gfx942, a factor for each row and column;
- ``mxfp8``: both float8_e4m3fn, a power of two for each 32 along k of each row and column (Open Compute Project, Microscaling formats);
- ``w4a16`` and ``w4a8``: A bfloat16 or 8-bit integers, W 4-bit integers from -8 to 7, a factor for each column, in ``w4a8`` for each row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from hotloop.model.dtype import BFLOAT16, FLOAT8, FLOAT8_FNUZ
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record

FAMILY = "gemm_preshuffled"
BLOCK_K, BLOCK_N = 128, 16
"""What k and n are multiples of: the longest pack of weights, and the columns of a matrix instruction."""
MX_BLOCK = 32
"""Numbers along k that share a power of two."""
DEFAULT = Problem(FAMILY, Record(m=512, n=1024, k=1024, form="bf16"))


@dataclass(frozen=True, slots=True)
class Form:
    """What the operands are made of."""

    name: str
    number: int
    """The source's FORM."""
    activations: str
    """Type of A."""
    weight_bits: int
    row_scales: bool
    column_scales: bool

    @property
    def activation_bytes(self) -> int:
        """Return the bytes of one number of A."""
        return 2 if self.activations == BFLOAT16 else 1

    @property
    def segment(self) -> int:
        """Numbers along k in 64 bytes of A, of which each lane takes 16 bytes."""
        return 64 // self.activation_bytes

    @property
    def segments(self) -> int:
        """Segments whose weights are in one pack of 16 bytes."""
        return 8 * self.activation_bytes // self.weight_bits

    @property
    def pack(self) -> int:
        """Numbers along k in one pack of all lanes."""
        return self.segment * self.segments

    @property
    def blocks(self) -> bool:
        """Powers of two for blocks along k."""
        return self.name == "mxfp8"

    @property
    def integers(self) -> bool:
        """Sums are exact."""
        return self.activations == "int8"


FORMS = {
    form.name: form
    for form in (
        Form("bf16", 0, BFLOAT16, 16, row_scales=False, column_scales=False),
        Form("fp8", 1, FLOAT8, 8, row_scales=True, column_scales=True),
        Form("fp8-fnuz", 1, FLOAT8_FNUZ, 8, row_scales=True, column_scales=True),
        Form("mxfp8", 2, FLOAT8, 8, row_scales=False, column_scales=False),
        Form("w4a16", 3, BFLOAT16, 4, row_scales=False, column_scales=True),
        Form("w4a8", 4, "int8", 4, row_scales=True, column_scales=True),
    )
}


@dataclass(frozen=True, slots=True)
class Product:
    """A problem as the kernel sees it."""

    m: int
    n: int
    k: int
    form: Form


@lru_cache(maxsize=256)  # a search asks about the same few problems for every configuration
def product(problem: Problem) -> Product:
    """Return what a problem asks for.

    Raises:
        ValueError: a size or name has no meaning here.
    """
    m, n, k = (problem.integer(name) for name in "mnk")
    if min(m, n, k) < 1 or k % BLOCK_K or n % BLOCK_N:
        raise ValueError(f"m={m} must be at least 1, k={k} a multiple of {BLOCK_K} and n={n} of {BLOCK_N}")
    if problem.form not in FORMS:
        raise ValueError(f"form={problem.form!r} is not one of {', '.join(FORMS)}")
    return Product(m, n, k, FORMS[str(problem.form)])


def work(problem: Problem) -> Work:
    """Return 2·m·n·k flops and the bytes of A, W and factors read once and of C written once."""
    asked = product(problem)
    form = asked.form
    operands = asked.m * asked.k * form.activation_bytes + asked.n * asked.k * form.weight_bits // 8
    factors = 4 * (asked.m * form.row_scales + asked.n * form.column_scales)
    factors += (asked.m + asked.n) * asked.k // MX_BLOCK if form.blocks else 0
    return Work(
        2.0 * asked.m * asked.n * asked.k,
        float(operands + factors + 2 * asked.m * asked.n),
        "2·m·n·k flops; A, W and factors read once, C written once",
    )


def awkward(problem: Problem) -> tuple[Problem, ...]:
    """Return small problems that break wrong kernels: one row, one block of columns, primes of rows, odd numbers of steps."""
    sizes = ((1, 16, 128), (37, 48, 384), (131, 272, 256), (17, 528, 640), (65, 16, 896))
    return tuple(problem.replace(m=m, n=n, k=k) for m, n, k in sizes)
