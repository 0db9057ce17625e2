"""Matrix instructions: MFMA of CDNA and WMMA of RDNA, through the project's lane maps.

Products are exact, all of an instruction are added in float64 with C, and the sum is rounded once to the result's type. The
hardware's own order of additions is not published; a result may differ from it in the last bits of float32.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.operands import Kind, Operand
from hotloop.emulate.semantics import formats
from hotloop.emulate.units.values import source
from hotloop.errors import UsageError
from hotloop.isa.matrix.catalogue import find
from hotloop.isa.matrix.instruction import Family, Instruction
from hotloop.isa.matrix.maps import element_map

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Context, Decoded
    from hotloop.emulate.state import Registers


Step = Callable[["Cohort"], None]
SMALL = {"f6": 6, "f4": 4, "fp8": 8, "bf8": 8, "i4": 4, "iu4": 4, "i8": 8, "iu8": 8}
_FORMATS = {0: "fp8", 1: "bf8", 2: "f6", 3: "f6b", 4: "f4"}
"""Formats that cbsz and blgp select for A and B of the f8f6f4 instructions."""


def bind(ins: Decoded, context: Context) -> Step | None:
    """Return the step of a matrix instruction, or None."""
    if not ins.name.startswith(("v_mfma_", "v_wmma_", "v_smfmac_", "v_swmmac_")):
        return None
    found, kinds = known(ins, context)
    return _step(ins, context, found, kinds)


def known(ins: Decoded, context: Context) -> tuple[Instruction, tuple[str, str]]:
    """Return what an instruction multiplies, and the types of A and B where modifiers choose them, else empty.

    Raises:
        UnmodelledError: no such matrix instruction.
    """
    kinds = ("", "")
    name = ins.name
    if "f8f6f4" in name:
        chosen = [_FORMATS[ins.modifiers.number(key)] for key in ("cbsz", "blgp")]
        kinds = chosen[0], chosen[1]
        name = f"{name} {_class(kinds[0])} {_class(kinds[1])}"
    try:
        found = find(name, context.target.name)
    except UsageError as error:
        raise ins.unmodelled(str(error)) from error
    amd_wave = found.family in (Family.MFMA, Family.SMFMAC)
    return (found if amd_wave else replace(found, lanes=context.lanes)), kinds


def _class(kind: str) -> str:
    return "f8" if kind in ("fp8", "bf8") else kind[:2]


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """A or B: how words of a lane become numbers, and which number stands where in the matrix."""

    read: Callable[[Registers], Array]
    """[waves, lanes, items] in float64."""
    index: Array
    """[blocks, rows, columns] into the flat [lanes * items]."""

    def matrix(self, r: Registers) -> Array:
        """Return [waves, blocks, rows, columns]."""
        values = self.read(r)
        flat: Array = values.reshape(values.shape[0], -1)
        return flat.take(self.index, axis=1)


def _side(ins: Decoded, context: Context, known: Instruction, operand: str, kind: str) -> _Side:
    where = element_map(known, operand)
    lanes = where.row.shape[0]
    lane, item = np.meshgrid(np.arange(lanes), np.arange(where.items), indexing="ij")
    index = np.zeros(where.shape, np.int64)
    index[where.block[::-1], where.row[::-1], where.column[::-1]] = (lane * where.items + item)[::-1]
    place = "AB".index(operand)
    item_ = ins.operands[1 + place]
    signed = bool((*ins.modifiers.bits("neg_lo"), 0, 0)[place]) if kind.startswith("iu") else kind.startswith("i")
    negative = known.a_type == "f64" and ins.modifiers.number("blgp") >> place & 1
    read = _reader(item_, where.items, kind, context, signed=signed)
    if negative:
        return _Side(lambda r: -read(r), index)
    return _Side(read, index)


def _words(item: Operand, context: Context) -> Callable[[Registers], Array]:
    """Return how the words of a lane are read, [waves, lanes, words]."""
    rows = [context.layout.row(register) for register in item.registers]
    low, count = rows[0], len(rows)
    return lambda r: np.ascontiguousarray(r.v[low : low + count].transpose(1, 2, 0))


def _reader(item: Operand, items: int, kind: str, context: Context, *, signed: bool) -> Callable[[Registers], Array]:
    words = _words(item, context)
    dtype: Any = {"f16": np.float16, "f32": np.float32, "xf32": np.float32, "f64": np.float64}.get(kind)
    if dtype is not None:
        return lambda r: words(r).view(dtype)[..., :items].astype(np.float64)
    if kind == "bf16":
        return lambda r: formats.from_bf16(words(r).view(np.uint16)[..., :items]).astype(np.float64)
    width = SMALL.get(kind, 6)
    decode = _decoder(kind, width, context, signed=signed)
    return lambda r: decode(_codes(words(r), width)[..., :items])


def _codes(words: Array, width: int) -> Array:
    """Return consecutive codes of a few bits, [waves, lanes, items]."""
    if width == 8:
        return words.view(np.uint8)
    octets = words.view(np.uint8)
    if width == 4:
        return np.stack((octets & 15, octets >> 4), axis=-1).reshape(*octets.shape[:-1], -1)
    bits = np.unpackbits(octets, axis=-1, bitorder="little")
    count = bits.shape[-1] // width
    fields = bits[..., : count * width].reshape(*bits.shape[:-1], count, width)
    return np.packbits(fields, axis=-1, bitorder="little")[..., 0]


def _decoder(kind: str, width: int, context: Context, *, signed: bool) -> Callable[[Array], Array]:
    if kind.startswith("i"):
        half = 1 << width - 1
        if signed:
            return lambda codes: ((codes.astype(np.int64) ^ half) - half).astype(np.float64)
        return lambda codes: codes.astype(np.float64)
    eight = dict(zip(("fp8", "bf8"), formats.fp8(context.target), strict=True))
    form = {**eight, "f6": formats.E2M3, "f6b": formats.E3M2, "f4": formats.E2M1}[kind]
    return lambda codes: formats.decode(form, codes).astype(np.float64)


def _step(ins: Decoded, context: Context, known: Instruction, kinds: tuple[str, str]) -> Step:
    left = _side(ins, context, known, "A", kinds[0] or known.a_type)
    right = _side(ins, context, known, "B", kinds[1] or known.b_type)
    out = element_map(known, "D")
    spread = np.ravel_multi_index((out.block, out.row, out.column), out.shape)
    start, put = _accumulator(ins, context, known, out.items), _sink(ins, context, known)
    scale = _scales(ins, context, known) if "_scale_" in ins.name else None
    sparse = known.family is Family.SMFMAC
    widen = _widening(ins, context, known, left) if sparse else None
    pick = None if sparse else broadcast(ins, known)

    def step(c: Cohort) -> None:
        a, b = left.matrix(c), right.matrix(c)
        if pick is not None:
            a = a[:, pick]
        if widen is not None:
            a = widen(c, a)
        if scale is not None:
            a, b = scale(c, a, b)
        flat = (a @ b).reshape(c.waves, -1)
        put(c, flat.take(spread, axis=1) + start(c))

    return step


def broadcast(ins: Decoded, known: Instruction) -> Array | None:
    """Return which block's A each block uses, where cbsz shares one among several."""
    if "f8f6f4" in ins.name or not ins.modifiers.text("cbsz"):
        return None
    size = 1 << ins.modifiers.number("cbsz")
    block = np.arange(known.blocks)
    return (block & ~(size - 1)) + ins.modifiers.number("abid")


