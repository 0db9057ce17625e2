"""Registers that are read or overwritten before their load has arrived, and values that nobody has defined.

Whether an instruction's result depends on undefined bits is found by executing it several times with different values in
them: what comes out the same is defined. So a select, a mask or a shift that drops such bits is no reason for a report.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.arrays import Array
from hotloop.emulate.cohort import SCALAR_BASE
from hotloop.emulate.operands import constant
from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.emulate.sanitizer.parts import meeting
from hotloop.emulate.units import addresses, indexed
from hotloop.emulate.units.lanes import CROSSBAR, SWIZZLE
from hotloop.isa.amdgcn.registers import EXEC, SCC, SGPR, VCC, name
from hotloop.isa.bitset import members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded

_ALL, _LARGE, _SMALL = 0xFFFFFFFF, 0x7BFF7BFF, 0xFBFFFBFF
_VECTOR, _SCALAR = (0, _ALL, _LARGE, _SMALL, _LARGE, _SMALL), (0, _ALL, _LARGE, _SMALL, 0, _ALL)
"""Values of undefined bits: large and small numbers of every type show a maximum or minimum with a known number; scalar registers that
differ from vector ones, a choice between an undefined and a known number by an undefined mask."""
_KEPT = 2
"""The first values, 0 and ones: enough for registers that are only written, of which bits stay or do not."""
_EACH, _ROW = 0x3F9A6B57, 0x5171
"""The last value: of row 0, and by how much the next row differs, as two unknowns are not equal."""
EQUALITIES = ("eq", "ne", "neq", "lg", "nlg")
"""Comparisons that no such value is likely to fulfil: they are tried with the other side's bits, too."""
_COMPARISON = re.compile(rf"(?:v_cmpx?|s_cmpk?)_({'|'.join(EQUALITIES)})_([fiu]\d\d)$")
MEMORY = ("global_", "flat_", "buffer_", "scratch_", "ds_", "s_load", "s_buffer_load")
BRANCHES = ("s_cbranch", "s_setpc", "s_swappc", "s_call", "s_endpgm")
QUIET = ("s_wait", "s_nop", "s_barrier", "s_endpgm", "s_sendmsg", "s_set")
"""Instructions without a result that no register decides about."""
_MODES = (1 << EXEC) | (1 << EXEC + 1)


def untouched(c: Cohort, vectors: int, scalars: list[int]) -> None:
    """Mark everything that the launch did not set as never defined: vector rows from `vectors` on, other scalar rows."""
    layout = c.layout
    registers = [*range(vectors, layout.vgprs), *(1024 + n for n in range(layout.agprs))]
    registers += [SGPR + row for row in range(124) if row not in scalars]
    c.poison = dict.fromkeys(registers)
    c.watch = sum(1 << register for register in registers)


def inspect(c: Cohort, ins: Decoded) -> bool:
    """Look at an instruction that touches registers which are pending or undefined; True when it was executed on the way."""
    flying = 0
    for operation in c.pending:
        if met := operation.mask and meeting(ins, operation.instruction, operation.mask) & ins.touches:
            _early(c, ins, operation.instruction, met)
            flying |= met
    known = [register for register in members(ins.touches & ~flying) if register in c.poison]
    if not known or indexed.MOVES.match(ins.name):  # which looks for itself at what it reaches
        return False
    if ins.mnemonic.startswith(MEMORY):
        _memory(c, ins, known)
        return False
    if ins.name.startswith(BRANCHES) or not ins.writes:
        _branch(c, ins, known)
        return False
    _compute(c, ins, known)
    return True


def _early(c: Cohort, ins: Decoded, load: Decoded, mask: int) -> None:
    if ins.reads & mask & ~(ins.writes if ins.issues else 0):
        register = name(next(members(ins.reads & mask)))
        c.batch.findings.add(Trouble.WAIT, ins, c, 0, None, f"reads {register} before a wait covers the load", load)
    elif ins.writes & mask and not _ordered(ins, load):
        register = name(next(members(ins.writes & mask)))
        c.batch.findings.add(
            Trouble.OVERWRITE, ins, c, 0, None, f"writes {register}, which a load overwrites later", load
        )


