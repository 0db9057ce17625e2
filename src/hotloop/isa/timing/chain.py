"""The critical path: the longest chain of instructions that each need the one before, as if nothing else took time.

Registers carry it, and so it runs from one iteration into the next: what an iteration adds to it is the least time that an
iteration of one wave can take, however many units there are. Control flow and memory that is written and read again are not
followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotloop.isa.instruction import Instruction
from hotloop.isa.timing.timeline import Register, Slot

_ROUNDS = 4
"""Iterations that are followed: by then a chain through the iterations is longer than any within one."""


@dataclass(frozen=True, slots=True)
class Chain:
    """The longest chain through a region."""

    cycles: int
    """Cycles of the links within one iteration, or of the whole straight-line code."""
    carried_cycles: int
    """Cycles that every iteration adds to a chain which goes on into the next one; 0: no value is carried round."""
    links: tuple[Instruction, ...]
    """First to last, of one iteration."""


def chain(slots: Sequence[Slot], loads: Sequence[tuple[Register, ...]], *, rounds: int = _ROUNDS) -> Chain:
    """Return the critical path of a region.

    Args:
        slots: in the order of control flow.
        loads: registers that each slot's data arrive in, for slots whose `writes` leave them out.
        rounds: 1 for straight-line code.
    """
    ready: dict[Register, tuple[int, int]] = {}
    ends: list[int] = []
    before: list[int | None] = []
    done: list[int] = []
    for _ in range(rounds):
        for at, slot in enumerate(slots):
            begin, cause = max((ready[r] for r in slot.reads if r in ready), default=(0, -1))
            number = len(done)
            done.append(begin + max(slot.price.latency_cycles, slot.price.issue_cycles))
            before.append(None if cause < 0 else cause)
            for register in (*slot.writes, *loads[at]):
                ready[register] = done[number], number
        ends.append(max(done, default=0))
    count = len(slots)
    growth = ends[-1] - ends[-2] if rounds > 1 and count else 0
    last = max(range(len(done) - count, len(done)), key=done.__getitem__) if count else None
    numbers = _links(last, before, len(done) - count if rounds > 1 else 0)
    links = tuple(slots[number % count].instruction for number in numbers)
    length = done[numbers[-1]] - _begin(numbers[0], before, done) if numbers else 0
    return Chain(length, growth, links)


def _links(last: int | None, before: Sequence[int | None], first: int) -> list[int]:
    """Follow a chain back to the beginning of the last iteration."""
    links = []
    number = last
    while number is not None and number >= first:
        links.append(number)
        number = before[number]
    return links[::-1]


def _begin(number: int, before: Sequence[int | None], done: Sequence[int]) -> int:
    cause = before[number]
    return 0 if cause is None else done[cause]
