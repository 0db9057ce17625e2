"""Addresses of vector memory instructions: from registers and descriptors to byte offsets in the arena.

Sources: AMD's ISA references, "Buffer addressing" with its range check, "Flat address space"; scratch through buffers:
LLVM, "User Guide for AMDGPU Backend", section on the private segment (its scalar offset counts all lanes of a wave).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.memory import BASE
from hotloop.emulate.operands import Kind, Operand
from hotloop.emulate.sanitizer.access import Access
from hotloop.emulate.units.values import PRIVATE_APERTURE, scalar, source
from hotloop.isa.amdgcn.registers import SGPR

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Context, Decoded


Where = Callable[["Cohort", Access], tuple[Any, Any]]
"""Byte offsets [waves, lanes], 0 where nothing is accessed, and the lanes that were active."""
_ADDRESS_MASK = np.uint64(0xFFFFFFFFFFFF)
_SWIZZLED, _SWIZZLED_WIDE, _LANE_ADDED = 1 << 31, 3 << 30, 1 << 23
_BY_TWO_BITS = "swizzled addresses asked for by two bits of a buffer's descriptor"
"""Bits of a descriptor's second word, on gfx11 and later two, and of its fourth one (AMD's ISA references, "Buffer resource descriptor")."""


WIDE = "buffer descriptors with 45 bits for the number of records"
_ELEMENT = re.compile(r"_[a-z]*(8|16|32|64|128|256|512)$")


def data_operand(ins: Decoded) -> Operand:
    """Return the operand that a store takes its data from."""
    return ins.operands[0] if ins.name.startswith("buffer") else ins.operands[1]


def reader(ins: Decoded, context: Context, *, loads: bool, copies: bool = False) -> Where:
    """Return how an instruction's addresses are found and checked."""
    if ins.name.startswith("buffer"):
        return _buffer(ins, context, first=0 if copies else 1)
    address = ins.operands[0 if copies or not loads else 1]
    raw = flat(ins, context, address)

    def where(c: Cohort, access: Access) -> tuple[Array, Array]:
        found: tuple[Any, Any] = c.batch.traffic.checked(
            c, ins, np.broadcast_to(raw(c) - np.int64(BASE), c.exec.shape), c.exec.copy(), access
        )
        return found

    return where


def flat(ins: Decoded, context: Context, address: Operand) -> Callable[[Cohort], Array]:
    """Return how 64-bit addresses are found: a register pair, or a scalar pair and an offset, and a constant."""
    constant = np.int64(ins.modifiers.number("offset"))
    base = next((item for item in ins.operands if item.registers and item.first >= SGPR), None)
    if base is not None:
        start = scalar(base, "u64", ins, context)
        offset = source(address, "u32", ins, context) if address.registers else None
        if offset is not None and "scale_offset" in ins.modifiers.flags:
            size = np.int64(element_bytes(ins))
            return lambda c: start(c).view(np.int64)[:, None] + offset(c).astype(np.int64) * size + constant
        if offset is None:
            return lambda c: np.broadcast_to(start(c).view(np.int64)[:, None] + constant, c.exec.shape)
        return lambda c: start(c).view(np.int64)[:, None] + offset(c).astype(np.int64) + constant
    wide = source(address, "u64", ins, context)
    return lambda c: wide(c).view(np.int64) + constant


def element_bytes(ins: Decoded) -> int:
    """Return the bytes that an instruction accesses, in which an offset with ``scale_offset`` is counted (gfx1250)."""
    found = _ELEMENT.search(ins.name)
    if found is None or "_pk_" in ins.name or "_tr" in ins.name:
        raise ins.unmodelled("the size in which scale_offset counts")
    return int(found[1]) // 8


