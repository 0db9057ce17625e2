"""What is in flight at each point of a kernel: the state that the wait analysis carries along the control flow.

For each stream (`counters.Stream`) it keeps, for a guarded register and for an operation, how many younger operations
the stream has had since: its age. A wait for N completes everything in an ordered stream with an age of at least N. Where
paths meet, the smaller age stays, which needs the stronger wait, so the result holds for every path. The idea of ages is
that of the score brackets of LLVM's SIInsertWaitcnts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hotloop.isa.amdgcn.counters import UNORDERED, Stream

Elapsed = tuple[int, int, int, int]
"""Since an issue: instructions, matrix instructions, cycles of the matrix unit, cycles of issue; the least of all paths."""
INSTANCES = 4
"""Issues of the same instruction that are told apart, as the stages of a software pipeline need; older ones are dropped."""
_AGE_LIMIT = 256
"""Operations older than this are forgotten: a counter has at most six bits, and the hardware stops at its maximum."""
STREAMS = tuple(Stream)
PINNED = tuple(stream in UNORDERED for stream in STREAMS)
INDEX = {stream: index for index, stream in enumerate(STREAMS)}


@dataclass(slots=True)
class Queue:
    """Operations in flight on one counter."""

    registers: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Guarded register -> (age, index of the operation)."""
    operations: dict[int, tuple[int, Elapsed]] = field(default_factory=dict)
    """Operation · INSTANCES + how many times it was issued again -> (age, elapsed)."""


@dataclass(slots=True)
class State:
    """Everything in flight; inside a block ages and times are kept as absolute marks and turned back at its end."""

    queues: dict[int, Queue] = field(default_factory=dict)
    copies: int = 0
    """State of copies into local memory on the paths to this point: bits of `COPY_NONE`, `COPY_DRY`, `COPY_LANDED`."""


COPY_NONE, COPY_DRY, COPY_LANDED = 1, 2, 4


def merge(into: State | None, other: State, *, times: bool = True) -> tuple[State, bool]:
    """Join two ways to reach a block; also tell whether the first one changed.

    Without `times` a shorter elapsed time alone is no change: it affects reported distances only, never hazards.
    """
    if into is None:
        return State(
            {s: Queue(dict(q.registers), dict(q.operations)) for s, q in other.queues.items()}, other.copies
        ), True
    changed = bool(other.copies & ~into.copies)
    into.copies |= other.copies
    for stream, queue in other.queues.items():
        mine = into.queues.setdefault(stream, Queue())
        for register, entry in queue.registers.items():
            old = mine.registers.get(register)
            if old is None or entry < old:
                mine.registers[register] = entry
                changed = True
        for key, (age, elapsed) in queue.operations.items():
            mine_operation = mine.operations.get(key)
            best = (
                (age, elapsed)
                if mine_operation is None
                else (min(age, mine_operation[0]), min(elapsed, mine_operation[1]))
            )
            if best != mine_operation:
                mine.operations[key] = best
                changed |= times or mine_operation is None or best[0] != mine_operation[0]
    return into, changed


class Flight:
    """A state on its way through one block."""

    __slots__ = ("copies", "cycles", "instructions", "matrices", "matrix_cycles", "operations", "registers", "tops")

    def __init__(self, state: State) -> None:
        self.tops = [0] * len(STREAMS)
        self.registers: list[dict[int, tuple[int, int]]] = [{} for _ in STREAMS]
        """Per stream: register -> (mark, operation); the age is the stream's top less the mark."""
        self.operations: list[dict[int, tuple[int, Elapsed]]] = [{} for _ in STREAMS]
        """Per stream: key -> (mark, clock at the issue)."""
        self.copies = state.copies
        self.instructions = self.matrices = self.matrix_cycles = self.cycles = 0
        for index, queue in state.queues.items():
            self.registers[index] = {r: (-age, op) for r, (age, op) in queue.registers.items()}
            self.operations[index] = {
                key: (-age, (-t[0], -t[1], -t[2], -t[3])) for key, (age, t) in queue.operations.items()
            }

    def state(self) -> State:
        """Return it with ages and times counted from here."""
        queues = {}
        for index, top in enumerate(self.tops):
            registers, operations = self.registers[index], self.operations[index]
            if registers or operations:
                queues[index] = Queue(
                    {r: (top - mark, op) for r, (mark, op) in registers.items()},
                    {
                        key: (top - mark, self.since(clock))
                        for key, (mark, clock) in operations.items()
                        if top - mark <= _AGE_LIMIT
                    },
                )
        return State(queues, self.copies)

    def since(self, clock: Elapsed) -> Elapsed:
        """Return what passed since a clock reading."""
        return (
            self.instructions - clock[0], self.matrices - clock[1], self.matrix_cycles - clock[2], self.cycles - clock[3],
        )  # fmt: skip

    def issue(self, stream: int, operation: int, holds: tuple[int, ...], *, again: bool = False) -> None:
        """Put an operation in flight; its earlier issues stay visible beside it only if it may run `again` unwaited."""
        if not PINNED[stream]:
            self.tops[stream] += 1
        mark = self.tops[stream]
        for register in holds:
            self.registers[stream][register] = (mark, operation)
        table, key = self.operations[stream], operation * INSTANCES
        if again and key in table:
            for instance in range(INSTANCES - 1, 0, -1):
                if key + instance - 1 in table:
                    table[key + instance] = table[key + instance - 1]
        table[key] = (mark, (self.instructions, self.matrices, self.matrix_cycles, self.cycles))

    def outstanding(self, stream: int, count: int) -> Iterator[tuple[int, Elapsed]]:
        """Yield the operations of a stream that a wait for `count` would have to wait for, each with its elapsed times."""
        if PINNED[stream] and count:
            return
        limit = self.tops[stream] - count
        for key, (mark, clock) in self.operations[stream].items():
            if mark <= limit:
                yield key, self.since(clock)

    def complete(self, stream: int, count: int) -> None:
        """Take out everything that a wait for `count` completes."""
        if PINNED[stream] and count:
            return
        if count == 0:
            self.registers[stream].clear()
            self.operations[stream].clear()
            return
        limit = self.tops[stream] - count
        registers, operations = self.registers[stream], self.operations[stream]
        for register in [r for r, (mark, _) in registers.items() if mark <= limit]:
            del registers[register]
        for key in [k for k, (mark, _) in operations.items() if mark <= limit]:
            del operations[key]
