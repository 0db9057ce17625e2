"""Choosing the loop where a kernel spends its time, from the code alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hotloop.isa.blocks import blocks
from hotloop.isa.instruction import FLOATING, Function, Instruction, InstructionKind
from hotloop.isa.loops import loops

TRIPS = 10
"""Assumed iterations per nesting level. Only the order of magnitude matters: inner loops win over their surroundings
unless these do far more work per iteration."""
_FUSED = frozenset({InstructionKind.FMA, InstructionKind.MATRIX})


@dataclass(frozen=True, slots=True)
class HotLoop:
    """Instructions of the hot loop that belong to no inner loop, without padding."""

    instructions: tuple[Instruction, ...]
    depth: int
    """Nesting depth, 1 for an outermost loop; 0 when the function has no loop and stands for itself."""

    @property
    def place(self) -> str:
        """Where it is, for people."""
        if not self.instructions:
            return "no code"
        first, last = self.instructions[0].address, self.instructions[-1].address
        name = f"loop of depth {self.depth}" if self.depth else "no loop, whole function"
        return f"{name} at {first:#x}..{last:#x}"


def hot_loop(function: Function) -> HotLoop:
    """Return the loop with the most floating-point work, weighted by nesting; then most vector-memory traffic, then size.

    Work is counted in bits of operands per iteration, a fused operation double, so that the vector body wins over its
    scalar remainder wherever the compiler put them.
    """
    graph = blocks(function)
    regions = [HotLoop(_code(graph[b].instructions for b in sorted(lp.own)), lp.depth) for lp in loops(graph)]
    return max(regions, key=_rank, default=HotLoop(_code([function.instructions]), 0))


def _code(runs: Iterable[tuple[Instruction, ...]]) -> tuple[Instruction, ...]:
    return tuple(i for run in runs for i in run if i.kind is not InstructionKind.NOP)


def _rank(region: HotLoop) -> tuple[int, int, int]:
    weight = TRIPS**region.depth
    work = sum(_work(i) for i in region.instructions)
    moved = sum(i.traits.bits for i in region.instructions if i.traits.reads_memory or i.traits.writes_memory)
    return weight * work, weight * moved, weight * len(region.instructions)


def _work(instruction: Instruction) -> int:
    if instruction.kind not in FLOATING:
        return 0
    return instruction.traits.bits * (2 if instruction.kind in _FUSED else 1)
