"""The loop where a traced kernel spends its time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotloop.profiles.trace import TracedInstruction, TracedKernel


@dataclass(frozen=True, slots=True)
class HotLoop:
    """Instructions ``first`` to ``last`` of the kernel, both included."""

    first: int
    last: int


def weight(instruction: TracedInstruction) -> float:
    """Return the time of an instruction: cycles of all traced waves, or samples where only samples were taken."""
    if instruction.latency_cycles is not None:
        return instruction.latency_cycles + (instruction.idle_cycles or 0)
    return (instruction.samples_issued or 0) + (instruction.samples_stalled or 0)


def hot_loop(kernel: TracedKernel) -> HotLoop | None:
    """Return the innermost executed loop with the most time; None when nothing was executed repeatedly.

    Loops are closed by backward branches. Where no branch's target is known, a loop is a run of instructions that were
    executed more often than the kernel's first.
    """
    code = kernel.instructions
    loops = [HotLoop(first, last) for first, last in _innermost(_closed(code))]
    loops = [loop for loop in loops if _time(code, loop) > 0] or _by_counts(code)
    return max(loops, key=lambda loop: _time(code, loop), default=None)


def _time(code: Sequence[TracedInstruction], loop: HotLoop) -> float:
    return sum(weight(i) for i in code[loop.first : loop.last + 1])


def _closed(code: Sequence[TracedInstruction]) -> list[tuple[int, int]]:
    """Return (header, last branch back to it) in the order of headers."""
    places = {(i.code_object, i.address): n for n, i in enumerate(code)}
    ends: dict[int, int] = {}
    for number, instruction in enumerate(code):
        if instruction.target is not None and instruction.target <= instruction.address:
            header = places.get((instruction.code_object, instruction.target))
            if header is not None:
                ends[header] = max(number, ends.get(header, 0))
    return sorted(ends.items())


def _innermost(loops: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Keep loops that contain no other; sorted by header, a contained one follows its container."""
    kept: list[tuple[int, int]] = []
    for first, last in reversed(loops):
        if not any(first <= a and b <= last for a, b in kept):
            kept.append((first, last))
    return kept


def _by_counts(code: Sequence[TracedInstruction]) -> list[HotLoop]:
    entered = next((i.hits for i in code if i.hits), None)
    if entered is None:
        return []
    loops: list[HotLoop] = []
    first: int | None = None
    for number, instruction in enumerate(code):
        repeated = (instruction.hits or 0) > entered
        if repeated and first is None:
            first = number
        elif not repeated and first is not None:
            loops.append(HotLoop(first, number - 1))
            first = None
    if first is not None:
        loops.append(HotLoop(first, len(code) - 1))
    return loops
