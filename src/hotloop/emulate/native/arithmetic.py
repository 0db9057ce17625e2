"""Records of vector and scalar instructions that only change registers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.emulate.hazards import EQUALITIES
from hotloop.emulate.native.generate import compare_functions, scalar_functions, vector_functions
from hotloop.emulate.native.record import NotHere, Writer
from hotloop.emulate.operands import Kind, Operand, parse
from hotloop.emulate.semantics.row import SCALAR, VECTOR, Row
from hotloop.emulate.state import EXEC_ROW, VCC_ROW
from hotloop.emulate.units.carry import CARRY
from hotloop.emulate.units.compare import COMPARE
from hotloop.emulate.units.scalar import SCALAR_COMPARE
from hotloop.emulate.units.subdword import PLACES
from hotloop.emulate.units.values import mask_row, size
from hotloop.isa.amdgcn.registers import SGPR

if TYPE_CHECKING:
    from hotloop.emulate.instruction import Decoded

_SCALES = {"mul:2": 1, "mul:4": 2, "div:2": 3}
_BOUNDED = ("u16", "i16", "u32", "i32")
_WIDE = re.compile(r"v_mad_(?:co_)?([ui])64_[ui]32$")
_DIVIDE = re.compile(r"v_div_(scale|fmas|fixup)_(f32|f64)$")
_STEPS = {"scale": 0, "fmas": 1, "fixup": 2}
_SAVE = re.compile(r"s_(\w+)_(saveexec|wrexec)_(b\d\d)$")
_SAVES = {
    "and": 0, "or": 1, "xor": 2, "andn2": 3, "and_not1": 3, "orn2": 4, "or_not1": 4, "andn1": 5, "and_not0": 5, "orn1": 6,
    "or_not0": 6, "nand": 7, "nor": 8, "xnor": 9,
}  # fmt: skip


def write(to: Writer) -> bool:
    """Write a vector or scalar instruction; False: it is something else."""
    name = to.ins.name
    if "::" in to.ins.text:
        _dual(to)
    elif name in VECTOR or name in ("v_cndmask_b32", "v_cndmask_b16"):
        _part(to)
    elif COMPARE.match(name):
        _compare(to)
    elif CARRY.match(name):
        _carry(to)
    elif found := _WIDE.match(name):
        _wide(to, signed=found[1] == "i")
    elif found := _DIVIDE.match(name):
        _divide(to, step=found[1], kind=found[2])
    elif name in SCALAR:
        _scalar(to, SCALAR[name])
    elif found := SCALAR_COMPARE.match(name):
        _scalar_compare(to, found)
    elif (found := _SAVE.match(name)) and found[1] in _SAVES:
        _save(to, found)
    else:
        return False
    return True


def _dpp(ins: Decoded) -> bool:
    return "_dpp" in ins.mnemonic or bool(ins.modifiers.text("dpp8"))


# -- rows -------------------------------------------------------------------------------------------------------------


def _part(to: Writer) -> None:
    if to.ins.name.startswith("v_cndmask"):
        _select(to)
    else:
        _row(to, VECTOR[to.ins.name])
    if _dpp(to.ins):
        to.permuted(result=True)
        # The other back end reads the first operand through DPP by the mnemonic's ending alone.
        to.record["src"][0]["permuted"] = "_dpp" in to.ins.mnemonic


def _row(to: Writer, row: Row) -> None:
    ins = to.ins
    operands = [*ins.operands[1:], *ins.operands[:1]] if row.tied else list(ins.operands[1:])
    kinds = [*row.sources, row.result] if row.tied else list(row.sources)
    selects = ins.modifiers.bits("op_sel")
    for place, (item, kind) in enumerate(zip(operands, kinds, strict=True)):
        high = place < len(selects) - 1 and bool(selects[place]) and size(kind) == 16
        _source(to, place, item, kind, high=high)
    if ins.name not in vector_functions():
        raise NotHere("its expression has no C")
    to.op("ROW", fn=vector_functions()[ins.name], finish=_finish(ins, row.result))
    if "_sdwa" in ins.mnemonic:
        _narrow_result(to, row.result)
        return
    high_result = bool(selects[-1]) if len(selects) > len(row.sources) and size(row.result) == 16 else None
    to.result(ins.operands[0], row.result, high=high_result)


def _source(to: Writer, place: int, item: Operand, kind: str, *, high: bool = False) -> None:
    select = to.ins.modifiers.text(f"src{place}_sel", "DWORD")
    if "_sdwa" not in to.ins.mnemonic or place > 1 or (select == "DWORD" and not item.extended):
        if item.extended:
            raise NotHere("sext() without a select")
        to.source(place, item, kind, high=high)
        return
    if not item.registers or item.first >= SGPR or kind == "bf16" or size(kind) == 64:
        raise NotHere("a select of something else than a vector register")
    record = to.source(place, replace(item, negated=False, absolute=False, extended=False), kind)
    record["select"], record["extended"], record["high"] = 1, item.extended, 0
    record["shift"], record["width"] = PLACES.get(select, (0, size(kind)))
    record["negated"], record["absolute"] = item.negated, item.absolute


def _narrow_result(to: Writer, kind: str) -> None:
    """Write a result that goes through the destination's select (SDWA)."""
    text = to.ins.modifiers.text
    to.result(to.ins.operands[0], kind)
    if (select := text("dst_sel", "DWORD")) == "DWORD":
        return
    if size(kind) == 64:
        raise NotHere("a select of a pair")
    shift, width = PLACES[select]
    unused = {"UNUSED_PRESERVE": 1, "UNUSED_SEXT": 2}.get(text("dst_unused", "UNUSED_PAD"), 0)
    to.record["finish"] |= 8
    to.record["n"][:3] = width, shift, unused


