"""What SASS instructions cost, from the facts of `hotloop.targets` (timing.toml) and the stall counts of the compiler."""

from __future__ import annotations

import re
from functools import lru_cache

from hotloop.isa.instruction import Instruction, InstructionKind, MemorySpace
from hotloop.isa.timing.price import Price, Unit
from hotloop.targets.target import Target

K, S = InstructionKind, MemorySpace
_ASSUMED = "sm_90"
_SPACES = {S.GLOBAL: "memory", S.LOCAL: "shared", S.SCRATCH: "l1", S.CONSTANT: "l1"}
_GROUP_SHAPE = re.compile(r"64x\d+x\d+")
_DEFAULT_MACS_SM = 1024
_DOUBLE = re.compile(r"D(FMA|ADD|MUL|SETP|MNMX)\b")
_SPECIAL = re.compile(r"(MUFU|I2F|F2I|F2F|FRND|POPC|FLO|BREV|I2I)\b")
_FLOAT = re.compile(r"(FFMA|FADD|FMUL|FHFMA|HFMA2|HADD2|HMUL2|IMAD|FSWZ|FHADD)\w*")
_WARP = 32
_BITS_PER_BYTE = 8
_SEQUENCER = frozenset({K.WAIT, K.CONTROL, K.NOP, K.RETURN, K.BARRIER})


def nominal(what: str) -> int:
    """Return a latency in cycles: ``memory``, ``l2``, ``shared``, ``l1`` or ``other``, as on Hopper."""
    return Target(_ASSUMED).number(f"latency_{what}") or 0


GLOBAL_CYCLES, SHARED_CYCLES, L1_CYCLES = map(nominal, ("memory", "shared", "l1"))


def price(instruction: Instruction, target: str, stall_cycles: int = 1) -> Price:
    """Return unit and cycles of an instruction; `stall_cycles` is what the compiler wrote into it."""
    traits = instruction.traits
    shape = (traits.kind, traits.space, traits.memory_bits, traits.macs)
    return _price(instruction.mnemonic, shape, target, max(1, stall_cycles))


def rate(mnemonic: str, target: str) -> float:
    """Return the multiply-adds per cycle and SM of a matrix instruction; the rate of half precision where it is not known."""
    processor = Target.of(target)
    table = processor.rates("matrix_macs_sm") or Target(_ASSUMED).rates("matrix_macs_sm")
    half = table.get("f16", _DEFAULT_MACS_SM)
    if "TF32" in mnemonic:
        return table.get("tf32", half / 2)
    if mnemonic.startswith("DMMA"):
        return table.get("f64", half / 16)
    if mnemonic.startswith(("IMMA", "QGMMA", "IGMMA", "QMMA")):
        return table.get("i8", half * 2)
    return half


def grouped_macs(mnemonic: str) -> int:
    """Return the multiply-adds of a warp-group instruction, 0 for all others."""
    match = _GROUP_SHAPE.search(mnemonic)
    if match is None:
        return 0
    rows, columns, depth = (int(part) for part in match[0].split("x"))
    return rows * columns * depth


_Shape = tuple[InstructionKind, MemorySpace | None, int, int]


@lru_cache(maxsize=1 << 14)
def _price(mnemonic: str, shape: _Shape, target: str, stall: int) -> Price:
    kind, space, bits, macs = shape
    facts = Target.of(target)
    partitions = facts.number("partitions") or 4
    fixed = facts.number("latency_vector") or stall
    if kind is K.MATRIX:
        return _matrix(mnemonic, macs, target, partitions, stall)
    if kind in _SEQUENCER:
        return Price(None, stall, 0, stall)
    if space is S.CONSTANT:
        return Price(Unit.CONSTANT, stall, 1, nominal("l1"))
    if space is not None:
        local = space is S.LOCAL
        width = facts.number("lds_bytes_per_cycle" if local else "l1_bytes_per_cycle") or 128
        busy = max(1.0, max(bits, 32) // _BITS_PER_BYTE * _WARP / width) * partitions
        return Price(Unit.LOCAL if local else Unit.MEMORY, stall, busy, nominal(_SPACES[space]))
    if kind is K.BRANCH or kind is K.CALL:
        return Price(Unit.BRANCH, stall, 1, stall)
    if kind is K.SHUFFLE:
        return Price(Unit.LOCAL, stall, _WARP / (facts.rate("lanes_memory") or 8), nominal("other"))
    if kind is K.SCALAR:
        return Price(Unit.SCALAR, stall, 2, fixed)
    return _computed(mnemonic, facts, stall, fixed)


def _computed(mnemonic: str, facts: Target, stall: int, fixed: int) -> Price:
    if _DOUBLE.match(mnemonic):
        return Price(
            Unit.DOUBLE, stall, _WARP / (facts.rate("lanes_double") or 1), facts.number("latency_double") or fixed
        )
    if _SPECIAL.match(mnemonic):
        return Price(Unit.SPECIAL, stall, _WARP / (facts.rate("lanes_special") or 4), nominal("other"))
    if _FLOAT.match(mnemonic):
        return Price(Unit.VECTOR, stall, _WARP / (facts.rate("lanes_float") or 32), fixed)
    return Price(Unit.INTEGER, stall, _WARP / (facts.rate("lanes_integer") or 16), fixed)


def _matrix(mnemonic: str, macs: int, target: str, partitions: int, stall: int) -> Price:
    facts = Target.of(target)
    extra = facts.number("latency_matrix_extra") or 0
    grouped = grouped_macs(mnemonic)
    if grouped:  # four warps together, each sub-partition a quarter of the product
        busy = grouped / rate(mnemonic, target)
        return Price(Unit.MATRIX, stall, busy, stall, beside=True)
    share = facts.rate("mma_share") or 1.0
    busy = macs / (rate(mnemonic, target) * share / partitions) if macs else stall
    return Price(Unit.MATRIX, stall, busy, round(busy) + extra)
