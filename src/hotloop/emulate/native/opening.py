"""What a launch begins with, for a back end that keeps its own registers: memory, first values, what is undefined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.hazards import untouched
from hotloop.emulate.launch import Execution, back, placed
from hotloop.emulate.memory import Buffer, Memory
from hotloop.emulate.start import started, vector_rows
from hotloop.emulate.state import Registers

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.launch import Launch
    from hotloop.emulate.program import Program


@dataclass(frozen=True, slots=True)
class Start:
    """Memory and registers of a launch before its first instruction."""

    memory: Memory
    buffers: Mapping[int, Buffer]
    """Buffers by the number of their argument."""
    waves: int
    """Waves of a work-group."""
    registers: Registers
    """First contents of the registers of work-group (0, 0, 0)."""
    moving: tuple[tuple[int, int, int], ...]
    """Scalar rows that hold a work-group's number: row, axis, what the number is multiplied with."""
    undefined: frozenset[int]
    """Registers that nobody has set."""


def start(program: Program, launch: Launch) -> Start:
    """Return what a launch begins with."""
    memory, buffers, kernarg = placed(program, launch)
    waves = -(-int(np.prod(launch.workgroup)) // program.layout.lanes)
    registers, rows = _first(program, launch, memory, kernarg, waves, (0, 0, 0))
    moving = list[tuple[int, int, int]]()
    for axis, number in enumerate(((1, 0, 0), (0, 1, 0), (0, 0, 1))):
        other, _ = _first(program, launch, memory, kernarg, waves, number)
        factors = other.s[:, 0] - registers.s[:, 0]
        moving += [(int(row), axis, int(factors[row])) for row in np.flatnonzero(factors)]
    fresh: Any = SimpleNamespace(layout=program.layout, poison={}, watch=0)
    untouched(fresh, vector_rows(program), rows)
    return Start(memory, buffers, waves, registers, tuple(moving), frozenset(fresh.poison))


def _first(
    program: Program, launch: Launch, memory: Memory, kernarg: int, waves: int, number: tuple[int, int, int]
) -> tuple[Registers, list[int]]:
    batch: Any = SimpleNamespace(
        memory=memory, numbers=np.array([number]), group_of=np.zeros(waves, np.int64), waves_per_group=waves
    )
    return started(batch, program, launch.workgroup, kernarg)


def finished(
    launch: Launch, begun: Start, counts: Array, groups: int, written: Mapping[int, Array], seen: Mapping[int, Array]
) -> Execution:
    """Return the execution of a launch in which no detector found anything; `written` and `seen`: as in `Execution`."""
    buffers = begun.buffers
    return Execution(
        arrays=tuple(back(begun.memory, buffers.get(n), value) for n, value in enumerate(launch.arguments)),
        findings=(),
        counts=counts,
        waves=groups * begun.waves,
        executed=int(counts.sum()),
        buffers={buffer.name: buffer for buffer in buffers.values()},
        written=written,
        seen=seen,
    )
