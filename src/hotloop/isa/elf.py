"""Functions of an ELF object held in memory, through pyelftools."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from hotloop.errors import MissingExtraError
from hotloop.isa.dialect import telltales

MAGIC = b"\x7fELF"
_NOTE = struct.Struct("<III")
"""Lengths of owner and content, and type."""
_MACHINE_AT = slice(18, 20)
_EXTRAS = {190: "cuda", 224: "amd"}
"""Which extra brings what reads the files of a machine (EM_CUDA, EM_AMDGPU); all others are processors."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """One function symbol with its bytes."""

    name: str
    address: int
    code: bytes
    dialect: str


@dataclass(frozen=True, slots=True)
class Variables:
    """A loaded section that holds no code: compilers reach what stands in it also from beside it, so it stays in one piece."""

    name: str
    address: int
    data: bytes
    writable: bool
    pointers: tuple[tuple[int, int], ...] = ()
    """Addresses in it that a loader moves with the object: offset in bytes, and what stands at that address in the file."""


@dataclass(frozen=True, slots=True)
class Header:
    """What an ELF file says about itself."""

    machine: str
    """Name of the processor family, e.g. ``EM_X86_64``."""
    flags: int
    """Meaning depends on the family."""


def header(blob: bytes) -> Header:
    """Return the header of an ELF file; raises like `section`."""
    with damage("not a readable ELF file"):
        elf = read(blob)
        return Header(str(elf["e_machine"]), int(elf["e_flags"]))


def notes(blob: bytes) -> tuple[tuple[str, int, bytes], ...]:
    """Return owner, type and content of the notes of an ELF object; raises like `section`."""
    with damage("not a readable ELF file"):
        from elftools.elf.sections import NoteSection

        note_sections = [s for s in read(blob).iter_sections() if isinstance(s, NoteSection)]
        content = [bytes(item.data()) for item in note_sections]
    return tuple(note for data in content for note in _notes(data))


def _notes(data: bytes) -> Iterator[tuple[str, int, bytes]]:
    """Yield the notes of a section; pyelftools knows the names of types only for other processors, so raw numbers."""
    place = 0
    while place + _NOTE.size <= len(data):
        name_bytes, size, kind = _NOTE.unpack_from(data, place)
        begin = place + _NOTE.size
        content = begin + _aligned(name_bytes)
        if content + size > len(data):
            return
        yield (
            data[begin : begin + name_bytes].rstrip(b"\0").decode("ascii", "replace"),
            kind,
            data[content : content + size],
        )
        place = content + _aligned(size)


def _aligned(size: int) -> int:
    return (size + 3) // 4 * 4


def section(blob: bytes, name: str) -> bytes:
    """Return a section's content.

    Raises:
        ValueError: no ELF file, damaged, or no such section.
        MissingExtraError: pyelftools is not installed.
    """
    with damage("not a readable ELF file"):
        named_section = read(blob).get_section_by_name(name)
        content = None if named_section is None else bytes(named_section.data())
    if content is None:
        raise ValueError(f"the ELF file has no section {name}")
    return content


def functions(blob: bytes) -> Mapping[str, Symbol]:
    """Return the defined functions of an ELF object by name; raises like `section`."""
    with damage("not a readable ELF file"):
        elf = read(blob)
        machine = str(elf["e_machine"])
        dialect = next((told.name for told in telltales() if told.machine == machine), "")
        rows = _symbols(elf) if dialect else []
    if not dialect:
        raise ValueError(f"no dialect for ELF machine {machine}")
    return {name: Symbol(name, address, code, dialect) for name, address, code in rows}


def _symbols(elf: Any) -> list[tuple[str, int, bytes]]:  # noqa: ANN401 - pyelftools has no types
    """Return (name, address, code) of the function symbols that have code."""
    from elftools.elf.sections import SymbolTableSection

    tables = (t for t in elf.iter_sections() if isinstance(t, SymbolTableSection))
    symbols = (s for t in tables for s in t.iter_symbols() if s["st_info"]["type"] == "STT_FUNC")
    homed = (s for s in symbols if isinstance(s["st_shndx"], int))  # not undefined, absolute or common
    rows = ((str(s.name), int(s["st_value"]), _code(elf, s)) for s in homed)
    return [row for row in rows if row[2]]


def _code(elf: Any, symbol: Any) -> bytes:  # noqa: ANN401
    """Return a symbol's bytes; its value is an offset in relocatable objects, an address elsewhere."""
    home = elf.get_section(symbol["st_shndx"])
    start = symbol["st_value"] - (0 if elf["e_type"] == "ET_REL" else home["sh_addr"])
    return bytes(home.data()[start : start + symbol["st_size"]]) if start >= 0 else b""


