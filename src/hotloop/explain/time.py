"""A time for kernels whose files tell none: from clocks, at the chip's peak clock; everything that rests on it is estimated."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hotloop import units
from hotloop.metrics.catalogue import derive
from hotloop.metrics.counters import Counts
from hotloop.model.evidence import Evidence, Fact, Provenance

_RUNNING = "SQ_BUSY_CYCLES"
_GROUPS_PER_ENGINE = 4
"""Work-groups for each shader engine from which every engine has work, so that their mean stands for the launch."""
_CIRCULAR = frozenset({"gpu.clock_hz", "gpu.kernel_share"})


@dataclass(frozen=True, slots=True)
class Guess:
    """A least time of one launch."""

    duration_ns: float
    source: str


def guess(counts: Counts, evidence: Evidence) -> Guess | None:
    """Return the clocks of a launch over the peak clock, None where a time, no clocks or no clock are known.

    Clocks in which engines held waves come first: the others contain what the profiler does before and after a kernel
    (see `gpu.running_share`), several times as long as a short kernel.
    """
    clock_hz = counts.machine.clock_hz
    if clock_hz is None or counts.launch.duration_ns or "gpu.duration_ns" in evidence:
        return None
    known = _running(counts) or _elapsed(evidence)
    if known is None or known[0] <= 0:
        return None
    cycles, what = known
    words = f"{what} = {units.significant(cycles)} clocks at the peak of {units.rate(clock_hz, 'Hz')}: the launch took at least as long"
    return Guess(1e9 * cycles / clock_hz, words)


def _running(counts: Counts) -> tuple[float, str] | None:
    engines, groups, busy = counts.machine.shader_engines, counts.launch.groups, counts.values.get(_RUNNING)
    if not engines or not groups or busy is None or not counts.whole() or groups < _GROUPS_PER_ENGINE * engines:
        return None
    return busy / engines, f"{_RUNNING} / {engines} shader engines"


def _elapsed(evidence: Evidence) -> tuple[float, str] | None:
    known = evidence.fact("gpu.elapsed_cycles")
    return None if known is None else (known.value, known.source.partition(", ")[0])


def estimated(counts: Counts, evidence: Evidence, found: Guess) -> tuple[Counts, Evidence]:
    """Return counts and evidence with the time, and with what only the time was missing for."""
    timed = replace(counts, launch=replace(counts.launch, duration_ns=found.duration_ns))
    rows = [
        _weaker(fact, found) for fact in derive(timed).facts if fact.name not in evidence and fact.name not in _CIRCULAR
    ]
    return timed, evidence.merged(Evidence(tuple(rows)))


def _weaker(fact: Fact, found: Guess) -> Fact:
    source = found.source if fact.name == "gpu.duration_ns" else f"{fact.source}; time estimated from clocks"
    return replace(fact, provenance=Provenance.ESTIMATED, source=source)
