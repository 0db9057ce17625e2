"""How many registers of NVIDIA code are live at each point: the usual backward problem over all paths."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hotloop.isa.instruction import Function, Instruction
from hotloop.isa.nvidia.registers import effects
from hotloop.isa.summary.model import Pressure, site

FILES = ("R", "UR")


def peaks(
    code: Sequence[Instruction], successors: Sequence[tuple[int, ...]], within: Collection[int] | None = None
) -> tuple[Pressure, ...]:
    """Return where most vector and uniform registers are live, over the function or only at the indices `within`."""
    bits: dict[str, int] = {}
    reads, writes = [0] * len(code), [0] * len(code)
    for index, instruction in enumerate(code):
        registers = effects(instruction)
        reads[index], writes[index] = _mask(registers.reads, bits), _mask(registers.writes, bits)
        if instruction.operands.startswith("@"):  # a predicated instruction may leave the old value
            reads[index] |= writes[index]
    live = _live(reads, writes, successors)
    chosen = range(len(code)) if within is None else sorted(within)
    return tuple(peak for file in FILES if (peak := _peak(file, code, live, bits, chosen)))


def vectors(function: Function) -> dict[int, int]:
    """Return the vector registers that are live before each instruction, by its address; branches as far as they are direct."""
    code = function.instructions
    numbers = {instruction.address: index for index, instruction in enumerate(code)}
    successors = []
    for index, instruction in enumerate(code):
        following = [index + 1] if instruction.traits.falls_through and index + 1 < len(code) else []
        if instruction.target is not None and instruction.target in numbers:
            following.append(numbers[instruction.target])
        successors.append(tuple(following))
    bits: dict[str, int] = {}
    reads, writes = [], []
    for instruction in code:
        registers = effects(instruction)
        reads.append(_mask(registers.reads, bits))
        writes.append(_mask(registers.writes, bits))
        if instruction.operands.startswith("@"):
            reads[-1] |= writes[-1]
    mine = sum(1 << bit for name, bit in bits.items() if name[:1] == "R" and name[1:].isdigit())
    live = _live(reads, writes, successors)
    return {instruction.address: (live[index] & mine).bit_count() for index, instruction in enumerate(code)}


def _mask(registers: Collection[str], bits: dict[str, int]) -> int:
    mask = 0
    for register in registers:
        mask |= 1 << bits.setdefault(register, len(bits))
    return mask


def _live(reads: Sequence[int], writes: Sequence[int], successors: Sequence[tuple[int, ...]]) -> list[int]:
    """Return what is live just before each instruction."""
    before: list[list[int]] = [[] for _ in reads]
    for index, following in enumerate(successors):
        for successor in following:
            before[successor].append(index)
    live = [0] * len(reads)
    todo = list(range(len(reads)))
    while todo:
        index = todo.pop()
        after = 0
        for successor in successors[index]:
            after |= live[successor]
        entry = after & ~writes[index] | reads[index]
        if entry != live[index]:
            live[index] = entry
            todo.extend(before[index])
    return live


def _peak(
    file: str, code: Sequence[Instruction], live: Sequence[int], bits: dict[str, int], chosen: Sequence[int]
) -> Pressure | None:
    mine = sum(1 << bit for name, bit in bits.items() if name[: len(file)] == file and name[len(file) :].isdigit())
    most, place = max((((live[index] & mine).bit_count(), -index) for index in chosen), default=(0, 0))
    return Pressure(file=file, live=most, site=site(code[-place]), fills=()) if most else None
