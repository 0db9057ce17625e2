"""Vector registers whose number is computed: ``v_movrel*`` by M0, and ``v_mov_b32`` between ``s_set_gpr_idx_on`` and ``_off``.

Sources: AMD's ISA references of Vega and CDNA 3, "VGPR Indexing" and S_SET_GPR_IDX_*; of RDNA 1 to 3, V_MOVRELS_B32, V_MOVRELD_B32,
V_MOVRELSD_B32 and V_MOVRELSD_2_B32.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.errors import EmulateError
from hotloop.emulate.operands import Kind, Operand
from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.emulate.state import runs
from hotloop.emulate.units.values import scalar, source
from hotloop.isa.amdgcn.registers import AGPR, M0, SGPR, name

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Context, Decoded

Step = Callable[["Cohort"], None]
MOVES = re.compile(r"v_movrel(s|d|sd|sd_2)_b32$")
"""Instructions that reach registers through an index; those between switches are renamed to the first two by `relative`."""
SWITCHES = re.compile(r"s_set_gpr_idx_(on|off|idx|mode)$")
_RELATIVE = {("SRC0",): "v_movrels_b32", ("DST",): "v_movreld_b32", ("DST", "SRC0"): "v_movrelsd_b32"}
_INDEX = np.uint32(0xFF)
"""Bits of M0 that count: no processor has more registers."""


def relative(code: Sequence[Decoded]) -> list[Decoded]:
    """Rename moves that stand between switches to the instruction that does the same by M0 alone.

    Raises:
        UnmodelledError: something else stands there that touches vector registers, or a mode that no move has.
    """
    made: list[Decoded] = []
    on: tuple[str, ...] = ()
    for item in code:
        found = SWITCHES.match(item.name)
        if found:
            on = _mode(item, on)
        elif on and item.name == "v_mov_b32" and on in _RELATIVE:
            made.append(replace(item, name=_RELATIVE[on], reads=item.reads | 1 << M0, touches=item.touches | 1 << M0))
            continue
        elif on and item.touches & (1 << SGPR) - 1:
            raise item.unmodelled(f"with registers indexed by {', '.join(on)}")
        elif item.target is not None or item.name.startswith("s_endpgm"):
            on = ()
        made.append(item)
    return made


def _mode(item: Decoded, on: tuple[str, ...]) -> tuple[str, ...]:
    if item.name.endswith("_off"):
        return ()
    if item.name.endswith("_idx"):
        return on
    listed = re.search(r"gpr_idx\(([^)]*)\)", item.text)
    if listed is None:
        raise item.unmodelled("its mode is a number")
    return tuple(sorted(word.strip() for word in listed[1].split(",") if word.strip()))


def bind(ins: Decoded, context: Context) -> Step | None:
    """Return the step of a switch or of a move through an index, or None."""
    if SWITCHES.match(ins.name):
        return _switch(ins, context)
    found = MOVES.match(ins.name)
    return _move(ins, context, found[1]) if found else None


def _switch(ins: Decoded, context: Context) -> Step:
    if ins.name.endswith(("_off", "_mode")):
        return lambda c: None
    index, row = scalar(ins.operands[0], "u32", ins, context), M0 - SGPR

    def step(c: Cohort) -> None:
        c.s[row] = (c.s[row] & ~_INDEX) | (index(c) & _INDEX)
        c.define(M0, np.zeros(c.waves, np.uint32))

    return step


def _move(ins: Decoded, context: Context, form: str) -> Step:
    to, item = ins.operands[:2]
    from_index, to_index = form.startswith("s"), "d" in form
    if (
        to.kind is not Kind.REGISTER
        or to.first >= SGPR
        or (from_index and (item.kind is not Kind.REGISTER or item.first >= SGPR))
    ):
        raise ins.unmodelled("its operands are not those of the instruction")
    read = source(item, "u32", ins, context)
    apart = np.uint32(16 if form == "sd_2" else 0)

    def step(c: Cohort) -> None:
        m0 = c.s[M0 - SGPR]
        begin = (m0 & _INDEX).astype(np.int64)
        end = (m0 >> apart & _INDEX).astype(np.int64)
        if from_index:
            values, unknown = _fetched(c, ins, item, begin)
        else:
            values, unknown = np.broadcast_to(read(c), c.exec.shape), _unknown(c, item)
        for index, waves in runs(end if to_index else np.zeros(c.waves, np.int64)):
            _put(c, _register(c, ins, to, int(index)), waves, values, unknown)

    return step


def _fetched(c: Cohort, ins: Decoded, item: Operand, index: Array) -> tuple[Array, Array]:
    """Return what waves read through their indices, and the bits of it that nobody has defined."""
    values, unknown = np.zeros(c.exec.shape, np.uint32), np.zeros(c.exec.shape, np.uint32)
    for at, waves in runs(index):
        register = _register(c, ins, item, int(at))
        for operation in c.pending:
            if operation.mask >> register & 1:
                text = f"reads {name(register)} through an index before a wait covers the load"
                c.batch.findings.add(Trouble.WAIT, ins, c, int(waves[0]), None, text, operation.instruction)
        values[waves] = c.v[c.layout.row(register), waves]
        unknown[waves] = c.undefined(register)[waves] if register in c.poison else 0
    return values, unknown


def _unknown(c: Cohort, item: Operand) -> Array:
    if item.kind is not Kind.REGISTER or item.first not in c.poison:
        return np.zeros(c.exec.shape, np.uint32)
    bits = c.undefined(item.first)
    return np.broadcast_to(bits if bits.ndim > 1 else bits[:, None], c.exec.shape)


def _register(c: Cohort, ins: Decoded, item: Operand, index: int) -> int:
    register = item.first + index
    if index >= 256 or register - (AGPR if item.first >= AGPR else 0) >= (
        c.layout.agprs if item.first >= AGPR else c.layout.vgprs
    ):
        raise EmulateError(
            f"{ins.where()} reaches {item.text} + {index}, a register that the kernel never names; look at the index in M0."
        )
    return register


def _put(c: Cohort, register: int, waves: Array, values: Array, unknown: Array) -> None:
    """Write active lanes of some waves, and what of them is defined."""
    row, lanes = c.layout.row(register), c.exec[waves]
    c.v[row, waves] = np.where(lanes, values[waves], c.v[row, waves])
    if register in c.poison or unknown[waves].any():
        bits = c.undefined(register).copy() if register in c.poison else np.zeros(c.exec.shape, np.uint32)
        bits[waves] = np.where(lanes, unknown[waves], bits[waves])
        c.define(register, bits)