_ADDRESSES = (3, 13)
"""R_AMDGPU_ABS64 and R_AMDGPU_RELATIVE64."""
_WRITE, _ALLOCATED, _CODE = 1, 2, 4
"""Flags of sections (SHF_WRITE, SHF_ALLOC, SHF_EXECINSTR)."""


def variables(blob: bytes) -> tuple[Variables, ...]:
    """Return the loaded sections of a linked object beside its code; raises like `section`."""
    with damage("not a readable ELF file"):
        homes = [s for s in read(blob).iter_sections() if s["sh_type"] in ("SHT_PROGBITS", "SHT_NOBITS")]
        loaded = [s for s in homes if s["sh_flags"] & (_ALLOCATED | _CODE) == _ALLOCATED and s["sh_size"]]
        pointers = dict(_pointers(read(blob)))
        return tuple(
            Variables(
                name=str(home.name),
                address=int(home["sh_addr"]),
                data=bytes(home["sh_size"]) if home["sh_type"] == "SHT_NOBITS" else bytes(home.data()),
                writable=bool(home["sh_flags"] & _WRITE),
                pointers=tuple(
                    (place - home["sh_addr"], target)
                    for place, target in pointers.items()
                    if home["sh_addr"] <= place < home["sh_addr"] + home["sh_size"]
                ),
            )
            for home in loaded
        )


def _pointers(elf: Any) -> Iterator[tuple[int, int]]:  # noqa: ANN401
    """Yield where a loader puts addresses, and which: relocations by 64 bits, of a symbol or relative to the file's begin."""
    for table in elf.iter_sections():
        if table["sh_type"] == "SHT_RELA" and table["sh_flags"] & _ALLOCATED:
            symbols = elf.get_section(table["sh_link"])
            for one in table.iter_relocations():
                symbol = int(symbols.get_symbol(one["r_info_sym"])["st_value"]) if one["r_info_sym"] else 0
                if one["r_info_type"] in _ADDRESSES:
                    yield int(one["r_offset"]), symbol + int(one["r_addend"])


def content(blob: bytes, symbol: str, size: int) -> bytes:
    """Return bytes at a symbol of any type.

    Raises:
        ValueError: no ELF file, damaged, no such symbol, or fewer bytes.
        MissingExtraError: pyelftools is not installed.
    """
    with damage("not a readable ELF file"):
        elf = read(blob)
        tables = [table for table in elf.iter_sections() if table["sh_type"] in ("SHT_SYMTAB", "SHT_DYNSYM")]
        named_symbol = next((s for table in tables for s in table.get_symbol_by_name(symbol) or ()), None)
        home = (
            elf.get_section(named_symbol["st_shndx"])
            if named_symbol and isinstance(named_symbol["st_shndx"], int)
            else None
        )
        start = (
            named_symbol["st_value"] - (0 if elf["e_type"] == "ET_REL" else home["sh_addr"])
            if named_symbol and home
            else 0
        )
        data = bytes(home.data()[start : start + size]) if home and start >= 0 else b""
    if len(data) < size:
        raise ValueError(f"it has no symbol {symbol} of {size} bytes")
    return data


def read(blob: bytes, purpose: str = "reading machine code") -> Any:  # noqa: ANN401 - pyelftools has no types
    """Return the file as pyelftools sees it. Raises MissingExtraError, and whatever pyelftools raises: see `damage`."""
    try:
        from elftools.elf.elffile import ELFFile
    except ModuleNotFoundError as error:
        raise MissingExtraError(purpose, _EXTRAS.get(int.from_bytes(blob[_MACHINE_AT], "little"), "cpu")) from error
    return ELFFile(io.BytesIO(blob))


@contextmanager
def damage(what: str) -> Iterator[None]:
    """Turn whatever pyelftools raises on damaged bytes, which is almost anything, into a ValueError that begins with `what`."""
    try:
        yield
    except MissingExtraError:
        raise
    except Exception as error:
        raise ValueError(f"{what}: {error or type(error).__name__}") from error
