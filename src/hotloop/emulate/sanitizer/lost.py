"""Results that were computed and that nothing reads, as findings: the instruction that should have used them is missing.

No rule of memory is broken where a store is lost whose place still holds what an earlier step wrote; but the value that it would have
stored has no reader then.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from hotloop.emulate.sanitizer.findings import Finding, Trouble
from hotloop.isa.amdgcn.registers import access, name
from hotloop.isa.amdgcn.unused import compiled, inlined, unused
from hotloop.isa.dialects.amdgcn import DIALECT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hotloop.emulate.arrays import Array
    from hotloop.emulate.program import Program
    from hotloop.isa.instruction import Instruction

_SHOWN = 3
"""Results of a kernel that are told; the rest are mostly what the first ones were made for."""


def lost(listing: str, program: Program, counts: Array) -> tuple[Finding, ...]:
    """Return findings about executed instructions whose results nothing reads."""
    executed = {item.address for item, count in zip(program.code, counts.tolist(), strict=True) if count}
    found = [item for item in _unused(listing, program.name) if item.address in executed]
    return tuple(_finding(item) for item in found[:_SHOWN])


@lru_cache(maxsize=64)
def _unused(listing: str, kernel: str) -> tuple[Instruction, ...]:
    skipped = inlined(listing)
    return tuple(
        item
        for function in DIALECT.parse(listing)
        if function.name == kernel
        for item in unused(function)
        if item.line not in skipped
    )


def _finding(item: Instruction) -> Finding:
    return Finding(
        trouble=Trouble.UNUSED,
        text=_text(item),
        address=item.address,
        line=item.line,
        instruction=f"{item.mnemonic} {item.operands}".rstrip(),
    )


def _text(item: Instruction) -> str:
    made = ", ".join(_names(item))
    verb = "loads" if "load" in item.mnemonic or "_read" in item.mnemonic else "computes"
    return f"{verb} {made}, which nothing reads: what should store or use it is missing"


def _names(item: Instruction) -> Iterator[str]:
    for register in access(item.mnemonic, item.operands).writes[:4]:
        yield name(register)
