"""What instructions cost and how long memory takes, for placing waits, not for predicting run times.

The numbers are facts of `hotloop.targets`: matrix rates follow from published peak rates, latencies are round figures for an
unloaded machine between the cache levels, of the size that public micro-benchmarks report.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from hotloop.isa.instruction import Instruction, InstructionKind, MemorySpace
from hotloop.targets.target import Target

_TRANSCENDENTAL = re.compile(r"v_(exp|log|rcp|rsq|sqrt|sin|cos|tanh)\w*")
_ASSUMED = "gfx942"
"""Processor whose rates stand for those of code that names none, or one without matrix rates."""
_OTHER_MACS_PER_CYCLE = 128
_NAMES = ("xf32", "bf16", "f16", "f64", "i8", "iu8", "fp8", "bf8", "f8f6f4", "f32")
_SAME = {"iu8": "i8", "fp8": "f8", "bf8": "f8", "f8f6f4": "f8"}


@dataclass(frozen=True, slots=True)
class Cost:
    """Cycles of one instruction of one wave."""

    issue_cycles: int
    """Until the wave's next instruction may issue."""
    matrix_cycles: int = 0
    """For which the matrix unit is busy; the wave goes on beside it."""


def cost(instruction: Instruction, target: str) -> Cost:
    """Return what an instruction costs its wave; waiting for data is not in it."""
    return _cost(instruction.mnemonic, instruction.operands if "nop" in instruction.mnemonic else "",
                 instruction.kind, instruction.traits.macs, target)  # fmt: skip


def latency_cycles(space: MemorySpace | None) -> int:
    """Return the cycles from the issue of a load to its data; where the memory is not known, those of local memory."""
    names = {None: "local", MemorySpace.LOCAL: "local", MemorySpace.CONSTANT: "scalar"}
    cycles = Target.of(_ASSUMED).number(f"latency_{names.get(space, 'global')}")
    assert cycles is not None
    return cycles


@lru_cache(maxsize=1 << 14)
def _cost(mnemonic: str, operands: str, kind: InstructionKind, macs: int, target: str) -> Cost:
    step = Target.of(target).number("issue_cycles") or 1
    if kind is InstructionKind.MATRIX:
        return Cost(step, -(-macs // _rate(mnemonic, target)) if macs else step)
    if mnemonic == "s_nop":
        return Cost(step * (int(operands, 0) + 1) if operands else step)
    return Cost(step * _factor(mnemonic))


def _factor(mnemonic: str) -> int:
    """Return how many times an ordinary instruction's cycles one takes."""
    slow = _TRANSCENDENTAL.match(mnemonic)
    return (Target.of(_ASSUMED).number("transcendental_factor") or 1) if slow else 1


def _rate(mnemonic: str, target: str) -> int:
    """Return the multiply-adds per cycle of one SIMD's matrix unit; sparse ones count as the dense product they stand for."""
    table = Target.of(target).rates("matrix_macs") or Target.of(_ASSUMED).rates("matrix_macs")
    inputs = re.sub(r"v_[a-z]+_(ld_)?(scale\d*_)?[a-z]+\d+_", "", mnemonic)
    element = next((name for name in _NAMES if name in inputs), "f16")
    rate = int(table.get(_SAME.get(element, element), _OTHER_MACS_PER_CYCLE))
    return rate * 2 if mnemonic.startswith(("v_smfmac", "v_swmmac")) else rate
