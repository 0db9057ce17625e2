"""Code objects made executable: descriptor and metadata from the ELF file, instructions from its disassembly.

Sources: "User Guide for AMDGPU Backend" of LLVM, sections "Kernel Descriptor" and "Code Object V3 and later Metadata".
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hotloop.emulate import program
from hotloop.emulate.constants import Constant, Link
from hotloop.emulate.descriptor import USER_REGISTERS, Argument, Descriptor, private_bytes
from hotloop.emulate.errors import EmulateError
from hotloop.isa import cxx, elf
from hotloop.isa.amdgcn import metadata, objects
from hotloop.isa.amdgcn.rows import ListingError

if TYPE_CHECKING:
    from hotloop.emulate.program import Program

_LAYOUT = struct.Struct("<IIII q 20x III HH 4x")
_SUFFIX = ".kd"
_DYNAMIC_STACK = 11
"""Bit of the descriptor's properties: recursive or indirect calls."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The fields of a kernel descriptor that say how waves start."""

    local: int
    private: int
    kernarg: int
    modes: int
    """The kernel descriptor's word COMPUTE_PGM_RSRC1: register counts and float modes."""
    start: int
    """The kernel descriptor's word COMPUTE_PGM_RSRC2: which registers are set at the start."""
    more: int
    """The kernel descriptor's word COMPUTE_PGM_RSRC3: what newer processors add."""
    properties: int
    preload: int


def load(item: objects.CodeObject, disassembly: str, name: str = "") -> Program:
    """Return the program of a kernel in a code object.

    Args:
        item: one processor's code.
        disassembly: its text, as ``llvm-objdump -d`` writes it.
        name: the kernel; empty: the only one.

    Raises:
        EmulateError: no such kernel, or its descriptor or metadata are missing or damaged.
        UnmodelledError: an instruction that cannot be executed.
        ListingError: the disassembly is none, or of another file.
    """
    if item.target is None:
        raise EmulateError("the code object names no processor; give one that a compiler has linked, or its listing.")
    functions = objects.functions(item, disassembly)
    known = _entries(item)
    with suppress(ValueError):
        name = name and cxx.find(name, known)
    if name and name not in known:
        raise EmulateError(f"the code object has no kernel {name!r}; kernels in it: {', '.join(known) or 'none'}.")
    if not name and len(known) != 1:
        raise EmulateError(
            f"the code object has {len(known)} kernels: {', '.join(known) or 'none'}; name one with --kernel."
        )
    chosen = name or next(iter(known))
    said = described(chosen, _words(item.blob, chosen), known[chosen], item.target.wave_size or 64)
    return program.assembled(functions, chosen, item.target, said, _variables(item.blob))


def _variables(blob: bytes) -> tuple[Constant, ...]:
    """Return what a loader puts into memory beside the code; nothing is known of the elements' sizes."""
    try:
        found = elf.variables(blob)
    except ValueError as error:
        raise EmulateError(f"the code object's variables cannot be read: {error}.") from None
    return tuple(
        Constant(
            one.name,
            one.data,
            1,
            at=one.address,
            writable=one.writable,
            links=tuple(Link(*pair) for pair in one.pointers),
        )
        for one in found
    )


def _entries(item: objects.CodeObject) -> dict[str, Mapping[str, Any]]:
    """Return the kernels' entries of the metadata by symbol."""
    entries = objects.document(item).get("amdhsa.kernels")
    found = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    return {metadata.symbol(entry): entry for entry in found if metadata.symbol(entry)}


def _words(blob: bytes, name: str) -> _Words:
    try:
        content = elf.content(blob, name + _SUFFIX, _LAYOUT.size)
    except ValueError as error:
        raise EmulateError(f"the code object does not describe the launch of {name}: {error}.") from None
    local, private, kernarg, _, _, more, modes, start, properties, preload = _LAYOUT.unpack(content)
    return _Words(local, private, kernarg, modes, start, more, properties, preload)


def described(name: str, words: _Words, fields: Mapping[str, Any], default_wave: int) -> Descriptor:
    """Return the facts of a kernel from its descriptor's words and its entry in the metadata."""
    arguments = fields.get(".args")
    rows = [row for row in arguments if isinstance(row, dict)] if isinstance(arguments, list) else []
    required = fields.get(".reqd_workgroup_size")
    exact = isinstance(required, list) and len(required) == len("xyz") and all(isinstance(n, int) for n in required)
    most, wave = _number(fields, ".max_flat_workgroup_size"), _number(fields, ".wavefront_size")
    return Descriptor(
        name=name,
        arguments=tuple(_argument(row) for row in rows),
        kernarg_bytes=max(words.kernarg, _number(fields, ".kernarg_segment_size")),
        lds_bytes=words.local,
        scratch_bytes=private_bytes(words.private, dynamic=bool(words.properties >> _DYNAMIC_STACK & 1)),
        wave=wave or default_wave,
        vgprs=_number(fields, ".vgpr_count") or 256,
        user=tuple(key for bit, key in enumerate(USER_REGISTERS) if words.properties >> bit & 1),
        preload=(words.preload & 0x7F, words.preload >> 7),
        groups=(bool(words.start >> 7 & 1), bool(words.start >> 8 & 1), bool(words.start >> 9 & 1)),
        info=bool(words.start >> 10 & 1),
        private=bool(words.start & 1),
        items=words.start >> 11 & 3,
        workgroup=(int(required[0]), int(required[1]), int(required[2])) if exact and required is not None else None,
        workgroup_max=most or None,
        shared_cache=not (words.modes >> 29 & 1 if default_wave == 32 else words.more >> 16 & 1),
        user_count=words.start >> 1 & 0x1F,
    )


def _argument(row: Mapping[str, Any]) -> Argument:
    access = str(row.get(".actual_access", row.get(".access", "")))
    constant = bool(row.get(".is_const")) or row.get(".address_space") == "constant" or access == "read_only"
    return Argument(
        offset=_number(row, ".offset"),
        size=_number(row, ".size"),
        kind=str(row.get(".value_kind", "by_value")),
        name=str(row.get(".name", "")),
        writable=not constant,
    )


def _number(fields: Mapping[str, Any], key: str) -> int:
    value = fields.get(key, 0)
    if not isinstance(value, int) or not 0 <= value < 1 << 32:
        raise EmulateError(f"the code object's metadata are damaged: {key} is {value!r}.")
    return value


__all__ = ["ListingError", "described", "load"]
