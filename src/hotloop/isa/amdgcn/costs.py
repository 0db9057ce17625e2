"""What instructions cost and how long memory takes on AMD GPUs, from the facts of `hotloop.targets` (timing.toml).

`cost` is what a wave alone pays, for placing waits; `price` adds the unit and what it is taken for, for the timing model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from hotloop.errors import UsageError
from hotloop.isa.instruction import Instruction, InstructionKind, MemorySpace
from hotloop.isa.matrix import catalogue
from hotloop.isa.timing.price import Price, Unit
from hotloop.targets.target import Target

K, S = InstructionKind, MemorySpace
_ASSUMED = "gfx942"
"""Processor whose rates stand for those of code that names none, or one without matrix rates."""
_OTHER_MACS_PER_CYCLE = 128
_NAMES = ("xf32", "bf16", "f16", "f64", "i8", "iu8", "fp8", "bf8", "f8f6f4", "f32")
_FORMAT = re.compile(r"\b(?:cbsz|blgp):\d")
"""Modifiers with which instructions for elements of 8, 6 and 4 bits name the formats of A and B."""
_WIDTHS = {"2": "f6", "3": "f6", "4": "f4"}
_SAME = {"iu8": "i8", "fp8": "f8", "bf8": "f8", "f8f6f4": "f8"}
_SPECIAL = re.compile(r"v_(s_)?(exp|log|rcp|rsq|sqrt|sin|cos|tanh)\w*")
_MULTIPLY = re.compile(r"v_(mul_(lo|hi)_[iu]32|mad_(co_)?[iu]64_[iu]32|mul_u64|mad_nc_[iu]64)\w*")
_WIDE_SHIFT = re.compile(r"v_(lshlrev|lshrrev|ashrrev|lshl_add)_[biu]64\w*")
_DOUBLE = re.compile(r"v_\w+_f64\w*")
_SEQUENCER = frozenset({K.WAIT, K.CONTROL, K.NOP, K.RETURN, K.BARRIER, K.CACHE})
_MEMORY = frozenset({K.LOAD, K.STORE, K.ATOMIC, K.COPY, K.STACK, K.BROADCAST, K.GATHER, K.SCATTER})
_BITS_PER_BYTE = 8
_DWORD_BITS = 32


@dataclass(frozen=True, slots=True)
class Cost:
    """Cycles of one instruction of one wave."""

    issue_cycles: int
    """Cycles until the wave's next instruction may issue."""
    matrix_cycles: int = 0
    """Cycles for which the matrix unit is busy; the wave goes on beside it."""


def cost(instruction: Instruction, target: str) -> Cost:
    """Return what an instruction costs its wave; waiting for data is not in it."""
    priced = price(instruction, target)
    return Cost(priced.issue_cycles, round(priced.busy_cycles) if priced.unit is Unit.MATRIX else 0)


def price(instruction: Instruction, target: str, wave: int | None = None) -> Price:
    """Return unit and cycles of an instruction; `wave` is the lanes of a wave, by default the target's."""
    traits = instruction.traits
    operands = instruction.operands if "nop" in instruction.mnemonic else ""
    if "f8f6f4" in instruction.mnemonic:
        operands = " ".join(_FORMAT.findall(instruction.operands))
    shape = (traits.kind, traits.space, traits.memory_bits, traits.macs)
    return _price(instruction.mnemonic, operands, shape, target, wave)


def latency_cycles(space: MemorySpace | None) -> int:
    """Return the nominal cycles from a load to its data, the same for all targets; those of local memory where it is not known."""
    names = {None: "local", S.LOCAL: "local", S.CONSTANT: "scalar"}
    cycles = Target.of(_ASSUMED).number(f"latency_{names.get(space, 'global')}")
    assert cycles is not None
    return cycles


_Shape = tuple[InstructionKind, MemorySpace | None, int, int]
"""Kind, memory, bits that a lane moves, multiply-adds of the wave."""


