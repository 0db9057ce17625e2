"""Results that were computed and that nothing reads, as findings: the instruction that should have used them is missing.

No rule of memory is broken where a store is lost whose place still holds what an earlier step wrote; but the value that it would have
stored has no reader then.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from hotloop.emulate.sanitizer.findings import Finding, Trouble
from hotloop.isa.amdgcn.registers import name
from hotloop.isa.amdgcn.unused import TRITON, compiled, inlined, unused
from hotloop.isa.dialects.amdgcn import DIALECT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.emulate.arrays import Array
    from hotloop.emulate.instruction import Decoded
    from hotloop.isa.instruction import Instruction

_SHOWN = 3
"""Results of a kernel that are told; the rest are mostly what the first ones were made for."""


def lost(listing: str, kernel: str, code: Sequence[Decoded], counts: Array) -> tuple[Finding, ...]:
    """Return findings about executed instructions whose results nothing reads."""
    executed = {item.address for item, count in zip(code, counts.tolist(), strict=True) if count}
    found = [one for one in _unused(listing, kernel) if one[0].address in executed]
    return tuple(_finding(*one) for one in found[:_SHOWN])


@lru_cache(maxsize=64)
def _unused(listing: str, kernel: str) -> tuple[tuple[Instruction, tuple[int, ...]], ...]:
    skipped, parts = inlined(listing), TRITON in listing or not compiled(listing)
    return tuple(
        one
        for function in DIALECT.parse(listing)
        if function.name == kernel
        for one in unused(function, parts=parts)
        if one[0].line not in skipped
    )


def _finding(item: Instruction, registers: tuple[int, ...]) -> Finding:
    return Finding(
        trouble=Trouble.UNUSED,
        text=_text(item, registers),
        address=item.address,
        line=item.line,
        instruction=f"{item.mnemonic} {item.operands}".rstrip(),
    )


def _text(item: Instruction, registers: tuple[int, ...]) -> str:
    made = ", ".join(name(register) for register in registers[:4])
    verb = "loads" if "load" in item.mnemonic or "_read" in item.mnemonic else "computes"
    return f"{verb} {made}, which nothing reads: what should store or use it is missing"
