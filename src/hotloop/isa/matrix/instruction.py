"""One matrix instruction of one vendor."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

BITS = {
    "f64": 64, "f32": 32, "xf32": 32, "tf32": 32, "i32": 32, "f16": 16, "bf16": 16, "i8": 8, "iu8": 8, "fp8": 8, "bf8": 8, "f8": 8,
    "e4m3": 8, "e5m2": 8, "f6": 6, "f4": 4, "i4": 4, "iu4": 4, "e2m1": 4, "b1": 1,
}  # fmt: skip
"""Size of an element type in bits."""


class Family(StrEnum):
    """What shares one formula for its maps."""

    MFMA = "mfma"
    SMFMAC = "smfmac"
    WMMA_GFX11 = "wmma-gfx11"
    WMMA_GFX12 = "wmma-gfx12"
    MMA = "mma"
    WGMMA = "wgmma"


@dataclass(frozen=True, slots=True)
class Cost:
    """Matrix-pipe time on one target."""

    target: str
    cycles: int
    """Cycles that the instruction occupies the matrix pipe of one SIMD."""
    passes: int | None
    """Passes of 4 cycles each, as AMD's ISA documents count; None where the vendor does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """Shape, types and cost of one instruction; D = A·B + C."""

    name: str
    family: Family
    m: int
    n: int
    k: int
    blocks: int = 1
    """Independent products, each with its own A, B, C."""
    a_type: str
    b_type: str
    c_type: str
    lanes: int = 64
    """Lanes (threads) that execute it together."""
    costs: tuple[Cost, ...] = ()
    spellings: tuple[str, ...] = ()
    """Other names: of older targets, and of the compiler's builtin."""
    targets: tuple[str, ...]
    source: str
    status: str = "documented"
    """How sure the maps are: ``verified`` (executed or read from a compiler), ``documented`` or ``derived``."""

    @property
    def flops(self) -> int:
        """Operations of one instruction, a multiply and an add counted as two."""
        return 2 * self.m * self.n * self.k * self.blocks

    def bits(self, operand: str) -> int:
        """Return the bits of an element of ``A``, ``B`` or ``D``."""
        return BITS[{"A": self.a_type, "B": self.b_type, "D": self.c_type}[operand]]

    def cost(self, target: str) -> Cost | None:
        """Return the cost on a target, None when it is not known."""
        return next((cost for cost in self.costs if cost.target == target), None)
