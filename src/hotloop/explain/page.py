"""What an explanation says, as plain data: every text and number that a reader sees, ranked and worded, before any medium."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.metrics.levels import Levels
from hotloop.model.finding import Gain


@dataclass(frozen=True, slots=True)
class Input:
    """One thing that was read."""

    name: str
    what: str
    """Format or kind, in a few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The kernel and device that are explained."""

    kernel: str
    choice: str
    """Why this kernel, one sentence."""
    device: str
    """The device as far as it is known, with the reason where it was assumed."""
    target: str
    """Processor; empty: not known."""
    inputs: tuple[Input, ...]


@dataclass(frozen=True, slots=True)
class KernelRow:
    """One kernel of the profile."""

    name: str
    dispatches: int
    total_ns: float | None
    share: float | None
    """Share of the device time of all kernels."""


@dataclass(frozen=True, slots=True)
class Roof:
    """One limit and how much of it is used."""

    name: str
    fraction: float
    detail: str
    """Rate and limit in words."""
    source: str
    """Source of the limit."""

    def __post_init__(self) -> None:
        """Refuse what cannot be: a kernel that goes beyond a limit shows that time, amount or limit are not its own."""
        if not 0 <= self.fraction <= 1:
            raise ValueError(f"{self.name}: {self.fraction} of a limit cannot be used")


@dataclass(frozen=True, slots=True)
class Cited:
    """One fact that a finding rests on."""

    name: str
    value: str
    provenance: str
    source: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A prediction corrected by what earlier ones of the same technique turned out to be worth."""

    factor: float
    """Measured over expected gain, shrunk towards 1."""
    trials: int
    expected: float
    """Speedup: the uncorrected expectation times the factor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One technique that answers a finding."""

    technique: str
    title: str
    predicted: Gain
    reported: tuple[str, ...]
    verify: tuple[str, ...]
    """Which fact must move which way, with its present value."""
    costs: str
    calibrated: Calibrated | None = None
    """Expected gain corrected by earlier trials of the technique; None: there are none."""
    unmet: tuple[str, ...] = ()
    """Why it is not possible here; empty: nothing forbids it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One finding with its evidence and advice."""

    rule: str
    title: str
    message: str
    share: float
    cited: tuple[Cited, ...]
    lines: tuple[str, ...]
    """Places in the code."""
    misleads: str
    advice: tuple[Advice, ...]
    """Best first."""
    confidence: str = ""
    """``high``, ``medium`` or ``low``."""
    doubts: tuple[str, ...] = ()
    """Reasons against the finding; empty with high confidence."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Evidence that would make the answer surer."""

    what: str
    """Facts, or an input, in words."""
    reason: str
    rules: tuple[str, ...]
    """Rules that could then judge."""
    counters: tuple[str, ...] = ()
    """Counters that would bring it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a small table."""

    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Something that does not need a type of its own."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """One quantity before and after."""

    name: str
    before: str
    after: str
    direction: str
    """``rises``, ``falls`` or ``same``; empty: one of the two is not known."""
    meaning: str

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """What a row of a table shows of it."""
        return self.name, self.before, self.after, self.direction


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """What another profile of the same kernel says."""

    verdict: str
    kernel: str
    findings: tuple[Moved, ...]
    """Share of the time that each rule explains."""
    signals: tuple[Moved, ...]
    """Facts that the suggested techniques should move."""
    after: str
    """The verdict of the other profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A whole explanation, as every report shows it."""

    subject: Subject
    verdict: str
    kernels: tuple[KernelRow, ...]
    roofline: tuple[Roof, ...]
    """Binding roof first; empty, with a reason, when nothing is known."""
    roofline_words: str
    findings: tuple[Judgement, ...]
    missing: tuple[Missing, ...]
    collect: tuple[str, ...]
    """Lines for a profiler's input file that bring the missing counters."""
    commands: tuple[str, ...] = ()
    """Commands that bring what is missing, to be completed with the program."""
    picture: Levels | None = None
    """The roofline as it is drawn."""
    calibration: str = ""
    """Which earlier trials corrected the predictions; empty: none did."""
    tables: tuple[Table, ...] = ()
    """Hot loop, thread trace, samples: where there are such inputs."""
    facts: tuple[Cited, ...] = ()
    notes: tuple[str, ...] = ()
    shift: Shift | None = None

    @property
    def next(self) -> tuple[Judgement, Advice] | None:
        """The first technique that is possible, of the first finding that has one."""
        for finding in self.findings:
            for advice in finding.advice:
                if not advice.unmet:
                    return finding, advice
        return None
