"""Rows of AArch64 code made instructions, with the registers that point into the stack frame."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hotloop.isa.aarch64.classify import classify
from hotloop.isa.aarch64.text import Row
from hotloop.isa.instruction import Function, Instruction

_STACK = frozenset({"sp"})
_COPIED = re.compile(r"x29,\s*sp\b")
FAMILY = "aarch64"


def function(name: str, rows: Iterable[Row], *, addressed: bool, code_bytes: int | None = None) -> Function:
    """Return a function; ``x29`` addresses its frame where it is set from ``sp``, as the procedure call standard has it (AAPCS64)."""
    listed = list(rows)
    frame = _STACK | {"x29"} if any(_COPIED.match(row.operands) for row in listed) else _STACK
    made = tuple(
        Instruction(address, mnemonic, operands, classify(mnemonic, operands, frame), target, line or None)
        for address, mnemonic, operands, target, line in listed
    )
    return Function(name, made, code_bytes, addressed=addressed, family=FAMILY)
