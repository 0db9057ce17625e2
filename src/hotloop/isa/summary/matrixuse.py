"""Whether a loop uses the target's matrix unit, and the fast half of it.

Rates of AMD's units come from the catalogue of matrix instructions (`hotloop.isa.matrix`), NVIDIA's from the facts of
`hotloop.targets`: it publishes peaks per chip, not cycles per instruction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from statistics import fmean

from hotloop.isa.instruction import MULTIPLY_ADD, Instruction, InstructionKind
from hotloop.isa.matrix import catalogue
from hotloop.isa.matrix.instruction import BITS, Family
from hotloop.isa.matrix.instruction import Instruction as Shape
from hotloop.targets.target import Target

_HALF = 16
_ROUNDED = frozenset({"xf32", "tf32"})
"""Types that lose bits of single precision: no like-for-like replacement on AMD, whose units take single precision too."""
_NEWER = ("HGMMA", "IGMMA", "QGMMA", "BGMMA", "UTC", "wgmma", "tcgen05")
_WIDENING = ("v_cvt_f32_f16", "v_cvt_f32_bf16", "v_cvt_pk_f32_f16", "HADD2.F32")


def multiply_bits(code: Sequence[Instruction]) -> int | None:
    """Return the size of the numbers that most multiply-adds of a loop multiply; None when it has none.

    Halves that are widened to be multiplied count as halves: a matrix instruction takes them as they are.
    """
    counter = Counter(_bits(i) for i in code if i.kind in MULTIPLY_ADD)
    if not counter:
        return None
    widest = counter.most_common(1)[0][0]
    widened = sum(i.mnemonic.startswith(_WIDENING) for i in code)
    return _HALF if widened and widened * 4 >= sum(counter.values()) else widest


def _bits(instruction: Instruction) -> int:
    name = instruction.mnemonic
    if name.startswith(("v_dot4", "v_dot8", "IDP")):
        return 8
    if "f16" in name or "fma_mix" in name or name.startswith(("HFMA2", "HADD2", "HMUL2")):
        return _HALF
    return 64 if "f64" in name or name.startswith(("DFMA", "DADD", "DMUL")) else 32


def rate_ratio(target: str, bits: int) -> float | None:
    """Return the matrix unit's rate over the vector unit's for numbers of a size; None: it takes no such numbers."""
    processor = Target.of(target)
    if processor.nvidia:
        return processor.rates("matrix_ratios").get(str(bits))
    fitting = [s for s in _shapes(target) if BITS.get(s.a_type) == bits and s.a_type not in _ROUNDED and not _sparse(s)]
    best = max((_rate(s, target) for s in fitting), default=0.0)
    vector = (processor.number("vector_lanes") or 0) * max(1, 32 // bits)
    return best / vector if vector and best > vector else None


def path_rate(target: str, code: Sequence[Instruction]) -> float | None:
    """Return the rate of a loop's matrix instructions over the best for their types; None: none, or rates are unknown."""
    used = [i.mnemonic for i in code if i.kind is InstructionKind.MATRIX]
    if not used:
        return None
    processor = Target.of(target)
    if processor.nvidia:
        older = processor.rate("mma_share") or 1.0
        return fmean(1.0 if name.startswith(_NEWER) else older for name in used)
    shapes = {shape.name: shape for shape in _shapes(target)}
    rates = [_relative(shapes[name], target) for name in used if name in shapes]
    stated = [rate for rate in rates if rate is not None]
    return fmean(stated) if stated else None


@cache
def _shapes(target: str) -> tuple[Shape, ...]:
    return catalogue.of_target(target)


@cache
def _relative(shape: Shape, target: str) -> float | None:
    mine = _rate(shape, target)
    alike = [s for s in _shapes(target) if s.a_type == shape.a_type and _sparse(s) == _sparse(shape)]
    best = max((_rate(s, target) for s in alike), default=0.0)
    return mine / best if mine and best else None


def _rate(shape: Shape, target: str) -> float:
    """Return the multiply-adds per cycle; 0 when the cycles are not known."""
    cost = shape.cost(target)
    return shape.m * shape.n * shape.k * shape.blocks / cost.cycles if cost else 0.0


def _sparse(shape: Shape) -> bool:
    return shape.family is Family.SMFMAC
