"""Basic blocks and the control flow between them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, count, pairwise, repeat
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
    starts = {run[0][0]: index for index, run in enumerate(runs)}
    following = _following(runs, starts)
    return tuple(map(tuple.__new__, repeat(Block), zip(runs, following, strict=True)))


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


def _following(runs: Sequence[tuple[Instruction, ...]], starts: Mapping[int, int]) -> Iterator[tuple[int, ...]]:
    """Yield the successors of each block: the next one as a rule, and where its last instruction branches to."""
    end = len(runs) - 1
    for index, run in enumerate(runs):
        _, _, _, traits, target, _ = run[-1]  # by position, as attributes take longer
        aim = None if target is None else starts.get(target)
        if index == end or not traits.falls_through:
            yield () if aim is None else (aim,)
        else:
            yield (index + 1,) if aim is None or aim == index + 1 else (index + 1, aim)
