"""AMD code objects: ELF files for one processor each, alone or bundled by clang for several.

A kernel is two symbols, its code ``name`` and its descriptor ``name.kd``; the metadata document lies in a note of owner
``AMDGPU`` as MessagePack. A bundle is ``__CLANG_OFFLOAD_BUNDLE__`` with a table of (offset, size, target identifier), one
or several of them in the section ``.hip_fatbin`` of a host program ("Clang Offload Bundler", LLVM's documentation).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from hotloop.errors import MissingExtraError
from hotloop.isa import elf
from hotloop.isa.amdgcn import metadata
from hotloop.isa.amdgcn.bundles import MAGIC as COMPRESSED
from hotloop.isa.amdgcn.bundles import unpacked
from hotloop.isa.amdgcn.rows import ListingError
from hotloop.isa.dialect import load
from hotloop.isa.instruction import Function
from hotloop.isa.resources import KernelResources
from hotloop.targets.target import Target

BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"
FAT_SECTION = ".hip_fatbin"
MACHINE = "EM_AMDGPU"
_OWNER, _METADATA_NOTE = "AMDGPU", 32
_COUNT, _ROW = struct.Struct("<Q"), struct.Struct("<QQQ")
_MOST_ENTRIES = 1 << 10


@dataclass(frozen=True, slots=True)
class CodeObject:
    """A code object for one processor."""

    target: Target | None
    """None: neither bundle, metadata nor header name a known processor."""
    blob: bytes
    """An ELF file."""


def code_objects(binary: bytes) -> tuple[CodeObject, ...]:
    """Return the code objects of a file: a code object itself, a bundle, or a host program with bundles inside.

    Raises:
        ListingError: of another architecture, damaged, or without device code; a ValueError.
        MissingExtraError: the reader of object files, or what unpacks a compressed bundle, is not installed.
    """
    if binary.startswith((BUNDLE, COMPRESSED)):
        objects = tuple(_bundles(binary))
    elif not binary.startswith(elf.MAGIC):
        raise ListingError(f"no code object of an AMD GPU: the file begins with {binary[:8]!r}, not with an ELF header")
    else:
        objects = _from_elf(binary)
    if not objects:
        raise ListingError("the file bundles no code for an AMD GPU")
    return objects


def resources(item: CodeObject) -> dict[str, KernelResources]:
    """Return what a code object's metadata says about its kernels, by symbol; empty when it has none.

    Raises:
        ListingError: damaged metadata; a ValueError.
        MissingExtraError: the reader of object files or of MessagePack is not installed.
    """
    entries = document(item).get("amdhsa.kernels")
    fields = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    named = [(metadata.symbol(entry), entry) for entry in fields]
    return {name: metadata.from_fields(name, entry, item.target) for name, entry in named if name}


def document(item: CodeObject) -> Mapping[str, object]:
    """Return a code object's metadata document, empty when it has none; raises as `resources`."""
    notes = [note for owner, kind, note in elf.notes(item.blob) if owner == _OWNER and kind == _METADATA_NOTE]
    return _unpacked(notes[0]) if notes else {}


def functions(item: CodeObject, disassembly: str) -> tuple[Function, ...]:
    """Return the functions of a code object from its ``llvm-objdump -d`` text, with processor and resources.

    Raises:
        ListingError: the text is no disassembly of AMD GPU code, or of another file than this; a ValueError.
    """
    parsed = load("amdgcn").parse(disassembly)
    symbols = elf.functions(item.blob)
    described = {
        name: replace(row, code_bytes=len(symbols[name].code))
        for name, row in resources(item).items()
        if name in symbols
    }
    listed = {function.name for function in parsed}
    if described and listed.isdisjoint(described):
        raise ListingError(
            f"the disassembly is of another file: it lists {', '.join(sorted(listed))}, not {', '.join(described)}"
        )
    processor = item.target.name if item.target else ""
    aimed = tuple(replace(function, target=processor) for function in parsed)
    return tuple(replace(function, target=processor) for function in metadata.attached(aimed, described))


def _from_elf(binary: bytes) -> tuple[CodeObject, ...]:
    header = elf.header(binary)
    if header.machine == MACHINE:
        return (CodeObject(_target(binary, header.flags), binary),)
    if FAT_SECTION.encode() + b"\0" not in binary:
        raise ListingError(f"the ELF file is for {header.machine} and holds no {FAT_SECTION} section with AMD GPU code")
    return tuple(_bundles(elf.section(binary, FAT_SECTION)))


def _bundles(section: bytes) -> Iterator[CodeObject]:
    """Yield the code objects of all bundles in a section; each translation unit brings one."""
    if section.startswith(COMPRESSED):
        for bundle in unpacked(section):
            yield from _bundles(bundle)
        return
    place = section.find(BUNDLE)
    while place >= 0:
        yield from _bundled(section[place:])
        place = section.find(BUNDLE, place + 1)


def _bundled(bundle: bytes) -> Iterator[CodeObject]:
    """Yield the device parts of one bundle that are not empty."""
    try:
        place = len(BUNDLE)
        (count,) = _COUNT.unpack_from(bundle, place)
        place += _COUNT.size
        for _ in range(min(count, _MOST_ENTRIES)):
            offset, size, length = _ROW.unpack_from(bundle, place)
            name = bundle[place + _ROW.size : place + _ROW.size + length].decode("ascii", "replace")
            place += _ROW.size + length
            if size and ("amdgcn" in name or "amdgpu" in name):
                yield CodeObject(Target.in_identifier(name), _part(bundle, offset, size, name))
    except struct.error as error:
        raise ListingError(f"the offload bundle is cut off in its table of contents: {error}") from error


def _part(bundle: bytes, offset: int, size: int, name: str) -> bytes:
    part = bundle[offset : offset + size]
    if len(part) < size or not part.startswith(elf.MAGIC):
        raise ListingError(f"the offload bundle is damaged: no whole code object where its table puts {name!r}")
    return part


def _target(binary: bytes, flags: int) -> Target | None:
    """Return the processor that the metadata name, or else the header's flags."""
    named = next((note for owner, kind, note in elf.notes(binary) if owner == _OWNER and kind == _METADATA_NOTE), None)
    stated = _unpacked(named).get("amdhsa.target") if named else None
    return (Target.in_identifier(stated) if isinstance(stated, str) else None) or Target.of_elf_flags(flags)


def _unpacked(note: bytes) -> Mapping[str, object]:
    """Return a metadata document."""
    try:
        import msgpack
    except ModuleNotFoundError as error:
        raise MissingExtraError("reading the metadata of AMD code objects", "amd") from error
    try:
        document = msgpack.unpackb(note, strict_map_key=False, unicode_errors="replace")
    except (ValueError, TypeError, RecursionError, msgpack.exceptions.UnpackException) as error:
        raise ListingError(
            "the code object's metadata are damaged: its note is no whole MessagePack document."
        ) from error
    return document if isinstance(document, dict) else {}
