"""What moved between two versions of a kernel's machine code, in numbers and words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hotloop.errors import UsageError
from hotloop.isa.summary.facts import spilled
from hotloop.isa.summary.model import Hiding, KernelReport
from hotloop.targets.target import Target

_SAME = 1e-9
_RANK = {"exposed": 0, "partly hidden": 1, "hidden": 2}


@dataclass(frozen=True, slots=True)
class Moved:
    """One quantity of both versions."""

    what: str
    before: float | None
    """None: not known, or not there."""
    after: float | None
    unit: str = ""

    @property
    def changed(self) -> bool:
        """True when it differs."""
        if self.before is None or self.after is None:
            return self.before is not self.after
        return abs(self.before - self.after) > _SAME


@dataclass(frozen=True, slots=True)
class Latency:
    """A group of memory operations of both hot loops; None: that version has none."""

    group: str
    before: Hiding | None
    after: Hiding | None

    @property
    def step(self) -> int:
        """Positive: better hidden than before; 0 also where one has no such operation."""
        if self.before is None or self.after is None:
            return 0
        return _RANK[self.after.verdict] - _RANK[self.before.verdict]


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything that two reports can be compared by."""

    before: KernelReport
    after: KernelReport
    kernel: tuple[Moved, ...]
    """Resources and occupancy."""
    loop: tuple[Moved, ...]
    """The hot loop, per matrix instruction or multiply-add where both have such."""
    latencies: tuple[Latency, ...]
    gone: tuple[str, ...]
    """Rules that only the first version breaks."""
    new: tuple[str, ...]


def pair(
    first: tuple[KernelReport, ...], second: tuple[KernelReport, ...], kernel: str = ""
) -> tuple[KernelReport, KernelReport]:
    """Return the two kernels that are meant: the only ones, those of one name, or those asked for.

    Raises:
        UsageError: it is not clear which.
    """
    for name in [kernel] if kernel else [report.kernel for report in first]:
        mine, theirs = [r for r in first if r.kernel == name], [r for r in second if r.kernel == name]
        if mine and theirs:
            return mine[0], theirs[0]
    if len(first) == len(second) == 1:
        return first[0], second[0]
    names = [", ".join(report.kernel for report in reports) for reports in (first, second)]
    raise UsageError(
        f"the two have no kernel of the same name ({names[0]} and {names[1]}); give one kernel each with --kernel."
    )


def compare(before: KernelReport, after: KernelReport) -> Difference:
    """Return what moved from one version to the other."""
    rules = [tuple(finding.rule for finding in report.findings) for report in (before, after)]
    groups = dict.fromkeys(h.group for report in (before, after) for h in report.hot.hiding)
    return Difference(
        before=before,
        after=after,
        kernel=tuple(_kernel(before, after)),
        loop=tuple(_loop(before, after)),
        latencies=tuple(Latency(group, _group(before, group), _group(after, group)) for group in groups),
        gone=tuple(rule for rule in rules[0] if rule not in rules[1]),
        new=tuple(rule for rule in rules[1] if rule not in rules[0]),
    )


def _group(report: KernelReport, group: str) -> Hiding | None:
    return next((h for h in report.hot.hiding if h.group == group), None)


def _kernel(before: KernelReport, after: KernelReport) -> Iterator[Moved]:
    for what, unit, name in (
        ("vector registers", "", "vgprs"), ("accumulation registers", "", "agprs"), ("scalar registers", "", "sgprs"),
        ("local memory", "B", "lds_bytes"), ("private memory", "B", "scratch_bytes"),
    ):  # fmt: skip
        first, second = (_resource(report, name) for report in (before, after))
        if first is not None or second is not None:
            yield Moved(what, first, second, unit)
    first, second = (spilled(report.resources) if report.resources else None for report in (before, after))
    yield Moved("spilled registers", first, second)
    unit = Target.of(before.target).words.occupancy
    yield Moved("occupancy", _waves(before), _waves(after), unit)
    yield Moved("code", before.code_bytes, after.code_bytes, "B")
    for file in dict.fromkeys(p.file for report in (before, after) for p in report.pressure):
        yield Moved(f"peak of live {file}s", _live(before, file), _live(after, file))


def _resource(report: KernelReport, name: str) -> int | None:
    value: int | None = getattr(report.resources, name) if report.resources else None
    return value


def _waves(report: KernelReport) -> float | None:
    occupancy = report.room.occupancy
    return float(occupancy.waves) if occupancy and occupancy.launches else None


def _live(report: KernelReport, file: str) -> int | None:
    return next((peak.live for peak in report.pressure if peak.file == file), None)


def _loop(before: KernelReport, after: KernelReport) -> Iterator[Moved]:
    first, second = before.hot, after.hot
    yield Moved("instructions of an iteration", first.instructions, second.instructions)
    word = first.unit if first.unit == second.unit else ""
    if word:
        yield Moved(f"{word} of an iteration", first.units, second.units)
    if first.cycles and second.cycles:
        yield Moved("cycles of an iteration, one wave", first.cycles, second.cycles)
        if word:
            yield Moved(f"cycles per {word}, one wave", first.cycles / first.units, second.cycles / second.units)
    for what in dict.fromkeys(c.what for loop in (first, second) for c in loop.counts):
        old_count, new_count = (sum(c.count for c in loop.counts if c.what == what) for loop in (first, second))
        if word:
            yield Moved(f"{what} per {word}", old_count / first.units, new_count / second.units)
        else:
            yield Moved(what, old_count, new_count)
