"""Reading operands as arrays of a type, and writing results; everything that can be decided is decided when binding."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.operands import Kind, Operand, constant
from hotloop.emulate.semantics import formats
from hotloop.emulate.state import EXEC_ROW, VCC_ROW, Registers
from hotloop.isa.amdgcn.registers import SCC, SGPR

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.instruction import Context, Decoded


Read = Callable[[Registers], Any]
Write = Callable[[Registers, Any], None]

DTYPES: dict[str, Any] = {
    "u16": np.uint16, "i16": np.int16, "f16": np.float16, "bf16": np.uint16,
    "u32": np.uint32, "i32": np.int32, "f32": np.float32,
    "u64": np.uint64, "i64": np.int64, "f64": np.float64,
}  # fmt: skip
_UNSIGNED = {16: np.uint16, 32: np.uint32, 64: np.uint64}
SHARED_APERTURE, PRIVATE_APERTURE, HOST_APERTURE, ABSENT_APERTURE = 0x00010000, 0x00020000, 0x00030000, 0x00040000
"""Upper words of addresses in local and in private memory, where a kernel calls the host, and of pointers that were not given."""
_APERTURES = {"shared_base": SHARED_APERTURE, "private_base": PRIVATE_APERTURE}


def size(kind: str) -> int:
    """Return the bits of a type."""
    return int(kind.lstrip("bfui"))


def source(item: Operand, kind: str, ins: Decoded, context: Context, *, high: bool = False) -> Read:
    """Return how a vector instruction reads an operand: arrays that broadcast to [waves, lanes].

    Args:
        item: the operand.
        kind: type.
        ins: for messages.
        context: of the program.
        high: take the upper half of the register, 16-bit types only.
    """
    plain = _plain(item, kind, ins, context, high=high)
    return _modified(plain, item, kind)


def _modified(plain: Read, item: Operand, kind: str) -> Read:
    if item.extended:
        return plain
    if item.negated and item.absolute:
        return lambda r: -np.abs(plain(r))
    if item.negated:
        return lambda r: -plain(r)
    return (lambda r: np.abs(plain(r))) if item.absolute else plain


def _plain(item: Operand, kind: str, ins: Decoded, context: Context, *, high: bool) -> Read:
    if item.kind is Kind.REGISTER:
        if item.first >= SGPR:
            inner = scalar(item, kind, ins, context, high=high)
            return lambda r: inner(r)[:, None]
        return _vector(context.layout.row(item.first), kind, high=high or item.high)
    value = literal(item, kind, ins, high=high)
    if value is None:
        inner = scalar(item, kind, ins, context)
        return lambda r: inner(r)[:, None]
    fixed = value.reshape(1, 1)
    return lambda r: fixed


def literal(item: Operand, kind: str, ins: Decoded, *, high: bool = False) -> Array | None:
    """Return a constant as an array of one element; None when the operand is none."""
    if item.kind not in (Kind.INTEGER, Kind.FLOAT, Kind.NULL, Kind.OFF):
        return None
    if kind == "bf16":
        code = constant(item, "f32") >> 16 if item.kind is Kind.FLOAT else constant(item, "u16")
        return formats.from_bf16(np.array([code], np.uint16))
    bits = constant(item, kind) if item.kind in (Kind.INTEGER, Kind.FLOAT) else 0
    if item.kind is Kind.INTEGER and high and size(kind) == 16:
        bits = constant(item, "u32") >> 16
    return np.array([bits & (1 << size(kind)) - 1], _UNSIGNED[size(kind)]).view(DTYPES[kind])


def _vector(row: int, kind: str, *, high: bool) -> Read:
    part = 1 if high else 0
    match kind:
        case "u32":
            return lambda r: r.v[row]
        case "i32":
            return lambda r: r.i[row]
        case "f32":
            return lambda r: r.f[row]
        case "u16":
            return lambda r: r.h[row, :, :, part]
        case "i16":
            return lambda r: r.hi[row, :, :, part]
        case "f16":
            return lambda r: r.hf[row, :, :, part]
        case "bf16":
            return lambda r: formats.from_bf16(r.h[row, :, :, part])
        case "u64":
            return lambda r: r.pair(row)
    dtype = DTYPES[kind]
    return lambda r: r.pair(row).view(dtype)


def scalar(item: Operand, kind: str, ins: Decoded, context: Context, *, high: bool = False) -> Read:
    """Return how an instruction of the scalar unit reads an operand: arrays of [waves] or of one element."""
    if item.kind is Kind.REGISTER and item.first >= SGPR:
        return _scalar_register(item, kind, high=high)
    if item.kind is Kind.NAMED:
        return _named(item, kind, ins)
    fixed = literal(item, kind, ins)
    if fixed is None:
        raise ins.unmodelled(f"operand {item.text}")
    return lambda r: fixed


def _scalar_register(item: Operand, kind: str, *, high: bool) -> Read:
    row = item.first - SGPR
    if item.first == SCC:
        return lambda r: _bits(r.scc, "i32" if kind == "k16" else kind)
    match kind:
        case "u32":
            return lambda r: r.s[row]
        case "i32" | "k16":
            return lambda r: r.si[row]
        case "f32":
            return lambda r: r.sf[row]
        case "u64":
            return lambda r: r.scalar_pair(row)
        case "i64" | "f64":
            dtype = DTYPES[kind]
            return lambda r: r.scalar_pair(row).view(dtype)
    shift, dtype = np.uint32(16 if high else 0), DTYPES[kind]
    if kind == "bf16":
        return lambda r: formats.from_bf16((r.s[row] >> shift).astype(np.uint16))
    return lambda r: (r.s[row] >> shift).astype(np.uint16).view(dtype)


def _named(item: Operand, kind: str, ins: Decoded) -> Read:
    name = item.text.removeprefix("src_")
    if name in _APERTURES:
        base = _APERTURES[name]
        fixed = _bits(np.array([base << 32 if size(kind) == 64 else base], np.uint64), kind)
        return lambda r: fixed
    if name in ("shared_limit", "private_limit"):
        limit = _bits(np.array([0xFFFFFFFF], np.uint64), kind)
        return lambda r: limit
    if name == "scc":
        return lambda r: _bits(r.scc, kind)
    if name in ("execz", "vccz"):
        row = EXEC_ROW if name == "execz" else VCC_ROW
        return lambda r: _bits(~r.mask(row).any(axis=1), kind)
    raise ins.unmodelled(f"operand {item.text}")


def _bits(numbers: Array, kind: str) -> Array:
    """Return flags or whole numbers as the bits of a type, as an operand is read: 1 is no 1.0."""
    plain = numbers.astype(_UNSIGNED[size(kind)])
    return formats.from_bf16(plain) if kind == "bf16" else plain.view(DTYPES[kind])


def mask_row(item: Operand, ins: Decoded) -> int:
    """Return the row of the scalar register (pair) that holds a mask. Raises UnmodelledError for another operand."""
    if item.kind is not Kind.REGISTER or not SGPR <= item.first < SCC:
        raise ins.unmodelled(f"mask {item.text}")
    return item.first - SGPR


def sink(item: Operand, kind: str, ins: Decoded, context: Context, *, high: bool | None = None) -> Write:
    """Return how a vector instruction writes its result in active lanes.

    Args:
        item: the destination.
        kind: type.
        ins: for messages.
        context: of the program.
        high: the half that a 16-bit result goes to, the other one kept; None: as the processor does without being told.
    """
    if item.kind is Kind.NULL:
        return lambda r, value: None
    if item.kind is not Kind.REGISTER or item.first >= SGPR:
        raise ins.unmodelled(f"destination {item.text}")
    row = context.layout.row(item.first)
    if size(kind) == 16:
        chosen = item.high if item.halved else high
        return _half_sink(row, kind, context, high=chosen)
    if size(kind) == 64:
        return _wide_sink(row)
    return _word_sink(row, kind)


def _word_sink(row: int, kind: str) -> Write:
    dtype, view = DTYPES[kind], {"u32": "v", "i32": "i", "f32": "f"}[kind]

    def write(r: Registers, value: Any) -> None:  # noqa: ANN401 - arrays of any type
        file = getattr(r, view)
        if value.dtype != dtype:
            value = value.astype(dtype) if value.dtype.itemsize != 4 else value.view(dtype)
        if r.full:
            file[row] = value
        else:
            np.copyto(file[row], value, where=r.exec)

    return write


def _wide_sink(row: int) -> Write:
    def write(r: Registers, value: Any) -> None:  # noqa: ANN401
        bits = np.broadcast_to(value, r.exec.shape)
        words = np.ascontiguousarray(bits).view(np.uint32).reshape(*bits.shape, 2)
        r.put(row, words[..., 0])
        r.put(row + 1, words[..., 1])

    return write


def _half_sink(row: int, kind: str, context: Context, *, high: bool | None) -> Write:
    dtype = DTYPES[kind]
    if high is None and context.zeroes_upper:

        def whole(r: Registers, value: Any) -> None:  # noqa: ANN401
            bits = value.astype(dtype, copy=False).view(np.uint16).astype(np.uint32)
            r.put(row, bits)

        return whole
    part = 1 if high else 0

    def write(r: Registers, value: Any) -> None:  # noqa: ANN401
        bits = np.broadcast_to(value.astype(dtype, copy=False).view(np.uint16), r.exec.shape)
        np.copyto(r.h[row, :, :, part], bits, where=r.exec)

    return write
