"""Records of memory instructions: device, local and private memory, atomics, scalar loads, the crossbar."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate import forms
from hotloop.emulate.native import layout
from hotloop.emulate.native.record import NotHere, Writer, inside
from hotloop.emulate.operands import Kind, Operand
from hotloop.emulate.shadow_global import COHERENT
from hotloop.emulate.units import addresses, atomics, constant, local, memory
from hotloop.emulate.units.lanes import CROSSBAR, SWIZZLE, swizzle_pattern
from hotloop.isa.amdgcn.registers import SGPR, lds_copy

if TYPE_CHECKING:
    from hotloop.emulate.forms import Form

_PLAIN, _BUFFER, _BASE = range(3)
_OFFEN, _IDXEN, _MOVING, _SWIZZLED_BY_TWO = 1, 2, 4, 8
_MOST_WORDS = 4
_WIDTHS = (4, 6, 8, 16)
_CHANGES = {
    name: number
    for number, name in enumerate(
        ("add", "sub", "rsub", "smin", "smax", "umin", "umax", "and", "or", "xor", "inc", "dec", "swap", "cmpswap", "fadd", "fmin",
         "fmax", "pk_add_f16", "pk_add_bf16")
    )
}  # fmt: skip


def write(to: Writer) -> bool:
    """Write a memory instruction; False: it is something else. Raises NotHere for a form that has no code."""
    name = to.ins.name
    if name.startswith("ds_"):
        _local(to)
    elif name.startswith(("global_", "flat_", "buffer_", "scratch_")):
        _vector(to)
    elif constant.QUIET.match(name):
        to.op("NOTHING")
    elif constant.TIME.match(name):
        _clock(to)
    elif found := constant.LOAD.match(name):
        _scalar(to, found)
    else:
        return False
    return True


def _shape(to: Writer, shape: Form) -> None:
    if shape.words > _MOST_WORDS:
        raise NotHere(f"{shape.bytes} bytes a lane")
    half = -1 if shape.half is None else shape.half
    bits = shape.bits - (1 << 32) if shape.bits >> 31 else shape.bits
    to.op("NOTHING", n={0: shape.bytes, 1: shape.signed, 2: half, 3: shape.words, 7: bits})
    if COHERENT & to.ins.modifiers.flags or "SCOPE" in to.ins.modifiers.text("scope"):
        raise NotHere("work-groups that meet in device memory")


def _first(to: Writer, item: Operand, words: int) -> int:
    """Return the row of a register tuple. Raises NotHere when it is none."""
    if item.kind is not Kind.REGISTER or item.first >= SGPR or len(item.registers) < words:
        raise NotHere(f"operand {item.text}")
    rows = [to.context.layout.row(register) for register in item.registers[:words]]
    if rows != list(range(rows[0], rows[0] + words)):
        raise NotHere(f"operand {item.text}")
    return rows[0]


# -- device memory ----------------------------------------------------------------------------------------------------


def _vector(to: Writer) -> None:
    ins = to.ins
    if memory.NOTHING.match(ins.name):
        to.op("ISSUE" if ins.issues else "NOTHING")
        return
    if "_atomic_" in ins.name:
        raise NotHere("work-groups that meet in device memory")
    found = memory.NAME.match(ins.name)
    shape = forms.form(found[3]) if found else None
    if found is None or shape is None:
        raise NotHere(ins.name)
    _shape(to, shape)
    loads = found[2] == "load"
    if lds_copy(ins.mnemonic, ins.text):
        _copy(to, loads=loads)
    elif found[1] == "scratch":
        _scratch(to, shape, loads=loads)
        return
    elif loads:
        _addresses(to, loads=True, copies=False)
        to.op("LOAD", row=_first(to, ins.operands[0], shape.words))
    else:
        _addresses(to, loads=False, copies=False)
        to.op("STORE", n={4: _first(to, addresses.data_operand(ins), shape.words)})
    if (
        found[1] == "buffer"
        and to.context.private
        and to.record["op"] != layout.OP["COPY"]
        and "idxen" not in ins.modifiers.flags
    ):
        _stacked(to, shape, loads=loads)


def _stacked(to: Writer, shape: Form, *, loads: bool) -> None:
    """Write a further record: how it is read where the descriptor turns out to be the one of private memory."""
    to.op("LOAD" if loads else "STORE", n={14: to.next_part()})
    other = to.part()
    _shape(other, shape)
    _scratch(other, shape, loads=loads)


def _addresses(to: Writer, *, loads: bool, copies: bool) -> None:
    ins = to.ins
    if "scale_offset" in ins.modifiers.flags:
        raise NotHere("offsets counted in elements")
    if ins.name.startswith("buffer"):
        if to.context.target.has(addresses.WIDE):
            raise NotHere("another descriptor")
        _descriptor(to, ins.operands[0 if copies else 1 :])
        return
    address = ins.operands[0 if copies or not loads else 1]
    base = next((item for item in ins.operands if item.registers and item.first >= SGPR), None)
    to.record["offset"] = ins.modifiers.number("offset")
    if base is None:
        to.source(0, address, "u64")
        to.op("NOTHING", n={5: _PLAIN})
        return
    if address.registers:
        to.source(0, address, "u32")
    to.scalar(1, base, "u64")
    to.op("NOTHING", n={5: _BASE, 6: bool(address.registers)})


def _descriptor(to: Writer, operands: tuple[Operand, ...]) -> None:
    flags = to.ins.modifiers.flags
    offen, idxen = "offen" in flags, "idxen" in flags
    vector = operands[0] if len(operands) > 2 else None
    resource, moving = operands[-2:]
    how = 0
    if vector is not None and offen:
        to.source(0, addresses.nth(vector, 1 if idxen else 0), "u32")
        how |= _OFFEN
    if vector is not None and idxen:
        to.source(1, addresses.nth(vector, 0), "u32")
        how |= _IDXEN
    to.scalar(2, resource, "u32")
    if moving.kind is not Kind.OFF:
        to.scalar(3, moving, "u32")
        how |= _MOVING
    to.record["offset"] = to.ins.modifiers.number("offset")
    how |= _SWIZZLED_BY_TWO if addresses.swizzling(to.context) & 1 << 30 else 0
    to.op("NOTHING", n={5: _BUFFER, 6: how})


def _copy(to: Writer, *, loads: bool) -> None:
    if "async" in to.ins.name or not loads or len(to.ins.issues) > 3:
        raise NotHere(to.ins.name)
    _addresses(to, loads=True, copies=True)
    to.op("COPY", n={11: to.ins.modifiers.number("offset")})


def _change(to: Writer, meaning: tuple[object, object], items: list[Operand], result: Operand | None) -> None:
    """Write what an atomic does: its data and, for a compare-and-swap, what is compared behind them."""
    change, dtype = meaning
    name = next(key for key, value in atomics.CHANGES.items() if value[1] is change)
    words = np.dtype(dtype).itemsize // 4  # type: ignore[call-overload]
    rows = [to.context.layout.row(register) for item in items for register in item.registers]
    if len(rows) < words or any(register >= SGPR for item in items for register in item.registers):
        raise NotHere("operands")
    parts = rows[:words], rows[words : 2 * words] if len(rows) >= 2 * words else rows[:words]
    if any(part != list(range(part[0], part[0] + words)) for part in parts):
        raise NotHere("operands")
    out = -1 if result is None else _first(to, result, words)
    n = {0: 4 * words, 2: -1, 3: words, 4: parts[0][0], 8: _CHANGES[name], 9: parts[1][0], 10: out, 7: -1}
    to.op("NOTHING", row=out, n=n)


def _scratch(to: Writer, shape: Form, *, loads: bool) -> None:
    ins = to.ins
    how, divisor = 0, 1
    to.record["offset"] = ins.modifiers.number("offset")
    if ins.name.startswith("buffer"):
        vector, uniform, divisor = ins.operands[1], ins.operands[3], to.context.lanes
        how = 2 | int("offen" in ins.modifiers.flags)
        to.scalar(1, uniform, "u32")
        if how & 1:
            to.source(0, vector, "i32")
    else:
        vector, base = ins.operands[1 if loads else 0], ins.operands[2] if len(ins.operands) > 2 else None
        if vector.registers:
            to.source(0, vector, "i32")
            how |= 1
        if base is not None and base.registers:
            to.scalar(1, base, "i32")
            how |= 2
    data = ins.operands[0] if loads else addresses.data_operand(ins)
    first = _first(to, data, shape.words)
    to.op("SCRATCH_LOAD" if loads else "SCRATCH_STORE", row=first, n={4: first, 6: how, 8: divisor})


# -- scalar memory ----------------------------------------------------------------------------------------------------


def _clock(to: Writer) -> None:
    count = len(to.ins.operands[0].registers) if to.ins.operands else 0
    if count not in (1, 2) or not to.ins.issues:
        raise NotHere(to.ins.name)
    to.op("CLOCK", row=to.ins.operands[0].first - SGPR, n={3: count})


def _scalar(to: Writer, found: re.Match[str]) -> None:
    ins = to.ins
    shape = forms.form(found[2])
    words = len(ins.operands[0].registers)
    if shape is None or words > 16 or words != shape.words or "scale_offset" in ins.modifiers.flags:
        raise NotHere(ins.name)
    buffered, constant_offset, moves = bool(found[1]), ins.modifiers.number("offset"), False
    to.scalar(0, ins.operands[1], "u32" if buffered else "u64")
    if len(ins.operands) > 2:
        item = ins.operands[2]
        if item.registers:
            to.scalar(1, item, "u32")
            moves = True
        else:
            constant_offset += item.integer
    row = ins.operands[0].first - SGPR
    if row + words > layout.SCC_ROW:
        raise NotHere("destination")
    to.record["offset"] = constant_offset
    to.op("SCALAR_LOAD", row=row, n={0: shape.bytes, 1: shape.signed, 3: words, 5: moves, 6: buffered})


# -- local memory -----------------------------------------------------------------------------------------------------


def _local(to: Writer) -> None:
    ins = to.ins
    if ins.name == "ds_nop":
        to.op("NOTHING")
    elif ins.name in CROSSBAR:
        _crossbar(to)
    elif found := local.TURNED.match(ins.name):
        _turned(to, found)
    elif found := local.TWO.match(ins.name):
        _two(to, found)
    else:
        found = local.ONE.match(ins.name)
        shape = forms.form(found[2]) if found else None
        if found and shape:
            _one(to, shape, reads=found[1] in ("read", "load"))
        else:
            _local_atomic(to)
    if to.record["op"] == layout.OP["DS_READ"] and not to.ins.issues:
        raise NotHere(ins.name)


def _one(to: Writer, shape: Form, *, reads: bool) -> None:
    ins = to.ins
    to.source(0, ins.operands[1 if reads else 0], "u32")
    _shape(to, shape)
    first = _first(to, ins.operands[0 if reads else 1], shape.words)
    to.op("DS_READ" if reads else "DS_WRITE", row=first, n={4: first, 6: 1, 11: ins.modifiers.number("offset")})


def _two(to: Writer, found: re.Match[str]) -> None:
    ins, shape = to.ins, forms.Form(int(found[3]) // 8)
    unit = shape.bytes * (64 if found[2] else 1)
    shifts = {11 + n: ins.modifiers.number(f"offset{n}") * unit for n in range(2)}
    _shape(to, shape)
    if found[1] in ("read", "load"):
        to.source(0, ins.operands[1], "u32")
        to.op("DS_READ", row=_first(to, ins.operands[0], 2 * shape.words), n={6: 2, **shifts})
        return
    to.source(0, ins.operands[0], "u32")
    first, second = (_first(to, ins.operands[n], shape.words) for n in (1, 2))
    to.op("DS_WRITE", n={4: first, 6: 2, 13: second, **shifts})


def _turned(to: Writer, found: re.Match[str]) -> None:
    ins = to.ins
    width = int(found[2].rpartition("b")[2])
    size = int(found[1] or 64) // 8 if found[1] else 4 * len(ins.operands[0].registers)
    if size not in (8, 12) or width not in _WIDTHS:
        raise NotHere(ins.name)
    to.source(0, ins.operands[1], "u32")
    _shape(to, forms.Form(size))
    row = _first(to, ins.operands[0], size // 4)
    to.op("DS_TURN", row=row, n={11: ins.modifiers.number("offset"), 13: width})


def _local_atomic(to: Writer) -> None:
    ins = to.ins
    found = atomics.LOCAL.match(ins.name)
    meaning = atomics.meaning_of(f"{found[1]}_{found[3]}") if found and found[3] not in ("f16", "bf16") else None
    if found and found[1] == "pk_add":
        meaning = atomics.CHANGES[f"pk_add_{found[3]}"][1], np.uint32
    if found is None or meaning is None:
        raise NotHere(ins.name)
    back = found[2] is not None
    to.source(0, ins.operands[1 if back else 0], "u32")
    items = ins.operands[2 if back else 1 :]
    ordered = items[::-1] if "cmpst_" in ins.name else items
    _change(to, meaning, list(ordered), ins.operands[0] if back else None)
    to.op("DS_ATOMIC", n={11: ins.modifiers.number("offset")})


def _crossbar(to: Writer) -> None:
    ins = to.ins
    row = _first(to, ins.operands[0], 1)
    n = {2: -1, 3: 1, 6: 0}
    if ins.name == SWIZZLE:
        to.source(0, ins.operands[1], "u32")
        table = np.zeros(layout.LANES, np.int64)
        table[: to.context.lanes] = swizzle_pattern(ins, to.context.lanes)
        inside(table, to.context.lanes)
        to.op("CROSSBAR", row=row, table=to.tables.add(table), n=n)
        return
    for place, item in enumerate(ins.operands[1:3]):
        to.source(place, item, "u32")
    to.record["offset"] = ins.modifiers.number("offset")
    to.op("CROSSBAR", row=row, n={**n, 6: 1 if "bpermute" in ins.name else 2})
