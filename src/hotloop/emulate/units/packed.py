"""Packed instructions (VOP3P) on two halves or two words, dot products and mixed-precision multiply-adds.

Source: AMD's ISA references of Vega, CDNA 2 to 4, RDNA 1 to 4, section "VOP3P instructions".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.operands import Kind, Operand
from hotloop.emulate.semantics import formats
from hotloop.emulate.semantics.functions import FUNCTIONS, clamped
from hotloop.emulate.semantics.fused import fma32
from hotloop.emulate.semantics.row import VECTOR
from hotloop.emulate.units.values import DTYPES, Read, sink, source
from hotloop.emulate.units.vector import bounded

if TYPE_CHECKING:
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Context, Decoded
    from hotloop.emulate.state import Registers

Step = Callable[["Cohort"], None]
SAME = {
    "v_pk_add_f16": "v_add_f16", "v_pk_mul_f16": "v_mul_f16", "v_pk_fma_f16": "v_fma_f16", "v_pk_min_f16": "v_min_f16",
    "v_pk_max_f16": "v_max_f16", "v_pk_min_num_f16": "v_min_f16", "v_pk_max_num_f16": "v_max_f16", "v_pk_fmac_f16": "v_fma_f16",
    "v_pk_minimum_f16": "v_minimum_f16", "v_pk_maximum_f16": "v_maximum_f16",
    "v_pk_add_u16": "v_add_u16", "v_pk_sub_u16": "v_sub_u16", "v_pk_add_i16": "v_add_i16", "v_pk_sub_i16": "v_sub_i16",
    "v_pk_mul_lo_u16": "v_mul_lo_u16", "v_pk_mad_u16": "v_mad_u16", "v_pk_mad_i16": "v_mad_i16", "v_pk_min_u16": "v_min_u16",
    "v_pk_max_u16": "v_max_u16", "v_pk_min_i16": "v_min_i16", "v_pk_max_i16": "v_max_i16",
    "v_pk_lshlrev_b16": "v_lshlrev_b16", "v_pk_lshrrev_b16": "v_lshrrev_b16", "v_pk_ashrrev_i16": "v_ashrrev_i16",
    "v_pk_add_f32": "v_add_f32", "v_pk_mul_f32": "v_mul_f32", "v_pk_fma_f32": "v_fma_f32", "v_pk_mov_b32": "v_mov_b32",
    "v_pk_min3_f16": "v_min3_f16", "v_pk_max3_f16": "v_max3_f16", "v_pk_minimum3_f16": "v_minimum3_f16", "v_pk_maximum3_f16": "v_maximum3_f16",
}  # fmt: skip
"""The instruction that a packed one does to each half or word."""
DOT = re.compile(
    r"v_dot(2|4|8)(c?|acc(?=_f32_f16))_(f32|i32|u32|f16|bf16)_(f16|bf16|i8|u8|iu8|i4|u4|iu4|i16|u16|fp8_fp8|fp8_bf8|bf8_fp8|bf8_bf8)$"
)
"""Dot products; those whose addend is their destination have a ``c``, or gfx11's and gfx12's ``acc``."""
MIX = re.compile(r"v_(?:fma|mad)_mix(lo|hi)?_(?:f16|f32|bf16|f32_bf16)$")


def bind(ins: Decoded, context: Context) -> Step | None:
    """Return the step of a packed, dot or mixed instruction, or None."""
    if ins.name in SAME:
        return _wide(ins, context) if ins.name.endswith("32") else _halves(ins, context)
    if ins.name in ("v_bitop3_b32", "v_bitop3_b16"):
        return _truth(ins, context)
    if found := DOT.match(ins.name):
        return _dot(ins, context, found)
    if found := MIX.match(ins.name):
        return _mix(ins, context, found[1] or "")
    return None


def selects(ins: Decoded, count: int) -> list[tuple[bool, bool, bool, bool]]:
    """Return for each source: upper part for the low result, for the high one, and the signs of both."""
    low, high = ins.modifiers.bits("op_sel"), ins.modifiers.bits("op_sel_hi")
    negative_low, negative_high = ins.modifiers.bits("neg_lo"), ins.modifiers.bits("neg_hi")

    def at(bits: tuple[int, ...], place: int, default: int) -> bool:
        return bool(bits[place]) if place < len(bits) else bool(default)

    return [(at(low, n, 0), at(high, n, 1), at(negative_low, n, 0), at(negative_high, n, 0)) for n in range(count)]


def sources(ins: Decoded) -> tuple[Operand, ...]:
    """Return the operands that a packed instruction reads, in order."""
    return (*ins.operands[1:], ins.operands[0]) if "fmac" in ins.name else ins.operands[1:]


def _signed(read: Read, negative: bool) -> Read:  # noqa: FBT001 - a bit of the instruction
    return (lambda r: -read(r)) if negative else read


def _halves(ins: Decoded, context: Context) -> Step:
    row = VECTOR[SAME[ins.name]]
    function, kinds = row.function(), (*row.sources, row.result)[: len(row.sources) + row.tied]
    items = sources(ins)
    parts: list[list[Read]] = [[], []]
    for item, kind, chosen in zip(items, kinds, selects(ins, len(items)), strict=True):
        for half in (0, 1):
            read = source(item, kind, ins, context, high=chosen[half])
            parts[half].append(_signed(read, chosen[2 + half]))
    put = sink(ins.operands[0], "u32", ins, context)
    low, high = parts
    pack, clamp = FUNCTIONS["pack"], "clamp" in ins.modifiers.flags
    limited = bounded(row) if clamp else None
    function = limited or function

    def step(c: Cohort) -> None:
        one, two = function(*(read(c) for read in low)), function(*(read(c) for read in high))
        if limited:
            one, two = (value.astype(DTYPES[row.result]) for value in (one, two))
        elif clamp:
            one, two = (clamped(value) for value in (one, two))
        put(c, pack(one, two))

    return step


def _word(item: Operand, high: bool, kind: str, ins: Decoded, context: Context) -> Read:  # noqa: FBT001
    """Return how one word of a pair is read; a constant is the same for both, as is a single scalar register."""
    if item.kind is Kind.REGISTER and len(item.registers) > 1:
        item = replace(item, registers=item.registers[high : high + 1])
    return source(item, kind, ins, context)


def _wide(ins: Decoded, context: Context) -> Step:
    """Two 32-bit operations; op_sel chooses the word of each source for the low result, op_sel_hi for the high one."""
    row = VECTOR[SAME[ins.name]]
    function, items = row.function(), ins.operands[1:]
    if len(items) != (2 if "mov" in ins.name else len(row.sources)):
        raise ins.unmodelled("its operands are not those of the instruction")
    chosen = selects(ins, len(items))
    kind = "u32" if "mov" in ins.name else "f32"
    first = [_signed(_word(i, s[0], kind, ins, context), s[2]) for i, s in zip(items, chosen, strict=True)]
    second = [_signed(_word(i, s[1], kind, ins, context), s[3]) for i, s in zip(items, chosen, strict=True)]
    if "mov" in ins.name:
        # The low result is a word of the first source, the high one of the second; op_sel alone chooses for both.
        bits = ins.modifiers.bits("op_sel") or (0, 0)
        first = [_word(items[0], bool(bits[0]), kind, ins, context)]
        second = [_word(items[1], bool(bits[1]), kind, ins, context)]
    low, high = ins.operands[0].registers
    puts = [sink(replace(ins.operands[0], registers=(register,)), kind, ins, context) for register in (low, high)]

    def step(c: Cohort) -> None:
        one = np.array(function(*(read(c) for read in first)))
        two = np.array(function(*(read(c) for read in second)))  # a move's source may be what the first one writes
        puts[0](c, one)
        puts[1](c, two)

    return step


def _truth(ins: Decoded, context: Context) -> Step:
    kind, chosen = "u" + ins.name[-2:], (*ins.modifiers.bits("op_sel"), 0, 0, 0, 0)[:4]
    upper = bool(chosen[3]) if ins.modifiers.bits("op_sel") else None
    reads = [source(item, kind, ins, context, high=bool(h)) for item, h in zip(ins.operands[1:4], chosen, strict=False)]
    put, truth, function = (
        sink(ins.operands[0], kind, ins, context, high=upper),
        ins.modifiers.number("bitop3"),
        FUNCTIONS["bitop3"],
    )
    return lambda c: put(c, function(*(read(c) for read in reads), truth))


# -- dot products -----------------------------------------------------------------------------------------------------


def _elements(kind: str, count: int, context: Context, *, signed: bool) -> Callable[[Any], list[Any]]:
    """Return how a word is taken apart into numbers of 64 bits."""
    width = 32 // count
    tables = dict(zip(("fp8", "bf8"), formats.fp8(context.target), strict=True))

    def taken(bits: Any) -> list[Any]:  # noqa: ANN401 - arrays of any type
        fields = [bits >> np.uint32(width * n) & np.uint32((1 << width) - 1) for n in range(count)]
        if kind == "f16":
            return [f.astype(np.uint16).view(np.float16).astype(np.float64) for f in fields]
        if kind == "bf16":
            return [formats.from_bf16(f).astype(np.float64) for f in fields]
        if kind in tables:
            return [formats.decode(tables[kind], f).astype(np.float64) for f in fields]
        whole = [f.astype(np.int64) for f in fields]
        return [(f ^ 1 << width - 1) - (1 << width - 1) for f in whole] if signed else whole

    return taken


def _dot(ins: Decoded, context: Context, found: re.Match[str]) -> Step:
    count, tied, out, kinds = int(found[1]), bool(found[2]), found[3], found[4]
    left, _, right = kinds.partition("_")
    signs = ins.modifiers.bits("neg_lo") if left.startswith("iu") else ()
    always = left.startswith("i") and not left.startswith("iu")
    takes = [
        _elements(kind, count, context, signed=always or (n < len(signs) and bool(signs[n])))
        for n, kind in enumerate((left, right or left))
    ]
    reads = [source(item, "u32", ins, context) for item in ins.operands[1:3]]
    add = source(ins.operands[0] if tied else ins.operands[3], out, ins, context)
    put = sink(ins.operands[0], out, ins, context)
    clamp, last = "clamp" in ins.modifiers.flags, addend_last(ins, context)

    def step(c: Cohort) -> None:
        one, two = (take(read(c)) for take, read in zip(takes, reads, strict=True))
        products = [a * b for a, b in zip(one, two, strict=True)]
        put(
            c, _sum(products, add(c), out, last=last) if out in _ROUNDED else _total(products, add(c), out, clamp=clamp)
        )

    return step


_ROUNDED: Mapping[str, Callable[[Any], Any]] = {
    "f32": lambda x: x.astype(np.float32),
    "f16": lambda x: x.astype(np.float16),
    "bf16": lambda x: formats.from_bf16(formats.to_bf16(x.astype(np.float32))),
}
"""How a floating-point sum is rounded."""


def addend_last(ins: Decoded, context: Context) -> bool:
    """Tell whether a dot product adds its addend to the sum of the products, not the products to it."""
    return ins.name == "v_dot2_f32_bf16" and context.target.has("dot products of bfloat16 that add the addend last")


def _sum(products: list[Any], addend: Any, out: str, *, last: bool) -> Any:  # noqa: ANN401
    """Return floating-point products added one after another, each sum rounded, as the ISA references' pseudocode has it."""
    parts = [*products, addend] if last else [addend, *products]
    total = _ROUNDED[out](parts[0])
    for part in parts[1:]:
        total = _ROUNDED[out](total.astype(np.float64) + _ROUNDED[out](part))
    return formats.to_bf16(total) if out == "bf16" else total


