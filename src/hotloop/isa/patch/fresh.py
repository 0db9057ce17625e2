"""Results that overwrite an operand of their own instruction, given a register of their own: the old value stays for a rule."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hotloop.errors import UsageError
from hotloop.isa.instruction import Function, Instruction
from hotloop.isa.patch import scope
from hotloop.isa.patch.change import Applied, Change
from hotloop.isa.patch.pattern import Pattern, fields
from hotloop.isa.patch.steps import text_of

VECTORS = 256
_ONE = re.compile(r"v(\d+)$")


@dataclass(slots=True)
class _Pool:
    """Registers behind those of the kernel, each free again after the last reader of what it held."""

    first: int
    until: list[int]

    def take(self, begin: int, end: int) -> int:
        for number, busy in enumerate(self.until):
            if busy < begin:
                self.until[number] = end
                return self.first + number
        self.until.append(end)
        return self.first + len(self.until) - 1


def apply(text: str, function: Function, change: Change) -> int:
    """Give every result of instructions that fit `text` a register of its own; return how many.

    A result that leaves its block, or whose register is also read as part of a longer one, stays where it is.

    Raises:
        UsageError: no vector register is left.
    """
    pattern, around = Pattern.of(text), scope.Scope.of(function)
    done, first = 0, first_free(function)
    for number, block in enumerate(around.graph):
        pool = _Pool(first, [])
        lines: dict[int, str] = {}
        for at, instruction in enumerate(block.instructions):
            if pattern.match(instruction, {}) is None or not (readers := _readers(around, number, at)):
                continue
            register = pool.take(at, max(readers))
            if register >= VECTORS:
                raise UsageError(
                    f"{function.name} has no vector register left for the result of line {instruction.line}."
                )
            old, new = fields(instruction.operands)[0], f"v{register}"
            lines[at] = _with(lines.get(at, text_of(instruction)), old, new, result=True)
            for reader in readers:
                lines[reader] = _with(lines.get(reader, text_of(block.instructions[reader])), old, new, result=False)
            change.registers = max(change.registers, register + 1)
            done += 1
        for at, line in lines.items():
            instruction = block.instructions[at]
            change.put(instruction.line or 0, (line,))
            change.applied.append(Applied("fresh", instruction.line or 0, (text_of(instruction),), (line,)))
    return done


def first_free(function: Function) -> int:
    """Return the first vector register that no instruction of a function names and its description does not count."""
    used = [
        r
        for instruction in function.instructions
        for registers in scope.touched(instruction)
        for r in registers
        if r < VECTORS
    ]
    declared = function.resources.vgprs if function.resources and function.resources.vgprs else 0
    return max([declared, *(r + 1 for r in used)])


def _readers(around: scope.Scope, block: int, at: int) -> list[int]:
    """Return the places of a block that read a result, all by its own name; empty where it cannot move."""
    code: Sequence[Instruction] = around.graph[block].instructions
    match = _ONE.match(fields(code[at].operands)[0])
    if match is None:
        return []
    register, readers = int(match[1]), list[int]()
    for place in range(at + 1, len(code)):
        reads, writes = scope.touched(code[place])
        if register in reads:
            if register in writes or f"v{register}" not in fields(code[place].operands)[1:]:
                return []
            readers.append(place)
        elif register in writes:
            return readers
    return [] if register in around.alive[block] else readers


def _with(line: str, old: str, new: str, *, result: bool) -> str:
    """Return an instruction with its result, or its sources, in another register."""
    mnemonic, _, rest = line.partition(" ")
    parts = fields(rest)
    changed = [new if part == old and (at == 0) == result else part for at, part in enumerate(parts)]
    return f"{mnemonic} {', '.join(changed)}"
