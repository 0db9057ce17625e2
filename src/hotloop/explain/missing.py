"""What evidence would make an explanation surer, and how to get it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hotloop.diagnose.engine import Diagnosis, Skipped
from hotloop.errors import UsageError
from hotloop.explain.commands import Wanted, commands
from hotloop.explain.counts import Counted
from hotloop.explain.material import Material, traces
from hotloop.explain.page import Missing
from hotloop.explain.study import Study
from hotloop.isa.dialect import of_cpus
from hotloop.metrics.catalogue import metrics
from hotloop.metrics.cause import Cause, Uncounted, Undefined, Unknown
from hotloop.metrics.counters import canonical
from hotloop.profiles.planning import plan
from hotloop.profiles.planning.needed import counters_of
from hotloop.profiles.profile import ON_HOST
from hotloop.targets.target import Target

MOST = 8
"""Rows about missing counters that are shown."""
_OF_CODE = ("isa.", "static.")
"""Beginnings of the names of facts that machine code gives."""
_NO_TIME = "no file tells how long a launch took: add a kernel trace or the tool's time stamps"
_NO_COUNTERS = "no counters of a known processor"
_TIMED = ("gpu.duration_ns", "gpu.kernel_share", "gpu.hbm_utilization", "gpu.hbm_bytes_per_s")
"""Facts that need the time of a launch."""


_OF_LAUNCHES = tuple(
    Unknown(f"dispatch.{name}") for name in ("duration_ns", "kernel_share", "rival_share", "cold_ns", "all_ns")
)


@dataclass(frozen=True, slots=True)
class Lacking:
    """Rows for the reader, and lines for a profiler's input file."""

    rows: tuple[Missing, ...]
    collect: tuple[str, ...]
    commands: tuple[str, ...]
    judging: tuple[Missing, ...] = ()
    """All rows for which rules wait, those that are not shown included."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a fact is absent, in terms of what a profiler collects."""

    causes: tuple[Cause, ...] = ()
    """Causes for each formula of the fact; empty: no profile has counters of a processor that formulas cover."""

    @property
    def meaningless(self) -> bool:
        """True when the fact has no value in this kernel, and nothing is missing."""
        return bool(self.causes) and isinstance(self.causes[0], Undefined)

    @property
    def timeless(self) -> bool:
        """True when only times of launches are missing, or no launch was so slow that it was set apart."""
        return len(self.causes) == 1 and self.causes[0] in _OF_LAUNCHES

    @property
    def counters(self) -> tuple[str, ...]:
        """Counters that would give the fact."""
        return tuple(cause.counter for cause in self.causes if isinstance(cause, Uncounted))

    def __str__(self) -> str:
        return "; or ".join(map(str, self.causes)) or _NO_COUNTERS


@dataclass(slots=True)
class _Waiting:
    """What waits for one reason to be mended."""

    facts: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)


def missing(study: Study) -> Lacking:
    """Return what rules lacked, what most of them wait for first, then whole kinds of input that are not there."""
    counted, launch = study.counted, study.counted.counts.launch
    waiting = _waiting(study)
    order = sorted(waiting, key=lambda reason: (-len(set(waiting[reason].rules)), str(reason)))
    rows = [_row(counted, reason, waiting[reason]) for reason in order]
    if not counted.counts.values:
        rows = []  # one line says that there are no counters at all
    timeless = bool(counted.counts.values) and (counted.guess is not None or not launch.duration_ns)
    time = [_time(counted, study.diagnosis)] if timeless else []
    counters = plan.countable(_once([name for row in rows for name in row.counters]), study.architecture)
    wanted = Wanted(counted, study.material, study.choice.name, counters, time=timeless, again=study.again)
    inputs = _inputs(study.material, counted, _without_code(study))
    shown = (*time, *rows[:MOST], *inputs)
    judging = tuple(row for row in (*shown, *rows[MOST:]) if row.rules)
    return Lacking(shown, _collect(counted, counters), commands(wanted), judging)


def _waiting(study: Study) -> dict[Reason, _Waiting]:
    """Return the facts and rules that wait for counters, by the reason why they lack them."""
    gaps = {gap.metric: gap.causes for gap in study.counted.gaps if gap.metric not in study.evidence}
    waiting: dict[Reason, _Waiting] = {}
    for skipped in _judgeable(study):
        for absent in skipped.missing:
            reason = _root(absent.name, gaps)
            if absent.name.startswith(_OF_CODE) or reason.meaningless or reason.timeless:
                continue
            waiting.setdefault(reason, _Waiting()).facts.append(absent.name)
            waiting[reason].rules.append(skipped.rule)
    return waiting


