"""Data of a listing: constants and variables of its sections, under the names by which code reaches them, and addresses that stand in them.

Syntax: "Assembler Directives" of GNU as, as LLVM writes them; relocations: "User Guide for AMDGPU Backend", "Relocation Records".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

_LABEL = re.compile(r"([\w.$]+):")
_SECTION = re.compile(r"\.section\s+\"?([\w.]+)|\.(text|data|bss)\b")
_DIRECTIVE = re.compile(r"\.(\w+)\s+(.*)")
_COMMON = re.compile(r"\.l?comm\s+([\w.$]+),\s*(\d+)")
"""A variable without contents, which stands in no section."""
_READ, _WRITTEN, _RELOCATED = (".rodata",), (".data", ".bss"), ".data.rel.ro"
_SIZES = {
    "byte": 1, "short": 2, "2byte": 2, "hword": 2, "value": 2, "long": 4, "4byte": 4, "int": 4, "word": 4, "quad": 8, "8byte": 8,
}  # fmt: skip
_STRINGS = {"ascii": b"", "asciz": b"\0", "string": b"\0"}
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|(.))", re.DOTALL)
_LETTERS = {b"n": b"\n", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"r": b"\r"}
_ADDRESS = re.compile(r"([A-Za-z_.$][\w.$]*)\s*([+-]\s*\d+)?$")
"""A symbol in the place of a number: the address of a function or an object."""
_ADDRESS_BYTES = 8
_NOWHERE = 1 << 46
"""Stands for the address of what the program does not hold: no buffer and no code is there."""
_LITERAL_BYTES, _SHORT_BYTES = 8, 4
_MOST_BYTES = 1 << 30
"""Largest size of one object; a larger one is refused."""


@dataclass(frozen=True, slots=True)
class Link:
    """An address that a linker or loader puts into an object."""

    offset: int
    """Position in bytes from the beginning of the object."""
    target: str | int
    """The function or object that it points to: a symbol, or an address in the code object."""
    addend: int = 0


@dataclass(frozen=True, slots=True)
class Constant:
    """One object of a code object's read-only data, or one of its variables."""

    name: str
    data: bytes
    unit: int
    """Bytes of its largest elements."""
    at: int | None = None
    """Address in the code object; None: a listing's, which code reaches by name."""
    writable: bool = False
    links: tuple[Link, ...] = ()


def constants(text: str) -> tuple[Constant, ...]:
    r"""Return the objects of data sections whose contents are numbers, in their order.

    >>> constants('.type t,@object\n.section .rodata,"a"\nt:\n.byte 7\n.ascii "a\\001"\n.size t, 3\n')
    (Constant(name='t', data=b'\x07a\x01', unit=1, at=None, writable=False, links=()),)
    >>> constants('.type n,@object\n.local n\n.comm n,2,2\n')
    (Constant(name='n', data=b'\x00\x00', unit=1, at=None, writable=True, links=()),)
    >>> constants('.type v,@object\n.section .data.rel.ro,"aw"\nv:\n.quad 0\n.quad f+4\n.size v, 16\n')[0].links
    (Link(offset=8, target='f', addend=4),)
    """
    if "@object" not in text:
        return ()
    known = set(re.findall(r"\.type\s+([\w.$]+),\s*@object", text))
    return tuple(_objects(text.splitlines(), known))


def absent(text: str) -> Mapping[str, int]:
    r"""Return the addresses of symbols that are weak and defined nowhere: a linker gives them 0.

    Without optimization HIP's ``warpSize`` is one, whose address is passed on and never used.

    >>> absent('f:\n\t.weak f\n\t.weak warpSize\n')
    {'warpSize': 0}
    """
    defined = {*re.findall(r"^([\w.$]+):", text, re.MULTILINE), *(name for name, _ in _COMMON.findall(text))}
    return {name: 0 for name in re.findall(r"^\s*\.weak\s+([\w.$]+)", text, re.MULTILINE) if name not in defined}