def _finish(ins: Decoded, kind: str) -> int:
    clamp = "clamp" in ins.modifiers.flags
    if kind[0] != "f":
        if clamp and kind in _BOUNDED:
            raise NotHere("clamp of integers")
        return 0
    scale = next((n for text, n in _SCALES.items() if tuple(text.split(":")) in ins.modifiers.values), 0)
    return int(clamp) | scale << 1


def _select(to: Writer) -> None:
    ins, operands = to.ins, to.ins.operands
    kind = "u16" if ins.name.endswith("16") else "u32"
    if any(item.negated or item.absolute for item in operands[1:3]):
        kind = kind.replace("u", "f")
    for place in range(2):
        _source(to, place, operands[place + 1], kind)
    to.op("SELECT", mask=mask_row(operands[3], ins) if len(operands) > 3 else VCC_ROW)
    if "_sdwa" in ins.mnemonic:
        _narrow_result(to, kind)
    else:
        to.result(operands[0], kind)


def _dual(to: Writer) -> None:
    ins = to.ins
    first, _, rest = ins.text.partition("::")
    word, _, second = rest.strip().partition(" ")
    to.op("DUAL", n={0: to.next_part()})
    for mnemonic, text in ((ins.mnemonic, first), (word, second)):
        operands, modifiers = parse(text.strip())
        name = mnemonic.replace("v_dual_", "v_", 1)
        half = replace(ins, name=name, mnemonic=name, operands=operands, modifiers=modifiers, text=text.strip())
        _part(to.part(half))


# -- compares and carries ---------------------------------------------------------------------------------------------


def _compare(to: Writer) -> None:
    ins = to.ins
    found = COMPARE.match(ins.name)
    assert found is not None
    into_exec, name, kind = bool(found[1]), found[2], found[3]
    if f"{name} {kind}" not in compare_functions():
        raise NotHere("condition")
    operands = list(ins.operands)
    place = -1 if into_exec else VCC_ROW
    if len(operands) >= 3:
        item = operands.pop(0)
        place = -1 if item.kind is Kind.NULL else mask_row(item, ins)
    selects = ins.modifiers.bits("op_sel")
    for n, type_ in enumerate((kind, "u32" if name == "class" else kind)):
        _source(to, n, operands[n], type_, high=len(selects) > n and bool(selects[n]) and type_.endswith("16"))
    to.op("COMPARE", fn=compare_functions()[f"{name} {kind}"], mask=-1 if into_exec and place == EXEC_ROW else place)
    if "_dpp" in ins.mnemonic:
        to.permuted(result=False)
    to.record["n"][0], to.record["n"][14] = into_exec, name in EQUALITIES


