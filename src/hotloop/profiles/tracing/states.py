"""Where waves' time goes by samples of the program counter or a trace of instructions: waiting for what, working, held back.

A wave that stands at a wait is waiting, whatever sampled it. Stochastic samples also say why it did not issue; a trace counts
the cycles of each stall. What is left waits for nobody: it issues, or is ready while another wave goes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from hotloop.profiles.profile import SampledInstruction
from hotloop.profiles.trace import TracedInstruction
from hotloop.profiles.tracing import classes
from hotloop.profiles.tracing.classes import class_of
from hotloop.profiles.tracing.loop import weight

GLOBAL: Final = "global"
LOCAL: Final = "local"
STORES: Final = "stores"
"""The memory takes no further store, or waves wait until stores have been written: no load is late, so loading ahead helps nothing."""
CONSTANT: Final = "constant"
BARRIER: Final = "barrier"
FETCH: Final = "fetch"
FIXED: Final = "fixed"
READY: Final = "ready"
ISSUED: Final = "issued"
_MEMORY_WAIT = re.compile(r"vmcnt|vscnt|loadcnt|storecnt|samplecnt|bvhcnt")
_WHOLE_WAIT = re.compile(r"s_waitcnt\s+(?:0x)?0+\s*$")
"""Every counter down to nothing, as a bare operand says it."""
_LOCAL_WAIT = re.compile(r"lgkmcnt|dscnt|kmcnt")
_WRITTEN_WAIT = re.compile(r"^(?!.*(?:vm|load|sample|bvh)cnt).*(?:vs|store)cnt")
_STORE = re.compile(r"(?:global|buffer|flat|tbuffer|image)_store")
_SPILL = re.compile(r"scratch_(?:load|store)")
_REASONS: Final = {
    "NO_INSTRUCTION_AVAILABLE": FETCH, "ALU_DEPENDENCY": FIXED, "ARBITER_NOT_WIN": READY, "ARBITER_WIN_EX_STALL": READY,
    "BARRIER_WAIT": BARRIER, "SLEEP_WAIT": FIXED, "OTHER_WAIT": FIXED, "INTERNAL_INSTRUCTION": FIXED,
}  # fmt: skip
"""Reasons of stochastic samples (ROCprofiler-SDK's enumeration), but waits for memory, which the instruction tells apart."""


@dataclass(frozen=True, slots=True)
class Place:
    """One instruction with the time that waves spent at it."""

    text: str
    time: float
    """Cycles, or samples."""
    issued: float | None = None
    """Part of it in which it was issued; None: not told."""
    reasons: Mapping[str, float] = field(default_factory=dict)
    """Stalled part by reason."""
    stalled: float | None = None
    """Part of it in which it could not be issued; None: not told."""
    count: float | None = None
    """Executions."""


@dataclass(frozen=True, slots=True)
class States:
    """Shares of the waves' time by state."""

    shares: Mapping[str, float]
    """Shares of the time by kind of waiting."""
    spills: float | None
    """Accesses to private memory over all memory accesses of waves; None: executions were not counted, or there are none."""
    split: bool
    """True when issuing and being ready are told apart from waiting."""
    queue: float | None = None
    """Time for which accesses to local memory could not be issued over that of vector instructions; None: stalls are not told so."""


def of_samples(samples: Iterable[SampledInstruction]) -> States | None:
    """Return the states that samples tell, None without any."""
    return _states(
        [Place(s.instruction, s.samples, s.issued, {k: float(v) for k, v in s.stalls.items()}) for s in samples]
    )


def of_trace(code: Iterable[TracedInstruction]) -> States | None:
    """Return the states that a trace of a kernel tells, None where nothing ran."""
    return _states([_traced(instruction) for instruction in code])


def _traced(i: TracedInstruction) -> Place:
    reasons = {name: float(count) for name, count in i.stall_reasons.items() if count}
    issued = None if i.samples_issued is None or i.latency_cycles else float(i.samples_issued)
    stalled = None if reasons or i.stall_cycles is None else float(i.stall_cycles)
    return Place(i.text, weight(i), issued, reasons, stalled, None if i.hits is None else float(i.hits))


def _states(places: list[Place]) -> States | None:
    total = sum(place.time for place in places)
    if total <= 0:
        return None
    local = any(class_of(place.text) == classes.LDS for place in places)
    sums: dict[str, float] = {}
    for place in places:
        for state, time in _of(place, local=local).items():
            sums[state] = sums.get(state, 0.0) + time
    stated = any(place.issued is not None or place.stalled is not None for place in places)
    return States({state: time / total for state, time in sums.items()}, _spills(places), stated, _queue(places))


def _of(place: Place, *, local: bool) -> dict[str, float]:
    """Return the time at one place by state."""
    waiting = _waits(place.text, local=local)
    if place.reasons:
        cycles: dict[str, float] = {}
        for name, time in place.reasons.items():
            state = waiting or GLOBAL if name == "WAITCNT" else _REASONS.get(name, FIXED)
            cycles[state] = cycles.get(state, 0.0) + time
        return {**cycles, ISSUED: place.issued or 0.0}
    if waiting:
        return {waiting: place.time if place.stalled is None else place.stalled}
    if place.stalled:
        return {_stall(place.text): place.stalled, ISSUED: place.time - place.stalled}
    return {} if place.issued is None and place.stalled is None else {ISSUED: place.time}


def _waits(text: str, *, local: bool) -> str:
    """Return what an instruction waits for; empty for one that is no wait."""
    kind = class_of(text)
    if kind == classes.BARRIER:
        return BARRIER
    if kind != classes.WAIT:
        return ""
    if _LOCAL_WAIT.search(text) and not _MEMORY_WAIT.search(text):
        return LOCAL if local else CONSTANT
    if _WRITTEN_WAIT.search(text):
        return STORES
    return GLOBAL if _MEMORY_WAIT.search(text) or _WHOLE_WAIT.match(text) else FIXED


def _stall(text: str) -> str:
    """Return the state of a stall at an instruction that is no wait: the queue that it goes to, or its operands."""
    if _STORE.match(text):
        return STORES
    return {classes.VMEM: GLOBAL, classes.LDS: LOCAL, classes.SMEM: CONSTANT}.get(class_of(text), FIXED)


def _queue(places: Iterable[Place]) -> float | None:
    """Return how much longer waves stand before local memory than they compute; None where nothing computes or no stall is told."""
    measured = [place for place in places if place.stalled is not None]
    held = sum(place.stalled or 0.0 for place in measured if class_of(place.text) == classes.LDS)
    worked = sum(p.time - (p.stalled or 0.0) for p in measured if class_of(p.text) in {classes.VALU, classes.MATRIX})
    return held / worked if worked > 0 else None


def _spills(places: Iterable[Place]) -> float | None:
    memory = [p for p in places if class_of(p.text) == classes.VMEM]
    counts = [p.count if p.count is not None else p.time for p in memory]
    total = sum(counts)
    return sum(c for p, c in zip(memory, counts, strict=True) if _SPILL.match(p.text)) / total if total else None
