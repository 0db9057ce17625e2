"""All metrics: from a kernel's counters to facts of the vocabulary, each with its formula as the source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import groupby

from hotloop.metrics.cause import Cause, Gap, Nonzero, Partial, Uncounted, Unknown
from hotloop.metrics.counters import Counter, Counts
from hotloop.metrics.data import amd_counters, amd_metrics, nvidia_counters, nvidia_metrics
from hotloop.metrics.dimension import Unit, parse
from hotloop.metrics.fact import absent, fact
from hotloop.metrics.formula import FormulaError, Missing, Name, Quantity, dimension, evaluate
from hotloop.metrics.metric import Metric
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.evidence import Evidence, Fact, Provenance

COUNTERS: tuple[Counter, ...] = (*amd_counters.COUNTERS, *nvidia_counters.COUNTERS)
"""Every counter that a formula may name."""
COUNTED = frozenset(counter.name for counter in COUNTERS)
METRICS: tuple[Metric, ...] = (*amd_metrics.METRICS, *nvidia_metrics.METRICS)
"""In order of evaluation: a formula uses metrics that stand before it."""
_PLACES = {
    **dict.fromkeys(("machine.compute_units", "machine.simds", "machine.dies", "machine.shader_engines"), "1"),
    "machine.wave_slots": "wave",
    "machine.lds_bytes_per_cycle": "B/cycle",
    "machine.hbm_bytes_per_s": "B/s",
    "machine.clock_hz": "hz",
    "dispatch.items": "item",
    "dispatch.group_items": "item",
    "dispatch.wave_size": "item",
    "dispatch.waves": "wave",
    "dispatch.groups": "group",
    "dispatch.lds_bytes": "B",
    "dispatch.scratch_bytes": "B",
    "dispatch.vgprs": "1",
    "dispatch.duration_ns": "ns",
    "dispatch.kernel_share": "1",
}


@cache
def units() -> dict[str, Unit]:
    """Return the unit of every name that a formula may use."""
    spelled = {**_PLACES, **{c.name: c.unit for c in COUNTERS}, **{m.name: m.unit for m in METRICS}}
    return {name: parse(unit) for name, unit in spelled.items()}


def metrics(architecture: str) -> tuple[Metric, ...]:
    """Return the metrics that are defined for an architecture, in order of evaluation."""
    return tuple(metric for metric in METRICS if metric.covers(architecture))


@cache
def agree(metric: Metric) -> None:
    """Check once that a formula yields the unit that the vocabulary promises. Raises FormulaError."""
    actual, promised = dimension(metric.tree, units()), units()[metric.name]
    if actual.dimension != promised.dimension:
        raise FormulaError(f"{metric.name} is in {promised}, its formula {metric.formula!r} in {actual}")


@dataclass(frozen=True, slots=True)
class Derived:
    """What formulas made of one kernel's counters."""

    facts: tuple[Fact, ...] = ()
    gaps: tuple[Gap, ...] = ()
    """Metrics without a value, with the causes."""

    @property
    def evidence(self) -> Evidence:
        """The same as evidence: causes in words."""
        return Evidence(self.facts, tuple(absent(gap.metric, str(gap)) for gap in self.gaps))


def derive(counts: Counts) -> Evidence:
    """Return the ``gpu.*`` facts of one kernel.

    A fact that is a counter as it stands is measured, any other is derived; its source is the formula with the vendor's
    names. What cannot be computed is absent and names the input that is missing or zero.
    """
    return derived(counts).evidence


def derived(counts: Counts) -> Derived:
    """Return the ``gpu.*`` facts of one kernel, and for each metric that has no value the causes."""
    values = {name: Quantity(value, units()[name]) for name, value in counts.inputs().items() if name in units()}
    facts: list[Fact] = []
    gaps: list[Gap] = []
    for name, alternatives in groupby(metrics(counts.architecture), key=lambda metric: metric.name):
        row = _first(name, list(alternatives), values, counts)
        if isinstance(row, Gap):
            gaps.append(row)
            continue
        facts.append(row)
        values[name] = Quantity(row.value, units()[name])
    return Derived(tuple(facts), tuple(gaps))


def _first(name: str, alternatives: list[Metric], values: dict[str, Quantity], counts: Counts) -> Fact | Gap:
    """Return the value by the first formula that has one."""
    causes: list[Cause] = []
    for metric in alternatives:
        try:
            return _fact(metric, values, counts)
        except Missing as missing:
            causes.append(missing.cause)
    return Gap(name, tuple(dict.fromkeys(causes)))


def _fact(metric: Metric, values: dict[str, Quantity], counts: Counts) -> Fact:
    def lookup(name: str) -> Quantity:
        if name not in values:
            raise Missing(Uncounted(name) if name in COUNTED else Unknown(name))
        return values[name]

    coverage = counts.coverage()
    if metric.whole and coverage is not None and not counts.whole():
        raise Missing(Partial(coverage))
    for name in metric.zero:
        if lookup(name).value:
            raise Missing(Nonzero(name))
    agree(metric)
    value = evaluate(metric.tree, lookup) / units()[metric.name].scale
    bare = isinstance(metric.tree, Name) and metric.formula not in BY_NAME
    provenance = Provenance.MEASURED if bare else Provenance.DERIVED
    source = f"{metric.formula}, {counts.source}" if counts.source else metric.formula
    return fact(metric.name, value, provenance, source)
