"""Basic blocks and the control flow between them."""

from __future__ import annotations

from bisect import bisect_left
from itertools import compress, count, pairwise
from operator import attrgetter, itemgetter
from typing import NamedTuple

from hotloop.isa.instruction import Function, Instruction

_ADDRESS, _TRAITS, _TARGET = (itemgetter(Instruction._fields.index(name)) for name in ("address", "traits", "target"))
_ENDS = attrgetter("ends_block")
"""Reads the attribute `ends_block`; access by position takes half the time of access by name."""


class Block(NamedTuple):
    """Instructions that always run together; a tuple, as long listings have thousands."""

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
    leaders = set(map(_TARGET, instructions)) - {None}
    addresses = list(map(_ADDRESS, instructions))
    places = {0, len(instructions)}
    places.update(compress(count(1), map(_ENDS, map(_TRAITS, instructions))))
    starts = (bisect_left(addresses, leader) for leader in leaders)
    places.update(place for place in starts if place < len(addresses) and addresses[place] in leaders)
    return [instructions[begin:end] for begin, end in pairwise(sorted(places))]


def _successors(last: Instruction, index: int, starts: dict[int, int], count: int) -> tuple[int, ...]:
    following = (index + 1,) if last.traits.falls_through and index + 1 < count else ()
    aim = None if last.target is None else starts.get(last.target)
    return following if aim is None or aim in following else (*following, aim)
