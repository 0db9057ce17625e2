"""What a reader should see of a ladder: compiled rungs with decisions, measured rungs with verdicts, confirmed predictions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hotloop.isa.summary.model import Hiding
from hotloop.model.ladder import Expectation, Forecast, Gate, Ladder, Numerics, Rung
from hotloop.model.verdict import Comparison


class Decision(StrEnum):
    """What the code alone says about a rung; only a measurement can say that it pays."""

    START = "start"
    PROCEED = "proceed"
    REVERT = "revert"
    SKIP = "skip"
    MEASURE = "time decides"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Conflict:
    """One access to local memory of the rung's source."""

    what: str
    cycles: int
    ideal_cycles: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """Cycles of one SIMD per matrix instruction or multiply-add, all resident waves together."""

    low: float
    """Least cycles: while one wave does something else, others keep the unit for this arithmetic busy."""
    high: float
    """Most cycles: other waves fill only the time in which a wave waits."""

    @property
    def text(self) -> str:
        """Both ends, or the one where they agree."""
        return f"{self.low:.3g}" if f"{self.low:.3g}" == f"{self.high:.3g}" else f"{self.low:.3g} to {self.high:.3g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What the compiler made of a rung."""

    compiler: str
    vgprs: int | None
    agprs: int | None
    total_vgprs: int | None
    """Vector registers with accumulation registers, as the register file counts them."""
    sgprs: int | None
    spills: int | None
    lds_bytes: int
    waves: int
    """Per SIMD, LLVM's convention."""
    max_waves: int
    wave: int
    """Lanes of a wave."""
    groups: int
    """Whole work-groups resident on one `unit`."""
    resident_waves: float
    """Per SIMD, of these whole work-groups."""
    unit: str
    limits: tuple[tuple[str, int], ...]
    """Waves that each resource alone allows."""
    work: str
    """Unit of work that counts are related to: ``MFMA``, ``FMA``."""
    works: int
    """Number of them in one iteration of the hot loop."""
    instructions: int
    hiding: tuple[Hiding, ...]
    waits: tuple[tuple[str, int], ...]
    """Wait instructions of the hot loop, e.g. ``vmcnt(4)``, and how many."""
    cycles: int | None
    """One iteration, one wave alone."""
    stall_cycles: int
    """Cycles among them in which the wave stands still at waits."""
    arithmetic_cycles: int
    """Cycles in which the matrix unit (or the vector unit) is busy."""
    estimate: Estimate | None
    conflicts: tuple[Conflict, ...]
    hazards: tuple[str, ...]
    code: str
    """Digest of the instructions."""
    local_reads: tuple[tuple[int, int], ...] = ()
    """Reads of local memory in the hot loop: bits per lane, and how many."""
    conversions: int = 0
    """Instructions of the hot loop that convert, or unpack halves of a word."""
    idle: int = 0
    """Instructions of the hot loop that only wait for a hazard of the hardware (``s_nop``)."""
    multiplies: int = 0
    """Multiply-adds, dot products and matrix instructions of the whole kernel."""
    gates: tuple[Gate, ...] = ()
    """Further static checks of the family."""
    scratch_bytes: int | None = None
    """Private memory per work-item: spills, and arrays that are in no register."""
    macs: int = 0
    """Multiply-adds of the hot loop's matrix instructions, whole wave; 0: it has none, or they are not known."""

    @property
    def exposed(self) -> float | None:
        """Cycles of stall per matrix instruction or multiply-add, one wave alone."""
        return self.stall_cycles / self.works if self.works and self.cycles is not None else None

    @property
    def macs_per_work(self) -> float:
        """Multiply-adds of one unit of work, whole wave: rungs with different matrix instructions compare by these."""
        return self.macs / self.works if self.macs and self.works else 1.0

    @property
    def matrix(self) -> bool:
        """True when the hot loop has matrix instructions."""
        return self.work not in ("", "FMA")

    @property
    def resident_lanes(self) -> float:
        """Work-items that a SIMD holds."""
        return self.resident_waves * self.wave

    @property
    def conflict_cycles(self) -> int:
        """Cycles that bank conflicts add, one access of every kind together."""
        return sum(c.cycles - c.ideal_cycles for c in self.conflicts)

    @property
    def matrix_share(self) -> float | None:
        """Share of the time in which the matrix unit works if only stalls overlap; None without a matrix instruction."""
        if self.estimate is None or not self.matrix:
            return None
        return self.arithmetic_cycles / self.works / self.estimate.high


@dataclass(frozen=True, slots=True)
class Claimed:
    """A figure that somebody reports beside the one that this compiler gives."""

    what: str
    reported: int
    here: int | None
    """None: it did not compile."""
    source: str

    @property
    def confirmed(self) -> bool:
        """True when both agree."""
        return self.reported == self.here


@dataclass(frozen=True, slots=True, kw_only=True)
class RungView:
    """One compiled rung."""

    rung: Rung
    built: Built | None
    failure: str = ""
    numerics: Numerics | None = None
    decision: Decision
    reason: str
    same_code: str = ""
    """A rung before it with the same instructions."""
    violations: tuple[str, ...] = ()
    """Committed limits that it breaks."""
    limited: bool = False
    """True when there are committed limits for it."""
    claims: tuple[Claimed, ...] = ()
    """Reported figures of a compiler beside this one's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocked:
    """The time of one call of a rung, predicted from its code; nothing of it is measured."""

    rung: str
    chip: str
    time_ns: float | None
    """None: it has no prediction."""
    low_ns: float = 0.0
    high_ns: float = 0.0
    bound: str = ""
    doubts: tuple[str, ...] = ()
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class LadderView:
    """A ladder compiled for a target that is not here."""

    ladder: Ladder
    target: str
    rungs: tuple[RungView, ...]
    forecast: Forecast | None
    times: tuple[Clocked, ...] = ()
    """Predicted times of the rungs; empty: they were not asked for."""

    @property
    def sound(self) -> bool:
        """True when every rung compiled, computes the right thing and keeps its limits."""
        return not any(r.failure or r.violations or r.decision is Decision.REFUSE for r in self.rungs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Climbed:
    """One rung as it was run here."""

    rung: Rung
    over: str
    """Rung that it was compared with: the last one that paid; empty for the first."""
    config: str
    call_ns: float | None
    flops_per_s: float | None
    comparison: Comparison | None
    kept: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Second:
    """What another device of a cluster says of a ladder's whole gain."""

    place: str
    comparison: Comparison | None
    """The last rung against the first, verified and timed there; None: that was not possible."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimbView:
    """A ladder run on the device at hand."""

    ladder: Ladder
    device: str
    device_key: str
    runtime: str
    problem: str
    noise: float | None
    rungs: tuple[Climbed, ...]
    total: Comparison | None
    """The last rung that paid against the first."""
    second: Second | None = None

    @property
    def best(self) -> Climbed | None:
        """The last rung that paid."""
        return next((r for r in reversed(self.rungs) if r.kept), None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One prediction beside its measurement."""

    expected: Expectation
    comparison: Comparison | None
    held: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Confirmation:
    """All predictions of a target on a card."""

    forecast: Forecast
    device: str
    outcomes: tuple[Outcome, ...]
    winner: str
    """The fastest rung that was measured."""
    times: tuple[Clocked, ...] = ()
    """Times of the rungs as the model of the machine predicts them, beside the committed steps."""

    @property
    def held(self) -> bool:
        """True when every prediction held."""
        return all(o.held for o in self.outcomes) and self.winner == self.forecast.winner
