"""Plain vector instructions: rows of the table with modifiers, sub-dword selects (SDWA) and lane permutation (DPP)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.operands import parse
from hotloop.emulate.semantics.functions import FUNCTIONS, clamped
from hotloop.emulate.semantics.row import VECTOR, Row
from hotloop.emulate.semantics.words import unknown
from hotloop.emulate.state import VCC_ROW, Registers
from hotloop.emulate.units import lanes, subdword
from hotloop.emulate.units.values import Read, Write, mask_row, scalar, sink, size, source

if TYPE_CHECKING:
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Context, Decoded

Step = Callable[["Cohort"], None]
Compute = Callable[[Registers], Any]

_OUTPUT_SCALES = {"mul:2": 2.0, "mul:4": 4.0, "div:2": 0.5}
_BOUNDS = {
    "u16": (0, (1 << 16) - 1), "i16": (-(1 << 15), (1 << 15) - 1),
    "u32": (0, (1 << 32) - 1), "i32": (-(1 << 31), (1 << 31) - 1),
}  # fmt: skip


def bind(ins: Decoded, context: Context) -> Step | None:
    """Return the step of a plain vector instruction, of a pair of them, or None when it is something else."""
    if "::" in ins.text:
        return _dual(ins, context)
    made = parts(ins, context)
    if made is None:
        return None
    compute, put = made

    def step(c: Cohort) -> None:
        put(c, compute(c))

    if "_dpp" in ins.mnemonic or ins.modifiers.text("dpp8"):
        return lanes.permuted_step(ins, context, compute, put)
    return step


def parts(ins: Decoded, context: Context) -> tuple[Compute, Write] | None:
    """Return how an instruction computes its result, and how it writes it; None: no plain vector instruction."""
    if ins.name == "v_cndmask_b32" or ins.name == "v_cndmask_b16":
        return _select(ins, context)
    row = VECTOR.get(ins.name)
    if row is None:
        return None
    reads = tuple(_reads(ins, row, context))
    function = _clamped(ins, row) or row.function()
    finish = _finish(ins, row)
    return _computed(function, reads, finish), _write(ins, row, context)


def _computed(function: Callable[..., Any], reads: tuple[Read, ...], finish: Callable[[Any], Any] | None) -> Compute:
    match reads:
        case (one,) if finish is None:
            return lambda r: function(one(r))
        case (one, two) if finish is None:
            return lambda r: function(one(r), two(r))
        case (one, two, three) if finish is None:
            return lambda r: function(one(r), two(r), three(r))
    assert finish is None or callable(finish)
    last = finish or (lambda value: value)
    return lambda r: last(function(*(read(r) for read in reads)))


def _reads(ins: Decoded, row: Row, context: Context) -> list[Read]:
    operands = [*ins.operands[1:], *ins.operands[:1]] if row.tied else list(ins.operands[1:])
    kinds = [*row.sources, row.result] if row.tied else list(row.sources)
    if len(operands) != len(kinds):
        raise ins.unmodelled(f"{len(operands)} operands where {len(kinds)} are known")
    selects = ins.modifiers.bits("op_sel")
    found = []
    for place, (item, kind) in enumerate(zip(operands, kinds, strict=True)):
        high = place < len(selects) - 1 and bool(selects[place]) and size(kind) == 16
        if "_sdwa" in ins.mnemonic and place < 2:
            read = subdword.source(item, kind, place, ins, context)
        else:
            read = source(item, kind, ins, context, high=high)
        if "_dpp" in ins.mnemonic and place == 0:
            read = lanes.permuted(read, ins, context)
        found.append(read)
    return found


def _write(ins: Decoded, row: Row, context: Context) -> Write:
    if "_sdwa" in ins.mnemonic and ins.modifiers.text("dst_sel", "DWORD") != "DWORD":
        return subdword.sink(ins, row.result, context)
    selects = ins.modifiers.bits("op_sel")
    high = bool(selects[-1]) if len(selects) > len(row.sources) and size(row.result) == 16 else None
    return sink(ins.operands[0], row.result, ins, context, high=high)


def _clamped(ins: Decoded, row: Row) -> Callable[..., Any] | None:
    """Return the row's function with the result limited to its integer type."""
    return bounded(row) if "clamp" in ins.modifiers.flags else None


