"""What a thread trace says: the hot loop, time and stalls by class of instruction, what stalls and what it waits for.

Times are cycles summed over the traced waves, or samples where only the program counter was sampled. Waves overlap, so a
share of them is an upper bound on what removing the instructions can gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotloop.model.evidence import Absent
from hotloop.profiles.trace import ThreadTrace, TracedInstruction, TracedKernel
from hotloop.profiles.tracing.classes import MATRIX, class_of
from hotloop.profiles.tracing.loop import HotLoop, hot_loop, weight
from hotloop.profiles.tracing.matrix import matrix_efficiency
from hotloop.profiles.tracing.waiting import reason, waits_for

_SAMPLED = "only PC sampling was on: samples count where waves were, not how often or how long"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassShare:
    """Time of one class of instructions."""

    name: str
    instructions: int
    """Number of instructions in the code."""
    executions: int | None
    share: float
    """Share of the whole time."""
    stall_rate: float | None
    """Stall cycles over latency, or stalled samples over samples; None when the class took no time or no stall is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stalled:
    """An instruction that stalls, with what it waits for."""

    instruction: TracedInstruction
    share: float
    """Share of all stalls of the kernel."""
    waits_for: tuple[TracedInstruction, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What the trace says of one kernel; None: not known, see `absent`."""

    kernel: str
    unit: str
    """``cycles`` or ``samples``."""
    total: float
    classes: tuple[ClassShare, ...]
    """Largest share first."""
    loop: HotLoop | None
    loop_classes: tuple[ClassShare, ...] = ()
    """Classes of instructions within the hot loop, with their shares of the loop's time."""
    iterations: int | None = None
    """Number of iterations that all traced waves made together."""
    matrix_efficiency: float | None = None
    """Busy cycles of the matrix units over the cycles in which their SIMDs had a wave."""
    stalled: tuple[Stalled, ...] = ()
    """Most stalls first."""
    absent: tuple[Absent, ...] = ()


def analyse(trace: ThreadTrace, architecture: str | None = None, top: int = 10) -> tuple[Analysis, ...]:
    """Return one analysis for each kernel that ran, the one with the most time first.

    `architecture` (``gfx942`` …) is needed for the efficiency of the matrix units: a trace does not name it.
    """
    ran = [k for k in trace.kernels if any(weight(i) for i in k.instructions)]
    return tuple(sorted((_kernel(trace, k, architecture, top) for k in ran), key=lambda a: -a.total))


def _kernel(trace: ThreadTrace, kernel: TracedKernel, architecture: str | None, top: int) -> Analysis:
    code = kernel.instructions
    total = sum(map(weight, code))
    loop = hot_loop(kernel)
    inside = code[loop.first : loop.last + 1] if loop else ()
    iterations = inside[0].hits if inside else None
    efficiency = matrix_efficiency(trace, architecture) if any(class_of(i.text) == MATRIX for i in code) else None
    return Analysis(
        kernel=kernel.name,
        unit="samples" if trace.sampled else "cycles",
        total=total,
        classes=_classes(code),
        loop=loop,
        loop_classes=_classes(inside),
        iterations=iterations,
        matrix_efficiency=efficiency,
        stalled=_stalled(trace, code, loop, top),
        absent=_absent(trace, loop, iterations, efficiency, architecture),
    )


def stalls(instruction: TracedInstruction) -> float:
    """Return stall cycles, or stalled samples where only samples were taken."""
    if instruction.stall_cycles is not None:
        return instruction.stall_cycles
    return instruction.samples_stalled or 0


def _told(instruction: TracedInstruction) -> bool:
    return instruction.stall_cycles is not None or instruction.samples_stalled is not None


def _busy(instruction: TracedInstruction) -> float:
    """Return the time that stalls are a part of: latency without the idle time before the instruction."""
    return instruction.latency_cycles if instruction.latency_cycles is not None else weight(instruction)


def _classes(code: Sequence[TracedInstruction]) -> tuple[ClassShare, ...]:
    groups: dict[str, list[TracedInstruction]] = {}
    for instruction in code:
        groups.setdefault(class_of(instruction.text), []).append(instruction)
    total = sum(map(_busy, code))
    shares = [_class(name, members, total) for name, members in groups.items()]
    return tuple(sorted(shares, key=lambda c: -c.share))


def _class(name: str, members: list[TracedInstruction], total: float) -> ClassShare:
    time = sum(map(_busy, members))
    hits = [i.hits for i in members if i.hits is not None]
    return ClassShare(
        name=name,
        instructions=len(members),
        executions=sum(hits) if hits else None,
        share=time / total if total else 0.0,
        stall_rate=sum(map(stalls, members)) / time if time and any(map(_told, members)) else None,
    )


def _stalled(
    trace: ThreadTrace, code: Sequence[TracedInstruction], loop: HotLoop | None, top: int
) -> tuple[Stalled, ...]:
    total = sum(map(stalls, code))
    worst = sorted(range(len(code)), key=lambda place: -stalls(code[place]))[:top]
    return tuple(
        Stalled(
            instruction=code[p],
            share=stalls(code[p]) / total,
            waits_for=waits_for(trace, code, p, loop),
            reason=reason(trace, code, p, loop),
        )
        for p in worst
        if stalls(code[p])
    )


def _absent(
    trace: ThreadTrace,
    loop: HotLoop | None,
    iterations: int | None,
    efficiency: float | None,
    architecture: str | None,
) -> tuple[Absent, ...]:
    rows = []
    if loop is None:
        rows.append(Absent("loop", "no instruction was executed repeatedly, and no branch leads back"))
    if iterations is None and loop is not None:
        rows.append(Absent("iterations", _SAMPLED if trace.sampled else "the trace counts no executions"))
    if efficiency is None:
        rows.append(Absent("matrix_efficiency", _no_efficiency(trace, architecture)))
    return tuple(rows)


def _no_efficiency(trace: ThreadTrace, architecture: str | None) -> str:
    if not any(class_of(i.text) == MATRIX for k in trace.kernels for i in k.instructions):
        return "the code has no matrix instruction"
    if not trace.waves:
        return "the trace holds no single waves, so the time in which a SIMD had a wave is not known"
    if architecture is None:
        return "the trace does not name the architecture: say which it is"
    return f"the rate of one of the code's matrix instructions on {architecture} is not known"
