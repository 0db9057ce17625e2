"""What C found, as a finding, where it is certain that NumPy would report the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.emulate.sanitizer.findings import Finding, Trouble
from hotloop.emulate.sanitizer.lockfree import swaps
from hotloop.isa.amdgcn.registers import name
from hotloop.isa.bitset import members

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.program import Program

_READ_EARLY, _WRITTEN_EARLY, _LOCAL_READ, _LOCAL_WRITTEN = 1, 2, 3, 4
"""Reasons, as in ``c/types.h``; 0: not certain."""


def finding(program: Program, told: Sequence[int]) -> Finding | None:
    """Return the finding of an execution in C that stopped; None: NumPy must say what it is."""
    why, other = int(told[0]) & 255, (int(told[0]) >> 8) - 1
    item = program.code[int(told[1])]
    if why in (_READ_EARLY, _WRITTEN_EARLY) and other >= 0:
        return _early(item, program.code[other], int(told[3]))
    if why in (_LOCAL_READ, _LOCAL_WRITTEN) and not any(swaps(one) for one in program.code):
        return _raced(item, why, int(told[3]))
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
    return _finding(Trouble.WAIT if read else Trouble.OVERWRITE, item, text, wave, load)


def _raced(item: Decoded, why: int, wave: int) -> Finding:
    verb = "reads" if item.name.startswith(("ds_read", "ds_load")) else "writes"
    text = (
        f"{verb} local memory that another wave writes, with no wait and barrier in between"
        if why == _LOCAL_READ
        else "writes local memory that another wave reads, with no barrier in between"
    )
    return _finding(Trouble.LOCAL_RACE, item, text, wave, None)


def _finding(trouble: Trouble, item: Decoded, text: str, wave: int, other: Decoded | None) -> Finding:
    return Finding(
        trouble=trouble,
        text=text,
        address=item.address,
        line=item.line,
        instruction=f"{item.mnemonic} {item.text}".rstrip(),
        other_line=other.line if other else None,
        other_instruction=f"{other.mnemonic} {other.text}".rstrip() if other else "",
        wave=wave,
    )
