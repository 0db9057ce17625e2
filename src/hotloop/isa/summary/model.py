"""The form of a report about one kernel, the same for every instruction set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from hotloop.isa.dialect import of_cpus
from hotloop.isa.instruction import Instruction
from hotloop.isa.occupancy.cliffs import Cliff
from hotloop.isa.occupancy.result import Occupancy
from hotloop.isa.resources import KernelResources
from hotloop.isa.sourcemap import SourceLine
from hotloop.isa.timing.clock import Bound, UnitLoad, bound
from hotloop.model.evidence import Evidence
from hotloop.model.finding import Finding
from hotloop.units import percent


@dataclass(frozen=True, slots=True)
class Site:
    """One instruction and where it stands."""

    mnemonic: str
    line: int | None
    """Line of the listing, from 1; None: decoded from bytes."""
    address: int

    def __str__(self) -> str:
        """Name the line, or else the address."""
        return f"line {self.line}" if self.line is not None else f"{self.address:#x}"


def site(instruction: Instruction) -> Site:
    """Return where an instruction stands."""
    return Site(instruction.mnemonic, instruction.line, instruction.address)


@dataclass(frozen=True, slots=True)
class Count:
    """How many instructions of a loop do one thing."""

    what: str
    """Kind of the instruction in words: ``matrix``, ``LDS read``, ``conversion`` ..."""
    count: int
    share: float
    """Share of the loop's instructions."""
    per_unit: float | None
    """Per matrix instruction, or per multiply-add where there is none; None: the loop has neither."""


@dataclass(frozen=True, slots=True)
class Width:
    """Memory instructions of one kind and width."""

    what: str
    bits: int
    """Per lane; 0: the instruction's name does not tell."""
    count: int


@dataclass(frozen=True, slots=True)
class Blocker:
    """Operations of one mnemonic that a wait has to wait for."""

    mnemonic: str
    count: int
    lines: tuple[int, ...]
    """Source lines, at most three; empty when there are none."""
    instructions: int
    """Instructions from the nearest of the operations to the wait; 1: the wait stands right behind."""
    matrices: int
    """Matrix instructions among these."""


@dataclass(frozen=True, slots=True)
class WaitPoint:
    """One wait of a loop."""

    site: Site
    counter: str
    """Counter that is waited for, as the processor calls it: ``vmcnt(0)``, ``SB2``."""
    blockers: tuple[Blocker, ...]
    """Empty: nothing can be in flight there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hiding:
    """How the latency of one group of memory operations is covered; every number is the median operation's."""

    group: str
    """``global loads``, ``LDS reads``, ``copies to LDS`` ..."""
    operations: int
    verdict: str
    """``exposed``, ``partly hidden`` or ``hidden``."""
    covered: float
    """Mean share of the latency that passes before the wait."""
    iterations: int
    """Back edges between issue and wait: 0 waits in the same iteration."""
    instructions: int
    matrices: int
    cycles: int
    """Cycles from issue to wait on the timeline of one wave."""
    stall_cycles: int
    """Cycles that one wave stands still per iteration."""
    words: str
    """One sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """Registers live at a peak that the same kind of instruction filled."""

    source: str
    count: int
    registers: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressure:
    """Where most registers of a kind are live."""

    file: str
    """``VGPR``, ``AGPR``, ``SGPR``, ``R`` ..."""
    live: int
    site: Site
    fills: tuple[Fill, ...]
    """Largest first; empty where it is not known what filled them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tempo:
    """The timing of a region by the model, and what bounds it at the kernel's occupancy."""

    alone_cycles: int
    stall_cycles: int
    units: tuple[UnitLoad, ...]
    """Cycles for which one wave's iteration takes each unit, the busiest first."""
    critical_cycles: int
    """Longest chain of instructions that need one another."""
    carried_cycles: int
    """Cycles that an iteration adds to a chain of dependent instructions which goes on into the next; 0 for straight-line code."""
    critical: tuple[Site, ...]
    enough_waves: int | None
    """Waves on a SIMD from which on a unit bounds, not latency."""
    bound: Bound | None = None
    """Bound at the kernel's occupancy; None: that is not known."""

    def at(self, waves: int) -> Tempo:
        """Return the same with the bound at so many waves on a SIMD."""
        return replace(self, bound=bound(self.alone_cycles, self.units, waves))

    @property
    def full(self) -> str:
        """The unit that is taken nearly all the time at the occupancy, in words; empty where none is, or the occupancy is not known."""
        if self.bound is None or not self.units or self.units[0].cycles < _FULL * self.bound.cycles:
            return ""
        unit = self.units[0]
        waves = f"{self.bound.waves} wave{'s' if self.bound.waves != 1 else ''}"
        return f"by the timing model {unit.unit.value} is taken {percent(unit.cycles / self.bound.cycles)} of the time with {waves} on a SIMD"


