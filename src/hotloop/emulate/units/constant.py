"""Scalar memory: loads through the scalar cache, whole or from a buffer; their results come in any order.

Source: AMD's ISA references, chapter "Scalar memory operations".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate import forms
from hotloop.emulate.cohort import PLAIN, Effect
from hotloop.emulate.forms import form
from hotloop.emulate.memory import BASE, gather
from hotloop.emulate.sanitizer.access import Access, Kind
from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.emulate.sanitizer.waits import issue
from hotloop.emulate.units.addresses import element_bytes
from hotloop.emulate.units.values import scalar
from hotloop.isa.amdgcn.registers import EXEC, SGPR, VCC

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort, Pending
    from hotloop.emulate.instruction import Context, Decoded


Step = Callable[["Cohort"], None]
LOAD = re.compile(r"s_(buffer_)?load_(\w+)$")
TIME = re.compile(r"s_mem(real)?time$|s_get_shader_cycles_u64|s_sendmsg_rtn_b\d+$")
QUIET = re.compile(r"s_(dcache|gl1)_\w+$|s_icache_inv$|s_prefetch\w*$|s_atc_probe\w*$")


def bind(ins: Decoded, context: Context) -> Step | None:
    """Return the step of a scalar memory instruction, or None."""
    if QUIET.match(ins.name):
        return lambda c: None
    if TIME.match(ins.name):
        return _clock(ins)
    found = LOAD.match(ins.name)
    shape = form(found[2]) if found else None
    if found is None or shape is None:
        return None
    unit = min(4, shape.bytes)
    where = _buffer(ins, context, unit) if found[1] else _plain(ins, context, unit)
    rows = [register - SGPR for register in ins.operands[0].registers]
    count, access = len(rows), Access(Kind.READ, shape.bytes)

    def step(c: Cohort) -> None:
        offsets, lanes = where(c)
        found_, _ = c.batch.traffic.checked(c, ins, offsets[:, None], lanes[:, None], access)
        if shape.small:  # gfx12: a byte or a half, extended
            octets, at = c.batch.memory.words.view(np.uint8), found_[:, 0]
            values = [np.where(at < 0, np.uint32(0), forms.load(octets, np.maximum(at, 0), shape))]
        else:
            values = gather(c.batch.memory.words, found_[:, 0], count)
        never = c.batch.traffic.words if c.batch.traffic.shadow is not None else None
        effect = PLAIN if never is None else Effect(missing=never)
        issue(c, ins, ins.writes, deliver, tuple(values), effect)

    def deliver(cohort: Cohort, operation: Pending) -> None:
        for row, value in zip(rows, operation.arrays, strict=True):
            cohort.s[row] = value
            if row + SGPR in (EXEC, EXEC + 1, VCC):
                cohort.refresh()

    return step


def _offset(ins: Decoded, context: Context, place: int) -> Callable[[Cohort], Any]:
    constant = np.int64(ins.modifiers.number("offset"))
    if place >= len(ins.operands):
        return lambda c: constant
    item = ins.operands[place]
    if not item.registers:
        fixed = np.int64(item.integer) + constant
        return lambda c: fixed
    moving, size = scalar(item, "u32", ins, context), np.int64(_element(ins))
    return lambda c: moving(c).astype(np.int64) * size + constant


def _element(ins: Decoded) -> int:
    """Return in what an offset in a register counts: bytes, or with ``scale_offset`` (gfx1250) what the instruction loads."""
    return element_bytes(ins) if "scale_offset" in ins.modifiers.flags else 1


def _plain(ins: Decoded, context: Context, unit: int) -> Callable[[Cohort], tuple[Array, Array]]:
    base, offset = scalar(ins.operands[1], "u64", ins, context), _offset(ins, context, 2)

    def where(c: Cohort) -> tuple[Array, Array]:
        whole = base(c).view(np.int64) + offset(c)
        address = whole & ~np.int64(unit - 1)
        if (whole != address).any():
            _report(c, ins, unit, int(np.flatnonzero(np.broadcast_to(whole != address, (c.waves,)))[0]))
        return np.broadcast_to(address - np.int64(BASE), (c.waves,)), np.ones(c.waves, bool)

    return where


def _report(c: Cohort, ins: Decoded, unit: int, wave: int) -> None:
    text = f"loads from an address that is no multiple of {unit}: its last bits are dropped, other data come"
    c.batch.findings.add(Trouble.MISALIGNED, ins, c, wave, None, text)


def _buffer(ins: Decoded, context: Context, unit: int) -> Callable[[Cohort], tuple[Array, Array]]:
    words, offset = ins.operands[1].first - SGPR, _offset(ins, context, 2)
    size = unit * len(ins.operands[0].registers)

    def where(c: Cohort) -> tuple[Array, Array]:
        base = (c.scalar_pair(words) & np.uint64(0xFFFFFFFFFFFF)).view(np.int64)
        moved = np.broadcast_to(offset(c) & ~np.int64(unit - 1), (c.waves,))
        return base + moved - np.int64(BASE), moved + size <= c.s[words + 2].astype(np.int64)

    return where


def _clock(ins: Decoded) -> Step:
    """Return the step of an instruction that reads the clock, which counts executed instructions here, or asks the host for a message."""
    rows = [register - SGPR for item in ins.operands[:1] for register in item.registers]

    def step(c: Cohort) -> None:
        now = c.batch.steps
        values = [np.full(c.waves, (now >> 32 * n) & 0xFFFFFFFF, np.uint32) for n in range(len(rows))]
        issue(c, ins, ins.writes, deliver, tuple(values))

    def deliver(cohort: Cohort, operation: Pending) -> None:
        for row, value in zip(rows, operation.arrays, strict=True):
            cohort.s[row] = value

    return step
