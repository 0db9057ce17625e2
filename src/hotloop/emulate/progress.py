"""Waves that wait for what never comes: nothing changes memory any more, and their registers come back to what they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.errors import StandstillError
from hotloop.emulate.hazards import inspect
from hotloop.emulate.sanitizer.findings import Trouble

if TYPE_CHECKING:
    from hotloop.emulate.arrays import World
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded

_LONGEST = 20_000
"""Instructions of a loop that is looked through when nobody can go on, and of one that is taken for spinning at once."""
_SHORT = 500
_MEMORY = ("global_", "flat_", "buffer_", "ds_", "s_load", "s_buffer_load")


def stand_still(batch: World) -> None:
    """Report waves that go round without any effect, if all that can run do so.

    Raises:
        StandstillError: they do; each is reported as waiting in vain.
    """
    loops: list[tuple[Cohort, Decoded]] = []
    before = batch.changes
    for c in [c for c in batch.cohorts if not c.blocked]:
        batch.cohorts.remove(c)
        place, alive = _round(batch, c, _LONGEST)
        if alive:
            batch.cohorts.append(c)
        if place is None or batch.changes != before:
            return
        loops.append((c, place))
    for c, place in loops:
        text = "waits in a loop for a change that no wave makes: all others have ended, or wait themselves"
        batch.findings.add(Trouble.NEVER, place, c, 0, None, text)
    raise StandstillError


def spins(batch: World, c: Cohort) -> tuple[bool, bool]:
    """Let waves go on, and tell whether they go round a short loop without any effect, and whether they still run as one."""
    before = batch.changes
    place, alive = _round(batch, c, _SHORT)
    return place is not None and batch.changes == before, alive


def _round(batch: World, c: Cohort, longest: int) -> tuple[Decoded | None, bool]:
    """Execute until everything is as it was.

    Returns:
        The last access of memory on the way, None when it does not come back; and whether the waves still run as one.
    """
    pc, vector, scalar, flags = c.pc, None, c.s.copy(), c.scc.copy()
    asked, watching = batch.program.code[pc], batch.options.undefined
    for _ in range(longest):
        ins = batch.program.code[c.pc]
        c.pc += 1
        c.instruction = ins
        if not (watching and ins.touches & c.watch and inspect(c, ins)):
            ins.step(c)
        batch.counts[ins.index] += c.waves
        batch.steps += c.waves
        if ins.name.startswith(_MEMORY):
            asked = ins
        if c.signal:
            c.signal = False
            return None, False
        if c.pc == pc and np.array_equal(c.s, scalar) and np.array_equal(c.scc, flags):
            if vector is not None and np.array_equal(c.v, vector):
                return asked, True
            vector = c.v.copy()  # only of what comes back: the vector file is large
    return None, True
