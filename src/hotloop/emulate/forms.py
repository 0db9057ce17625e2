"""What the end of a memory instruction's name says about its data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array


_WORDS = {
    "dword": 1, "dwordx2": 2, "dwordx3": 3, "dwordx4": 4, "dwordx8": 8, "dwordx16": 16,
    "b32": 1, "b64": 2, "b96": 3, "b128": 4, "b256": 8, "b512": 16,
}  # fmt: skip
_SMALL = {
    "ubyte": (1, False), "sbyte": (1, True), "byte": (1, False), "u8": (1, False), "i8": (1, True), "b8": (1, False),
    "ushort": (2, False), "sshort": (2, True), "short": (2, False), "u16": (2, False), "i16": (2, True), "b16": (2, False),
}  # fmt: skip
_HALF = re.compile(r"_?d16(_hi)?_?")


@dataclass(frozen=True, slots=True)
class Form:
    """Size of an access and how it fills registers."""

    bytes: int
    signed: bool = False
    half: int | None = None
    """Half of the register that is filled or stored: 0 or 1; None: the whole."""

    @property
    def words(self) -> int:
        """Registers."""
        return max(1, self.bytes // 4)

    @property
    def bits(self) -> int:
        """Bits of a register that a load writes."""
        return {None: 0xFFFFFFFF, 0: 0xFFFF, 1: 0xFFFF0000}[self.half]

    @property
    def small(self) -> bool:
        """True below 32 bits."""
        return self.bytes < 4


def form(suffix: str) -> Form | None:
    """Return the form that a suffix such as ``dwordx4`` or ``short_d16_hi`` names; None: none.

    >>> form("d16_hi_b16")
    Form(bytes=2, signed=False, half=1)
    """
    if suffix in _WORDS:
        return Form(4 * _WORDS[suffix])
    found = _HALF.search(suffix)
    bare = _HALF.sub("", suffix) if found else suffix
    if bare not in _SMALL:
        return None
    size, signed = _SMALL[bare]
    return Form(size, signed, int(bool(found[1])) if found else None)


def extended(bits: Array, shape: Form) -> Array:
    """Return loaded bytes or halves as 32-bit values, or as 16-bit ones where a half register is filled."""
    if shape.signed:
        narrow = bits.astype(np.uint8 if shape.bytes == 1 else np.uint16).view(
            np.int8 if shape.bytes == 1 else np.int16
        )
        return narrow.astype(np.int32).view(np.uint32)
    return bits.astype(np.uint32)


def merged(old: Array, value: Array, half: int) -> Array:
    """Return registers with one half replaced."""
    if half:
        return (old & np.uint32(0xFFFF)) | value << np.uint32(16)
    return (old & np.uint32(0xFFFF0000)) | (value & np.uint32(0xFFFF))


def load(octets: Array, offsets: Array, shape: Form) -> Array:
    """Return bytes or halves at byte offsets."""
    if shape.bytes == 1:
        return extended(octets[offsets], shape)
    if not octets.size & 1 and not int(np.bitwise_or.reduce(offsets, axis=None)) & 1:
        return extended(octets.view(np.uint16)[offsets >> 1], shape)
    bits = octets[offsets].astype(np.uint32) | octets[offsets + 1].astype(np.uint32) << np.uint32(8)
    return extended(bits, shape)


def store(octets: Array, offsets: Array, value: Array, shape: Form) -> None:
    """Write the low bytes, or those of the upper half, to byte offsets."""
    bits = value >> np.uint32(16) if shape.half else value
    for n in range(shape.bytes):
        octets[offsets + n] = (bits >> np.uint32(8 * n)).astype(np.uint8)
