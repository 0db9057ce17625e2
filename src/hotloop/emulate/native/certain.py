"""What C found, as a finding, where it is certain that NumPy would report the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.emulate.sanitizer.findings import Finding, Trouble, told
from hotloop.emulate.sanitizer.lockfree import swaps
from hotloop.isa.amdgcn.registers import name
from hotloop.isa.bitset import members

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.program import Program

_READ_EARLY, _WRITTEN_EARLY, _LOCAL_READ, _LOCAL_WRITTEN = 1, 2, 3, 4
"""Reasons, as in ``c/types.h``; 0: not certain."""


def finding(program: Program, words: Sequence[int]) -> Finding | None:
    """Return the finding of an execution in C that stopped; None: NumPy must say what it is."""
    why, other = int(words[0]) & 255, (int(words[0]) >> 8) - 1
    item = program.code[int(words[1])]
    if why in (_READ_EARLY, _WRITTEN_EARLY) and other >= 0:
        return _early(item, program.code[other], int(words[3]))
    if why in (_LOCAL_READ, _LOCAL_WRITTEN) and not any(swaps(one) for one in program.code):
        return _raced(item, why, int(words[3]))
    return None


def _early(item: Decoded, load: Decoded, wave: int) -> Finding | None:
    read, written = item.reads & load.writes, item.writes & load.writes
    if not read | written:
        return None
    text = (
        f"reads {name(next(members(read)))} before a wait covers the load"
        if read
        else f"writes {name(next(members(written)))}, which a load overwrites later"
    )
    return replace(told(Trouble.WAIT if read else Trouble.OVERWRITE, item, text, load), wave=wave)


def _raced(item: Decoded, why: int, wave: int) -> Finding:
    verb = "reads" if item.name.startswith(("ds_read", "ds_load")) else "writes"
    text = (
        f"{verb} local memory that another wave writes, with no wait and barrier in between"
        if why == _LOCAL_READ
        else "writes local memory that another wave reads, with no barrier in between"
    )
    return replace(told(Trouble.LOCAL_RACE, item, text, None), wave=wave)
