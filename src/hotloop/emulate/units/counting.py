"""Counters in local memory that all active lanes of a wave raise or lower at once: ``ds_append`` and ``ds_consume``.

The number of active lanes is added to the word, or subtracted from it, and every active lane receives what was there before. The place
is the same for all lanes: the low half of M0 and the instruction's offset. Sources: AMD's ISA references, "DS_APPEND", "DS_CONSUME";
M0 as LLVM writes it for ``__builtin_amdgcn_ds_append``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.cohort import Effect
from hotloop.emulate.sanitizer.access import Access, Kind
from hotloop.emulate.sanitizer.waits import issue, overwrite
from hotloop.isa.amdgcn.registers import M0, SGPR

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort, Pending
    from hotloop.emulate.instruction import Context, Decoded

_BASE = np.uint32(0xFFFF)
_ACCESS = Access(Kind.ATOMIC, 4)
_SIGNS = {"ds_append": 1, "ds_consume": -1}


def bind(ins: Decoded, context: Context) -> Callable[[Cohort], None] | None:
    """Return the step of a counter in local memory, or None. Raises UnmodelledError for one in global data share."""
    sign = _SIGNS.get(ins.name)
    if sign is None:
        return None
    if "gds" in ins.text.split():
        raise ins.unmodelled()
    row, constant = context.layout.row(ins.operands[0].first), np.int64(ins.modifiers.number("offset"))

    def deliver(cohort: Cohort, operation: Pending) -> None:
        before, active = operation.arrays
        np.copyto(cohort.v[row], before[:, None], where=active)

    def step(c: Cohort) -> None:
        active, counts = c.exec.copy(), c.exec.sum(axis=1)
        start = (c.s[M0 - SGPR] & _BASE).astype(np.int64) + constant
        places = np.broadcast_to(start[:, None], active.shape)
        offsets = c.batch.local.locate(c, ins, places, _first(active), _ACCESS)
        overwrite(c, offsets, offsets >= 0, 4, local=True)
        never = c.batch.local.missing
        before = _count(c.batch.local.words, offsets.max(axis=1), sign * counts)
        c.batch.changes += int(counts.any())
        unset = None if never is None else active & never.any(axis=1)[:, None]
        if unset is not None and c.batch.local.shadow is not None:
            c.batch.local.shadow.forget(np.where(never, offsets, -1), 4)
        issue(c, ins, ins.writes, deliver, (before, active), Effect(active, unset))

    return step


def _first(active: Array) -> Array:
    """Return a mask of each wave's first active lane: the one that stands for the wave's single access."""
    first: Array = active & (np.cumsum(active, axis=1) == 1)
    return first


def _count(words: Array, offsets: Array, changes: Array) -> Array:
    """Change one word for each wave, in their order; return what was there before. A place below 0 is none."""
    before = np.zeros(len(offsets), np.uint32)
    for wave, (offset, change) in enumerate(zip(offsets.tolist(), changes.tolist(), strict=True)):
        if offset >= 0:
            before[wave] = words[offset >> 2]
            words[offset >> 2] = (int(before[wave]) + change) & 0xFFFFFFFF
    return before
