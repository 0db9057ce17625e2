"""The reader's view of a run: numbers in SI units and plain text, no layout.

Text comes from users and compilers and is not trusted: each renderer escapes it for its own medium.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.metrics.levels import Levels
from hotloop.model.check import Accuracy
from hotloop.model.energy import Joules, Objective
from hotloop.model.evidence import Absent, Fact
from hotloop.model.finding import Finding, Gain
from hotloop.report.view.record import SearchSummary


@dataclass(frozen=True, slots=True)
class Ratio:
    """A speedup: time before over time after, or time of the peer over time of the winner."""

    value: float
    low: float | None = None
    """Lower end of the confidence interval; None when the ratio has no interval."""
    high: float | None = None
    basis: str = "paired"
    """``paired`` (interleaved rounds), ``chained`` (product of paired steps) or ``medians`` (unpaired, weakest)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """What a reader in a hurry should know."""

    technique: str
    """Last technique that the winner embodies; empty when the baseline won."""
    winner: int | None
    baseline_ns: float | None
    winner_ns: float | None
    speedup: Ratio | None
    """None when the baseline won or a time is missing."""
    roof_fraction: float | None
    """Roofline floor over the winner's time; None without measured ceilings."""
    rate: float | None
    """Useful work of the winner per second, in `rate_unit`."""
    rate_unit: str
    kept: int
    rejected: int
    refused: int
    objective: Objective = Objective.TIME
    """Quantity that the speedup is about: time, energy, or energy × time."""
    baseline_joules: Joules | None = None
    winner_joules: Joules | None = None
    """Energy of one call; None where it was not measured."""
    accuracy: Accuracy | None = None
    """Errors of baseline and winner on the same inputs; None when the baseline won or none are recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """One step as a row of the table and a point of the trajectory."""

    index: int
    technique: str
    change: str
    why: str
    rule: str
    implementation: str
    config: tuple[tuple[str, str], ...]
    decision: str
    """``baseline``, ``keep``, ``revert`` or ``refuse``."""
    reason: str
    verdict: str
    """FASTER, SLOWER, SAME or UNCLEAR, or what they are called of another objective; empty when nothing was compared."""
    predicted: Gain | None
    """The interval that most outcomes of such predictions lay in."""
    mechanism: Gain | None
    """Gain that the mechanism alone allows."""
    measured: Ratio | None
    hit: bool | None
    """Whether the measured speedup fell into the predicted interval; None when that cannot be said."""
    time_ns: float | None
    """Median time of one call; None when the step was never timed."""
    joules: Joules | None
    incumbent_ns: float | None
    """Time of the variant that stands after this step."""
    roof_fraction: float | None
    failure: str
    """Description of the failure in one line; empty when the variant was measured."""
    check: str
    """Summary of the verification; empty when there was none."""
    rounds: int
    confidence: float | None
    facts: tuple[Fact, ...]
    absent: tuple[Absent, ...]
    elapsed_s: float
    winner: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerRow:
    """What the user would otherwise call, in the same run."""

    name: str
    time_ns: float | None
    rate: float | None
    """Useful work per second in the headline's unit."""
    ratio: Ratio | None
    """Peer's time, or what else the run is about, over the winner's: above 1 the winner is better."""
    objective: Objective
    verdict: str
    roof_fraction: float | None
    failure: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoofPoint:
    """One variant or peer in the roofline plot."""

    label: str
    role: str
    """``baseline``, ``kept``, ``winner`` or ``peer``."""
    flops_per_s: float
    time_ns: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofline:
    """Ceilings of the device and points at the problem's arithmetic intensity."""

    flops_per_s: float
    bytes_per_s: float
    widths: tuple[tuple[int, float], ...]
    """(vector width in elements, flop/s) below the highest ceiling."""
    intensity: float
    """Useful flops per compulsory byte."""
    ridge: float
    """Intensity from which the FMA rate limits, in flop/byte."""
    attainable: float
    """Highest flop/s at this intensity."""
    floor_ns: float
    memory_bound: bool
    dtype: str
    source: str
    points: tuple[RoofPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A predicted gain beside the measured one."""

    index: int
    technique: str
    predicted: Gain
    measured: Ratio
    hit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How well the predictions of this run did."""

    rows: tuple[Prediction, ...]
    hits: int
    bias: float
    """Geometric mean of measured over expected speedup: below 1 the predictions were too hopeful."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureRow:
    """A candidate or peer that could not be measured."""

    where: str
    what: str
    """One line."""
    detail: str
    """Compiler log or failed cases, several lines; may be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontRow:
    """A variant whose time nobody undercuts with as little energy."""

    label: str
    time_ns: float
    joules: Joules
    power_w: float
    """Power of the device while it ran, in W."""
    winner: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Everything that a report shows, in reading order."""

    title: str
    kind: str
    problem: str
    state: str
    stop_reason: str
    started: str
    finished: str
    headline: Headline
    floor_ns: float | None
    """Roofline floor of the problem; None without measured ceilings."""
    steps: tuple[StepRow, ...]
    roofline: Roofline | None
    roofline_absent: str
    """Why there is no roofline plot; empty when there is one."""
    peers: tuple[PeerRow, ...]
    calibration: Calibration | None
    findings: tuple[Finding, ...]
    failures: tuple[FailureRow, ...]
    search: SearchSummary | None
    conditions: tuple[tuple[str, str], ...]
    command: tuple[str, ...]
    levels: Levels | None = None
    """The roofline by memory level of the winner, or of the last step that has counters."""
    front: tuple[FrontRow, ...] = ()
    """Variants that no other one beats in both time and energy, fastest first."""
