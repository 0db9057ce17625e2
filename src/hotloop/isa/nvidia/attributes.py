"""Kernel attributes of a cubin: the records of its ``.nv.info`` sections.

A record is a format byte, an attribute byte, and either a 16-bit value or a 16-bit length with that many bytes. Names are
those that ``cuobjdump -elf`` prints (``EIATTR_...``); attributes that nothing here needs are skipped.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_SIZED = 4
"""Format of a record with a length; the others hold their value in 16 bits."""
_HEADER = struct.Struct("<BBH")
_PAIR = struct.Struct("<II")
_TRIPLE = struct.Struct("<III")
_MAX_THREADS, _REQUIRED_THREADS, _STACK_BYTES, _REGISTERS, _BARRIERS = 0x05, 0x10, 0x12, 0x2F, 0x4C
_UNKNOWN = 0xFFFFFFFF
"""Stack size of a kernel that calls recursive functions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attributes:
    """What one ``.nv.info`` section says; None: nothing."""

    registers: dict[int, int]
    """Registers of a thread by symbol index."""
    stack_bytes: dict[int, int]
    """Stack of a thread by symbol index, with the functions it calls; left out where recursion makes it unknown."""
    workgroup_max: int | None = None
    """Threads of the largest (``.maxntid``) or only (``.reqntid``) block."""
    barriers: int | None = None


def parse(content: bytes) -> Attributes:
    """Return the attributes of a section.

    Raises:
        ValueError: a record goes beyond the end.
    """
    registers: dict[int, int] = {}
    stacks: dict[int, int] = {}
    threads = barriers = None
    for attribute, value, payload in _records(content):
        if attribute == _REGISTERS and len(payload) == _PAIR.size:
            symbol, count = _PAIR.unpack(payload)
            registers[symbol] = count
        elif attribute == _STACK_BYTES and len(payload) == _PAIR.size:
            symbol, count = _PAIR.unpack(payload)
            if count != _UNKNOWN:
                stacks[symbol] = count
        elif attribute in (_MAX_THREADS, _REQUIRED_THREADS) and len(payload) == _TRIPLE.size:
            x, y, z = _TRIPLE.unpack(payload)
            threads = x * y * z
        elif attribute == _BARRIERS:
            barriers = value & 0xFF
    return Attributes(registers=registers, stack_bytes=stacks, workgroup_max=threads, barriers=barriers)


def _records(content: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield (attribute, 16-bit value, payload)."""
    place = 0
    while place + _HEADER.size <= len(content):
        kind, attribute, value = _HEADER.unpack_from(content, place)
        place += _HEADER.size
        length = value if kind == _SIZED else 0
        if place + length > len(content):
            raise ValueError(f"a record of the kernel attributes at byte {place} is cut off")
        yield attribute, value, content[place : place + length]
        place += length
