"""Records of instructions on several values: packed, dot products, between lanes, matrices."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.native.generate import vector_functions
from hotloop.emulate.native.record import NotHere, Writer
from hotloop.emulate.operands import Kind, Operand
from hotloop.emulate.semantics import formats
from hotloop.emulate.semantics.row import VECTOR
from hotloop.emulate.units import matrix, packed
from hotloop.isa.amdgcn.registers import SGPR
from hotloop.isa.matrix.instruction import Family, Instruction
from hotloop.isa.matrix.maps import element_map

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

_UNSIGNED, _SIGNED, _HALF, _BRAIN, _TABLE = range(5)
_TOTALS = {"f32": 0, "f16": 1, "bf16": 2, "i32": 3, "u32": 4}


def write(to: Writer) -> bool:
    """Write such an instruction; False: it is something else."""
    name = to.ins.name
    if name in packed.SAME:
        (_pair if name.endswith("32") else _halves)(to)
    elif found := packed.DOT.match(name):
        _dot(to, found)
    elif found := packed.MIX.match(name):
        _mix(to, found[1] or "")
    elif name in _MOVES:
        _MOVES[name](to)
    elif name.startswith(("v_mfma_", "v_wmma_")):
        _matrix(to)
    else:
        return False
    return True


# -- packed -----------------------------------------------------------------------------------------------------------


def _halves(to: Writer) -> None:
    ins = to.ins
    row = VECTOR[packed.SAME[ins.name]]
    kinds = (*row.sources, row.result)[: len(row.sources) + row.tied]
    items = packed.sources(ins)
    clamp = "clamp" in ins.modifiers.flags
    if clamp and row.result[0] != "f":
        raise NotHere("clamp of integers")
    to.op("HALVES", n={0: to.next_part()})
    selects = packed.selects(ins, len(items))
    for half in (0, 1):
        part = to.part()
        for place, (item, kind) in enumerate(zip(items, kinds, strict=True)):
            record = part.source(place, item, kind, high=selects[place][half])
            record["negated"] ^= selects[place][2 + half]
        part.op("ROW", fn=vector_functions()[row.name], finish=int(clamp))
        part.result(ins.operands[0], row.result)
    to.result(ins.operands[0], "u32")


def _pair(to: Writer) -> None:
    """Two 32-bit operations, both computed before either writes."""
    ins = to.ins
    row, items = VECTOR[packed.SAME[ins.name]], ins.operands[1:]
    moves = "mov" in ins.name
    kind = "u32" if moves else "f32"
    selects = packed.selects(ins, len(items))
    bits = ins.modifiers.bits("op_sel") or (0, 0)
    to.op("DUAL", n={0: to.next_part()})
    for half in (0, 1):
        part = to.part()
        if moves:
            part.source(0, _word(items[half], bool(bits[half])), kind)
        else:
            for place, (item, chosen) in enumerate(zip(items, selects, strict=True)):
                record = part.source(place, _word(item, chosen[half]), kind)
                record["negated"] ^= chosen[2 + half]
        part.op("ROW", fn=vector_functions()[row.name])
        part.result(replace(ins.operands[0], registers=ins.operands[0].registers[half : half + 1]), kind)


def _word(item: Operand, high: bool) -> Operand:  # noqa: FBT001 - a bit of the instruction
    if item.kind is Kind.REGISTER and len(item.registers) > 1:
        return replace(item, registers=item.registers[high : high + 1])
    return item


def _dot(to: Writer, found: re.Match[str]) -> None:
    ins = to.ins
    count, tied, out, kinds = int(found[1]), bool(found[2]), found[3], found[4]
    left, _, right = kinds.partition("_")
    signs = (*(ins.modifiers.bits("neg_lo") if left.startswith("iu") else ()), 0, 0)
    ways, tables = zip(*(_element(to, kind, signs[n]) for n, kind in enumerate((left, right or left))), strict=True)
    for place, item in enumerate(ins.operands[1:3]):
        to.source(place, item, "u32")
    to.source(2, ins.operands[0] if tied else ins.operands[3], out)
    to.result(ins.operands[0], "u16" if out == "bf16" else out)
    clamp = "clamp" in ins.modifiers.flags and out in ("i32", "u32")
    to.op(
        "DOT",
        n={
            0: count,
            1: ways[0],
            2: ways[1],
            3: _TOTALS[out],
            4: clamp,
            5: tables[0],
            6: tables[1],
            7: packed.addend_last(ins, to.context),
        },
    )


def _element(to: Writer, kind: str, sign: int) -> tuple[int, int]:
    tables = dict(zip(("fp8", "bf8"), formats.fp8(to.context.target), strict=True))
    if kind in tables:
        if "dot4" not in to.ins.name:
            raise NotHere("8-bit floats that are not four")
        return _TABLE, to.tables.values_of(formats.table(tables[kind]))
    if kind in ("f16", "bf16"):
        return (_HALF if kind == "f16" else _BRAIN), 0
    signed = kind.startswith("i") and not kind.startswith("iu")
    return (_SIGNED if signed or sign else _UNSIGNED), 0


def _mix(to: Writer, half: str) -> None:
    ins = to.ins
    choose, halved = ins.modifiers.bits("op_sel"), ins.modifiers.bits("op_sel_hi")
    small = "bf16" if "bf16" in ins.name else "f16"
    for place, item in enumerate(ins.operands[1:4]):
        if place < len(halved) and halved[place]:
            if not item.registers:
                raise NotHere("a half of a constant")
            to.source(place, item, small, high=place < len(choose) and bool(choose[place]))
        else:
            to.source(place, item, "f32")
    kind = "f32" if not half else small
    to.result(ins.operands[0], "u16" if kind == "bf16" else kind, high=None if not half else half == "hi")
    to.op("MIX", n={0: ("f32", "f16", "bf16").index(kind), 1: "clamp" in ins.modifiers.flags})


def _truth(to: Writer) -> None:
    for place, item in enumerate(to.ins.operands[1:4]):
        to.source(place, item, "u32")
    to.result(to.ins.operands[0], "u32")
    to.op("TRUTH", n={0: to.ins.modifiers.number("bitop3")})


# -- lanes ------------------------------------------------------------------------------------------------------------


def _read_first(to: Writer) -> None:
    to.source(0, to.ins.operands[1], "u32")
    to.scalar_result(to.ins.operands[0])
    to.op("READ_FIRST")


def _read_lane(to: Writer) -> None:
    to.source(0, to.ins.operands[1], "u32")
    to.scalar(1, to.ins.operands[2], "u32")
    to.scalar_result(to.ins.operands[0])
    to.op("READ_LANE")


def _write_lane(to: Writer) -> None:
    for place, item in enumerate(to.ins.operands[1:3]):
        to.scalar(place, item, "u32")
    to.op("WRITE_LANE", row=to.context.layout.row(to.ins.operands[0].first))


def _permlane16(to: Writer) -> None:
    ins = to.ins
    to.source(0, ins.operands[1], "u32")
    for place, item in enumerate(ins.operands[2:4]):
        to.scalar(1 + place, item, "u32")
    selects = (*ins.modifiers.bits("op_sel"), 0, 0)
    crossed = 16 if "permlanex16" in ins.name else 0
    to.op("PERMLANE16", row=to.context.layout.row(ins.operands[0].first), n={0: crossed, 1: selects[0], 2: selects[1]})


def _permlane64(to: Writer) -> None:
    to.source(0, to.ins.operands[1], "u32")
    to.op("PERMLANE64", row=to.context.layout.row(to.ins.operands[0].first))


def _swap(to: Writer) -> None:
    first, second = (to.context.layout.row(item.first) for item in to.ins.operands[:2])
    width = 0 if to.ins.name == "v_swap_b32" else 16 if "16" in to.ins.name else 32
    to.op("SWAP", row=first, mask=second, n={0: width})


def _mbcnt(to: Writer) -> None:
    for place, item in enumerate(to.ins.operands[1:3]):
        to.source(place, item, "u32")
    row = to.context.layout.row(to.ins.operands[0].first)
    to.op("MBCNT", row=row, n={0: 0 if "_lo_" in to.ins.name else 32})


_MOVES: Mapping[str, Callable[[Writer], None]] = {
    "v_readfirstlane_b32": _read_first,
    "v_readlane_b32": _read_lane,
    "v_writelane_b32": _write_lane,
    "v_permlane16_b32": _permlane16,
    "v_permlanex16_b32": _permlane16,
    "v_permlane64_b32": _permlane64,
    "v_permlane16_swap_b32": _swap,
    "v_permlane32_swap_b32": _swap,
    "v_swap_b32": _swap,
    "v_mbcnt_lo_u32_b32": _mbcnt,
    "v_mbcnt_hi_u32_b32": _mbcnt,
    "v_bitop3_b32": _truth,
}


# -- matrices ---------------------------------------------------------------------------------------------------------

_READ = {"f16": 0, "bf16": 1, "f32": 2, "xf32": 2, "f64": 3}
_IN_TABLE, _WHOLE_SIGNED, _WHOLE = 4, 5, 6
_RESULTS = {"f32": 0, "f64": 1, "i32": 2, "f16": 3, "bf16": 4}
_NEGATE_A, _NEGATE_B, _NEGATE_C, _ABSOLUTE_C, _CLAMP, _SPREAD, _CONSTANT, _SCALED = (1 << n for n in range(8))
_MOST_ITEMS, _MOST_ELEMENTS = 64, 4096


def _matrix(to: Writer) -> None:
    ins = to.ins
    known, kinds = matrix.known(ins, to.context)
    if known.family is Family.SMFMAC:
        raise NotHere("sparse")
    a_map, b_map, d_map = (element_map(known, operand) for operand in "ABD")
    if known.n not in (4, 16, 32) or max(a_map.items, b_map.items, d_map.items) > _MOST_ITEMS:
        raise NotHere("shape")
    flags, n = 0, {0: known.blocks, 1: known.m, 2: known.n, 3: known.k, 4: a_map.items, 5: b_map.items, 10: d_map.items}
    if max(known.m * known.k, known.k * known.n, known.blocks * known.m * known.n) > _MOST_ELEMENTS:
        raise NotHere("size")
    for place, kind in enumerate((kinds[0] or known.a_type, kinds[1] or known.b_type)):
        n[6 + place], bits, n[12 + place] = _elements(to, kind, place)
        n[8] = n.get(8, 0) | bits << 8 * place
        _operand(to, place, ins.operands[1 + place], n[4 + place] * bits)
        if known.a_type == "f64" and ins.modifiers.number("blgp") >> place & 1:
            flags |= (_NEGATE_A, _NEGATE_B)[place]
    flags |= _accumulator(to, known, n)
    if "_scale_" in ins.name:
        flags |= _SCALED
        n[15] = _scales(to)
    n[11], n[9] = flags, _RESULTS[known.c_type]
    rows = [to.context.layout.row(register) for register in ins.operands[0].registers]
    if 32 * len(rows) < _result_bits(known, d_map.items) * (2 if flags & _SPREAD else 1):
        raise NotHere("operands")
    to.op("MATRIX", row=rows[0], n=n, table=_maps(to, known))


def _operand(to: Writer, place: int, item: Operand, bits: int) -> None:
    if item.kind is not Kind.REGISTER or item.first >= SGPR or 32 * len(item.registers) < bits:
        raise NotHere(f"operand {item.text}")
    to.source(place, replace(item, negated=False, absolute=False), "u32")


def _elements(to: Writer, kind: str, place: int) -> tuple[int, int, int]:
    """Return how a side's elements are read, their bits, and where their values stand."""
    if kind in _READ:
        return _READ[kind], {"f16": 16, "bf16": 16, "f64": 64}.get(kind, 32), 0
    width = matrix.SMALL.get(kind, 6)
    if kind.startswith("i"):
        bits = (*to.ins.modifiers.bits("neg_lo"), 0, 0)
        signed = bool(bits[place]) if kind.startswith("iu") else True
        return (_WHOLE_SIGNED if signed else _WHOLE), width, 0
    eight = dict(zip(("fp8", "bf8"), formats.fp8(to.context.target), strict=True))
    form = {**eight, "f6": formats.E2M3, "f6b": formats.E3M2, "f4": formats.E2M1}[kind]
    return _IN_TABLE, width, to.tables.values_of(formats.table(form))