_FULL = 0.9
"""Share of the time from which a unit counts as taken all the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopReport:
    """One loop, or the code outside of loops."""

    number: int
    """0: the hot loop; the others in the order of their headers."""
    place: str
    depth: int
    """Nesting of the loop, 1 for an outermost one; 0: straight-line code."""
    instructions: int
    trips: int | None
    """Iterations, where constants in the code tell."""
    unit: str
    """Instruction that `per_unit` counts: ``MFMA``, ``HMMA``, ``FMA`` ...; empty: the loop has no such instruction."""
    units: int
    macs: int
    """Multiply-adds of the matrix instructions, whole wave, where their names tell."""
    counts: tuple[Count, ...]
    """Most frequent first."""
    widths: tuple[Width, ...]
    waits: tuple[WaitPoint, ...] = ()
    hiding: tuple[Hiding, ...] = ()
    why_no_hiding: str = ""
    """Why waits and hiding are not known; empty when they are."""
    cycles: int | None = None
    """Estimated cycles of one iteration, or of the straight-line code, of one wave alone, stalls included."""
    tempo: Tempo | None = None
    """Units that it occupies and the length of its critical path; None: not known."""
    serial_loads: int = 0
    """Global loads that are each waited for before the next one is issued."""
    drains: int = 0
    """Waits for every outstanding read of local memory."""
    load_cover: float | None = None
    """Matrix instructions between a global load and its wait over those of the loop, at least; None: it has none of either."""
    pressure: tuple[Pressure, ...] = ()
    notes: tuple[str, ...] = ()
    """Properties of this loop that the model of the processor does not see."""
    sources: tuple[SourceLine, ...] = ()
    """Source lines of its instructions, those with most instructions first; empty: not asked for, or no debug lines."""
    unknown: tuple[str, ...] = ()
    """Mnemonics that no rule of the dialect knows."""


ASSUMED_WORKGROUP = 256
"""Work-items of a work-group where neither code nor request tells."""


class Unstated(StrEnum):
    """What only the launch knows and nobody has said, so that the occupancy is an upper bound."""

    LOCAL_MEMORY = "the launch adds local memory that the code does not state: give --dynamic-lds"
    WORKGROUP = f"the work-group size is not stated, {ASSUMED_WORKGROUP} is assumed: give --workgroup"


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Occupancy of a kernel, or why it is not known."""

    occupancy: Occupancy | None = None
    cliffs: tuple[Cliff, ...] = ()
    unstated: tuple[Unstated, ...] = ()
    """Reasons why the figure is not exact."""
    why_not: str = ""
    """Why there is no figure; empty when there is one."""

    @property
    def bound_only(self) -> str:
        """Why the figure is only an upper bound, in words; empty when it is exact."""
        return "; ".join(self.unstated)


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelReport:
    """Analysis of one kernel's machine code."""

    kernel: str
    target: str
    """Processor; empty when the input does not say."""
    dialect: str
    origin: str
    """File, or what was compiled."""
    compiler: str
    """Name and version; empty when not known."""
    instructions: int
    code_bytes: int | None
    resources: KernelResources | None
    why_no_resources: str
    room: Room
    loops: tuple[LoopReport, ...]
    """The hot loop first."""
    pressure: tuple[Pressure, ...]
    """Registers in use in the whole kernel."""
    hazards: tuple[str, ...]
    """Registers used before a sufficient wait: a defect of the code or of its compiler."""
    unwritten: tuple[str, ...] = ()
    """Registers that are read although nothing has written them: a mistake of the compiler."""
    why_no_waits: str = ""
    """Why waits, and so hazards, are not known of any of its code; empty: they are."""
    evidence: Evidence
    findings: tuple[Finding, ...] = ()
    outside: tuple[str, ...] = ()
    """Functions that the code calls and does not bring: nothing here is about them."""
    notes: tuple[str, ...] = ()

    @property
    def unnamed(self) -> bool:
        """True for code of a GPU that the input does not name: what instructions cost there is not known."""
        return not self.target and self.dialect not in of_cpus()

    @property
    def hot(self) -> LoopReport:
        """The hot loop."""
        return self.loops[0]
