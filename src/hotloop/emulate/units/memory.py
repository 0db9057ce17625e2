"""Vector memory: global, flat, buffer and scratch loads and stores, transposing loads, and copies that go straight to local memory.

Sources: AMD's ISA references of Vega, CDNA 2 to 4 and RDNA 1 to 4, chapters "Vector memory operations" and "Flat memory
instructions"; operand order: LLVM, "Syntax of AMDGPU instructions". Transposing loads of 16-bit numbers: ROCm's documentation,
"RDNA4 WMMA transpose load builtins", per-lane fragment layout; of 8-bit numbers, whose layout AMD does not print: two programs
that others ran on gfx1201, a probe of each byte and a product whose operands are loaded so, which agree. Asynchronous copies
(gfx1250): LLVM, FLATInstructions.td, FLAT_Global_Load_LDS_Pseudo, whose first operand is an address in local memory for each lane.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate import forms
from hotloop.emulate.cohort import Effect
from hotloop.emulate.forms import Form, form
from hotloop.emulate.memory import gather, in_turn, scatter
from hotloop.emulate.sanitizer.access import Access, Kind
from hotloop.emulate.sanitizer.waits import issue, issue_late, overwrite
from hotloop.emulate.units import addresses, atomics, generic
from hotloop.emulate.units.rows import delivery
from hotloop.emulate.units.values import source
from hotloop.isa.amdgcn.registers import SGPR, lds_copy

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort, Pending
    from hotloop.emulate.instruction import Context, Decoded


Step = Callable[["Cohort"], None]
NAME = re.compile(r"(global|flat|buffer|scratch)_(load|store)_(?:lds_|async_to_lds_)?(.+)$")
NOTHING = re.compile(
    r"(buffer|global|flat)_(wb\w*|inv\w*|gl[01]_inv|wbinvl1\w*|invl2|wbl2)$|global_prefetch\w*|s_prefetch\w*|buffer_nop"
)


_WRITE_BACK = re.compile(r"buffer_wbl2$")


def _write_back(ins: Decoded) -> Step:
    def step(c: Cohort) -> None:
        if c.batch.traffic.shadow is not None:
            c.batch.traffic.shadow.causality.write_back(c)
        if ins.issues:
            issue(c, ins, 0, None)

    return step


_TURNED = re.compile(r"tr(?:16|8)?_b(64|128)$")
_LANES, _ELEMENTS = np.arange(32)[:, None], np.arange(8)
_EIGHT = _LANES // 8 * 8 + _ELEMENTS
_GIVERS = {16: _EIGHT, 8: (_EIGHT & 0b10011) | (_EIGHT & 0b00100) << 1 | (_EIGHT & 0b01000) >> 1}
"""The lane that each element of each lane comes from, by the element's bits; 8 lanes turn 8 rows of 8 elements around. Of bytes, the
lanes' numbers have two bits exchanged."""


def bind(ins: Decoded, context: Context) -> Step | None:
    """Return the step of a vector memory instruction, or None."""
    if _WRITE_BACK.match(ins.name):
        return _write_back(ins)
    if NOTHING.match(ins.name):
        return lambda c: issue(c, ins, 0, None) if ins.issues else None
    if "_atomic_" in ins.name and ins.name.startswith(("global", "flat", "buffer")):
        return atomics.bind_global(ins, context)
    found = NAME.match(ins.name)
    if found is None:
        return None
    turned = _TURNED.match(found[3])
    shape = form(f"b{turned[1]}" if turned else found[3])
    if shape is None:
        raise ins.unmodelled()
    if turned:
        return _load(ins, context, shape, _turner(ins, context, shape))
    loads = found[2] == "load"
    if found[1] == "scratch":
        return _scratch(ins, context, shape, loads=loads)
    if lds_copy(ins.mnemonic, ins.text):
        return _copy(ins, context, shape)
    step = _load(ins, context, shape) if loads else _store(ins, context, shape)
    if found[1] == "flat":
        return generic.either(ins, context, shape, step, loads=loads)
    return _either(ins, context, shape, step, loads=loads) if found[1] == "buffer" else step