def _objects(lines: Sequence[str], known: set[str]) -> Iterator[Constant]:
    section, name, parts = "", "", list[bytes | None]()
    units, links = [1], list[Link]()
    for line in map(str.strip, lines):
        if found := _SECTION.match(line):
            section = found[1] or f".{found[2]}"
        elif (found := _COMMON.match(line)) and found[1] in known and int(found[2]) <= _MOST_BYTES:
            yield Constant(found[1], bytes(int(found[2])), 1, writable=True)
        elif (found := _LABEL.match(line)) and found[1] in known:
            name, parts, units, links = found[1], [], [1], []
        elif name and line.startswith(".size"):
            data = [part for part in parts if part is not None]
            if section.startswith(_READ + _WRITTEN) and len(data) == len(parts):
                written = section.startswith(_WRITTEN) and not section.startswith(_RELOCATED)
                yield Constant(name, b"".join(data), max(units), writable=written, links=tuple(links))
            name = ""
        elif name and (found := _DIRECTIVE.match(line)):
            units.append(_SIZES.get(found[1], 1))
            address = _ADDRESS.match(found[2].partition(";")[0].strip())
            if address and units[-1] == _ADDRESS_BYTES:
                begin = sum(len(part or b"") for part in parts)
                links.append(Link(begin, address[1], int((address[2] or "0").replace(" ", ""))))
            parts.append(
                bytes(_ADDRESS_BYTES) if address and units[-1] == _ADDRESS_BYTES else _contents(found[1], found[2])
            )


def _contents(directive: str, rest: str) -> bytes | None:
    """Return what a directive puts there; None: an address, or what is not understood."""
    if directive in _STRINGS:
        quoted = rest[rest.index('"') + 1 : rest.rindex('"')].encode("latin-1", "replace")
        return (
            _ESCAPE.sub(lambda m: bytes([int(m[1], 8) & 255]) if m[1] else _LETTERS.get(m[2], m[2]), quoted)
            + _STRINGS[directive]
        )
    if directive in ("p2align", "globl", "protected", "hidden", "local", "weak"):
        return b""
    try:
        numbers = [int(field, 0) for field in rest.partition(";")[0].split(",")]
    except ValueError:
        return None
    if directive in ("zero", "skip", "space"):
        if not 0 <= numbers[0] <= _MOST_BYTES:
            return None
        return bytes([numbers[1] & 255 if len(numbers) > 1 else 0]) * numbers[0]
    size = _SIZES.get(directive)
    return b"".join((n & (1 << 8 * size) - 1).to_bytes(size, "little") for n in numbers) if size else None


def addend(written: int, between: Sequence[str]) -> int:
    """Return the bytes into an object that a relocation asks for: what is written counts from the relocation's own place.

    Args:
        written: the number behind the symbol.
        between: operands of the instructions from the one that reads the program counter to that of the relocation.
    """
    return written - _SHORT_BYTES - sum(_LITERAL_BYTES if "@" in text else _SHORT_BYTES for text in between)


def pointed(items: Sequence[Constant], addresses: Sequence[int], starts: Mapping[str, int]) -> tuple[Constant, ...]:
    """Return the objects with the addresses that stand in them.

    Args:
        items: as they were compiled.
        addresses: where a launch puts each.
        starts: addresses of functions by symbol.
    """
    places = {**starts, **by_name(items, addresses)}

    def place(link: Link) -> int:
        if isinstance(link.target, str):
            return places.get(link.target, _NOWHERE)
        target = link.target
        moved = (
            address + target - item.at
            for item, address in zip(items, addresses, strict=True)
            if item.at is not None and item.at <= target < item.at + max(1, len(item.data))
        )
        return next(moved, target)  # code stays where it is

    return tuple(_filled(item, place) for item in items)


def _filled(item: Constant, place: Callable[[Link], int]) -> Constant:
    if not item.links:
        return item
    data = bytearray(item.data)
    for link in item.links:
        word = place(link) + link.addend & (1 << 8 * _ADDRESS_BYTES) - 1
        data[link.offset : link.offset + _ADDRESS_BYTES] = word.to_bytes(_ADDRESS_BYTES, "little")
    return replace(item, data=bytes(data))


def by_name(items: Sequence[Constant], addresses: Sequence[int]) -> Mapping[str, int]:
    """Return where each object is put."""
    return {item.name: address for item, address in zip(items, addresses, strict=True)}
