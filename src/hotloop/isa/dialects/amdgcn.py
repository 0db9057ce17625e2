"""AMD GPUs, from assembly text (LLVM, Triton, FlyDSL) and from ``llvm-objdump -d``.

Kernels carry their resources where the text has metadata; clang's OpenCL adds the body of each kernel once more as a
callable function, which has none.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hotloop.isa.amdgcn import assembly, disassembly, metadata
from hotloop.isa.amdgcn.rows import ListingError
from hotloop.isa.instruction import Function

_BUNDLE = re.compile(r"^[#;] __CLANG_OFFLOAD_BUNDLE____(START|END)__ (\S+)[ \t]*$", re.MULTILINE)
_CONTROL = bytes([*range(0x09), *range(0x0E, 0x20)])
"""Control characters that no text has."""
_PROBE_CHARACTERS = 1 << 16
_SLOPPY = 0.01
"""Share of control characters in the beginning of a text above which it is taken for binary data."""
_KEPT, _KEPT_CHARACTERS = 4, 1 << 22
"""How many listings are kept as they were read, and how long one is at most: that of a kernel, not of a library."""


class Amdgcn:
    """The assembly dialect of AMD GPUs."""

    name = "amdgcn"

    def parse(self, listing: str) -> tuple[Function, ...]:
        """Return the functions of a listing, in order, kernels with what the compiler says about them.

        Raises:
            ListingError: empty, binary, cut off, of another architecture, or of several; a ValueError.
        """
        return _parsed(listing) if len(listing) <= _KEPT_CHARACTERS else _read(listing)

    def decode(self, code: bytes, address: int, name: str) -> Function:  # noqa: ARG002 - the protocol's arguments
        """Refuse: this dialect is read from listings only."""
        raise ListingError("machine code of AMD GPUs is read from listings; disassemble it with llvm-objdump -d first")


DIALECT = Amdgcn()


@lru_cache(_KEPT)
def _parsed(listing: str) -> tuple[Function, ...]:
    """Return what `_read` does, kept: what loads a kernel, times it and explains it asks for the same text in turn."""
    return _read(listing)


def _read(listing: str) -> tuple[Function, ...]:
    text = _device_part(_text(listing))
    if disassembly.recognises(text):
        return disassembly.read(text)
    functions = assembly.read(text)
    return metadata.attached(functions, metadata.described(text))


def _text(listing: str) -> str:
    """Return a listing with line feeds only, after a look at its beginning."""
    beginning = listing[:_PROBE_CHARACTERS]
    if not beginning.strip():
        raise ListingError("the listing is empty; give assembly text or the output of llvm-objdump -d")
    if "\0" in beginning or _unreadable(beginning) > _SLOPPY * len(beginning):
        raise ListingError(
            "the listing is binary data, not text; a code object must be disassembled with llvm-objdump -d first"
        )
    return listing.replace("\r\n", "\n") if "\r\n" in beginning else listing


def _unreadable(text: str) -> int:
    """Count the characters that no text has, as bytes: a pattern takes ten times as long."""
    code = text.encode("utf-8", "ignore")
    return len(code) - len(code.translate(None, _CONTROL)) + text.count("\ufffd")


def _device_part(text: str) -> str:
    """Return the device code of a text that clang bundled for several targets, in its place so that line numbers hold."""
    marks = list(_BUNDLE.finditer(text)) if "__CLANG_OFFLOAD_BUNDLE__" in text[:_PROBE_CHARACTERS] else []
    if not marks:
        return text
    starts = {mark[2]: mark.end() for mark in marks if mark[1] == "START"}
    ends = {mark[2]: mark.start() for mark in marks if mark[1] == "END"}
    device = [name for name in starts if "amdgcn" in name or "amdgpu" in name]
    if len(device) != 1:
        held = ", ".join(starts) or "nothing"
        raise ListingError(f"the listing bundles {held}; give the text of exactly one AMD GPU target")
    if device[0] not in ends:
        raise ListingError(f"the listing is cut off inside its part for {device[0]}; write it again")
    begin = starts[device[0]]
    return "\n" * text.count("\n", 0, begin) + text[begin : ends[device[0]]]