def _ordered(ins: Decoded, earlier: Decoded) -> bool:
    """Tell whether both are loads of one stream, which write in the order of their issue."""
    mine, its = {i.stream for i in ins.issues}, {i.stream for i in earlier.issues}
    return bool(mine) and mine == its


# -- undefined values -------------------------------------------------------------------------------------------------


def _compute(c: Cohort, ins: Decoded, known: list[int]) -> None:
    """Execute with several values in the undefined bits; what differs in the results is undefined."""
    written = list(members(ins.writes))
    undefined = {r: c.undefined(r) for r in known}
    before = {r: _values(c, r).copy() for r in {*known, *written}}
    flags = c.scc.copy()
    results = []
    kept = not any(ins.reads >> register & 1 for register in known)
    fills = ({r: _fill(c, fill, r) for r in undefined} for fill in range(_KEPT if kept else len(_VECTOR) + 1))
    for filled in (*fills, *_mirrored(c, ins)):
        c.scc = flags.copy()
        for register, value in before.items():
            bits = undefined.get(register)
            _set(c, register, value if bits is None else value & ~bits | filled.get(register, np.uint32(0)) & bits)
        if ins.writes & _MODES or EXEC in before:
            c.refresh()
        ins.step(c)
        results.append(({r: _values(c, r).copy() for r in written}, c.scc.copy()))
    for register in written:
        if register == SCC:
            _define_flag(c, results)
            continue
        first = results[0][0][register]
        differs = np.bitwise_or.reduce([first ^ other[0][register] for other in results[1:]])
        if register in (EXEC, EXEC + 1):
            _report(c, ins, differs, "which lanes are active depends on")
        else:
            c.define(register, differs)
    _restore(c, before, undefined, written)
    c.watch = _watched(c)


def _fill(c: Cohort, fill: int, register: int) -> np.uint32:
    vector = register < SCALAR_BASE
    if fill < len(_VECTOR):
        return np.uint32((_VECTOR if vector else _SCALAR)[fill])
    return np.uint32(_EACH + _ROW * (c.layout.row(register) if vector else register - SGPR) & _ALL)


def _mirrored(c: Cohort, ins: Decoded) -> Iterator[Mapping[int, Array | np.uint32]]:
    """Yield what the registers of a comparison for equality must hold so that its sides are equal."""
    found = _COMPARISON.match(ins.name)
    if found is None or len(ins.operands) < 2:
        return
    sides = ins.operands[-2:]
    filled: dict[int, Array | np.uint32] = {}
    for one, other in (sides, sides[::-1]):
        for place, register in enumerate(one.registers):
            if not other.registers:
                filled[register] = np.uint32(constant(other, found[2]) >> 32 * place & 0xFFFFFFFF)
            elif place < len(other.registers):
                filled[register] = _across(_values(c, other.registers[place]).copy(), register)
    yield filled


def _across(value: Array, register: int) -> Array:
    """Return a value of one register file in the shape of the other."""
    if register < SCALAR_BASE:
        return value if value.ndim > 1 else value[:, None]
    return value if value.ndim == 1 else value[:, 0]


def _define_flag(c: Cohort, results: list[tuple[dict[int, Array], Array]]) -> None:
    differs = np.logical_or.reduce([results[0][1] ^ other for _, other in results[1:]])
    c.define(SCC, np.where(differs, np.uint32(0xFFFFFFFF), np.uint32(0)))


def _restore(c: Cohort, before: dict[int, Array], undefined: dict[int, Array], written: list[int]) -> None:
    """Undo the fills in registers that were only read."""
    for register in undefined:
        if register not in written:
            _set(c, register, before[register])


def _values(c: Cohort, register: int) -> Array:
    if register >= SCALAR_BASE:
        return c.scc.astype(np.uint32) if register == SCC else c.s[register - SGPR]
    return c.v[c.layout.row(register)]


def _set(c: Cohort, register: int, value: Array) -> None:
    if register == SCC:
        c.scc = value.astype(bool)
    elif register >= SCALAR_BASE:
        c.s[register - SGPR] = value
    else:
        c.v[c.layout.row(register)] = value


