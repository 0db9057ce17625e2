"""x86-64 with SSE, AVX, AVX2 and AVX-512, in Intel syntax as capstone and objdump write it, and in AT&T syntax.

Naming rules are those of the Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2: ``v`` marks the
VEX/EVEX form, a final ``ps``/``pd``/``ph`` packed and ``ss``/``sd``/``sh`` one-element floating-point, a leading ``p``
packed integer, ``{1toN}`` (objdump: ``BCST``) an operand that is broadcast from memory.
"""

from __future__ import annotations

from hotloop.errors import MissingExtraError
from hotloop.isa import listing as objdump
from hotloop.isa.instruction import Function
from hotloop.isa.uncollected import uncollected
from hotloop.isa.x86 import assembly, att
from hotloop.isa.x86.classify import classify
from hotloop.isa.x86.rows import Page

__all__ = ("DIALECT", "X86", "classify")


class X86:
    """The machine code of x86 processors."""

    name = "x86"

    def parse(self, listing: str) -> tuple[Function, ...]:
        """Return the functions of a listing of objdump, with or without raw bytes, or else of a compiler's assembly text."""
        with uncollected():
            cut = objdump.cut(listing) if objdump.addressed(listing) else None
            if cut is None or not cut.keys:
                cut = assembly.cut(listing)
            return tuple(Page(cut, turned=att.written_so(listing)).functions())

    def decode(self, code: bytes, address: int, name: str) -> Function:
        """Return a function decoded by capstone. Raises MissingExtraError."""
        try:
            from capstone import CS_ARCH_X86, CS_MODE_64, Cs
        except ModuleNotFoundError as error:
            raise MissingExtraError("decoding x86-64 machine code", "cpu") from error
        decoder = Cs(CS_ARCH_X86, CS_MODE_64)
        decoder.skipdata = True  # an instruction that this capstone does not know must not hide the rest
        rows = [(where, f"{word} {operands}") for where, _, word, operands in decoder.disasm_lite(code, address)]
        keys = [text for _, text in rows]
        addresses = [where for where, _ in rows]
        texts = {key: (key.partition(" ")[0], key.partition(" ")[2]) for key in set(keys)}
        cut = objdump.Cut(addresses, keys, [None] * len(keys), [(name, 0, len(keys))], texts)
        return next(Page(cut).functions(len(code)), Function(name, (), len(code)))


DIALECT = X86()