def _either(ins: Decoded, context: Context, shape: Form, plain: Step, *, loads: bool) -> Step:
    """A buffer's descriptor tells only at run time whether it is the one of private memory, which spills go through."""
    if not context.private:
        return plain
    words, private = ins.operands[2].first - SGPR, _scratch(ins, context, shape, loads=loads)
    return lambda c: private(c) if addresses.on_stack(c, words) else plain(c)


# -- memory -----------------------------------------------------------------------------------------------------------


def _load(ins: Decoded, context: Context, shape: Form, turn: Turn | None = None) -> Step:
    where = addresses.reader(ins, context, loads=True)
    rows = tuple(context.layout.row(register) for register in ins.operands[0].registers[: shape.words])
    access = Access(Kind.READ, shape.bytes)

    def fetch(c: Cohort, offsets: Array, lanes: Array) -> list[Array]:
        if c.batch.traffic.shadow is not None:
            c.batch.traffic.shadow.met(c, ins, offsets, lanes, access)
        values = _fetched(c, offsets, lanes, shape)
        return turn.words(values, lanes) if turn else values

    deliver = delivery(rows, shape)

    def step(c: Cohort) -> None:
        offsets, lanes = where(c, access)
        missing = c.batch.traffic.words
        effect = Effect(lanes, turn.missing(missing) if turn and missing is not None else missing, shape.bits)
        issue_late(c, ins, deliver, fetch, offsets, lanes, shape.bytes, effect, local=False)

    return step