def _mask(item: Operand, ins: Decoded) -> int:
    return -1 if item.kind is Kind.NULL else mask_row(item, ins)


def _carry(to: Writer) -> None:
    ins, operands = to.ins, to.ins.operands
    if _dpp(ins):
        raise NotHere("a carry through DPP")
    takes = "_ci_" in ins.name or ins.name.startswith(("v_addc", "v_subb"))
    for place, item in enumerate(operands[2:4]):
        _source(to, place, item, "u32")
    to.result(operands[0], "u32")
    to.op(
        "CARRY", mask=_mask(operands[1], ins), carry=mask_row(operands[4], ins) if takes else -1,
        n={0: ins.name.startswith("v_sub"), 1: "rev" in ins.name},
    )  # fmt: skip


def _wide(to: Writer, *, signed: bool) -> None:
    ins = to.ins
    for place, item in enumerate(ins.operands[2:4]):
        to.source(place, item, "i32" if signed else "u32")
    to.source(2, ins.operands[4], "i64" if signed else "u64")
    to.result(ins.operands[0], "u64")
    to.op("WIDE", mask=_mask(ins.operands[1], ins), n={0: signed})


def _divide(to: Writer, *, step: str, kind: str) -> None:
    operands = to.ins.operands
    mask = _mask(operands[1], to.ins) if step == "scale" else -1
    for place, item in enumerate(operands[2:5] if step == "scale" else operands[1:4]):
        to.source(place, item, kind)
    to.result(operands[0], kind)
    to.op("DIVIDE", mask=mask, n={0: _STEPS[step]})


# -- scalar unit ------------------------------------------------------------------------------------------------------


def _short(item: Operand) -> int:
    return ((item.integer & 0xFFFF) ^ 0x8000) - 0x8000 & 0xFFFFFFFF


def _scalar(to: Writer, row: Row) -> None:
    ins = to.ins
    if ins.name not in scalar_functions():
        raise NotHere("its expression has no C")
    has_result = row.result != "-"
    operands = ins.operands[1:] if has_result else ins.operands
    for place, (item, kind) in enumerate(zip(operands, row.sources, strict=True)):
        if kind == "k16":
            to.constant(place, _short(item), "i32")
        else:
            to.scalar(place, item, kind)
    old = has_result and re.search(r"\bd\b", row.text) is not None
    if old:
        count = int(to.record["sources"])
        to.scalar(3, ins.operands[0], row.result)
        to.record["sources"] = count
    to.op("SCALAR", fn=scalar_functions()[ins.name], n={0: old})
    if has_result:
        to.scalar_result(ins.operands[0], row.result)
    else:
        to.record["kind"] = 255


def _scalar_compare(to: Writer, found: re.Match[str]) -> None:
    kind, name = found[3], found[2]
    if f"{name} {kind}" not in scalar_functions():
        raise NotHere("condition")
    first, second = to.ins.operands[:2]
    to.scalar(0, first, kind)
    if found[1]:
        to.constant(1, _short(second) if kind[0] == "i" else second.integer & 0xFFFF, kind)
    else:
        to.scalar(1, second, kind)
    to.op("SCALAR_COMPARE", fn=scalar_functions()[f"{name} {kind}"], n={14: name in EQUALITIES})


def _save(to: Writer, found: re.Match[str]) -> None:
    kind = {"b32": "u32", "b64": "u64"}[found[3]]
    to.scalar(0, to.ins.operands[1], kind)
    to.scalar_result(to.ins.operands[0], kind)
    to.op("SAVE", n={0: _SAVES[found[1]], 1: found[2] == "wrexec"})
