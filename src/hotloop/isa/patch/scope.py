"""What registers do around an instruction: who wrote a value, who reads it, and what is alive where a block ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotloop.isa.amdgcn.registers import EXEC, access
from hotloop.isa.blocks import Block, blocks
from hotloop.isa.instruction import Function, Instruction


def touched(instruction: Instruction) -> tuple[frozenset[int], frozenset[int]]:
    """Return the registers that an instruction reads, partly kept results among them, and those it writes."""
    registers = access(instruction.mnemonic, instruction.operands)
    return frozenset({*registers.reads, *registers.keeps}), frozenset(registers.writes)


@dataclass(frozen=True, slots=True)
class Scope:
    """A function's blocks with what is alive at their ends."""

    graph: tuple[Block, ...]
    alive: tuple[frozenset[int], ...]
    """Registers that may be read after each block."""

    @classmethod
    def of(cls, function: Function) -> Scope:
        """Return the blocks of a function."""
        graph = tuple(blocks(function))
        return cls(graph, tuple(_alive(graph)))

    def readers(self, block: int, place: int, register: int) -> list[Instruction]:
        """Return who reads in this block what an instruction writes, and None-like nothing for later blocks, see `leaves`."""
        readers = []
        for instruction in self.graph[block].instructions[place + 1 :]:
            reads, writes = touched(instruction)
            if register in reads:
                readers.append(instruction)
            if register in writes and register not in reads:
                break
        return readers

    def leaves(self, block: int, place: int, register: int) -> bool:
        """Tell whether a value may be read in another block."""
        for instruction in self.graph[block].instructions[place + 1 :]:
            reads, writes = touched(instruction)
            if register in writes and register not in reads:
                return False
        return register in self.alive[block]


def writer(code: Sequence[Instruction], place: int, register: int) -> int | None:
    """Return the place of the last instruction before `place` that writes a register; None: none of the block."""
    for at in range(place - 1, -1, -1):
        if register in touched(code[at])[1]:
            return at
    return None


def written_between(
    code: Sequence[Instruction], begin: int, end: int, registers: frozenset[int], skip: frozenset[int] = frozenset()
) -> int | None:
    """Return the place after `begin` and before `end` where one of the registers, or the lane mask, is written; None: nowhere."""
    for at in range(begin + 1, end):
        if at not in skip and touched(code[at])[1] & (registers | {EXEC}):
            return at
    return None


def read_between(
    code: Sequence[Instruction], begin: int, end: int, registers: frozenset[int], skip: frozenset[int] = frozenset()
) -> int | None:
    """Return the place after `begin` and before `end` where one of the registers is read; None: nowhere."""
    for at in range(begin + 1, end):
        if at not in skip and touched(code[at])[0] & registers:
            return at
    return None


def _alive(graph: Sequence[Block]) -> list[frozenset[int]]:
    """Return what may be read after each block, by going backwards until nothing is added."""
    uses, kills = [], []
    for block in graph:
        read: set[int] = set()
        made: set[int] = set()
        for instruction in block.instructions:
            reads, writes = touched(instruction)
            read |= reads - made
            made |= writes
        uses.append(read)
        kills.append(made)
    out: list[set[int]] = [set() for _ in graph]
    changed = True
    while changed:
        changed = False
        for at in range(len(graph) - 1, -1, -1):
            wanted: set[int] = set()
            for successor in graph[at].successors:
                wanted |= uses[successor] | (out[successor] - kills[successor])
            if wanted - out[at]:
                out[at] |= wanted
                changed = True
    return [frozenset(registers) for registers in out]