def _buffer(ins: Decoded, context: Context, first: int) -> Where:
    flags, operands = ins.modifiers.flags, ins.operands[first:]
    offen, idxen = "offen" in flags, "idxen" in flags
    vector = operands[0] if len(operands) > 2 else None
    resource, soffset = operands[-2:]
    words = resource.first - SGPR
    moving = scalar(soffset, "u32", ins, context) if soffset.kind is not Kind.OFF else None
    constant = ins.modifiers.number("offset")
    index = source(nth(vector, 0), "u32", ins, context) if vector and idxen else None
    offset = source(nth(vector, 1 if idxen else 0), "u32", ins, context) if vector and offen else None

    swizzled, wide = swizzling(context), context.target.has(WIDE)

    def where(c: Cohort, access: Access) -> tuple[Array, Array]:
        lanes = c.exec.copy()
        if wide:
            base, records, stride = _wide(ins, c, words)
        elif (c.s[words + 1] & swizzled).any() or (c.s[words + 3] & np.uint32(_LANE_ADDED)).any():
            raise ins.unmodelled("its buffer's descriptor swizzles addresses or adds the lane's number")
        else:
            base = (c.scalar_pair(words) & _ADDRESS_MASK).view(np.int64)[:, None]
            records, stride = (
                c.s[words + 2].astype(np.int64)[:, None],
                (c.s[words + 1] >> np.uint32(16) & np.uint32(0x3FFF)).astype(np.int64)[:, None],
            )
        inner = (offset(c).astype(np.int64) if offset else np.zeros(c.exec.shape, np.int64)) + constant
        shift = moving(c).astype(np.int64)[:, None] if moving else 0
        if index is not None:
            number = index(c).astype(np.int64)
            inside = (number < records) & ((stride == 0) | (inner < stride))
            inner = inner + number * stride
        else:
            inner = inner & 0xFFFFFFFF if constant else inner
            inside = inner + shift + access.bytes <= np.where(stride == 0, records, records * np.maximum(stride, 1))
        offsets = np.broadcast_to(base - np.int64(BASE) + inner + shift, lanes.shape)
        inside = np.broadcast_to(inside, lanes.shape)
        if inside.all():
            whole: tuple[Any, Any] = c.batch.traffic.checked(c, ins, offsets, lanes, access)
            return whole
        found, _ = c.batch.traffic.checked(c, ins, offsets, lanes & inside, access)
        return found, lanes

    return where


def _wide(ins: Decoded, c: Cohort, words: int) -> tuple[Array, Array, Array]:
    """Return base, records and stride of a descriptor with an address of 57 and a number of records of 45 bits."""
    if (c.s[words + 3] >> np.uint32(6)).any():
        raise ins.unmodelled("its buffer's descriptor has a stride or flags")
    low, high = c.scalar_pair(words), c.scalar_pair(words + 2)
    base = (low & np.uint64((1 << 57) - 1)).view(np.int64)[:, None]
    records = (low >> np.uint64(57) | high << np.uint64(7)).view(np.int64)[:, None]
    return base, records, np.zeros_like(records)


def swizzling(context: Context) -> np.uint32:
    """Return the bits of a descriptor's second word that ask for swizzled addresses."""
    return np.uint32(_SWIZZLED_WIDE if context.target.has(_BY_TWO_BITS) else _SWIZZLED)


def nth(item: Operand, place: int) -> Operand:
    """Return one register of an operand."""
    from dataclasses import replace

    return replace(item, registers=item.registers[place : place + 1])


def on_stack(c: Cohort, words: int) -> bool:
    """Tell whether a buffer's descriptor is the one of private memory."""
    return int(c.s[words + 1, 0]) & 0xFFFF == PRIVATE_APERTURE >> 4


def scratch(ins: Decoded, context: Context, *, loads: bool) -> Callable[[Cohort], Array]:
    """Return how byte offsets in each lane's private memory are found."""
    if ins.name.startswith("buffer"):
        return _scratch_buffer(ins, context)
    address, base = ins.operands[1 if loads else 0], ins.operands[2] if len(ins.operands) > 2 else None
    constant = np.int64(ins.modifiers.number("offset"))
    vector = source(address, "i32", ins, context) if address.registers else None
    uniform = scalar(base, "i32", ins, context) if base is not None and base.registers else None

    def where(c: Cohort) -> Array:
        offsets = np.full((1, 1), constant)
        if vector:
            offsets = offsets + vector(c)
        if uniform:
            offsets = offsets + uniform(c)[:, None]
        return np.broadcast_to(offsets, c.exec.shape)

    return where


def _scratch_buffer(ins: Decoded, context: Context) -> Callable[[Cohort], Array]:
    vector, soffset = ins.operands[1], ins.operands[3]
    constant, lanes = np.int64(ins.modifiers.number("offset")), context.lanes
    offset = source(vector, "i32", ins, context) if "offen" in ins.modifiers.flags else None
    moving = scalar(soffset, "u32", ins, context)

    def where(c: Cohort) -> Array:
        offsets = (moving(c).astype(np.int64) // lanes)[:, None] + constant
        return np.broadcast_to(offsets + offset(c) if offset else offsets, c.exec.shape)

    return where
