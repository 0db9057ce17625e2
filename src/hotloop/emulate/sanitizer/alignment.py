"""Accesses at addresses that are no multiple of what the hardware, or the compiler's own choice of instruction, asks for.

Sources: AMD's ISA references ("Memory alignment", "DS instructions"); LLVM, SITargetLowering: with unaligned access enabled, as
amdhsa does, plain accesses may lie anywhere, atomics may not. Of local memory, wide accesses are chosen for data whose alignment
is known, and for bytes and halves of which nothing is known: a program that has such is told of them in a note only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.sanitizer.access import Access, Kind
from hotloop.emulate.sanitizer.findings import Trouble

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.memory import Buffer

_WORD = 4


def device(c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access, buffer: Buffer) -> None:
    """Report atomics that are not aligned to their size and accesses that are not aligned to the buffer's elements."""
    atomic = access.kind is Kind.ATOMIC
    natural = access.bytes & -access.bytes
    needed = natural if atomic else min(natural, buffer.granule)
    from_start = offsets - buffer.offset
    low = _low(from_start, lanes)
    if low & needed - 1:
        bad = lanes & (from_start & needed - 1 != 0)
        wave, lane = (int(n[0]) for n in np.nonzero(bad))
        verb = access.kind.verb
        what = "an atomic must lie" if atomic else f"its elements of {buffer.granule} bytes lie"
        text = f"{verb} {access.bytes} bytes at byte {int(from_start[wave, lane])} of {buffer.name}: {what} at multiples of {needed}"
        c.batch.findings.add(Trouble.MISALIGNED, ins, c, wave, lane, text)
    elif low & _WORD - 1 and access.bytes >= _WORD:
        c.batch.findings.note(
            ins, f"accesses {buffer.name} at odd addresses, which needs unaligned access and takes longer"
        )


def local(c: Cohort, ins: Decoded, places: Array, lanes: Array, access: Access) -> None:
    """Report accesses of local memory that are not aligned to their size, where the compiler took the address for aligned."""
    natural = access.bytes & -access.bytes
    if not _low(places, lanes) & natural - 1:
        return
    if c.batch.program.small and access.kind is not Kind.ATOMIC:
        c.batch.findings.note(
            ins, f"accesses {access.bytes} bytes of local memory at once where they are not aligned, which takes longer"
        )
        return
    bad = lanes & (places & natural - 1 != 0)
    wave, lane = (int(n[0]) for n in np.nonzero(bad))
    verb = access.kind.verb
    text = f"{verb} {access.bytes} bytes at byte {int(places[wave, lane])} of local memory, no multiple of {natural}"
    c.batch.findings.add(Trouble.MISALIGNED, ins, c, wave, lane, text)


def _low(offsets: Array, lanes: Array) -> int:
    """Return the bits that are set in any active offset; all lanes are looked at first, which is faster and mostly enough."""
    every = int(np.bitwise_or.reduce(offsets, axis=None))
    return every if not every & 0xF else int(np.bitwise_or.reduce(offsets[lanes], axis=None))
