"""A program as records for C, made once."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.instruction import Context
from hotloop.emulate.native import arithmetic, several, storage
from hotloop.emulate.native.layout import INS, OP
from hotloop.emulate.native.record import STREAMS, NotHere, Tables, Writer, check_rows, note, touched
from hotloop.emulate.operands import Kind
from hotloop.emulate.sanitizer.flags import polls
from hotloop.emulate.units import flow
from hotloop.isa.amdgcn.counters import UNORDERED, Counter, Stream, generation, waits
from hotloop.isa.amdgcn.registers import SGPR

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.program import Program

_CONDITIONS = (
    "s_cbranch_scc0",
    "s_cbranch_scc1",
    "s_cbranch_vccz",
    "s_cbranch_vccnz",
    "s_cbranch_execz",
    "s_cbranch_execnz",
)
_CONTROL = re.compile(
    r"s_(c?branch|endpgm|barrier|trap|sethalt|set_gpr_idx|set_?pc|swap_?pc|wait|call|rfe|add_pc)|v_movrel"
)
_BARRIERS = {"s_barrier": "BARRIER", "s_barrier_wait": "BARRIER", "s_barrier_signal": "SIGNAL"}
_ENDS = ("s_endpgm", "s_endpgm_saved", "s_barrier_leave")


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """Records of a program, or why it has none."""

    code: Array
    touched: Array
    side: Array
    floats: Array
    addresses: Array
    indices: Array
    refused: str = ""
    """The first instruction that the interpreter cannot do; empty: it can do all."""
    backs: tuple[int, ...] = ()
    """Instructions that the other back end executes, one wave at a time."""
    local_shift: int = 2
    """Power of two of the bytes of local memory that are told apart: those of the smallest access, at most 4."""


_MOST_KEPT, _MOST_CODE = 32, 1 << 16
_kept: list[tuple[Program, Encoded]] = []
"""Programs are compared by identity: they are loaded once and executed often."""


def encoded(program: Program) -> Encoded:
    """Return a program's records."""
    for known, made in _kept:
        if known is program:
            return made
    made = _encoded(program)
    _kept.append((program, made))
    del _kept[:-_MOST_KEPT]
    return made


def without(program: Program, index: int, changed: Program) -> None:
    """Give a program that differs in one instruction, which does nothing now, the records of the other one."""
    made = encoded(program)
    code = made.code.copy()
    code[index] = np.zeros((), INS)
    code[index]["op"], code[index]["address"] = OP["NOTHING"], program.code[index].address
    _kept[-1:] = [(changed, replace(made, code=code)), (program, made)]


def _encoded(program: Program) -> Encoded:
    family = generation(program.target.name)
    assert family is not None
    context = Context(program.target, family, program.layout, private=program.descriptor.scratch_bytes > 0)
    tables, count = Tables(), len(program.code)
    code = np.zeros(count, INS)
    refused, backs = "", list[int]()
    for item in program.code:
        try:
            if not record(item, context, tables, code[item.index : item.index + 1].reshape(()), count):
                backs.append(item.index)
        except _UNKNOWN as reason:
            refused = refused or f"{item.where()} ({reason})"
    for index in sorted(polls(program.code))[:1]:
        refused = refused or f"{program.code[index].where()} (it waits for what another wave stores in local memory)"
    if len(program.code) > _MOST_CODE:
        refused = refused or f"a program of {len(program.code)} instructions"
    ordered = sorted(program.places.items())
    return Encoded(
        code=np.concatenate([code, np.array(tables.more, INS).reshape(-1)]),
        touched=touched(tables),
        side=np.array(tables.side or [0], np.int32),
        floats=np.array(tables.floats or [0], np.float32),
        addresses=np.array([address for address, _ in ordered], np.uint64),
        indices=np.array([index for _, index in ordered], np.int32),
        refused=refused,
        backs=tuple(backs),
        local_shift=_smallest(code),
    )


def _smallest(code: Array) -> int:
    local = np.isin(code["op"], [OP[name] for name in ("DS_READ", "DS_WRITE", "DS_TURN", "DS_ATOMIC")])
    return {1: 0, 2: 1}.get(int(code["n"][local, 0].min(initial=4)), 2)


_UNKNOWN = (NotHere, IndexError, KeyError, ValueError)
"""Forms that have no code here, and damaged ones that are found out when they are executed."""


def record(item: Decoded, context: Context, tables: Tables, into: Array, first_more: int) -> bool:
    """Write an instruction; False: the other back end executes it.

    Raises:
        NotHere: neither can do it alone, the whole program must go there.
    """
    kept = len(tables.more)
    writer = Writer(item, context, tables, into, first_more)
    native = True
    try:
        if not _written(writer):
            raise NotHere(item.name)
        check_rows(into, context)
    except _UNKNOWN as reason:
        if item.issues or storage_like(item) or _CONTROL.match(item.name):
            raise NotHere(str(reason) or item.name) from reason
        into[...] = np.zeros((), INS)
        into["op"], native = OP["BACK"], False
        del tables.more[kept:]
    note(writer)
    return native


def storage_like(item: Decoded) -> bool:
    """Tell whether an instruction is one of memory."""
    return item.name.startswith(("ds_", "global_", "flat_", "buffer_", "scratch_", "s_load", "s_buffer", "s_mem"))


def _written(to: Writer) -> bool:
    if to.ins.saturates:
        return False
    return _flow(to) or arithmetic.write(to) or several.write(to) or storage.write(to)


def _flow(to: Writer) -> bool:
    ins, name = to.ins, to.ins.name
    if asked := waits(ins.mnemonic, ins.text, to.context.family):
        _wait(to, asked)
    elif name in _CONDITIONS:
        to.op("CONDITION", n={0: _CONDITIONS.index(name), 15: "vcc" in name})
    elif name == "s_branch":
        to.op("BRANCH")
    elif name in _ENDS:
        to.op("END")
    elif name in _BARRIERS:
        to.op(_BARRIERS[name], n={0: name == "s_barrier_wait"})
    elif name in ("s_trap", "s_sethalt"):
        to.op("TRAP")
    elif name in ("s_getpc_b64", "s_get_pc_i64"):
        to.op("GETPC", row=ins.operands[0].first - SGPR)
    elif name in ("s_setpc_b64", "s_set_pc_i64"):
        to.scalar(0, ins.operands[0], "u64")
        to.op("SETPC")
    elif name in ("s_swappc_b64", "s_swap_pc_i64"):
        to.scalar(0, ins.operands[1], "u64")
        to.op("SWAPPC", row=ins.operands[0].first - SGPR)
    elif name == "s_getreg_b32" and ins.operands[0].kind is not Kind.NULL:
        to.op("ZERO", row=ins.operands[0].first - SGPR)
    elif flow.QUIET.match(name) or name in ("s_getreg_b32", "s_setreg_b32", "s_setreg_imm32_b32"):
        to.op("NOTHING")
    else:
        return False
    return True


def _wait(to: Writer, asked: tuple[tuple[Counter, int], ...]) -> None:
    by_counter: dict[Counter, list[Stream]] = {}
    for stream, counter in to.context.family.counters().items():
        by_counter.setdefault(counter, []).append(stream)
    plan = [
        (STREAMS[stream], most, stream in UNORDERED)
        for counter, most in asked
        for stream in by_counter.get(counter, ())
    ]
    to.op("WAIT", n={0: len(plan)}, table=to.tables.add(np.array(plan, np.int64)))