def bounded(row: Row) -> Callable[..., Any] | None:
    """Return a row's function with the result limited to its integer type; None of floats."""
    if row.result not in _BOUNDS:
        return None
    low, high = _BOUNDS[row.result]
    plain = row.function()
    return lambda *values: np.clip(plain(*(v.astype(np.int64) for v in values)), low, high)


def _finish(ins: Decoded, row: Row) -> Callable[[Any], Any] | None:
    """Return what output modifiers of a floating-point result do; None: there are none."""
    if row.result[0] != "f":
        return None
    scale = next((s for text, s in _OUTPUT_SCALES.items() if tuple(text.split(":")) in ins.modifiers.values), 1.0)
    clamp = "clamp" in ins.modifiers.flags
    if scale == 1.0 and not clamp:
        return None

    def finish(value: Any) -> Any:  # noqa: ANN401 - arrays of any type
        scaled = value * value.dtype.type(scale)
        return clamped(scaled) if clamp else scaled

    return finish


def _select(ins: Decoded, context: Context) -> tuple[Compute, Write]:
    """v_cndmask: the second operand where the mask's bit is set, else the first."""
    operands = ins.operands
    bits = "u16" if ins.name.endswith("16") else "u32"
    modified = any(item.negated or item.absolute for item in operands[1:3])
    kind = bits.replace("u", "f") if modified else bits
    dpp, sdwa = "_dpp" in ins.mnemonic, "_sdwa" in ins.mnemonic
    if sdwa:
        no, yes = (subdword.source(operands[n + 1], kind, n, ins, context) for n in range(2))
    else:
        no, yes = (source(item, kind, ins, context) for item in operands[1:3])
    no = lanes.permuted(no, ins, context) if dpp else no
    mask = mask_row(operands[3], ins) if len(operands) > 3 else VCC_ROW
    put = subdword.sink(ins, kind, context) if sdwa else sink(operands[0], kind, ins, context)
    return (lambda r: np.where(r.mask(mask), yes(r), no(r))), put


def _dual(ins: Decoded, context: Context) -> Step:
    """Two instructions in one: both read before either writes."""
    first, _, rest = ins.text.partition("::")
    word, _, second = rest.strip().partition(" ")
    made = [_half(ins, context, *pair) for pair in ((ins.mnemonic, first), (word, second))]
    (compute_x, put_x), (compute_y, put_y) = made

    def step(c: Cohort) -> None:
        x, y = compute_x(c), compute_y(c)
        # A move's value is a view of its source, which the other half may be about to overwrite.
        x, y = np.array(x), np.array(y)
        put_x(c, x)
        put_y(c, y)

    return step


def _half(ins: Decoded, context: Context, mnemonic: str, text: str) -> tuple[Compute, Write]:
    operands, modifiers = parse(text.strip())
    name = mnemonic.replace("v_dual_", "v_", 1)
    one = replace(ins, name=name, mnemonic=name, operands=operands, modifiers=modifiers, text=text.strip())
    if word := unknown(name, modifiers):
        raise ins.unmodelled(f"nothing is known of {word}")
    made = _chosen(one, context) if name == "v_bitop2_b32" else parts(one, context)
    if made is None:
        raise ins.unmodelled(mnemonic)
    return made


def _chosen(ins: Decoded, context: Context) -> tuple[Compute, Write]:
    """v_dual_bitop2_b32 (gfx1250): any function of the bits of two sources, as v_bitop3_b32 with a third source of 0."""
    one, two = (source(item, "u32", ins, context) for item in ins.operands[1:3])
    truth, function = ins.modifiers.number("bitop3"), FUNCTIONS["bitop3"]
    return lambda r: function(one(r), two(r), np.uint32(0), truth), sink(ins.operands[0], "u32", ins, context)


__all__ = ["Step", "bind", "parts", "scalar"]