def _accumulator(ins: Decoded, context: Context, known: Instruction, items: int) -> Callable[[Registers], Array]:
    item = ins.operands[0 if known.family is Family.SMFMAC else 3]
    if item.kind is not Kind.REGISTER:
        kind = {"i32": "i32", "f64": "f64"}.get(known.c_type, "f32")
        constant = source(item, kind, ins, context)
        return lambda r: constant(r).astype(np.float64)[..., None]
    words = _words(item, context)
    sign = _sign(ins)
    if known.c_type in ("f16", "bf16") and known.family is Family.WMMA_GFX11:
        half = _half(ins)
        return lambda r: sign(_float16(words(r).view(np.uint16)[..., half::2], known.c_type))
    if known.c_type in ("f16", "bf16"):
        return lambda r: sign(_float16(words(r).view(np.uint16)[..., :items], known.c_type))
    dtype: Any = {"f32": np.float32, "i32": np.int32, "f64": np.float64}[known.c_type]
    return lambda r: sign(words(r).view(dtype).astype(np.float64))


def _sign(ins: Decoded) -> Callable[[Array], Array]:
    """Return what neg_lo and neg_hi do to C of a WMMA: the sign, and the absolute value."""
    low, high = ins.modifiers.bits("neg_lo"), ins.modifiers.bits("neg_hi")
    negative, absolute = len(low) > 2 and low[2], len(high) > 2 and high[2]
    if not negative and not absolute:
        return lambda values: values

    def signed(values: Array) -> Array:
        size = np.abs(values) if absolute else values
        return -size if negative else size

    return signed


def _half(ins: Decoded) -> int:
    bits = ins.modifiers.bits("op_sel")
    return bits[2] if len(bits) > 2 else 0


def _float16(bits: Array, kind: str) -> Array:
    values = bits.view(np.float16) if kind == "f16" else formats.from_bf16(bits)
    return values.astype(np.float64)


