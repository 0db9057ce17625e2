"""What an instruction that stalls waits for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from hotloop.profiles.trace import ThreadTrace, TracedInstruction
from hotloop.profiles.tracing import classes
from hotloop.profiles.tracing.classes import class_of
from hotloop.profiles.tracing.loop import HotLoop

_COUNTERS: Final = {
    "vmcnt": (classes.VMEM,), "lgkmcnt": (classes.LDS, classes.SMEM), "vscnt": (classes.VMEM,), "loadcnt": (classes.VMEM,),
    "storecnt": (classes.VMEM,), "dscnt": (classes.LDS,), "kmcnt": (classes.SMEM,), "samplecnt": (classes.VMEM,),
}  # fmt: skip
"""Classes that raise each wait counter; LLVM AMDGPU user guide, memory model and s_waitcnt."""
_OLD = re.compile(r"(vmcnt|lgkmcnt|vscnt)\(\s*([0-9]{1,3}|0x[0-9a-fA-F]{1,2})\s*\)")
_NEW = re.compile(r"s_wait_(loadcnt|storecnt|dscnt|kmcnt|samplecnt)(?:_dscnt)?\s+(0x[0-9a-fA-F]{1,4}|[0-9]{1,4})")
_REASONS: Final = {
    classes.LDS: "the LDS queue was full or the LDS was busy",
    classes.VMEM: "the vector memory pipeline was busy",
    classes.SMEM: "the scalar memory pipeline was busy",
    classes.MATRIX: "the matrix unit was busy, or an operand was not ready",
    classes.VALU: "the vector ALU was busy, or an operand was not ready",
    classes.SALU: "the scalar ALU was busy, or an operand was not ready",
    classes.BARRIER: "other waves of the work-group had not reached the barrier",
    classes.NOP: "the compiler put it there to keep a hazard's distance",
    classes.BRANCH: "the branch was resolved and the next instructions fetched",
}
_STORES = re.compile(r"(?:global|buffer|flat|scratch|tbuffer|image)_store")


def waits_for(
    trace: ThreadTrace, code: Sequence[TracedInstruction], place: int, loop: HotLoop | None = None
) -> tuple[TracedInstruction, ...]:
    """Return the instructions that the wait at a place waits for; empty for other instructions, or where unknown.

    The waves' own records decide where they exist. Else the code is read backwards: ``vmcnt(N)`` waits for the oldest
    accesses of its kind until N are left, so the youngest of them is the N+1-th before the wait. Within the hot loop the code
    before its first instruction is its end, of the iteration before.
    """
    by_line = {i.line: i for i in code}
    recorded = Counter(on for wave in trace.waves for on in wave.waits.get(code[place].line, ()))
    if recorded:
        return tuple(by_line[line] for line, _ in recorded.most_common(4) if line in by_line)
    before = _before(code, place, loop)
    issued = (_issued(before, name, left) for name, left in _counts(code[place].text))
    return tuple({i.line: i for i in issued if i is not None}.values())


def reason(trace: ThreadTrace, code: Sequence[TracedInstruction], place: int, loop: HotLoop | None = None) -> str:
    """Return why the instruction at a place stalled, in one clause."""
    instruction = code[place]
    if instruction.stall_reasons:
        most = max(instruction.stall_reasons, key=lambda name: instruction.stall_reasons[name])
        return f"samples say {most}"
    kind = class_of(instruction.text)
    if kind == classes.WAIT:
        on = waits_for(trace, code, place, loop)
        return "results of " + "; ".join(i.text for i in on) if on else "results of earlier accesses"
    return _REASONS.get(kind, "not known")


def _counts(text: str) -> list[tuple[str, int]]:
    counts = [(m[1], int(m[2], 0)) for m in _OLD.finditer(text)]
    new = _NEW.match(text)
    return [*counts, (new[1], int(new[2], 0))] if new else counts


def _before(code: Sequence[TracedInstruction], place: int, loop: HotLoop | None) -> list[TracedInstruction]:
    """Return what was executed before a place, the latest first."""
    if loop is None or not loop.first <= place <= loop.last:
        return list(reversed(code[:place]))
    return [*reversed(code[loop.first : place]), *reversed(code[place : loop.last + 1]), *reversed(code[: loop.first])]


def _issued(before: Sequence[TracedInstruction], counter: str, left: int) -> TracedInstruction | None:
    kinds = _COUNTERS[counter]
    for instruction in before:
        if class_of(instruction.text) not in kinds or (_STORES.match(instruction.text) and counter == "loadcnt"):
            continue
        if left == 0:
            return instruction
        left -= 1
    return None