def _judgeable(study: Study) -> Iterator[Skipped]:
    """Yield the rules that could judge with more evidence: not those about facts that this processor, or any profile, lacks."""
    for skipped in study.diagnosis.skipped:
        if all(_can_be_had(absent.name, study.architecture) for absent in skipped.missing):
            yield skipped


def _can_be_had(name: str, architecture: str) -> bool:
    """Tell whether a fact exists for the processor at all."""
    if not name.startswith("gpu."):
        return name.startswith(_OF_CODE)
    return not architecture or any(metric.name == name for metric in metrics(architecture))


def _without_code(study: Study) -> tuple[str, ...]:
    """Return the rules that lack machine code."""
    return _once(
        [
            skipped.rule
            for skipped in _judgeable(study)
            if any(absent.name.startswith(_OF_CODE) for absent in skipped.missing)
        ]
    )


def _root(name: str, gaps: Mapping[str, tuple[Cause, ...]]) -> Reason:
    """Return why a fact is absent; where another metric is the only cause, why that one is."""
    causes, seen = gaps.get(name, ()), {name}
    while (earlier := _metric(causes)) and earlier not in seen:
        seen.add(earlier)
        causes = gaps.get(earlier, ())
    return Reason(causes)


def _metric(causes: Sequence[Cause]) -> str:
    """Return the metric that is the only cause; empty where there is another one."""
    match causes:
        case [Unknown(name)] if name.startswith("gpu."):
            return name
        case _:
            return ""


def _time(counted: Counted, diagnosis: Diagnosis) -> Missing:
    """Return the row about the time of a launch."""
    how = "not known" if counted.guess is None else f"estimated ({counted.guess.source})"
    rules = [skipped.rule for skipped in diagnosis.skipped if any(a.name in _TIMED for a in skipped.missing)]
    return Missing("time of a launch", f"{how}: {_NO_TIME}", _once(rules))


def _once(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _inputs(material: Material, counted: Counted, without_code: tuple[str, ...]) -> Iterator[Missing]:
    """Yield whole kinds of input that nobody gave."""
    if not counted.counts.values and not any(profile.readings for profile in material.profiles):
        yield Missing("counters", f"no profile has any: collect them with {_tool(counted, material)}", ())
    if not material.reports:
        how = "give the listing, the code object or the source as a further input"
        yield Missing("machine code", how, without_code)
    if not traces(material) and Target.of(counted.counts.architecture).amd:
        how = "a thread trace (rocprofv3 --att) splits the waiting by instruction and source line"
        yield Missing("thread trace", how, ())


def _tool(counted: Counted, material: Material) -> str:
    if material.reports and all(report.dialect in of_cpus() for report in material.reports):
        return "'perf stat --topdown ./program'"
    if _of_host(material):
        return (
            "'perf stat --topdown python program.py', or where they ran on a GPU record its kernels with ProfilerActivity.CUDA; "
            "'hotloop tune --workload' takes the operators"
        )
    nvidia, amd = "ncu --set full --csv --page raw", "rocprofv3 --pmc"
    if not counted.counts.architecture:
        return f"{amd} on AMD, {nvidia} on NVIDIA, or hotloop profile"
    return nvidia if Target.of(counted.counts.architecture).nvidia else amd


def _of_host(material: Material) -> bool:
    """Tell whether all that was timed are operators of the host."""
    calls = [call for profile in material.profiles for call in profile.calls]
    return (
        bool(calls) and all(call.domain == ON_HOST for call in calls) and not any(p.kernels for p in material.profiles)
    )


def _row(counted: Counted, reason: Reason, waiting: _Waiting) -> Missing:
    """Return the row about one reason, with all counters that its facts are made of: the reason names the first that is missing."""
    facts, architecture = _once(waiting.facts), counted.counts.architecture
    parts = [name for fact in facts for name in counters_of(fact, architecture)] if reason.counters else []
    have = canonical(counted.counts.values, counted.counts.architecture)
    fresh = tuple(name for name in _once([*reason.counters, *parts]) if name not in have)
    return Missing(", ".join(facts), str(reason), _once(waiting.rules), fresh)


def _collect(counted: Counted, counters: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of rocprof input files that bring the counters, in the fewest passes."""
    architecture = counted.counts.architecture
    if not counters or not Target.of(architecture).amd:
        return ()
    try:
        passes = plan.plan(counters, architecture)
    except UsageError:
        return ()
    return tuple(line.strip() for line in plan.rocprof_files(passes))
