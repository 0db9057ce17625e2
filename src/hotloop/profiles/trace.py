"""What a thread trace says about the instructions of one kernel: executions, latency, stalls, and when waves ran."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedInstruction:
    """One instruction of the code, summed over the traced waves; None: the file does not say."""

    line: int
    """Line number in the trace's own listing; wave records refer to it."""
    text: str
    """Mnemonic and operands."""
    address: int
    code_object: int | None = None
    target: int | None = None
    """Address that a branch goes to; None: no branch, or not known."""
    source: str = ""
    """``file:line``; empty: no debug information."""
    hits: int | None = None
    """Executions by the traced waves."""
    latency_cycles: int | None = None
    """Cycles from when waves could issue it until it was issued and done with, stall included."""
    stall_cycles: int | None = None
    """Part of the latency in which it could not be issued."""
    idle_cycles: int | None = None
    """Cycles between the previous instruction's end and this one's start."""
    samples_issued: int | None = None
    """PC samples in which it was issued."""
    samples_stalled: int | None = None
    stall_reasons: Mapping[str, int] = field(default_factory=dict)
    """PC samples by reason for not issuing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedKernel:
    """Code of one kernel in a trace, in address order."""

    name: str
    """Symbol as the listing writes it; empty: the file does not say."""
    instructions: tuple[TracedInstruction, ...]


@dataclass(frozen=True, slots=True)
class WaveEvent:
    """One executed instruction of one wave."""

    clock: int
    """Cycle, on the trace's clock."""
    category: int
    """The decoder's class of instruction, as written."""
    stall_cycles: int
    line: int
    """Instruction in the trace's listing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wave:
    """Events of one wave."""

    engine: int
    """Shader engine."""
    simd: int
    slot: int
    number: int
    """Wave number within its slot."""
    cu: int | None
    begin: int
    """Cycle, on the trace's clock."""
    end: int
    events: tuple[WaveEvent, ...] = ()
    waits: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Lines of the instructions that were waited for, by the line of the wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadTrace:
    """The instruction trace of one dispatch."""

    kernels: tuple[TracedKernel, ...]
    waves: tuple[Wave, ...] = ()
    resident: tuple[tuple[int, int, int, int], ...] = ()
    """(engine, compute unit, SIMD, most waves at a time), where the trace records occupancy."""
    sampled: bool = False
    """True when the figures are PC samples and not a trace of every instruction."""