def _watched(c: Cohort) -> int:
    from hotloop.emulate.cohort import watched

    return watched(c)


def _branch(c: Cohort, ins: Decoded, known: list[int]) -> None:
    """A branch on undefined bits is reported where the defined ones do not decide it; where a call returns to is defined."""
    for register in known:
        if not ins.reads >> register & 1:
            if ins.writes >> register & 1:
                c.poison.pop(register, None)
            continue
        bits = c.undefined(register)
        if register in (VCC, VCC + 1) and "vcc" in ins.name:
            bits = np.where((_values(c, register) & ~bits) != 0, np.uint32(0), bits)
        if not ins.name.startswith(QUIET):
            _report(c, ins, bits, "where the program goes depends on")
            c.define(register, np.zeros_like(bits))
    c.watch = _watched(c)


def _memory(c: Cohort, ins: Decoded, known: list[int]) -> None:
    """Addresses must be defined in active lanes, and so must stored data."""
    data = data_of(ins)
    for register in known:
        if not ins.reads >> register & 1 or (
            ins.writes >> register & 1 and register not in data and not named_twice(ins, register)
        ):
            continue
        if ins.name in CROSSBAR and (ins.name == SWIZZLE or register not in ins.operands[1].registers):
            continue  # it comes to other lanes as undefined as it is
        bits = c.undefined(register)
        if register < SCALAR_BASE:
            bits = np.where(c.exec, bits, np.uint32(0))
        if register in data and (keeper := _keeper(c, ins)) is not None:
            keeper[register] = (bits & np.uint32(stored_bits(ins))) != 0
        elif register in data:
            _report(c, ins, bits & np.uint32(stored_bits(ins)), f"stores {name(register)}, which holds")
        else:
            _report(c, ins, bits, "an address depends on")


def _keeper(c: Cohort, ins: Decoded) -> dict[int, Array] | None:
    """Return where a store of undefined registers is noted instead of reported: the memory is as undefined, until it is read.

    Functions save registers of their callers in private memory, and compilers pass results of atomics with a mask to other lanes
    through local memory, whole.
    """
    kept: dict[int, Array] | None = None
    if ins.name.startswith("scratch_") or _spills(c, ins):
        kept = c.batch.scratch.hollow
    elif ins.name.startswith(("ds_write", "ds_store")) and c.batch.local.shadow is not None:
        kept = c.batch.local.hollow
    return kept


def _spills(c: Cohort, ins: Decoded) -> bool:
    """Tell whether a buffer's store goes to private memory."""
    stores = ins.name.startswith("buffer_store") and c.batch.program.descriptor.scratch_bytes > 0
    return stores and addresses.on_stack(c, ins.operands[2].first - SGPR)


def data_of(ins: Decoded) -> frozenset[int]:
    """Return the registers that a store or an atomic takes data from."""
    if "store" not in ins.name and "write" not in ins.name and "atomic" not in ins.name:
        return frozenset()
    if ins.name.startswith("buffer"):
        return frozenset(ins.operands[0].registers)
    return frozenset(r for item in ins.operands[1:] for r in item.registers if r < SCALAR_BASE)


def named_twice(ins: Decoded, register: int) -> bool:
    """Tell whether an operand other than the first names a register."""
    return any(register in item.registers for item in ins.operands[1:])


def stored_bits(ins: Decoded) -> int:
    """Return the bits of a register that a store writes."""
    if any(part in ins.name for part in ("b8", "byte")):
        bits = 0xFF
    else:
        bits = 0xFFFF if any(part in ins.name for part in ("b16", "short")) else 0xFFFFFFFF
    return bits << 16 & 0xFFFFFFFF if "d16_hi" in ins.name else bits


def _report(c: Cohort, ins: Decoded, bits: Array, what: str) -> None:
    if bits.any():
        place = [int(n[0]) for n in np.nonzero(bits)]
        lane = place[1] if len(place) > 1 else None
        c.batch.findings.add(Trouble.UNINITIALISED, ins, c, place[0], lane, f"{what} a value that nobody has defined")
