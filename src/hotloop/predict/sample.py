"""Executing a few work-groups from the middle of a grid: exact counts, and how their accesses move from group to group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.launch import Launch, run
from hotloop.emulate.machine import Options
from hotloop.predict.watch import Touch, Watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.emulate.program import Program

    Array = NDArray[Any]

_AXES = 3
_BUDGET = 30_000_000
"""Wave instructions of a sample."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the executed groups did."""

    origin: tuple[int, int, int]
    """The group that the others are compared with."""
    groups: int
    """Executed."""
    group_waves: int
    counts: Mapping[int, float]
    """Executions of each instruction by a wave, by its address, mean over the waves executed; what never runs is left out."""
    conflict_cycles: Mapping[int, float]
    """Cycles of the local memory for an instruction, mean per wave, by its address."""
    touches: tuple[Touch, ...]
    """Accesses of the origin's waves, in the order of their issue."""
    shifts: Array
    """Bytes by which each of these moves from one group to the next, along x, y and z; shape [accesses, 3]."""
    regular: bool
    """True when every access moves by the same bytes in all lanes, and all groups do the same."""
    spread: float
    """Largest over smallest number of instructions that a group executed."""


def middle(grid: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """Return a group from the middle of a grid, then its neighbours along the axes that have any.

    >>> middle((8, 1, 1))
    [(4, 0, 0), (5, 0, 0)]
    """
    at = tuple(size // 2 for size in grid)
    found = [at]
    for axis, size in enumerate(grid):
        if size > 1:
            step = 1 if at[axis] + 1 < size else -1
            found.append(tuple(n + step * (k == axis) for k, n in enumerate(at)))
    return [(x, y, z) for x, y, z in found]


def sample(program: Program, launch: Launch) -> Sample:
    """Execute the middle of a grid.

    Raises:
        EmulateError: the executor cannot run the kernel.
    """
    chosen = middle(launch.grid)
    watch = Watch(program.target, program.layout.lanes)
    options = Options(races=False, undefined=False, late=False, budget=_BUDGET, waves=1 << 12)
    made = run(program, launch, options, watch, np.array(chosen))
    group_waves = made.waves // len(chosen)
    streams = [[watch.touches.get((g, w), []) for w in range(group_waves)] for g in range(len(chosen))]
    origin = [touch for stream in streams[0] for touch in stream]
    shifts, regular = _shifts(chosen, streams)
    order = np.argsort([touch.order for touch in origin], kind="stable")
    sizes = [sum(map(len, group)) for group in streams]
    return Sample(
        origin=chosen[0],
        groups=len(chosen),
        group_waves=group_waves,
        counts={program.code[n].address: float(made.counts[n]) / made.waves for n in np.flatnonzero(made.counts)},
        conflict_cycles={program.code[n].address: c / made.waves for n, c in watch.conflict_cycles.items()},
        touches=tuple(origin[n] for n in order),
        shifts=shifts[order] if origin else np.zeros((0, _AXES), np.int64),
        regular=regular,
        spread=max(sizes) / max(1, min(sizes)) if max(sizes) else 1.0,
    )


def _shifts(chosen: list[tuple[int, int, int]], streams: list[list[list[Touch]]]) -> tuple[Array, bool]:
    """Return how each access of the first group moves along the axes, and whether it does so evenly."""
    count = sum(map(len, streams[0]))
    found, regular = np.zeros((count, _AXES), np.int64), True
    for group, place in enumerate(chosen[1:], 1):
        axis = next(k for k in range(_AXES) if place[k] != chosen[0][k])
        sign = place[axis] - chosen[0][axis]
        at = 0
        for mine, other in zip(streams[0], streams[group], strict=True):
            regular &= len(mine) == len(other)
            for n, touch in enumerate(mine):
                moved, even = _moved(touch, other[n]) if n < len(other) else (0, False)
                found[at + n, axis], regular = sign * moved, regular and even
            at += len(mine)
    return found, regular


def _moved(one: Touch, two: Touch) -> tuple[int, bool]:
    if one.instruction != two.instruction or len(one.addresses) != len(two.addresses):
        return 0, False
    difference = two.addresses - one.addresses
    return int(difference[0]), bool((difference == difference[0]).all())
