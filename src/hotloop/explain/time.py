"""A time for kernels whose files tell none: from clocks, at the chip's peak clock; everything that rests on it is estimated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hotloop import units
from hotloop.metrics.catalogue import derive
from hotloop.metrics.counters import Counts
from hotloop.model.evidence import Evidence, Fact, Provenance

_RUNNING = "SQ_BUSY_CYCLES"
_GROUPS_PER_ENGINE = 4
"""Work-groups for each shader engine from which every engine has work, so that their mean stands for the launch."""
_SMALLEST_WINDOW = 3e6
"""Clocks from which a counting window is the launch's to within a tenth: recorded windows are up to 0.32 M clocks longer."""
_SLOWEST_HZ = 1e7
"""Less than any GPU's clock while it works: the lowest that ROCm's tools list are about 90 MHz."""
_RUNNING_ON = ("GRBM_COUNT", "GRBM_GUI_ACTIVE", "SQ_CYCLES", "SQ_BUSY_CYCLES")
"""Clocks, summed over dies or engines: each is at least the clocks of the launch."""
_CIRCULAR = frozenset({"gpu.clock_hz", "gpu.kernel_share"})


@dataclass(frozen=True, slots=True)
class Guess:
    """A least time of one launch."""

    duration_ns: float
    source: str


def believed(counts: Counts) -> tuple[Counts, tuple[str, ...]]:
    """Return counts without a time in which hardly a clock passed, and a sentence that says so.

    Tools have written 7 for a begin, or 0: the launch then seems to take seconds or hours.
    """
    spent_ns = counts.launch.duration_ns
    if not spent_ns or possible(spent_ns, counts.values):
        return counts, ()
    clocks = _clocks(counts.values)
    sentence = f"{units.duration(spent_ns)} by its time stamps, in which {clocks:.0f} clocks passed: they are not those of the launch"
    return replace(counts, launch=replace(counts.launch, duration_ns=None)), (
        f"the launch took {sentence} and were left out",
    )


def possible(spent_ns: float, values: Mapping[str, float]) -> bool:
    """Tell whether as many clocks passed in a time as pass on the slowest GPU; True where none were counted."""
    clocks = _clocks(values)
    return not clocks or clocks >= _SLOWEST_HZ * spent_ns / 1e9


def _clocks(values: Mapping[str, float]) -> float:
    return max((values.get(name) or 0.0 for name in _RUNNING_ON), default=0.0)


def guess(counts: Counts, evidence: Evidence) -> Guess | None:
    """Return the clocks of a launch over the peak clock, None where a time, no clocks or no clock are known.

    Clocks in which engines held waves come first: the others contain what the profiler does before and after a kernel
    (see `gpu.running_share`), several times as long as a short kernel.
    """
    clock_hz = counts.machine.clock_hz
    if clock_hz is None or counts.launch.duration_ns or "gpu.duration_ns" in evidence:
        return None
    clocks = _running(counts) or _elapsed(evidence)
    if clocks is None or clocks.count <= 0 or _breaks_a_roof(counts, evidence, clocks.count / clock_hz):
        return None
    peak = f"{clocks.source} = {units.significant(clocks.count)} clocks at the peak of {units.rate(clock_hz, 'Hz')}"
    return Guess(1e9 * clocks.count / clock_hz, f"{peak}: the launch took at least as long")


def _breaks_a_roof(counts: Counts, evidence: Evidence, seconds: float) -> bool:
    """Tell whether device memory would be faster than its peak in such a time: then the clocks are not those of the launch."""
    moved, peak = evidence.get("gpu.hbm_bytes"), counts.machine.hbm_bytes_per_s
    return moved is not None and peak is not None and moved > peak * seconds


@dataclass(frozen=True, slots=True)
class _Clocks:
    """Clock counts of one launch."""

    count: float
    source: str


def _running(counts: Counts) -> _Clocks | None:
    """Return the clocks in which a shader engine held waves, their mean; None where too few engines had work."""
    engines, groups, busy = counts.machine.shader_engines, counts.launch.groups, counts.values.get(_RUNNING)
    if not engines or not groups or busy is None or not counts.whole() or groups < _GROUPS_PER_ENGINE * engines:
        return None
    return _Clocks(busy / engines, f"{_RUNNING} / {engines} shader engines")


def _elapsed(evidence: Evidence) -> _Clocks | None:
    """Return all clocks that were counted, None where most of them may be the profiler's own."""
    elapsed = evidence.fact("gpu.elapsed_cycles")
    if elapsed is None or elapsed.value < _SMALLEST_WINDOW:
        return None
    return _Clocks(elapsed.value, elapsed.source.partition(", ")[0])


def estimated(counts: Counts, evidence: Evidence, time: Guess) -> tuple[Counts, Evidence]:
    """Return counts and evidence with the time: what it makes known is added, what it shows to be impossible is gone."""
    launch, spent_ns = counts.launch, time.duration_ns
    cold_ns, all_ns = ((ratio and ratio * spent_ns) for ratio in (launch.cold_ratio, launch.all_ratio))
    timed = replace(counts, launch=replace(launch, duration_ns=spent_ns, cold_ns=cold_ns, all_ns=all_ns))
    facts = derive(timed)
    rows = [
        fact if evidence.get(fact.name) == fact.value else _weaker(fact, time)
        for fact in facts.facts
        if fact.name not in _CIRCULAR
    ]
    return timed, Evidence(tuple(rows), facts.absent)


def _weaker(fact: Fact, time: Guess) -> Fact:
    """Return a fact that rests on the guessed time, marked as estimated."""
    source = time.source if fact.name == "gpu.duration_ns" else f"{fact.source}; time estimated from clocks"
    return replace(fact, provenance=Provenance.ESTIMATED, source=source)
