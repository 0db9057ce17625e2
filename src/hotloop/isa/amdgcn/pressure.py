"""How many registers are live at each point, where the peak is, and what fills it.

Liveness is the usual backward problem over the control-flow graph: a register is live from a write to its last read. A write
counts as whole although inactive lanes keep their values, unless the instruction keeps part of the register by itself
(`registers.Access.keeps`). What the compiler allocates is at least the peak; the rest is alignment of tuples and gaps.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from hotloop.isa.amdgcn.registers import AGPR, SGPR, VCC, access, name
from hotloop.isa.amdgcn.slots import Group, group_of
from hotloop.isa.bitset import holding, members
from hotloop.isa.blocks import Block, blocks
from hotloop.isa.instruction import Function, Instruction, InstructionKind


class RegisterFile(StrEnum):
    """A kind of register with its own numbering."""

    VGPR = "VGPR"
    AGPR = "AGPR"
    SGPR = "SGPR"


_BITS = {
    RegisterFile.VGPR: (1 << AGPR) - 1,
    RegisterFile.AGPR: (1 << SGPR) - (1 << AGPR),
    RegisterFile.SGPR: (1 << VCC) - (1 << SGPR),
}


@dataclass(frozen=True, slots=True)
class LiveGroup:
    """Registers that are live at a peak and were filled in the same way."""

    source: str
    """How they were filled: by matrix results, global loads, computed values, or values from before the loop or function."""
    count: int
    registers: str
    """Ranges of the registers, e.g. ``v[0:63], v70``."""
    lines: tuple[int, ...]
    """Lines of up to three instructions that fill them; empty for values from before."""


@dataclass(frozen=True, slots=True)
class Peak:
    """The point where most registers of a file are live."""

    file: RegisterFile
    live: int
    """Registers live just before or just after the instruction, whichever is more."""
    at: Instruction
    groups: tuple[LiveGroup, ...]
    """Largest first."""

    def __str__(self) -> str:
        """Say it in one sentence."""
        parts = ", ".join(f"{g.count} {g.source}" for g in self.groups[:4])
        place = f"line {self.at.line}" if self.at.line is not None else f"{self.at.address:#x}"
        return f"{self.live} {self.file.value}s live at {place} ({self.at.mnemonic}): {parts}"


def pressure(function: Function, within: Sequence[Instruction] | None = None) -> tuple[Peak, ...]:
    """Return the peak of each register file that is used, over the function or only at the instructions `within`."""
    graph = blocks(function)
    after = live_out(graph)
    wanted = None if within is None else {i.address for i in within}
    best: dict[RegisterFile, tuple[int, int, Instruction]] = {}
    for block, leaving in zip(graph, after, strict=True):
        for instruction, live in _points(block, leaving):
            if wanted is not None and instruction.address not in wanted:
                continue
            for file, bits in _BITS.items():
                count = (live & bits).bit_count()
                if count > best.get(file, (0,))[0]:
                    best[file] = (count, live & bits, instruction)
    writers = _writers(function.instructions if within is None else within)
    ordered = ((file, *best[file]) for file in RegisterFile if file in best)
    return tuple(Peak(file, count, at, _groups(live, at, writers)) for file, count, live, at in ordered)


def live_vectors(function: Function) -> dict[int, int]:
    """Return the vector and accumulation registers that are live at each instruction, by its address."""
    graph = blocks(function)
    bits = _BITS[RegisterFile.VGPR] | _BITS[RegisterFile.AGPR]
    return {
        instruction.address: (live & bits).bit_count()
        for block, leaving in zip(graph, live_out(graph), strict=True)
        for instruction, live in _points(block, leaving)
    }


_MASKS: dict[tuple[int, ...], int] = {}


def masks(instruction: Instruction) -> tuple[int, int]:
    """Return what an instruction needs alive before it, and what it ends (going backwards)."""
    used = access(instruction.mnemonic, instruction.operands)
    reads = _cached(used.reads) | (_cached(used.keeps) if used.keeps else 0)
    writes = _cached(used.writes)
    return reads, writes & ~_cached(used.keeps) if used.keeps else writes


def _cached(registers: tuple[int, ...]) -> int:
    mask = _MASKS.get(registers)
    if mask is None:
        if len(_MASKS) > 1 << 16:
            _MASKS.clear()
        mask = _MASKS[registers] = holding(registers)
    return mask


def _points(block: Block, live: int) -> Iterator[tuple[Instruction, int]]:
    """Yield each instruction, last first, with what is live just before it or, if more, just after with its results."""
    for instruction in reversed(block.instructions):
        reads, writes = masks(instruction)
        after = live | writes
        live = live & ~writes | reads
        yield instruction, after if after.bit_count() > live.bit_count() else live


def live_out(graph: Sequence[Block]) -> list[int]:
    """Return what is live at the end of each block."""
    needs, ends = [0] * len(graph), [0] * len(graph)
    before: list[list[int]] = [[] for _ in graph]
    for index, block in enumerate(graph):
        for instruction in reversed(block.instructions):
            reads, writes = masks(instruction)
            needs[index] = needs[index] & ~writes | reads
            ends[index] |= writes
        for successor in block.successors:
            before[successor].append(index)
    entering, leaving = [0] * len(graph), [0] * len(graph)
    todo = set(range(len(graph)))
    while todo:
        index = max(todo)
        todo.discard(index)
        leaving[index] = 0
        for successor in graph[index].successors:
            leaving[index] |= entering[successor]
        entry = leaving[index] & ~ends[index] | needs[index]
        if entry != entering[index]:
            entering[index] = entry
            todo.update(before[index])
    return leaving


_SOURCES = {
    Group.GLOBAL: "from global loads", Group.LDS: "from LDS reads", Group.SCALAR: "from scalar loads",
    Group.SCRATCH: "from scratch", Group.ATOMIC: "from atomics",
}  # fmt: skip


def _writers(code: Sequence[Instruction]) -> dict[int, list[Instruction]]:
    """Return for each register what writes it, in order."""
    writers: dict[int, list[Instruction]] = defaultdict(list)
    for instruction in code:
        for register in access(instruction.mnemonic, instruction.operands).writes:
            writers[register].append(instruction)
    return writers


def _filler(writers: list[Instruction], at: Instruction) -> Instruction | None:
    """Return what filled a register that is live at an instruction: the writer before it, else the last one (a loop's)."""
    if not writers:
        return None
    index = bisect_right(writers, at.address, key=lambda i: i.address)
    return writers[index - 1] if index else writers[-1]


def _source(instruction: Instruction) -> str:
    if instruction.kind is InstructionKind.MATRIX:
        return "matrix accumulators"
    group = group_of(instruction)
    return _SOURCES.get(group, "computed") if group else "computed"


def _groups(live: int, at: Instruction, writers: dict[int, list[Instruction]]) -> tuple[LiveGroup, ...]:
    registers: dict[str, list[int]] = defaultdict(list)
    lines: dict[str, set[int]] = defaultdict(set)
    for register in members(live):
        filler = _filler(writers.get(register, []), at)
        source = _source(filler) if filler else "from before"
        registers[source].append(register)
        if filler and filler.line is not None:
            lines[source].add(filler.line)
    groups = (LiveGroup(s, len(r), _ranges(r), tuple(sorted(lines[s])[:3])) for s, r in registers.items())
    return tuple(sorted(groups, key=lambda g: (-g.count, g.source)))


def _ranges(registers: Sequence[int]) -> str:
    """Return register numbers of one file, ascending, as the assembler writes ranges."""
    parts: list[list[int]] = []
    for register in registers:
        if parts and register == parts[-1][1] + 1:
            parts[-1][1] = register
        else:
            parts.append([register, register])
    shown = (name(a) if a == b else f"{name(a)[0]}[{name(a)[1:]}:{name(b)[1:]}]" for a, b in parts)
    return ", ".join(shown)
