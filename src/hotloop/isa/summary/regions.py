"""Loops of a function in the order that a report shows them, each with the instructions that are its own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from hotloop.isa.blocks import blocks
from hotloop.isa.hot import HotLoop, hot_loop
from hotloop.isa.instruction import Function, Instruction, InstructionKind
from hotloop.isa.loops import loops


@dataclass(frozen=True, slots=True)
class Region:
    """The hot region or another loop."""

    hot: HotLoop
    """Its instructions without padding, depth and place."""
    rank: int | None
    """Its place among the loops in the order of their headers; None: straight-line code."""


def regions(function: Function) -> tuple[Region, ...]:
    """Return the hot region first, then the other loops in the order of their headers."""
    hottest = hot_loop(function)
    graph = blocks(function)
    others, rank = [], None
    for index, loop in enumerate(loops(graph)):
        own = _unpadded(tuple(chain.from_iterable(graph[block].instructions for block in sorted(loop.own))))
        if hottest.depth and own == hottest.instructions:
            rank = index
        elif own:
            others.append(Region(HotLoop(own, loop.depth, whole=False, addressed=function.addressed), index))
    return Region(hottest, rank), *others


def _unpadded(code: tuple[Instruction, ...]) -> tuple[Instruction, ...]:
    return tuple(i for i in code if i.kind is not InstructionKind.NOP)
