"""Code in the order in which control passes it, which need not be the order of addresses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain

from hotloop.isa.blocks import Block
from hotloop.isa.instruction import Instruction
from hotloop.isa.loops import Loop


def along(graph: Sequence[Block], entry: int, members: Collection[int]) -> tuple[int, ...]:
    """Return those of `members` that `entry` reaches through them, each before its successors except along back edges.

    Both sides of a branch are taken, the one that falls through first: a vector branch is passed by both sides' lanes, and of
    a scalar one it is not known which side runs.
    """
    order: list[int] = []
    seen = {entry}
    stack = [(entry, iter(reversed(graph[entry].successors)))]
    while stack:
        block, following = stack[-1]
        fresh = next((s for s in following if s in members and s not in seen), None)
        if fresh is None:
            order.append(block)
            stack.pop()
        else:
            seen.add(fresh)
            stack.append((fresh, iter(reversed(graph[fresh].successors))))
    return tuple(reversed(order))


def iteration(graph: Sequence[Block], loop: Loop) -> tuple[Instruction, ...]:
    """Return a loop's own instructions, without those of inner loops, in the order of one iteration from its header."""
    ordered = along(graph, loop.header, loop.blocks)
    return tuple(chain.from_iterable(graph[block].instructions for block in ordered if block in loop.own))


def straight(graph: Sequence[Block], inside: Collection[int]) -> tuple[Instruction, ...]:
    """Return what control passes once: the blocks outside of all loops, `inside` being those of loops."""
    ordered = along(graph, 0, range(len(graph))) if graph else ()
    return tuple(chain.from_iterable(graph[block].instructions for block in ordered if block not in inside))