@lru_cache(maxsize=1 << 14)
def _price(mnemonic: str, operands: str, shape: _Shape, target: str, wave: int | None) -> Price:
    pace = _pace(target, wave)
    kind, space, bits, macs = shape
    if kind is K.MATRIX:
        rated = -(-macs // _rate(mnemonic, target)) if macs else pace.step
        busy = _listed(mnemonic, operands, target) or rated
        return Price(Unit.MATRIX, pace.step, busy, busy)
    if mnemonic == "s_nop":
        return Price(None, pace.step * (int(operands, 0) + 1) if operands else pace.step, 0, 0)
    if kind in _SEQUENCER:
        return Price(None, pace.step, 0, 0)
    if space is S.CONSTANT:
        return Price(Unit.CONSTANT, pace.step, pace.step, latency_cycles(space))
    if kind in _MEMORY or mnemonic.startswith("ds_"):
        return _moved(kind, space, bits, pace)
    if mnemonic.startswith("s_"):
        unit = Unit.BRANCH if kind in (K.BRANCH, K.CALL) else Unit.SCALAR
        return Price(unit, pace.step, pace.step, pace.fact("latency_scalar_unit"))
    return _computed(mnemonic, pace)


@dataclass(frozen=True, slots=True)
class _Pace:
    """The facts of one processor that prices are made of."""

    target: Target
    wave: int

    def fact(self, name: str) -> int:
        """Return a whole number, that of gfx942 where this processor has none."""
        value = self.target.number(name)
        return value if value is not None else Target.of(_ASSUMED).number(name) or 1

    @property
    def step(self) -> int:
        """Cycles in which a wave's instruction is taken."""
        return self.target.number("issue_cycles") or 1

    @property
    def passes(self) -> int:
        """Cycles of an ordinary vector instruction: waves of 64 go through 32 lanes twice."""
        return max(self.step, -(-self.wave // self.fact("vector_lanes")))

    @property
    def sharing(self) -> int:
        """SIMDs that share the memories of a compute unit."""
        return self.fact("simds_cu")


@lru_cache(maxsize=1 << 6)
def _pace(target: str, wave: int | None) -> _Pace:
    processor = Target.of(target)
    sizes = processor.wave_sizes
    return _Pace(processor, wave or (processor.asked_wave or sizes[0] if sizes else 64))


def _moved(kind: InstructionKind, space: MemorySpace | None, bits: int, pace: _Pace) -> Price:
    """Price an access by the bytes that a wave moves without conflicts and in whole lines."""
    moved = max(bits, _DWORD_BITS) // _BITS_PER_BYTE * pace.wave
    if space is S.LOCAL or space is None:
        busy = max(1.0, moved / pace.fact("lds_bytes_per_cycle"))
        return Price(Unit.LOCAL, pace.step, busy * pace.sharing, latency_cycles(S.LOCAL))
    busy = max(pace.fact("cycles_address"), moved / pace.fact("l1_bytes_per_cycle"))
    return Price(Unit.MEMORY, pace.step, busy * pace.sharing, latency_cycles(S.GLOBAL if kind is K.COPY else space))


def _computed(mnemonic: str, pace: _Pace) -> Price:
    """Price work of the vector unit."""
    latency = pace.fact("latency_vector") - pace.step
    if _SPECIAL.match(mnemonic):
        busy = pace.passes * pace.fact("transcendental_factor")
        if pace.step == 1:  # RDNA: a unit beside the others
            return Price(Unit.SPECIAL, pace.passes, busy, max(busy, pace.fact("latency_special")))
        return Price(Unit.VECTOR, busy, busy, busy)
    if _DOUBLE.match(mnemonic):
        busy = pace.passes * pace.fact("factor_double")
        return Price(Unit.VECTOR, busy, busy, max(busy, pace.fact("latency_double")))
    factor = 1
    if _MULTIPLY.match(mnemonic):
        factor = pace.fact("factor_integer_multiply")
    elif _WIDE_SHIFT.match(mnemonic):
        factor = pace.fact("factor_wide_shift")
    busy = pace.passes * factor
    return Price(Unit.VECTOR, busy, busy, busy + latency)


def _listed(mnemonic: str, formats: str, target: str) -> int:
    """Return the cycles that the catalogue has for a matrix instruction of CDNA; 0: it has none.

    A shape that older processors have, too, keeps its passes where a larger one of the same type reaches the peak rate.
    """
    if "f8f6f4" in mnemonic:
        given = dict(word.split(":") for word in formats.split())
        mnemonic += "".join(f" {_WIDTHS.get(given.get(name, '0'), 'f8')}" for name in ("cbsz", "blgp"))
    try:
        stated = catalogue.find(mnemonic, target).cost(target)
    except UsageError:
        return 0
    return stated.cycles if stated is not None and stated.passes else 0


def _rate(mnemonic: str, target: str) -> int:
    """Return the multiply-adds per cycle of one SIMD's matrix unit; sparse ones count as the dense product they stand for."""
    table = Target.of(target).rates("matrix_macs") or Target.of(_ASSUMED).rates("matrix_macs")
    inputs = re.sub(r"v_[a-z]+_(ld_)?(scale\d*_)?[a-z]+\d+_", "", mnemonic)
    element = next((name for name in _NAMES if name in inputs), "f16")
    rate = int(table.get(_SAME.get(element, element), _OTHER_MACS_PER_CYCLE))
    return rate * 2 if mnemonic.startswith(("v_smfmac", "v_swmmac")) else rate
