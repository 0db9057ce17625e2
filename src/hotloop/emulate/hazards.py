"""Registers that are read or overwritten before their load has arrived."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.emulate.findings import Trouble
from hotloop.isa.amdgcn.registers import name

if TYPE_CHECKING:
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded


def untouched(c: Cohort, scalars: list[int]) -> None:
    """Mark everything that the launch did not set as never written."""


def inspect(c: Cohort, ins: Decoded) -> None:
    """Look at an instruction that touches registers which are pending or hold poison."""
    for operation in c.pending:
        if ins.reads & operation.mask:
            register = _lowest(ins.reads & operation.mask)
            text = f"reads {name(register)} before a wait covers the load"
            c.batch.findings.add(Trouble.WAIT, ins, c, 0, None, text, operation.instruction)
        elif ins.writes & operation.mask and not _ordered(ins, operation.instruction):
            register = _lowest(ins.writes & operation.mask)
            text = f"writes {name(register)}, which a load will overwrite later"
            c.batch.findings.add(Trouble.OVERWRITE, ins, c, 0, None, text, operation.instruction)


def _ordered(ins: Decoded, earlier: Decoded) -> bool:
    """Tell whether both are loads of one stream, which write in the order of their issue."""
    mine, its = {i.stream for i in ins.issues}, {i.stream for i in earlier.issues}
    return bool(mine) and mine == its


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1
