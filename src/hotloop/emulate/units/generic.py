"""Generic addresses: a flat instruction reaches device, local or private memory, lane by lane, by the address's upper half.

Sources: AMD's ISA references, "Flat memory instructions"; apertures: LLVM, "User Guide for AMDGPU Backend", "Address Spaces".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate import forms
from hotloop.emulate.cohort import Effect
from hotloop.emulate.memory import BASE, gather, in_turn, scatter
from hotloop.emulate.sanitizer.access import Access, Kind
from hotloop.emulate.sanitizer.waits import issue
from hotloop.emulate.units import addresses
from hotloop.emulate.units.rows import delivery
from hotloop.emulate.units.values import PRIVATE_APERTURE, SHARED_APERTURE

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.forms import Form
    from hotloop.emulate.instruction import Context, Decoded

Step = Callable[["Cohort"], None]
LOW = np.int64(0xFFFFFFFF)
"""The half of a generic address that is the place in local or private memory."""


def either(ins: Decoded, context: Context, shape: Form, plain: Step, *, loads: bool) -> Step:
    """Return the step of a flat load or store: the plain one where all lanes mean device memory."""
    raw = addresses.flat(ins, context, ins.operands[1 if loads else 0])
    mixed = _load(ins, context, shape, raw) if loads else _store(ins, context, shape, raw)

    def step(c: Cohort) -> None:
        upper = (np.broadcast_to(raw(c), c.exec.shape) >> 32)[c.exec]
        if ((upper == SHARED_APERTURE) | (upper == PRIVATE_APERTURE)).any():
            mixed(c)
        else:
            plain(c)

    return step


def parts(c: Cohort, address: Array) -> tuple[Array, Array, Array]:
    """Return which active lanes mean device, local and private memory."""
    upper = address >> 32
    local, private = c.exec & (upper == SHARED_APERTURE), c.exec & (upper == PRIVATE_APERTURE)
    return c.exec & ~local & ~private, local, private


def _load(ins: Decoded, context: Context, shape: Form, raw: Callable[[Cohort], Any]) -> Step:
    rows = tuple(context.layout.row(register) for register in ins.operands[0].registers[: shape.words])
    access = Access(Kind.READ, shape.bytes)

    def step(c: Cohort) -> None:
        address = np.broadcast_to(raw(c), c.exec.shape)
        device, local, private = parts(c, address)
        values = [np.zeros(c.exec.shape, np.uint32) for _ in range(shape.words)]
        missing = np.zeros(c.exec.shape, bool)
        if device.any():
            found, there = _device(c, ins, address, device, access, shape), c.batch.traffic.missing
            values = [np.where(device, new, old) for new, old in zip(found, values, strict=True)]
            missing |= device & there if there is not None else False
        if local.any():
            offsets = c.batch.local.locate(c, ins, address & LOW, local, access)
            values = [
                np.where(local, new, old) for new, old in zip(c.batch.local.fetch(offsets, shape), values, strict=True)
            ]
            missing |= local & c.batch.local.missing if c.batch.local.missing is not None else False
        if private.any():
            inside = c.batch.scratch.check(c, ins, address & LOW, access, private)
            found = c.batch.scratch.load(c, address & LOW, shape, inside)
            values = [np.where(private, new, old) for new, old in zip(found, values, strict=True)]
            there = c.batch.scratch.missing
            missing |= private & there.any(axis=-1) if there is not None else False
        effect = Effect(c.exec.copy(), missing if missing.any() else None, shape.bits)
        issue(c, ins, ins.writes, deliver, (*values, c.exec.copy()), effect)

    deliver = delivery(rows, shape)

    return step


def _device(c: Cohort, ins: Decoded, address: Array, lanes: Array, access: Access, shape: Form) -> list[Array]:
    offsets, _ = c.batch.traffic.checked(c, ins, address - np.int64(BASE), lanes, access)
    memory = c.batch.memory
    return [forms.load(memory.bytes, offsets, shape)] if shape.small else gather(memory.words, offsets, shape.words)


def _store(ins: Decoded, context: Context, shape: Form, raw: Callable[[Cohort], Any]) -> Step:
    rows = tuple(context.layout.row(register) for register in addresses.data_operand(ins).registers[: shape.words])
    access = Access(Kind.WRITE, shape.bytes)

    def step(c: Cohort) -> None:
        address, values = np.broadcast_to(raw(c), c.exec.shape), [c.v[row] for row in rows]
        halves = [value >> np.uint32(16) for value in values] if shape.half else values
        c.batch.changes += 1
        device, local, private = parts(c, address)
        if device.any():
            offsets, _ = c.batch.traffic.checked(c, ins, address - np.int64(BASE), device, access)
            c.batch.traffic.confirm(c, ins, offsets, values)
            _put(c, c.batch.memory.bytes, c.batch.memory.words, offsets, device & (offsets != 0), values, shape)
            c.batch.traffic.collided(c, ins, offsets, values)
        if local.any():
            places = c.batch.local.locate(c, ins, address & LOW, local, access, halves)
            _put(c, c.batch.local.bytes, c.batch.local.words, places, places >= 0, values, shape)
            c.batch.local.collided(c, ins, places, halves, shape.bytes)
        if private.any():
            inside = c.batch.scratch.check(c, ins, address & LOW, access, private)
            c.batch.scratch.store(c, address & LOW, values, inside, shape)
        issue(c, ins, 0, None)

    return step


def _put(
    c: Cohort, octets: Array, words: Array, offsets: Array, chosen: Array, values: list[Array], shape: Form
) -> None:
    places, given = in_turn(offsets, values, chosen, late=c.batch.late)
    if shape.small:
        forms.store(octets, places, given[0], shape)
    else:
        scatter(words, places, given)