def _total(products: list[Any], addend: Any, out: str, *, clamp: bool) -> Any:  # noqa: ANN401
    result = sum(products) + addend.astype(np.int64)
    if clamp:
        low, high = (-(1 << 31), (1 << 31) - 1) if out == "i32" else (0, (1 << 32) - 1)
        result = np.clip(result, low, high)
    return result.astype({"i32": np.int32, "u32": np.uint32}[out])


# -- mixed precision --------------------------------------------------------------------------------------------------


def _mix(ins: Decoded, context: Context, half: str) -> Step:
    """float32 multiply-add whose sources are float32 (op_sel_hi 0) or a half (op_sel_hi 1, op_sel chooses which)."""
    choose, halved = ins.modifiers.bits("op_sel"), ins.modifiers.bits("op_sel_hi")
    small = "bf16" if "bf16" in ins.name else "f16"
    reads = []
    for place, item in enumerate(ins.operands[1:4]):
        if place < len(halved) and halved[place]:
            reads.append(_widened(item, small, place < len(choose) and bool(choose[place]), ins, context))
        else:
            reads.append(source(item, "f32", ins, context))
    kind = "f32" if not half else small
    put = sink(ins.operands[0], kind, ins, context, high=None if not half else half == "hi")
    clamp = "clamp" in ins.modifiers.flags

    def step(c: Cohort) -> None:
        value = fma32(*(read(c) for read in reads))
        value = clamped(value) if clamp else value
        put(c, _narrow(value, kind))

    return step


def _narrow(value: Any, kind: str) -> Any:  # noqa: ANN401
    if kind == "f32":
        return value
    return formats.to_bf16(value) if kind == "bf16" else value.astype(np.float16)


def _widened(item: Operand, kind: str, high: bool, ins: Decoded, context: Context) -> Read:  # noqa: FBT001
    if item.kind is Kind.REGISTER or item.kind is Kind.INTEGER:
        read = source(replace(item, negated=False, absolute=False), kind, ins, context, high=high)
    else:
        read = source(replace(item, negated=False, absolute=False), kind, ins, context)

    def wide(r: Registers) -> Any:  # noqa: ANN401
        value = read(r).astype(np.float32)
        value = np.abs(value) if item.absolute else value
        return -value if item.negated else value

    return wide
