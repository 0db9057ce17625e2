"""Findings of the interpreter in the words of the other back end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any


from hotloop.emulate.findings import Finding, Findings, Trouble
from hotloop.emulate.memory import BASE
from hotloop.isa.amdgcn.registers import SGPR, name

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.memory import Memory
    from hotloop.emulate.program import Program

_TROUBLES = (
    Trouble.WAIT, Trouble.OVERWRITE, Trouble.LOCAL_RACE, Trouble.GLOBAL_RACE, Trouble.BARRIER, Trouble.BOUNDS, Trouble.UNINITIALISED,
)  # fmt: skip
_VERBS = ("reads", "writes", "changes", "changes")
_KINDS = ("read", "write", "atomic", "copy")
(
    _READ_EARLY, _WRITE_EARLY, _WHERE, _ACTIVE, _ADDRESS, _STORES, _BOUNDS, _LOCAL_BOUNDS, _SCRATCH_BOUNDS,
    _LOCAL_OWN, _LOCAL_OTHER, _LOCAL_ONCE, _LOCAL_READER, _GLOBAL_WAVE, _GLOBAL_GROUP, _GLOBAL_ONCE, _GLOBAL_READER, _BARRIERS,
) = range(18)  # fmt: skip


def told(found: Sequence[Array], program: Program, memory: Memory, local: int) -> tuple[Finding, ...]:
    """Return the findings of all threads in the order of the work-groups, each pair of places once; `local`: bytes of that memory."""
    rows = sorted((row for part in found for row in part), key=lambda row: (int(row["group"]), int(row["order"])))
    first: dict[tuple[int, int, int], Finding] = {}
    for row in rows:
        key = int(row["trouble"]), int(row["ins"]), int(row["other"])
        if key in first:
            first[key] = replace(first[key], times=first[key].times + int(row["times"]))
        elif len(first) < Findings().most:
            first[key] = _finding(row, program, memory, local)
    return tuple(first.values())


def _finding(row: Any, program: Program, memory: Memory, local: int) -> Finding:  # noqa: ANN401 - a record
    ins = program.code[int(row["ins"])]
    other = program.code[int(row["other"])] if row["other"] >= 0 else None
    return Finding(
        trouble=_TROUBLES[int(row["trouble"])],
        text=_text(row, program, memory, local),
        address=ins.address,
        line=ins.line,
        instruction=f"{ins.mnemonic} {ins.text}".rstrip(),
        other_line=other.line if other else None,
        other_instruction=f"{other.mnemonic} {other.text}".rstrip() if other else "",
        group=(int(row["x"]), int(row["y"]), int(row["z"])),
        wave=int(row["wave"]),
        lane=int(row["lane"]) if row["lane"] >= 0 else None,
        times=int(row["times"]),
    )


_TEXTS = {
    _READ_EARLY: "reads {register} before a wait covers the load",
    _WRITE_EARLY: "writes {register}, which a load overwrites later",
    _WHERE: "where the program goes depends on a value that nobody has defined",
    _ACTIVE: "which lanes are active depends on a value that nobody has defined",
    _ADDRESS: "an address depends on a value that nobody has defined",
    _STORES: "stores {register}, which holds a value that nobody has defined",
    _BOUNDS: "{verb} {b} bytes at {place}",
    _LOCAL_BOUNDS: "{kind}s {b} bytes at byte {c} of local memory ({local} bytes)",
    _SCRATCH_BOUNDS: "{kind}s {b} bytes at byte {c} of private memory ({private} bytes)",
    _LOCAL_OWN: "{verb} local memory before a wait covers the wave's own copy into it",
    _LOCAL_OTHER: "{verb} local memory that another wave writes, with no wait and barrier in between",
    _LOCAL_ONCE: "two waves write one place of local memory at once, with different values",
    _LOCAL_READER: "writes local memory that another wave reads, with no barrier in between",
    _GLOBAL_WAVE: "{verb} an element of {buffer} that another wave of its work-group writes, with nothing that orders them",
    _GLOBAL_GROUP: "{verb} an element of {buffer} that another work-group writes, with nothing that orders them",
    _GLOBAL_ONCE: "two waves write one element of {buffer} at once, with different values",
    _GLOBAL_READER: "writes an element of {buffer} that another work-group reads, with nothing that orders them",
    _BARRIERS: "wave {a} passed {b} barriers, another one of its work-group {c}",
}


def _text(row: Any, program: Program, memory: Memory, local: int) -> str:  # noqa: ANN401 - a record
    a, b, c, text = (int(row[key]) for key in ("a", "b", "c", "text"))
    words: dict[str, Any] = {"a": a, "b": b, "c": c, "local": local, "private": program.descriptor.scratch_bytes}
    if text in (_READ_EARLY, _WRITE_EARLY, _STORES):
        words["register"] = _register(a, program)
    elif text == _BOUNDS:
        words["place"] = memory.named(c + BASE)
    elif text in (_GLOBAL_WAVE, _GLOBAL_GROUP, _GLOBAL_ONCE, _GLOBAL_READER):
        words["buffer"] = memory.buffers[int(row["buffer"])].name
    if a in range(len(_VERBS)):
        words |= {"verb": _VERBS[a], "kind": _KINDS[a]}
    return _TEXTS[text].format(**words)


def _register(number: int, program: Program) -> str:
    layout = program.layout
    if number >= layout.rows:
        return name(number - layout.rows + SGPR)
    return name(number) if number < layout.vgprs else name(number - layout.vgprs + 1024)


