"""The scalar unit: rows of its table, compares, EXEC with its saved copy, and small instructions of its own.

Source: AMD's ISA references, sections "SOP1", "SOP2", "SOPC", "SOPK instructions".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.operands import Kind, Operand
from hotloop.emulate.semantics.row import SCALAR, Row
from hotloop.emulate.state import EXEC_ROW, Registers
from hotloop.emulate.units.values import Read, scalar, size
from hotloop.isa.amdgcn.registers import SCC, SGPR

if TYPE_CHECKING:
    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Context, Decoded

Step = Callable[["Cohort"], None]
SCALAR_COMPARE = re.compile(r"s_cmp(k?)_(\w+?)_([iuf]\d\d)$")
_SAVE = re.compile(r"s_(\w+)_saveexec_(b\d\d)$")
_WRITE = re.compile(r"s_(\w+)_wrexec_(b\d\d)$")
_SAVED: dict[str, Callable[[Any, Any], Any]] = {
    "and": lambda a, e: a & e, "or": lambda a, e: a | e, "xor": lambda a, e: a ^ e,
    "andn2": lambda a, e: a & ~e, "and_not1": lambda a, e: a & ~e, "orn2": lambda a, e: a | ~e, "or_not1": lambda a, e: a | ~e,
    "andn1": lambda a, e: ~a & e, "and_not0": lambda a, e: ~a & e, "orn1": lambda a, e: ~a | e, "or_not0": lambda a, e: ~a | e,
    "nand": lambda a, e: ~(a & e), "nor": lambda a, e: ~(a | e), "xnor": lambda a, e: ~(a ^ e),
}  # fmt: skip
_KINDS = {"b32": "u32", "b64": "u64"}


def bind(ins: Decoded, context: Context) -> Step | None:
    """Return the step of a scalar instruction without memory or control flow, or None."""
    if row := SCALAR.get(ins.name):
        return _plain(ins, row, context)
    if found := SCALAR_COMPARE.match(ins.name):
        return _compare(ins, context, found)
    if found := _SAVE.match(ins.name) or _WRITE.match(ins.name):
        return _save(ins, context, found[1], _KINDS[found[2]], written="wrexec" in ins.name)
    return None


def sink(item: Operand, kind: str, ins: Decoded) -> Callable[[Cohort, Any], None]:
    """Return how a scalar result is written; EXEC takes effect at once."""
    if item.kind is Kind.NULL:
        return lambda c, value: None
    if item.kind is not Kind.REGISTER or item.first < SGPR or item.first == SCC:
        raise ins.unmodelled(f"destination {item.text}")
    row, wide, narrow = item.first - SGPR, size(kind) == 64, size(kind) == 16
    executes = row in (EXEC_ROW, EXEC_ROW + 1)
    view = {"i32": "si", "f32": "sf"}.get(kind, "s")

    def write(c: Cohort, value: Any) -> None:  # noqa: ANN401 - arrays of any type
        if narrow:  # the upper half is cleared
            c.s[row] = value.view(np.uint16)
        elif wide:
            c.put_scalar_pair(row, value)
        else:
            getattr(c, view)[row] = value
        if executes:
            c.refresh()

    return write


def _plain(ins: Decoded, row: Row, context: Context) -> Step:
    has_result = row.result != "-"
    operands = ins.operands[1:] if has_result else ins.operands
    if len(operands) != len(row.sources):
        raise ins.unmodelled(f"{len(operands)} operands where {len(row.sources)} are known")
    reads = [
        _short(item) if kind == "k16" else scalar(item, kind, ins, context)
        for item, kind in zip(operands, row.sources, strict=True)
    ]
    function, condition = row.scalar_function(), row.condition_function()
    put = sink(ins.operands[0], row.result, ins) if has_result else None
    old = scalar(ins.operands[0], row.result, ins, context) if has_result and re.search(r"\bd\b", row.text) else None
    carries = "scc" in row.text or "scc" in row.condition

    def step(c: Cohort) -> None:
        values = [read(c) for read in reads]
        before = old(c) if old else None
        scc = c.scc.astype(np.uint32) if carries else None
        result = function(before, scc, *values)
        flag = condition(result, before, scc, *values) if condition else None
        if put:
            put(c, result)
        if flag is not None:
            c.scc = np.array(np.broadcast_to(flag, (c.waves,)))

    return step


def _short(item: Operand) -> Read:
    value = np.array([((item.integer & 0xFFFF) ^ 0x8000) - 0x8000], np.int32)
    return lambda r: value


def _compare(ins: Decoded, context: Context, found: re.Match[str]) -> Step:
    kind = found[3]
    first = scalar(ins.operands[0], kind, ins, context)
    item = ins.operands[1]
    if found[1]:
        number = item.integer & 0xFFFF
        number = (number ^ 0x8000) - 0x8000 if kind[0] == "i" else number
        fixed = np.array([number], np.int64).astype(np.int32 if kind[0] == "i" else np.uint32)
        second: Read = lambda r: fixed  # noqa: E731 - one of two readers
    else:
        second = scalar(item, kind, ins, context)
    condition = _conditions(found[2], ins)

    def step(c: Cohort) -> None:
        c.scc = np.array(np.broadcast_to(condition(first(c), second(c)), (c.waves,)))

    return step


def _conditions(name: str, ins: Decoded) -> Callable[[Any, Any], Any]:
    from hotloop.emulate.units.compare import CONDITIONS

    if name not in CONDITIONS:
        raise ins.unmodelled()
    return CONDITIONS[name]


def _save(ins: Decoded, context: Context, name: str, kind: str, *, written: bool) -> Step:
    if name not in _SAVED:
        raise ins.unmodelled()
    function, read = _SAVED[name], scalar(ins.operands[1], kind, ins, context)
    put, wide = sink(ins.operands[0], kind, ins), kind == "u64"

    def step(c: Cohort) -> None:
        old = c.scalar_pair(EXEC_ROW) if wide else c.s[EXEC_ROW].copy()
        new = np.broadcast_to(function(read(c), old), old.shape)
        _put_exec(c, new, wide=wide)
        put(c, new if written else old)
        c.scc = new != 0

    return step


def _put_exec(r: Registers, value: Any, *, wide: bool) -> None:  # noqa: ANN401
    if wide:
        r.put_scalar_pair(EXEC_ROW, value)
    else:
        r.s[EXEC_ROW] = value
    r.refresh()
