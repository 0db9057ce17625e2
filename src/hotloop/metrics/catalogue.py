"""All metrics: from a kernel's counters to facts of the vocabulary, each with its formula as the source."""

from __future__ import annotations

from functools import cache
from itertools import groupby

from hotloop.metrics.counters import Counter, Counts
from hotloop.metrics.data import amd_counters, amd_metrics, nvidia_counters, nvidia_metrics
from hotloop.metrics.dimension import Unit, parse
from hotloop.metrics.fact import absent, evidence, fact
from hotloop.metrics.formula import FormulaError, Missing, Name, Quantity, dimension, evaluate
from hotloop.metrics.metric import Metric
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.evidence import Absent, Evidence, Fact, Provenance

COUNTERS: tuple[Counter, ...] = (*amd_counters.COUNTERS, *nvidia_counters.COUNTERS)
"""Every counter that a formula may name."""
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
    known = {**_PLACES, **{c.name: c.unit for c in COUNTERS}, **{m.name: m.unit for m in METRICS}}
    return {name: parse(unit) for name, unit in known.items()}


def metrics(architecture: str) -> tuple[Metric, ...]:
    """Return the metrics that are defined for an architecture, in order of evaluation."""
    return tuple(metric for metric in METRICS if metric.covers(architecture))


@cache
def agree(metric: Metric) -> None:
    """Check once that a formula yields the unit that the vocabulary promises. Raises FormulaError."""
    found, promised = dimension(metric.tree, units()), units()[metric.name]
    if found.dimension != promised.dimension:
        raise FormulaError(f"{metric.name} is in {promised}, its formula {metric.formula!r} in {found}")


def derive(counts: Counts) -> Evidence:
    """Return the ``gpu.*`` facts of one kernel.

    A fact that is a counter as it stands is measured, any other is derived; its source is the formula with the vendor's
    names. What cannot be computed is absent and names the input that is missing or zero.
    """
    known = {name: Quantity(value, units()[name]) for name, value in counts.inputs().items() if name in units()}
    rows: list[Fact | Absent] = []
    for name, alternatives in groupby(metrics(counts.architecture), key=lambda metric: metric.name):
        row = _first(name, list(alternatives), known, counts)
        if isinstance(row, Fact):
            known[name] = Quantity(row.value, units()[name])
        rows.append(row)
    return evidence(rows)


def _first(name: str, alternatives: list[Metric], known: dict[str, Quantity], counts: Counts) -> Fact | Absent:
    reasons: list[str] = []
    for metric in alternatives:
        try:
            return _fact(metric, known, counts)
        except Missing as missing:
            reasons.append(str(missing))
    return absent(name, "; or ".join(dict.fromkeys(reasons)))


def _fact(metric: Metric, known: dict[str, Quantity], counts: Counts) -> Fact:
    def lookup(name: str) -> Quantity:
        if name not in known:
            raise Missing(
                f"{name} is not known"
                if "dispatch." in name or "machine." in name or "gpu." in name
                else f"{name} was not counted"
            )
        return known[name]

    if metric.whole and not counts.whole():
        raise Missing(
            f"the counters cover {counts.coverage():.1%} of the launched waves (some engines only): sum over all instances"
        )
    for name in metric.zero:
        if lookup(name).value:
            raise Missing(f"{name} is not 0")
    agree(metric)
    value = evaluate(metric.tree, lookup) / units()[metric.name].scale
    bare = isinstance(metric.tree, Name) and metric.formula not in BY_NAME
    provenance = Provenance.MEASURED if bare else Provenance.DERIVED
    return fact(
        metric.name, value, provenance, f"{metric.formula}, {counts.source}" if counts.source else metric.formula
    )