def _accumulator(to: Writer, known: Instruction, n: dict[int, int]) -> int:
    ins, flags = to.ins, 0
    item = ins.operands[3]
    spread = known.family is Family.WMMA_GFX11 and known.c_type in ("f16", "bf16")
    if item.kind is not Kind.REGISTER:
        to.source(2, item, {"i32": "i32", "f64": "f64"}.get(known.c_type, "f32"))
        if int(to.record["src"][2]["where"]) != 2 or item.negated or item.absolute:
            raise NotHere(f"operand {item.text}")
        flags |= _CONSTANT
    else:
        _operand(to, 2, item, _result_bits(known, n[10]))
        low, high = (*ins.modifiers.bits("neg_lo"), 0, 0, 0), (*ins.modifiers.bits("neg_hi"), 0, 0, 0)
        flags |= (_NEGATE_C if low[2] else 0) | (_ABSOLUTE_C if high[2] else 0)
    bits = ins.modifiers.bits("op_sel")
    n[14] = bits[2] if spread and len(bits) > 2 else 0
    return flags | (_SPREAD if spread else 0) | (_CLAMP if "clamp" in ins.modifiers.flags else 0)


def _result_bits(known: Instruction, items: int) -> int:
    """Return the bits of C's and D's registers; gfx11 gives each 16-bit element a register."""
    return items * {"f64": 64, "f16": 16, "bf16": 16}.get(known.c_type, 32)


def _scales(to: Writer) -> int:
    low, high = (*to.ins.modifiers.bits("op_sel"), 0, 0), (*to.ins.modifiers.bits("op_sel_hi"), 0, 0)
    for place, item in enumerate(to.ins.operands[4:6]):
        to.source(3 + place, item, "u32")
    first, second = (8 * (low[place] + 2 * high[place]) for place in range(2))
    return first | second << 8


def _maps(to: Writer, known: Instruction) -> int:
    """Write which item of which lane stands where: A, B, then where each item of D comes from, then A's blocks."""
    places = []
    for operand in "AB":
        where = element_map(known, operand)
        lane, item = np.meshgrid(np.arange(where.row.shape[0]), np.arange(where.items), indexing="ij")
        index = np.zeros(where.shape, np.int64)
        index[where.block[::-1], where.row[::-1], where.column[::-1]] = (item * 64 + lane)[::-1]
        places.append(index.reshape(-1))
    out = element_map(known, "D")
    spread = np.ravel_multi_index((out.block, out.row, out.column), out.shape)
    uses = matrix.broadcast(to.ins, known)
    blocks = np.arange(known.blocks) if uses is None else uses
    return to.tables.add(np.concatenate([*places, spread.reshape(-1), blocks]))
