"""Which blocks decide by their branches whether other blocks are executed, or how often: control dependence.

A block depends on a branch if it is passed on all ways from one of the branch's successors and not on all ways from the branch (Ferrante,
Ottenstein and Warren, "The program dependence graph and its use in optimization", 1987). What follows where ways meet again does not.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hotloop.isa.bitset import holding, members
from hotloop.isa.blocks import Block


def governing(graph: Sequence[Block], asked: Collection[int]) -> frozenset[int]:
    """Return the indices of the blocks whose branches decide about the blocks `asked`, directly or by others that they decide about."""
    after = _passed_after(graph)
    found, waiting = set[int](), set(asked)
    while waiting:
        one = waiting.pop()
        new = {
            index
            for index, block in enumerate(graph)
            if len(block.successors) > 1
            and any(after[n] >> one & 1 for n in block.successors)
            and (index == one or not after[index] >> one & 1)
        }
        waiting |= new - found
        found |= new
    return frozenset(found)


def _passed_after(graph: Sequence[Block]) -> list[int]:
    """Return of each block those that every way from it to an end passes, itself included, as bits."""
    every = (1 << len(graph)) - 1
    after = [every if block.successors else 1 << index for index, block in enumerate(graph)]
    before = [set[int]() for _ in graph]
    for index, block in enumerate(graph):
        for follower in block.successors:
            before[follower].add(index)
    waiting = holding(index for index, block in enumerate(graph) if block.successors)
    while waiting:
        index = max(members(waiting))
        waiting &= ~(1 << index)
        new = every
        for follower in graph[index].successors:
            new &= after[follower]
        new |= 1 << index
        if new != after[index]:
            after[index] = new
            waiting |= holding(before[index])
    return after
