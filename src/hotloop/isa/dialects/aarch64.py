"""AArch64, the machine code of Arm's 64-bit processors, with Advanced SIMD (NEON) and SVE.

Read from listings of objdump and llvm-objdump, from compilers' assembly text in the form of the architecture's manual (Arm DDI 0487, part C)
and of Apple's tools, and from bytes by capstone.
"""

from __future__ import annotations

from hotloop.errors import MissingExtraError
from hotloop.isa.aarch64.functions import function
from hotloop.isa.aarch64.text import Row, aim, routines, split
from hotloop.isa.instruction import Function
from hotloop.isa.uncollected import uncollected

__all__ = ("DIALECT", "AArch64")


class AArch64:
    """The machine code of Arm's 64-bit processors."""

    name = "aarch64"

    def parse(self, listing: str) -> tuple[Function, ...]:
        """Return the functions of a disassembly, with or without raw bytes, or else of a compiler's assembly text."""
        with uncollected():
            found, addressed = routines(listing)
            return tuple(function(routine.name, routine.rows, addressed=addressed) for routine in found)

    def decode(self, code: bytes, address: int, name: str) -> Function:
        """Return a function decoded by capstone. Raises MissingExtraError."""
        try:
            from capstone import CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, Cs
        except ModuleNotFoundError as error:
            raise MissingExtraError("decoding AArch64 machine code", "cpu") from error
        decoder = Cs(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN)
        decoder.skipdata = True  # an instruction that this capstone does not know must not hide the rest
        rows = []
        for where, _, mnemonic, operands in decoder.disasm_lite(code, address):
            words = split(f"{mnemonic} {operands}")
            if words is not None:
                rows.append(Row(where, *words, aim(*words, where), 0))
        return function(name, rows, addressed=True, code_bytes=len(code))


DIALECT = AArch64()