@dataclass(frozen=True, slots=True)
class Turn:
    """What a transposing load does between memory and registers."""

    ins: Decoded
    givers: Array
    kind: type[np.generic]

    def words(self, values: list[Array], lanes: Array) -> list[Array]:
        """Return the words [waves, lanes] that the lanes receive. Raises UnmodelledError where a lane is switched off."""
        if not lanes.all():
            raise self.ins.unmodelled("with lanes switched off, what they would receive is not described")
        read = np.ascontiguousarray(np.stack(values, axis=-1)).view(self.kind)
        turned = np.ascontiguousarray(read[:, self.givers, _LANES % 8]).view(np.uint32)
        return [turned[..., n] for n in range(len(values))]

    def missing(self, words: Array) -> Array:
        """Return which words received hold something that nobody has written."""
        each = 4 // np.dtype(self.kind).itemsize
        read = np.repeat(words if words.ndim > 2 else words[..., None].repeat(8 // each, axis=-1), each, axis=-1)
        turned: Array = read[:, self.givers, _LANES % 8]
        return turned.reshape(*turned.shape[:2], -1, each).any(axis=-1)


def _turner(ins: Decoded, context: Context, shape: Form) -> Turn:
    if context.lanes != 32:
        raise ins.unmodelled("its form for waves of 64")
    bits = shape.bytes  # a lane brings eight elements
    return Turn(ins, _GIVERS[bits], np.uint16 if bits == 16 else np.uint8)


def _fetched(c: Cohort, offsets: Array, lanes: Array, shape: Form) -> list[Array]:
    """Return what stands at offsets; lanes that read nothing get 0."""
    memory = c.batch.memory
    found = [forms.load(memory.bytes, offsets, shape)] if shape.small else gather(memory.words, offsets, shape.words)
    if (offsets == 0).any():  # offset 0 lies in no buffer: it stands for an access that the range check refused
        return [np.where(offsets == 0, np.uint32(0), value) for value in found]
    return found


def _store(ins: Decoded, context: Context, shape: Form) -> Step:
    where = addresses.reader(ins, context, loads=False)
    data = addresses.data_operand(ins)
    rows = [context.layout.row(register) for register in data.registers[: shape.words]]
    access = Access(Kind.WRITE, shape.bytes)

    def step(c: Cohort) -> None:
        offsets, lanes = where(c, access)
        chosen = lanes & (offsets != 0)
        values = [c.v[row] for row in rows]
        if chosen.any():
            c.batch.traffic.confirm(c, ins, offsets, values)
            overwrite(c, offsets, chosen, shape.bytes, local=False)
            late = c.batch.late or c.batch.traffic.copied(c, ins, offsets, chosen, values)
            _put(c, *in_turn(offsets, values, chosen, late=late), shape)
            c.batch.traffic.collided(c, ins, offsets, values)
            c.batch.changes += 1
        issue(c, ins, 0, None)

    return step


def _put(c: Cohort, offsets: Array, values: list[Array], shape: Form) -> None:
    if shape.small:
        forms.store(c.batch.memory.bytes, offsets, values[0], shape)
    else:
        scatter(c.batch.memory.words, offsets, values)


# -- straight to local memory -----------------------------------------------------------------------------------------


def _row(ins: Decoded, context: Context, shape: Form) -> Callable[[Cohort], Array]:
    """Places that follow one another: M0 + offset + lane * size."""
    constant = ins.modifiers.number("offset")
    lane = np.arange(context.lanes, dtype=np.int64) * max(4, shape.bytes)

    def places(c: Cohort) -> Array:
        base = (c.s[124] & np.uint32(0xFFFF if c.batch.lds_bytes <= 1 << 16 else 0x3FFFF)).astype(np.int64) + constant
        return np.asarray(base[:, None] + lane)

    return places


def _places(ins: Decoded, context: Context) -> Callable[[Cohort], Array]:
    """Places that a register names; LLVM does not say whether an offset moves them, too."""
    if ins.modifiers.number("offset"):
        raise ins.unmodelled("its offset")
    named = source(ins.operands[0], "u32", ins, context)
    return lambda c: np.broadcast_to(named(c), c.exec.shape).astype(np.int64)


def _copy(ins: Decoded, context: Context, shape: Form) -> Step:
    """Each lane's data go to the group's local memory."""
    own = "_async_" in ins.name  # each lane has an address of its own in local memory, in the first operand
    if "store" in ins.name or (own and shape.small):
        raise ins.unmodelled()
    where = addresses.reader(ins, context, loads=True, copies=not own)
    place = _places(ins, context) if own else _row(ins, context, shape)
    read, write = Access(Kind.READ, shape.bytes), Access(Kind.COPY, max(4, shape.bytes))

    def step(c: Cohort) -> None:
        offsets, lanes = where(c, read)
        never = c.batch.traffic.missing
        number = c.batch.local.locate(c, ins, place(c), lanes, write)
        if never is not None and c.batch.local.shadow is not None:
            c.batch.local.shadow.forget(number[never & lanes], write.bytes)
        values = _fetched(c, offsets, lanes, shape)

        def deliver(cohort: Cohort, operation: Pending) -> None:
            to, active, *words = operation.arrays
            chosen = active & (to >= 0)
            cohort.batch.local.store(to[chosen], [word[chosen] for word in words])

        issue(c, ins, 0, deliver, (number, lanes, *values))

    return step


# -- scratch ----------------------------------------------------------------------------------------------------------


def _scratch(ins: Decoded, context: Context, shape: Form, *, loads: bool) -> Step:
    where = addresses.scratch(ins, context, loads=loads)
    data = ins.operands[0] if loads else addresses.data_operand(ins)
    rows = tuple(context.layout.row(register) for register in data.registers[: shape.words])
    access = Access(Kind.READ if loads else Kind.WRITE, shape.bytes)

    def step(c: Cohort) -> None:
        offsets = where(c)
        inside = c.batch.scratch.check(c, ins, offsets, access)
        if not loads:
            c.batch.scratch.store(c, offsets, [c.v[row] for row in rows], inside, shape)
            if c.batch.scratch.hollow:
                c.batch.scratch.forget(c, offsets, inside, tuple(data.registers[: shape.words]), shape.bytes)
            issue(c, ins, 0, None)
            return
        values = c.batch.scratch.load(c, offsets, shape, inside)

        deliver = delivery(rows, shape)

        lanes = c.exec.copy()
        issue(c, ins, ins.writes, deliver, (*values, lanes), Effect(lanes, c.batch.scratch.missing, shape.bits))

    return step
