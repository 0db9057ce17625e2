"""Local memory: reads, writes, transposing reads, and the permutes and swizzles that use its crossbar.

Sources: AMD's ISA references, chapter "Local data share"; transposing reads: AMD CDNA 4 ISA reference, "DS_READ_B64_TR_B16",
checked against the layout that Triton's compiler expects.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate import forms
from hotloop.emulate.cohort import Effect
from hotloop.emulate.forms import Form, form
from hotloop.emulate.memory import in_turn
from hotloop.emulate.sanitizer.access import Access, Kind
from hotloop.emulate.sanitizer.rounding import only_rounding
from hotloop.emulate.sanitizer.waits import issue, issue_late, overwrite
from hotloop.emulate.units import atomics, counting
from hotloop.emulate.units.lanes import CROSSBAR, SWIZZLE, swizzle_pattern
from hotloop.emulate.units.rows import delivery, write_rows
from hotloop.emulate.units.values import source

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort, Pending
    from hotloop.emulate.instruction import Context, Decoded


Step = Callable[["Cohort"], None]
ONE = re.compile(r"ds_(read|load|write|store)_((?:u|i|b)\d+\w*)$")
TWO = re.compile(r"ds_(read|load|write|store)_?2(?:_?addr)?(st64|_stride64)?_b(32|64)$")
TURNED = re.compile(r"ds_(?:read|load)_(?:b(64|96)_)?tr_?(b\d+|\d+_b\d+)$")


def bind(ins: Decoded, context: Context) -> Step | None:
    """Return the step of an instruction of the local data share, or None."""
    if not ins.name.startswith("ds_"):
        return None
    if ins.name == "ds_nop":
        return lambda c: None
    if ins.name in CROSSBAR:
        return _crossbar(ins, context)
    if found := TURNED.match(ins.name):
        return _turned(ins, context, found)
    if found := TWO.match(ins.name):
        return _two(ins, context, found)
    found = ONE.match(ins.name)
    shape = form(found[2]) if found else None
    if found and shape:
        return _read(ins, context, shape) if found[1] in ("read", "load") else _write(ins, context, shape)
    return counting.bind(ins, context) or atomics.bind_local(ins, context)


def _places(ins: Decoded, context: Context, operand: int) -> Callable[[Cohort], Array]:
    read, constant = source(ins.operands[operand], "u32", ins, context), np.int64(ins.modifiers.number("offset"))
    return lambda c: np.broadcast_to(read(c).astype(np.int64) + constant, c.exec.shape)


def _read(ins: Decoded, context: Context, shape: Form) -> Step:
    where, access = _places(ins, context, 1), Access(Kind.READ, shape.bytes)
    rows = tuple(context.layout.row(register) for register in ins.operands[0].registers[: shape.words])

    def fetch(c: Cohort, offsets: Array, lanes: Array) -> list[Array]:
        del lanes
        if c.batch.local.shadow is not None:
            c.batch.local.shadow.met(c, ins, offsets, shape.bytes)
        words: list[Array] = c.batch.local.fetch(offsets, shape)
        return words

    deliver = delivery(rows, shape)

    def step(c: Cohort) -> None:
        lanes = c.exec.copy()
        offsets = c.batch.local.locate(c, ins, where(c), lanes, access)
        effect = Effect(lanes, c.batch.local.missing, shape.bits, (offsets,), shape.bytes)
        issue_late(c, ins, deliver, fetch, offsets, lanes, shape.bytes, effect, local=True)

    return step


def _write(ins: Decoded, context: Context, shape: Form) -> Step:
    where, access = _places(ins, context, 0), Access(Kind.WRITE, shape.bytes)
    rows = tuple(context.layout.row(register) for register in ins.operands[1].registers[: shape.words])
    low, shift = Form(shape.bytes), np.uint32(16 if shape.half else 0)

    def step(c: Cohort) -> None:
        local = c.batch.local
        values = [c.v[row] >> shift if shift else c.v[row] for row in rows]
        offsets = local.locate(c, ins, where(c), c.exec, access, values)
        _put_lanes(c, ins, offsets, values, low)
        if local.hollow:
            local.forget(offsets, ins.operands[1].registers[: shape.words], shape.bytes)
            local.hollow.clear()
        issue(c, ins, 0, None)

    return step


def _put_lanes(c: Cohort, ins: Decoded, offsets: Array, values: list[Array], shape: Form) -> None:
    chosen = offsets >= 0
    c.batch.changes += 1
    overwrite(c, offsets, chosen, shape.bytes, local=True)
    late = c.batch.late or (not shape.small and only_rounding(offsets, values, chosen))
    _put(c, *in_turn(offsets, values, chosen, late=late), shape)
    c.batch.local.collided(c, ins, offsets, values, shape.bytes)


def _put(c: Cohort, offsets: Array, values: list[Array], shape: Form) -> None:
    if shape.small:
        forms.store(c.batch.local.bytes, offsets, values[0], shape)
    else:
        c.batch.local.store(offsets, values)


def _two(ins: Decoded, context: Context, found: re.Match[str]) -> Step:
    """Two accesses of one instruction; offsets count elements, or 64 of them."""
    shape = Form(int(found[3]) // 8)
    unit = shape.bytes * (64 if found[2] else 1)
    shifts = [ins.modifiers.number("offset0") * unit, ins.modifiers.number("offset1") * unit]
    access = Access(Kind.READ if found[1] in ("read", "load") else Kind.WRITE, shape.bytes)
    if access.kind is Kind.READ:
        return _read_two(ins, context, shape, shifts, access)
    base = source(ins.operands[0], "u32", ins, context)
    pairs = [ins.operands[n].registers[: shape.words] for n in (1, 2)]

    def step(c: Cohort) -> None:
        start = np.broadcast_to(base(c).astype(np.int64), c.exec.shape)
        for shift, registers in zip(shifts, pairs, strict=True):
            values = [c.v[context.layout.row(register)] for register in registers]
            offsets = c.batch.local.locate(c, ins, start + shift, c.exec, access, values)
            _put_lanes(c, ins, offsets, values, shape)
            c.batch.local.forget(offsets, registers, shape.bytes)
        c.batch.local.hollow.clear()
        issue(c, ins, 0, None)

    return step


def _read_two(ins: Decoded, context: Context, shape: Form, shifts: list[int], access: Access) -> Step:
    base = source(ins.operands[1], "u32", ins, context)
    rows = tuple(context.layout.row(register) for register in ins.operands[0].registers)
    halves = rows[: shape.words], rows[shape.words :]

    def fetch(c: Cohort, offsets: Array, lanes: Array) -> list[Array]:
        del lanes
        return [value for n in (0, 1) for value in c.batch.local.fetch(offsets[..., n], shape)]

    def deliver(cohort: Cohort, operation: Pending) -> None:
        *values, active = operation.arrays
        for n, half in enumerate(halves):
            write_rows(cohort, half, values[n * shape.words : (n + 1) * shape.words], active, shape)

    def step(c: Cohort) -> None:
        lanes = c.exec.copy()
        start = np.broadcast_to(base(c).astype(np.int64), c.exec.shape)
        places: list[Array] = []
        missing: list[Array] = []
        for shift in shifts:
            places.append(c.batch.local.locate(c, ins, start + shift, lanes, access))
            missing += [] if c.batch.local.missing is None else [c.batch.local.missing]
        never = np.logical_or.reduce(missing) if missing else None
        effect = Effect(lanes, never, shape.bits, tuple(places), shape.bytes)
        issue_late(c, ins, deliver, fetch, np.stack(places, axis=-1), lanes, shape.bytes, effect, local=True)

    return step


# -- transposing reads ------------------------------------------------------------------------------------------------

_GROUP = 16


def _turned(ins: Decoded, context: Context, found: re.Match[str]) -> Step:
    """16 lanes read a matrix of 16 columns; lane i receives column i of all its rows."""
    width = int(found[2].rpartition("b")[2])
    if found[1] is None and width not in (8, 16):
        raise ins.unmodelled()
    size = int(found[1] or 64) // 8 if found[1] else 4 * len(ins.operands[0].registers)
    shape, where, access = Form(size), _places(ins, context, 1), Access(Kind.READ, size)
    rows = tuple(context.layout.row(register) for register in ins.operands[0].registers)
    if size != 8 and not (size == 12 and width == 6):
        raise ins.unmodelled()

    def step(c: Cohort) -> None:
        lanes = c.exec.copy()
        offsets = c.batch.local.locate(c, ins, where(c), lanes, access)
        values = turned(c.batch.local.fetch(offsets, shape), width)

        deliver = delivery(rows, shape)

        effect = Effect(lanes, c.batch.local.missing, places=(offsets,), size=shape.bytes)
        issue(c, ins, ins.writes, deliver, (*values, lanes), effect)

    return step


def turned(values: list[Array], width: int) -> list[Array]:
    """Return words [waves, lanes] after the transposition of elements of `width` bits within 16 lanes."""
    waves, lanes = values[0].shape
    words = np.ascontiguousarray(np.stack(values, axis=-1))
    bits = np.unpackbits(words.view(np.uint8), axis=-1, bitorder="little")
    count = bits.shape[-1] // width
    matrix = bits.reshape(waves, lanes // _GROUP, count, _GROUP, width)
    columns = matrix.transpose(0, 1, 3, 2, 4).reshape(waves, lanes, count * width)
    packed = np.packbits(np.ascontiguousarray(columns), axis=-1, bitorder="little").view(np.uint32)
    return [packed[..., n] for n in range(len(values))]


# -- crossbar ---------------------------------------------------------------------------------------------------------


def _crossbar(ins: Decoded, context: Context) -> Step:
    row, move = context.layout.row(ins.operands[0].first), _mover(ins, context)
    moved = ins.operands[1 if ins.name == SWIZZLE else 2]
    read, register = source(moved, "u32", ins, context), moved.first

    def step(c: Cohort) -> None:
        values, active = move(c, read(c)), c.exec.copy()
        unset = move(c, c.undefined(register)) if register in c.poison else None

        def deliver(cohort: Cohort, operation: Pending) -> None:
            found, there = operation.arrays
            np.copyto(cohort.v[row], found, where=there)

        issue(c, ins, ins.writes, deliver, (values, active), Effect(active, unset=unset))

    return step


def _mover(ins: Decoded, context: Context) -> Callable[[Cohort, Array], Array]:
    """Return how words [waves, lanes] come to other lanes; what inactive lanes hold comes as 0."""
    lanes = context.lanes
    if ins.name == SWIZZLE:
        index = swizzle_pattern(ins, lanes)
        return lambda c, words: np.where(c.exec[:, index], np.broadcast_to(words, c.exec.shape)[:, index], np.uint32(0))
    address = source(ins.operands[1], "u32", ins, context)
    constant = np.uint32(ins.modifiers.number("offset"))

    def pick(c: Cohort) -> Array:
        return np.broadcast_to(((address(c) + constant) >> np.uint32(2)) & np.uint32(lanes - 1), c.exec.shape).astype(
            np.int64
        )

    def backward(c: Cohort, words: Array) -> Array:
        chosen = pick(c)
        values = np.take_along_axis(np.broadcast_to(words, c.exec.shape), chosen, axis=1)
        return np.where(np.take_along_axis(c.exec, chosen, axis=1), values, np.uint32(0))

    def forward(c: Cohort, words: Array) -> Array:
        chosen, values = pick(c), np.broadcast_to(words, c.exec.shape)
        result = np.zeros(c.exec.shape, np.uint32)
        wave, lane = np.nonzero(c.exec)
        result[wave, chosen[wave, lane]] = values[wave, lane]
        return result

    return backward if "bpermute" in ins.name else forward
