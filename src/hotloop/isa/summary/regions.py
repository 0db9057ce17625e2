"""Loops of a function in the order that a report shows them, each with the instructions that are its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from hotloop.isa.blocks import Block, blocks
from hotloop.isa.hot import HotLoop, hot_loop
from hotloop.isa.instruction import Function, Instruction, InstructionKind
from hotloop.isa.loops import loops


@dataclass(frozen=True, slots=True)
class Region:
    """The hot region or another loop."""

    hot: HotLoop
    """Instructions of the region without padding, its depth and its place."""
    rank: int | None
    """Position among the loops in the order of their headers; None: straight-line code."""


def regions(function: Function) -> tuple[Region, ...]:
    """Return the hot region first, then the other loops in the order of their headers."""
    graph = blocks(function)
    hottest = _reached(hot_loop(function), graph)
    others, rank = [], None
    for index, loop in enumerate(loops(graph, retries=False)):
        own = _unpadded(tuple(chain.from_iterable(graph[block].instructions for block in sorted(loop.own))))
        if hottest.depth and own == hottest.instructions:
            rank = index
        elif own:
            others.append(Region(HotLoop(own, loop.depth, whole=False, addressed=function.addressed), index))
    return Region(hottest, rank), *others


def _reached(hot: HotLoop, graph: Sequence[Block]) -> HotLoop:
    """Return straight-line code without what the entry never reaches: padding in front of a kernel's real beginning."""
    if hot.depth or not graph:
        return hot
    seen, todo = {0}, [0]
    while todo:
        fresh = set(graph[todo.pop()].successors) - seen
        seen |= fresh
        todo += fresh
    reached = {i.address for block in seen for i in graph[block].instructions}
    return replace(hot, instructions=tuple(i for i in hot.instructions if i.address in reached))


def _unpadded(code: tuple[Instruction, ...]) -> tuple[Instruction, ...]:
    return tuple(i for i in code if i.kind is not InstructionKind.NOP)
