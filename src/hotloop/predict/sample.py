"""Executing a few work-groups from the middle of a grid: exact counts, and how their accesses move from group to group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.errors import EmulateError, Exhausted
from hotloop.emulate.launch import Inside, Launch, run
from hotloop.emulate.machine import Options
from hotloop.emulate.memory import Blank
from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.predict.accesses import Accesses, of
from hotloop.predict.paths import NEAR, Even, Paths, walked
from hotloop.predict.unread import unread
from hotloop.predict.watch import Watch, Ways
from hotloop.units import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.emulate.program import Program
    from hotloop.emulate.sanitizer.findings import Finding

    Array = NDArray[Any]

_AXES = 3
ALIKE = 1.05
"""Largest over smallest work of groups that count as doing the same."""
_PARTS = 64
"""Number of parts of the grid from each of which a group is executed where groups differ; fewer where the groups take long."""
_BUDGET = 30_000_000
"""Largest number of wave instructions that a sample executes."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the executed groups did."""

    origin: tuple[int, int, int]
    """The group that the others are compared with."""
    groups: int
    """Number of groups that were executed."""
    group_waves: int
    counts: Mapping[int, float]
    """Executions of each instruction by a wave, by its address, mean over the waves executed; what never runs is left out."""
    conflict_cycles: Mapping[int, float]
    """Cycles of the local memory for an instruction, mean per wave, by its address."""
    accesses: Accesses
    """Accesses of the waves of `origin`."""
    paths: Paths
    """How these accesses move from group to group."""
    regular: bool
    """True when that is known to within half a line, and all groups do the same."""
    room_bytes: float
    """Size of all buffers of the launch."""
    spread: float
    """Largest over smallest number of accesses, or of instructions, that a group made."""
    longest: float = 1.0
    """Accesses of the wave that makes most over the mean of all waves, of instructions where groups differ: how much longer its way is."""
    outside: str = ""
    """The first access that lies in none of the launch's arrays, in words; such accesses are not counted. Empty: there is none."""
    remarks: tuple[str, ...] = ()
    """What is worth knowing about it though it is no doubt."""


