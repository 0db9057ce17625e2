"""What instructions cost and how long memory takes: a small table for placing waits, not for predicting run times.

Matrix rates follow from published peak rates: multiply-adds per cycle and SIMD = peak / (2 · clock · compute units · SIMDs).
CDNA: "AMD CDNA 2 / 3 / 4 Architecture" white papers (f16: 1024, 2048, 4096 flops per cycle and compute unit); RDNA3/4: the
product pages of RX 7900 XTX and RX 9070 XT. gfx1250 is not published: gfx950's rate is assumed. Latencies are round figures
for an unloaded machine between the cache levels, of the size that public micro-benchmarks report.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from hotloop.isa.instruction import Instruction, InstructionKind, MemorySpace

GLOBAL_LATENCY_CYCLES = 500
"""A load that misses the first cache: about a second-level hit; main memory takes up to twice as long."""
LDS_LATENCY_CYCLES = 128
"""A 128-bit read of a full wave64: 64 cycles until the first data and 64 lanes · 16 bytes at 128 bytes per cycle, in a row
with a second wave's."""
SCALAR_LATENCY_CYCLES = 200
"""A scalar load that hits the second-level cache."""

_WAVE64_ISSUE_CYCLES = 4
"""gfx9 sends a wave of 64 lanes through 16 lanes in four cycles; the sequencer looks at a wave every fourth cycle."""
_TRANSCENDENTAL_FACTOR = 4
_TRANSCENDENTAL = re.compile(r"v_(exp|log|rcp|rsq|sqrt|sin|cos|tanh)\w*")
_MACS_PER_CYCLE: dict[str, dict[str, int]] = {
    "gfx908": {"f16": 128, "bf16": 64, "i8": 128, "f32": 32},
    "gfx90a": {"f16": 128, "bf16": 128, "i8": 128, "f32": 32, "f64": 32},
    "gfx942": {"f16": 256, "bf16": 256, "i8": 512, "f8": 512, "xf32": 128, "f32": 32, "f64": 32},
    "gfx950": {"f16": 512, "bf16": 512, "i8": 1024, "f8": 1024, "f32": 32, "f64": 16},
    "gfx11": {"f16": 128, "bf16": 128, "i8": 128},
    "gfx12": {"f16": 256, "bf16": 256, "i8": 512, "f8": 512},
    "gfx1250": {"f16": 512, "bf16": 512, "i8": 1024, "f8": 1024, "f32": 32},
}
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
    """Return the cycles from the issue of a load to its data."""
    known = {MemorySpace.LOCAL: LDS_LATENCY_CYCLES, MemorySpace.CONSTANT: SCALAR_LATENCY_CYCLES}
    return known.get(space, GLOBAL_LATENCY_CYCLES) if space else LDS_LATENCY_CYCLES


@lru_cache(maxsize=1 << 14)
def _cost(mnemonic: str, operands: str, kind: InstructionKind, macs: int, target: str) -> Cost:
    step = _WAVE64_ISSUE_CYCLES if target.startswith("gfx9") else 1
    if kind is InstructionKind.MATRIX:
        return Cost(step, -(-macs // _rate(mnemonic, target)) if macs else step)
    if mnemonic == "s_nop":
        return Cost(step * (int(operands, 0) + 1) if operands else step)
    return Cost(step * (_TRANSCENDENTAL_FACTOR if _TRANSCENDENTAL.match(mnemonic) else 1))


def _rate(mnemonic: str, target: str) -> int:
    """Return the multiply-adds per cycle of one SIMD's matrix unit; sparse ones count as the dense product they stand for."""
    table = _MACS_PER_CYCLE.get(target) or _MACS_PER_CYCLE.get(target[:5]) or _MACS_PER_CYCLE["gfx942"]
    inputs = re.sub(r"v_[a-z]+_(ld_)?(scale\d*_)?[a-z]+\d+_", "", mnemonic)
    element = next((name for name in _NAMES if name in inputs), "f16")
    rate = table.get(_SAME.get(element, element), _OTHER_MACS_PER_CYCLE)
    return rate * 2 if mnemonic.startswith(("v_smfmac", "v_swmmac")) else rate
