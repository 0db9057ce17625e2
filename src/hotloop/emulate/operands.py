"""Operands of an instruction as the assembler writes them, typed once when a program is loaded.

Syntax: "User Guide for AMDGPU Backend" of LLVM, operand syntax and modifiers.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from hotloop.isa.amdgcn.registers import fields
from hotloop.isa.amdgcn.registers import operands as numbers


class Kind(Enum):
    """Where an operand's value stands."""

    REGISTER = "register"
    INTEGER = "integer"
    """A constant written as an integer, decimal or hexadecimal."""
    FLOAT = "float"
    """A constant written as a number with a point."""
    OFF = "off"
    NULL = "null"
    NAMED = "named"
    """One of the values that the hardware offers under a name, such as ``src_shared_base``."""
    SYMBOL = "symbol"
    WORD = "word"
    """Anything else: fields of a message, a register of the hardware."""


@dataclass(frozen=True, slots=True)
class Operand:
    """One operand of an instruction."""

    text: str
    kind: Kind
    registers: tuple[int, ...] = ()
    """Numbers of its registers, as in `hotloop.isa.amdgcn.registers`."""
    integer: int = 0
    number: float = 0.0
    negated: bool = False
    absolute: bool = False
    extended: bool = False
    """True where ``sext()`` extends its sign."""
    high: bool = False
    """True when a 16-bit operand is the upper half, written ``v1.h``."""
    halved: bool = False
    """True when a half is named, ``.l`` or ``.h``."""

    @property
    def first(self) -> int:
        """Number of its first register."""
        return self.registers[0]


@dataclass(frozen=True, slots=True)
class Modifiers:
    """What stands behind the operands."""

    flags: frozenset[str] = frozenset()
    values: tuple[tuple[str, str], ...] = ()

    def text(self, name: str, default: str = "") -> str:
        """Return the value of ``name:value``."""
        return next((value for key, value in self.values if key == name), default)

    def number(self, name: str, default: int = 0) -> int:
        """Return a value as an integer; `default` when absent."""
        text = self.text(name)
        return int(text, 0) if text else default

    def bits(self, name: str) -> tuple[int, ...]:
        """Return a list of bits such as ``op_sel:[0,1]``; empty when absent."""
        text = self.text(name)
        return tuple(int(bit) for bit in text.strip("[]").split(",")) if text else ()


_NAMED = frozenset(
    [
        "src_shared_base",
        "src_shared_limit",
        "src_private_base",
        "src_private_limit",
        "src_pops_exiting_wave_id",
        "shared_base",
        "private_base",
        "shared_limit",
        "private_limit",
        "src_vccz",
        "src_execz",
        "src_scc",
    ]
)
_MODIFIER = re.compile(r"(?<![\w\]])([a-z]\w*):(\[[^\]]*\]|\w+\([^)]*\)|[^\s,]+)")
_INTEGER = re.compile(r"-?(?:0x[0-9a-fA-F]+|\d+)$")
_FLOAT = re.compile(r"-?\d+(?:\.\d*)?(?:e[-+]?\d+)?$")
_HALF = re.compile(r"^(v\d+)\.([lh])$")
_LITERAL = re.compile(r"lit(?:64)?\((.+)\)$")


def parse(text: str) -> tuple[tuple[Operand, ...], Modifiers]:
    """Return operands and modifiers of an instruction.

    >>> operands, modifiers = parse("v1, -|v2|, s[4:5] offset:16 glc")
    >>> [o.text for o in operands], modifiers.number("offset"), sorted(modifiers.flags)
    (['v1', '-|v2|', 's[4:5]'], 16, ['glc'])
    """
    values = tuple((m[1], m[2]) for m in _MODIFIER.finditer(text))
    bare = _MODIFIER.sub(" ", text) if values else text
    found, flags = list[Operand](), set[str]()
    for field in fields(bare):
        first, *rest = _words(field)
        if first:
            found.append(operand(first))
        flags.update(rest)
    return tuple(found), Modifiers(frozenset(flags), values)


def _words(field: str) -> list[str]:
    """Return the operand of a field and the flags behind it; an expression of symbols has blanks."""
    if "@" in field:
        return [field]
    if field.startswith("["):
        inner, _, rest = field.partition("]")
        return [inner + "]", *rest.split()]
    return field.split() or [""]


@lru_cache(1 << 14)
def operand(text: str) -> Operand:
    """Return one operand.

    >>> operand("-1.0").number, operand("0x3f").integer, operand("v[2:3]").registers
    (-1.0, 63, (2, 3))
    """
    if _INTEGER.match(text):
        return Operand(text, Kind.INTEGER, integer=int(text, 0))
    if _FLOAT.match(text):
        return Operand(text, Kind.FLOAT, number=float(text))
    if text == "off":
        return Operand(text, Kind.OFF)
    if text == "null":
        return Operand(text, Kind.NULL)
    if text in _NAMED:
        return Operand(text, Kind.NAMED)
    if found := _LITERAL.match(text):
        return operand(found[1])
    return _modified(text)


def _modified(text: str) -> Operand:
    bare, negated, absolute, extended = text, False, False, False
    if bare.startswith("-"):
        bare, negated = bare[1:], True
    if bare.startswith("neg("):
        bare, negated = bare[4:-1], True
    if bare.startswith("|"):
        bare, absolute = bare.strip("|"), True
    if bare.startswith("abs("):
        bare, absolute = bare[4:-1], True
    if bare.startswith("sext("):
        bare, extended = bare[5:-1], True
    half = _HALF.match(bare)
    (registers,) = numbers(half[1] if half else bare) or ((),)
    if registers:
        return Operand(
            text, Kind.REGISTER, registers, negated=negated, absolute=absolute, extended=extended,
            high=bool(half and half[2] == "h"), halved=half is not None,
        )  # fmt: skip
    if negated or absolute or extended:
        inner = operand(bare)
        return Operand(text, inner.kind, (), inner.integer, inner.number, negated, absolute, extended)
    return Operand(text, Kind.SYMBOL if "@" in text else Kind.WORD)


_FLOATS = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}


def constant(item: Operand, kind: str) -> int:
    """Return the bits of a constant as an operand of a type sees them.

    A literal of a 64-bit floating-point operand is its upper half; integers are extended by their sign.
    """
    bits = int(kind[1:]) if kind[1:].isdigit() else 32
    if item.kind is Kind.FLOAT:
        form = (
            _FLOATS.get(kind)
            or _FLOATS[{16: "f16", 64: "f64"}.get(bits if kind[0] != "u" or bits == 64 else 32, "f32")]
        )
        number = 0.15915494309189535 if item.text.startswith("0.15915494") else item.number
        return int(struct.unpack(form[1], struct.pack(form[0], number))[0])
    value = item.integer
    if kind == "f64" and item.text.lower().startswith("0x"):
        return (value << 32) & 0xFFFFFFFFFFFFFFFF if value < 1 << 32 else value
    return value & (1 << bits) - 1
