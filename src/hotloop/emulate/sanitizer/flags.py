"""Loads of local memory that wait for a flag: waves of a work-group may tell each other so without a barrier.

An atomic load looks like a plain one there. It is taken for one that waits where a short loop repeats it at an address that the
loop does not change. The order that flags make is not modelled; what is reported in such programs says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.emulate.sanitizer.lockfree import READS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.emulate.instruction import Decoded

CAVEAT = " (order by flags in local memory, for which waves wait here, is not modelled)"
_LONGEST = 32
"""Instructions of a loop that waits for a flag."""
_EFFECTS = ("barrier", "_store", "ds_write")


def waits(code: Sequence[Decoded]) -> bool:
    """Tell whether a program waits for flags in local memory."""
    ends = (end for end in code if end.target is not None and 0 <= end.index - end.target <= _LONGEST)
    return any(_repeats(code[end.target : end.index + 1]) for end in ends)


def _repeats(loop: Sequence[Decoded]) -> bool:
    if any(word in ins.name for ins in loop for word in _EFFECTS):
        return False
    changed = 0
    for ins in loop:
        if not (ins.name.startswith("v_mov_b32") and not ins.operands[1].registers):  # the same number again
            changed |= ins.writes
    loads = (ins for ins in loop if ins.name.startswith(READS[:2]))
    return any(not any(changed >> register & 1 for register in ins.operands[1].registers) for ins in loads)
