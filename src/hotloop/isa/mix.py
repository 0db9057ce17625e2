"""What the hot loop is made of, as ``static.*`` facts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from hotloop.isa.hot import HotLoop, hot_loop, work_bits
from hotloop.isa.instruction import FLOATING, MULTIPLY_ADD, Function, Instruction, InstructionKind
from hotloop.isa.outside import outside
from hotloop.isa.updates import memory_updates
from hotloop.model.evidence import Evidence, Row, static

_GATHERS = frozenset({InstructionKind.GATHER})
SUM_CYCLES = 4
"""Cycles from one sum in a register to the next: fused or not, four on Intel since Skylake and on AMD since Zen 3 (Agner Fog, instruction tables)."""
_SUMS = re.compile(r"v?fn?m(?:add|sub)231")
"""Multiply-adds that add to their first operand."""
_RARE = re.compile(r"_(?:slow|medium)path")
"""CUDA's routines for quotients and roots of denormal and huge numbers, behind a test of the operands."""
_NO_WORK = "the hot loop has no multiply/add instruction"


def mix(function: Function, origin: str = "") -> Evidence:
    """Return the instruction mix of a function's hot loop; `origin` says where the code came from.

    Loads are instructions that read memory, operands folded into arithmetic included; of the stack only those that the
    vector unit reads. Counts are per iteration of the loop as compiled, so an unrolled loop shows the unrolled number.
    """
    hot = hot_loop(function)
    source = ", ".join(part for part in (origin or function.name, hot.place) if part)
    return static([*_counts(function, hot), *_ratios(function, hot)], source)


def _counts(function: Function, hot: HotLoop) -> Iterator[Row]:
    """Yield (name, value, unit, reason when absent)."""
    code = [i.traits for i in hot.instructions]
    yield "static.hot_instructions", len(code), "1", ""
    yield "static.spills", sum(t.stack and t.vector for t in code), "1", ""
    yield "static.broadcasts", sum(t.broadcast for t in code), "1", ""
    yield "static.gathers", sum(t.kind in _GATHERS for t in code) + _insert_chains(hot.instructions), "1", ""
    yield "static.memory_updates", _updates(function, hot), "1", "not known for this kind of code"
    missing = outside(function)
    yield (
        "static.calls",
        None if missing else _calls(function, hot),
        "1",
        f"the code does not bring {', '.join(missing)}",
    )
    yield "static.code_bytes", function.code_bytes, "B", "the listing does not tell the code's size"


def _calls(function: Function, hot: HotLoop) -> int:
    """Return the calls of a CPU's kernel, or of a GPU's hot code less those that only numbers at the ends of their range need."""
    code = hot.instructions if function.target else function.instructions
    return sum(i.kind is InstructionKind.CALL and not _RARE.search(i.operands) for i in code)


def _updates(function: Function, hot: HotLoop) -> int | None:
    """Return the places in memory that each iteration updates; straight-line code updates each once."""
    return (memory_updates(hot.instructions) if hot.depth else 0) if not function.target else None


def _ratios(function: Function, hot: HotLoop) -> Iterator[Row]:
    """Yield (name, value, unit, reason when absent)."""
    code = [i.traits for i in hot.instructions]
    work = [t for t in code if t.multiply_add]
    paired = sum(t.paired is not None for t in code)
    products = len(work) + sum(t.paired in MULTIPLY_ADD for t in code)
    loads = [t for t in code if t.reads_memory and (t.vector or not t.stack)]
    scalars = [t for t in loads if t.scalar]
    yield "static.fma_share", _over(products, len(code) + paired), "1", "the function has no instructions"
    yield "static.fma_bits", _over(sum(t.bits for t in work), products), "bit", _NO_WORK
    yield "static.loads_per_fma", _over(len(loads), products), "1", _NO_WORK
    yield (
        "static.sum_cycles",
        _over(_sum_cycles(hot), products) if hot.depth and not function.family else None,
        "cycle",
        "how long a sum takes is not known of this processor"
        if function.family
        else "there is no loop, or it has no sum",
    )
    yield "static.scalar_load_share", _over(len(scalars), len(loads)), "1", "the hot loop loads nothing"
    yield "static.vector_bits", _widest(hot.instructions), "bit", "the hot loop uses no vector register"
    moved = sum(t.bits for t in code if t.vector and not t.stack and (t.reads_memory or t.writes_memory))
    yield "static.work_bits", _over(sum(map(work_bits, code)), len(code)), "bit", "the function has no instructions"
    yield "static.moved_bits", _over(moved, len(code)), "bit", "the function has no instructions"


def _sum_cycles(hot: HotLoop) -> int:
    """Return the cycles that one iteration takes for its longest chain of sums in one register, which iterations carry on."""
    sums, lost = Counter[str](), set[str]()
    for instruction in hot.instructions:
        first, _, others = instruction.operands.partition(",")
        register = first.strip()
        if not instruction.traits.vector or instruction.traits.writes_memory:
            continue
        if instruction.traits.multiply_add and (
            _SUMS.match(instruction.mnemonic) or register in others.replace(" ", "").split(",")
        ):
            sums[register] += 1
        else:
            lost.add(register)
    return SUM_CYCLES * max((count for register, count in sums.items() if register not in lost), default=0)


def _over(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _widest(code: Sequence[Instruction]) -> int | None:
    """Return the widest floating-point arithmetic; without any, the widest of whatever the vector unit does."""
    floating = [i.traits.bits for i in code if i.kind in FLOATING]
    return max(floating or [i.traits.bits for i in code], default=0) or None


def _insert_chains(code: Sequence[Instruction]) -> int:
    """Count sequences that fill a register part by part from memory; each stands for one gather.

    A sequence goes on while an insert takes the register that the previous one wrote.
    """
    chains = 0
    filling: set[str] = set()
    for instruction in code:
        registers = [part.strip() for part in instruction.operands.split(",")]
        if instruction.traits.insert:
            source = registers[1] if len(registers) > 2 else registers[0]
            chains += source not in filling
            filling.discard(source)
            filling.add(registers[0])
        else:
            filling.discard(registers[0])
    return chains
