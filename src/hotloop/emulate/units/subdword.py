"""Sub-dword addressing (SDWA) of gfx9 and gfx10: operands that are a byte or a half of a register.

Source: AMD's Vega and RDNA 1 ISA references, section "SDWA".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.units.values import DTYPES, Read, Write, size
from hotloop.emulate.units.values import sink as whole_sink
from hotloop.emulate.units.values import source as whole_source

if TYPE_CHECKING:
    from hotloop.emulate.instruction import Context, Decoded
    from hotloop.emulate.operands import Operand
    from hotloop.emulate.state import Registers

PLACES = {f"BYTE_{n}": (8 * n, 8) for n in range(4)} | {f"WORD_{n}": (16 * n, 16) for n in range(2)}


def source(item: Operand, kind: str, place: int, ins: Decoded, context: Context) -> Read:
    """Return how an operand is read through its select; `place` is 0 or 1."""
    select = ins.modifiers.text(f"src{place}_sel", "DWORD")
    if select == "DWORD" and not item.extended:
        return whole_source(item, kind, ins, context)
    shift, width = PLACES.get(select, (0, size(kind)))
    bare = whole_source(_bare(item), "u32", ins, context)
    read = _field(bare, shift, width, kind, signed=item.extended)
    if item.absolute:
        inner = read
        read = lambda r: np.abs(inner(r))  # noqa: E731 - one of several wrappers
    if item.negated:
        positive = read
        read = lambda r: -positive(r)  # noqa: E731
    return read


def _bare(item: Operand) -> Operand:
    from dataclasses import replace

    return replace(item, negated=False, absolute=False, extended=False)


def _field(read: Read, shift: int, width: int, kind: str, *, signed: bool) -> Read:
    dtype = DTYPES[kind]
    up, down = 32 - width - shift, 32 - width

    def field(r: Registers) -> Any:  # noqa: ANN401 - arrays of any type
        bits = read(r)
        value = bits.view(np.int32) << up >> down if signed else bits << np.uint32(up) >> np.uint32(down)
        if size(kind) == 16:
            return value.astype(np.uint16).view(dtype)
        return value.view(dtype)

    return field


def sink(ins: Decoded, kind: str, context: Context) -> Write:
    """Return how a result is written through the destination's select."""
    select, unused = ins.modifiers.text("dst_sel", "DWORD"), ins.modifiers.text("dst_unused", "UNUSED_PAD")
    if select == "DWORD":
        return whole_sink(ins.operands[0], kind, ins, context)
    row = context.layout.row(ins.operands[0].first)
    shift, width = PLACES[select]
    mask = np.uint32((1 << width) - 1 << shift)

    def write(r: Registers, value: Any) -> None:  # noqa: ANN401
        raw = value.view({2: np.uint16, 4: np.uint32}[value.dtype.itemsize]).astype(np.uint32)
        bits = raw << np.uint32(shift) & mask
        if unused == "UNUSED_PRESERVE":
            bits = bits | r.v[row] & ~mask
        elif unused == "UNUSED_SEXT":
            up = 32 - width - shift
            bits = ((bits << np.uint32(up)).view(np.int32) >> up).view(np.uint32)
        r.put(row, bits)

    return write
