"""Where the accesses of a sampled group lie in other groups: at even steps along the grid, or as other groups' first accesses say."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hotloop.emulate.errors import Exhausted
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.machine import Options
from hotloop.predict.accesses import Accesses, of
from hotloop.predict.watch import Watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.program import Program
    from hotloop.emulate.sanitizer.access import Access

    Array = NDArray[Any]

NEAR = 64
"""Bytes by which an access may miss the place where its path would bring it: half a line of most caches."""
_MOST_WAVES = 1 << 14
"""Largest number of waves that are executed together to see which paths their work-groups take."""
_KEY = 32
"""Number of bits that an instruction's number has in a key."""
_PASSES = 2
"""Largest number of instructions that a wave executes on average, in multiples of the code's length."""


class Paths(Protocol):
    """How the accesses of one group move from group to group. Accesses that move alike share a track."""

    @property
    def tracks(self) -> Array:
        """Of each access; shape [accesses]."""
        ...

    def known(self, numbers: Array) -> Array:
        """Tell of which groups the offsets are known."""
        ...

    def offsets(self, numbers: Array) -> Array:
        """Return the bytes by which groups lie beside the sampled one; shape [tracks, groups]."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Even:
    """Even steps along the axes of the grid."""

    tracks: Array
    steps: Array
    """Bytes from one group to the next along x, y and z; shape [tracks, 3]."""
    grid: tuple[int, int, int]
    origin: tuple[int, int, int]

    @classmethod
    def along(cls, shifts: Array, grid: tuple[int, int, int], origin: tuple[int, int, int]) -> Even:
        """Make the tracks of accesses that move by some bytes along the axes; shape [accesses, 3]."""
        steps, tracks = np.unique(shifts, axis=0, return_inverse=True)
        return cls(tracks.reshape(-1), steps, grid, origin)

    def known(self, numbers: Array) -> Array:
        """All are."""
        return np.ones(len(numbers), bool)

    def offsets(self, numbers: Array) -> Array:
        """Return the bytes by which groups lie beside the sampled one."""
        x, y, _ = self.grid
        places = np.stack((numbers % x, numbers // x % y, numbers // (x * y))) - np.array(self.origin)[:, None]
        moved = np.zeros((len(self.steps), len(numbers)), np.int64)
        for axis in np.flatnonzero(self.steps.any(axis=0)):
            moved += self.steps[:, axis, None] * places[axis]
        return moved


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """As the groups of a part of the grid were seen to go."""

    tracks: Array
    first: int
    """Number of the first group that is known."""
    table: Array
    """Shape [tracks, groups]."""

    def known(self, numbers: Array) -> Array:
        """Those that were executed are."""
        inside: Array = (numbers >= self.first) & (numbers < self.first + self.table.shape[1])
        return inside

    def offsets(self, numbers: Array) -> Array:
        """Return the bytes by which groups lie beside the sampled one."""
        bytes_beside: Array = self.table[:, numbers - self.first]
        return bytes_beside


@dataclass(slots=True)
class _Firsts(Watch):
    """An observer that keeps the first access of each wave by each instruction, which is all that tells its way."""

    waves: int = 0
    """That are executed."""
    _made: dict[int, Array] = field(default_factory=dict)
    """Which waves have made their first access, by instruction."""

    def memory(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> None:
        """Keep an access of the waves that make their first one; shapes [waves, lanes]."""
        made = self._made.setdefault(ins.index, np.zeros(self.waves, bool))
        fresh = lanes & ~made[c.waves_at][:, None]
        if fresh.any():
            made[c.waves_at[fresh.any(axis=1)]] = True
            Watch.memory(self, c, ins, offsets, fresh, access)

    def local(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> None:
        """Take no note of it: bank conflicts are counted where groups are executed whole."""


def walked(program: Program, launch: Launch, origin: Accesses, beside: Accesses, together: int) -> Walked | None:
    """Execute the beginning of the groups that run at a time and before them; None: their accesses are no way to know the later ones.

    Args:
        program: the kernel.
        launch: how it is started.
        origin: accesses of the group in the middle, by wave.
        beside: of its neighbour.
        together: groups that run at a time.
    """
    x, y, z = launch.grid
    groups, group_waves = x * y * z, int(origin.wave.max()) + 1 if len(origin) else 1
    middle = x // 2 + x * (y // 2 + y * (z // 2))
    most = max(2, _MOST_WAVES // group_waves)
    first = max(0, middle - min(together + together // 2, most // 2))
    numbers = np.arange(first, min(groups, first + min(2 * together, most)))
    if not (first <= middle < numbers[-1]):
        return None
    seen = _begun(program, launch, numbers, group_waves)
    tracks, firsts, keys = _tracks(origin)
    begun = np.isin(keys, _tracks(seen[middle - first])[2])
    moved = origin.where(firsts).moved(beside.where(_tracks(beside)[1])) if len(origin) == len(beside) else None
    if moved is None or not (begun | _ends(origin.where(firsts), *moved)).all():
        return None
    # What is not reached in the beginning are stores at the end, each to a place of its own: even steps will do.
    table = np.rint(moved[0])[:, None].astype(np.int64) * (numbers - middle)
    wanted = origin.where(firsts[begun])
    for number, accesses in enumerate(seen):
        reached = wanted.moved(accesses.where(_tracks(accesses)[1]))
        if reached is None or (reached[1] > NEAR).any():
            return None
        table[begun, number] = np.rint(reached[0])
    rows, alike = np.unique(table, axis=0, return_inverse=True)  # what goes the same way shares its lines
    return _consistent(Walked(alike.reshape(-1)[tracks], first, rows), origin, beside, middle)


def _ends(firsts: Accesses, moved: Array, spread: Array) -> Array:
    """Tell which tracks need not be seen in the beginning: stores, and scalar loads of what does not move, as of arguments that are used last."""
    still = firsts.scalar & (moved == 0) & (spread == 0)
    ends: Array = ~firsts.read | still
    return ends


def _consistent(found: Walked, origin: Accesses, beside: Accesses, middle: int) -> Walked | None:
    """Return the paths if they say of a whole group where it goes."""
    moved = origin.moved(beside)
    if moved is None or not found.known(np.array([middle + 1])).all():
        return None
    offsets = found.offsets(np.array([middle + 1]))[found.tracks, 0]
    return found if (np.abs(moved[0] - offsets) <= NEAR).all() else None


def _begun(program: Program, launch: Launch, numbers: Array, group_waves: int) -> list[Accesses]:
    x, y, _ = launch.grid
    places = np.stack((numbers % x, numbers // x % y, numbers // (x * y)), axis=1)
    waves = len(numbers) * group_waves
    watch = _Firsts(program.target, program.layout.lanes, waves=waves)
    options = Options(races=False, undefined=False, late=False, budget=_PASSES * len(program.code) * waves, waves=waves)
    with suppress(Exhausted):  # the beginning is all that is asked for
        run(program, launch, options, watch, places)
    return of(watch.touches, len(numbers), group_waves)


def _tracks(one: Accesses) -> tuple[Array, Array, Array]:
    """Return the track of each access, the first access of each track, and the tracks' keys: wave and instruction."""
    keys, firsts, tracks = np.unique(one.wave << _KEY | one.instruction, return_index=True, return_inverse=True)
    return tracks.reshape(-1), firsts, keys
