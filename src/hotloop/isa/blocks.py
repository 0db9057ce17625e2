"""Basic blocks and the control flow between them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress, count, pairwise
from operator import attrgetter

from hotloop.isa.instruction import Function, Instruction, InstructionKind, Traits

_ADDRESS, _TRAITS, _TARGET = attrgetter("address"), attrgetter("traits"), attrgetter("target")


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
    """Split at branch targets and after branches; by look-ups rather than tests, as kernels can be very long."""
    instructions = function.instructions
    traits = list(map(_TRAITS, instructions))
    ends = {id(t) for t in {id(t): t for t in traits}.values() if _ends(t)}
    leaders = {target for target in map(_TARGET, instructions) if target is not None}
    places = {0, len(instructions)}
    places.update(compress(count(1), map(ends.__contains__, map(id, traits))))
    places.update(compress(count(), map(leaders.__contains__, map(_ADDRESS, instructions))))
    return [instructions[begin:end] for begin, end in pairwise(sorted(places))]


def _ends(traits: Traits) -> bool:
    return traits.kind is InstructionKind.BRANCH or not traits.falls_through


def _successors(last: Instruction, index: int, starts: dict[int, int], count: int) -> tuple[int, ...]:
    following = [index + 1] if last.traits.falls_through and index + 1 < count else []
    if last.target is not None and last.target in starts:
        following.append(starts[last.target])
    return tuple(dict.fromkeys(following))
