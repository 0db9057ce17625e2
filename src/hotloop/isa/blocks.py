"""Basic blocks and the control flow between them."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.isa.instruction import Function, Instruction, InstructionKind


@dataclass(frozen=True, slots=True)
class Block:
    """Instructions that always run together."""

    instructions: tuple[Instruction, ...]
    successors: tuple[int, ...]
    """Indices of the blocks that may follow; targets outside the function and computed jumps are left out."""


def blocks(function: Function) -> tuple[Block, ...]:
    """Cut a function into basic blocks, in address order; the first one is the entry."""
    runs = _runs(function)
    starts = {run[0].address: index for index, run in enumerate(runs)}
    return tuple(Block(run, _successors(run[-1], index, starts, len(runs))) for index, run in enumerate(runs))


def _runs(function: Function) -> list[tuple[Instruction, ...]]:
    """Split at branch targets and after branches."""
    instructions = function.instructions
    leaders = {i.target for i in instructions if i.target is not None}
    runs: list[tuple[Instruction, ...]] = []
    begin = 0
    for index, instruction in enumerate(instructions):
        following = instructions[index + 1].address if index + 1 < len(instructions) else None
        ends = instruction.kind is InstructionKind.BRANCH or not instruction.traits.falls_through
        if ends or following is None or following in leaders:
            runs.append(instructions[begin : index + 1])
            begin = index + 1
    return runs


def _successors(last: Instruction, index: int, starts: dict[int, int], count: int) -> tuple[int, ...]:
    following = [index + 1] if last.traits.falls_through and index + 1 < count else []
    if last.target is not None and last.target in starts:
        following.append(starts[last.target])
    return tuple(dict.fromkeys(following))