def _sink(ins: Decoded, context: Context, known: Instruction) -> Callable[[Cohort, Array], None]:
    rows = [context.layout.row(register) for register in ins.operands[0].registers]
    low, count, kind = rows[0], len(rows), known.c_type
    if kind in ("f16", "bf16") and known.family is Family.WMMA_GFX11:
        half = _half(ins)

        def halves(c: Cohort, value: Array) -> None:
            c.h[low : low + count, :, :, half] = _bits16(value, kind).transpose(2, 0, 1)

        return halves

    def write(c: Cohort, value: Array) -> None:
        bits = _result(value, kind, clamp="clamp" in ins.modifiers.flags)
        c.v[low : low + count] = bits.transpose(2, 0, 1)

    return write


def _bits16(value: Array, kind: str) -> Array:
    single = value.astype(np.float32)
    return formats.to_bf16(single) if kind == "bf16" else value.astype(np.float16).view(np.uint16)


def _result(value: Array, kind: str, *, clamp: bool) -> Array:
    """Return the words of a result [waves, lanes, items]."""
    if kind in ("f16", "bf16"):
        return np.ascontiguousarray(_bits16(value, kind)).view(np.uint32)
    if kind == "i32":
        whole = value.astype(np.int64)
        whole = np.clip(whole, -(1 << 31), (1 << 31) - 1) if clamp else whole
        return np.ascontiguousarray(whole.astype(np.int32)).view(np.uint32)
    dtype: Any = np.float64 if kind == "f64" else np.float32
    return np.ascontiguousarray(value.astype(dtype)).view(np.uint32)


# -- four-to-two sparsity ---------------------------------------------------------------------------------------------


def _widening(ins: Decoded, context: Context, known: Instruction, left: _Side) -> Callable[[Registers, Array], Array]:
    """Return how the stored half of A becomes [waves, blocks, rows, k].

    Two bits for each stored number say which of its four k it stands at, in the register of the lane that holds it. Where a lane's
    numbers need only a part of the 32 bits, ABID chooses the part (AMD CDNA 3 and 4 ISA references, SMFMAC; MLIR's verifier of
    `amdgpu.sparse_mfma` has the parts of gfx950).

    Raises:
        UnmodelledError: CBSZ is set.
    """
    if ins.modifiers.number("cbsz"):
        raise ins.unmodelled("sparse with cbsz")
    items = element_map(known, "A").items
    shift = (2 * items * ins.modifiers.number("abid")) % 32
    places, read = np.arange(items, dtype=np.uint32) * np.uint32(2), source(ins.operands[3], "u32", ins, context)
    quarter = 4 * (np.arange(known.k // 2) // 2)

    def widen(c: Registers, a: Array) -> Array:
        words = np.broadcast_to(read(c), (a.shape[0], context.lanes))[..., None] >> np.uint32(shift)
        within = (words >> places & np.uint32(3)).astype(np.int64).reshape(a.shape[0], -1)[:, left.index]
        dense = np.zeros((2, *a.shape[:-1], known.k))
        for half in range(2):
            np.put_along_axis(dense[half], (quarter + within)[..., half::2], a[..., half::2], axis=-1)
        return dense[0] + dense[1]

    return widen


# -- block scales -----------------------------------------------------------------------------------------------------

_BLOCK = 32
"""Elements along K that share a scale."""


def _scales(
    ins: Decoded, context: Context, known: Instruction
) -> Callable[[Cohort, Array, Array], tuple[Array, Array]]:
    """Multiply each 32 elements along K by their power of two: byte op_sel + 2 op_sel_hi of the scale register."""
    low, high = (*ins.modifiers.bits("op_sel"), 0, 0), (*ins.modifiers.bits("op_sel_hi"), 0, 0)
    reads = []
    for place, item in enumerate(ins.operands[4:6]):
        shift = np.uint32(8 * (low[place] + 2 * high[place]))
        reads.append((source(item, "u32", ins, context), shift))
    rows, blocks = known.m, known.k // _BLOCK

    def factors(c: Cohort, place: int) -> Array:
        read, shift = reads[place]
        code = (np.broadcast_to(read(c), c.exec.shape) >> shift & np.uint32(255)).astype(np.int64)
        value = np.where(code == 255, np.nan, np.ldexp(1.0, code - 127))
        return np.repeat(value.reshape(c.waves, blocks, rows).transpose(0, 2, 1), _BLOCK, axis=2)

    def scaled(c: Cohort, a: Array, b: Array) -> tuple[Array, Array]:
        return a * factors(c, 0)[:, None], b * factors(c, 1).transpose(0, 2, 1)[:, None]

    return scaled