def middle(grid: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """Return a group from the middle of a grid, then along each axis its neighbour and one farther away, where there are any.

    The last one along an axis is often cut off and comes first only where it is the only one.

    >>> middle((8, 1, 1))
    [(4, 0, 0), (5, 0, 0), (6, 0, 0)]
    """
    at = tuple(min(size // 2, max(0, size - 2)) for size in grid)
    groups = [at]
    for axis, size in enumerate(grid):
        steps = {1, size // 4} if at[axis] + 1 < size else {-1} if size > 1 else set()
        groups += [tuple(n + step * (k == axis) for k, n in enumerate(at)) for step in sorted(steps - {0})]
    return [(x, y, z) for x, y, z in groups]


def sample(program: Program, launch: Launch, together: int = 1) -> Sample:
    """Execute the middle of a grid.

    Args:
        program: the kernel.
        launch: how it is started.
        together: groups that run at a time, of which the beginnings are executed where groups do not lie at even steps.

    Raises:
        EmulateError: the executor cannot run the kernel.
    """
    chosen = middle(launch.grid)
    watch = Watch(program.target, program.layout.lanes)
    options = Options(races=False, undefined=False, late=False, budget=_BUDGET, waves=1 << 12)
    try:
        made = run(program, launch, options, watch, np.array(chosen))
    except Exhausted as error:
        words = f"{counted(len(chosen), 'work-group')} of {program.name} did not end within {_BUDGET} wave instructions"
        raise EmulateError(f"{words}; they were at {error.where}: give a smaller problem to predict.") from error
    group_waves = made.waves // len(chosen)
    groups = of(watch.touches, len(chosen), group_waves)
    order = np.argsort(groups[0].order, kind="stable")
    shifts, regular = _shifts(chosen, groups)
    paths: Paths = Even.along(shifts[order], launch.grid, chosen[0])
    if not regular and len(groups) > 1 and (seen := walked(program, launch, groups[0], groups[1], together)):
        paths, regular = replace(seen, tracks=seen.tracks[order]), True
    spread = max(_spread([len(group) for group in groups]), _spread(watch.spent.reshape(len(chosen), -1).sum(axis=1)))
    counts, longest = made.counts / made.waves, _longest(groups, group_waves)
    if spread > ALIKE and (across := _across(program, launch, float(watch.spent.sum()) / len(chosen))):
        counts, longest = across
    return Sample(
        origin=chosen[0],
        groups=len(chosen),
        group_waves=group_waves,
        counts={program.code[n].address: float(counts[n]) for n in np.flatnonzero(counts)},
        conflict_cycles={program.code[n].address: c / made.waves for n, c in watch.conflict_cycles.items()},
        accesses=groups[0].where(order),
        paths=paths,
        regular=regular,
        room_bytes=float(sum(_bytes(value) for value in launch.arguments)),
        spread=spread,
        longest=longest,
        outside=_outside(made.findings),
        remarks=unread(watch.touches, made.buffers, launch, len(chosen)),
    )


def _outside(findings: Sequence[Finding]) -> str:
    """Return the first access out of bounds in words, with its line; empty: there is none."""
    found = next((finding for finding in findings if finding.trouble is Trouble.BOUNDS), None)
    if found is None:
        return ""
    return f"{found.text}{f', line {found.line} of the listing' if found.line else ''}"


def _spread(sizes: Sequence[int] | Array) -> float:
    """Return the largest over the smallest of some numbers; 1: all are 0."""
    return float(max(sizes) / max(1, min(sizes))) if max(sizes) else 1.0


def _across(program: Program, launch: Launch, group_steps: float) -> tuple[Array, float] | None:
    """Return the mean counts of a wave where work-groups differ, and how much longer the longest way is; None: the ways are too long.

    A group is drawn from each of some parts of the grid, at random, as rows of a grid may lie at the distance of the parts.

    Args:
        program: the kernel.
        launch: how it is started.
        group_steps: instructions of a group, as far as is known.
    """
    x, y, z = launch.grid
    parts = int(min(_PARTS, x * y * z, _BUDGET // (2 * group_steps)))
    if not parts:
        return None
    edges = np.arange(parts + 1) * (x * y * z) // parts
    numbers = np.random.default_rng(0).integers(edges[:-1], edges[1:])
    ways = Ways()
    options = Options(races=False, undefined=False, late=False, budget=_BUDGET, waves=1 << 12)
    with suppress(Exhausted):
        made = run(
            program, launch, options, ways, np.stack((numbers % x, numbers // x % y, numbers // (x * y)), axis=1)
        )
        return made.counts / made.waves, float(ways.spent.max() / ways.spent.mean())
    return None


def _longest(groups: list[Accesses], group_waves: int) -> float:
    """Return the accesses of the wave with most of them over the mean."""
    each = np.stack([np.bincount(group.wave, minlength=group_waves) for group in groups])
    return float(each.max() / each.mean()) if each.any() else 1.0


def _shifts(chosen: list[tuple[int, int, int]], groups: list[Accesses]) -> tuple[Array, bool]:
    """Return how each access of the first group moves along the axes, and whether it does so evenly."""
    shifts, regular = np.zeros((len(groups[0]), _AXES), np.int64), True
    distances = np.array(chosen[1:], np.int64).reshape(-1, _AXES) - np.array(chosen[0])
    for axis in range(_AXES):
        beside = np.flatnonzero(distances[:, axis])
        moved = [groups[0].moved(groups[1 + n]) for n in beside]
        if any(shift is None for shift in moved):
            regular = False
        means = [
            (shift[0] / distances[n, axis], shift) for n, shift in zip(beside, moved, strict=True) if shift is not None
        ]
        if not means:
            continue
        shifts[:, axis] = np.rint(means[-1][0])  # the farthest one: roundings of an address weigh least there
        near = means[0][0]
        regular &= all(bool((spread <= NEAR).all()) for _, (_, spread) in means)
        regular &= bool((np.abs(near - means[-1][0]) <= NEAR).all())
        if not regular:
            shifts[:, axis] = np.rint(near)
    return shifts, regular


def _bytes(argument: Any) -> int:  # noqa: ANN401 - an argument of any kind
    whole = argument.array if isinstance(argument, Inside) else argument
    return int(whole.nbytes) if isinstance(whole, np.ndarray | Blank) else 0
