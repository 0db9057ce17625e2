"""All metrics: from a kernel's counters to facts of the vocabulary, each with its formula as the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Final

from hotloop.metrics.cause import Cause, Few, Gap, Impossible, Nonzero, Partial, Uncounted, Unknown
from hotloop.metrics.counters import Counter, Counts
from hotloop.metrics.data import amd_metrics, nvidia_metrics, rdna_metrics
from hotloop.metrics.dimension import Unit, parse
from hotloop.metrics.fact import ImpossibleError, absent, fact
from hotloop.metrics.formula import FormulaError, Missing, Name, Quantity, dimension, evaluate, read
from hotloop.metrics.metric import Metric
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.units import significant

_ROWS = (files("hotloop.metrics") / "counters.txt").read_text(encoding="utf-8").splitlines()
COUNTERS = tuple(Counter(*row.split(" | ")) for row in _ROWS if row and not row.startswith("#"))
"""Every counter that a formula may name."""
COUNTED = frozenset(counter.name for counter in COUNTERS)
METRICS: tuple[Metric, ...] = (*amd_metrics.METRICS, *rdna_metrics.METRICS, *nvidia_metrics.METRICS)
"""Metrics in the order of evaluation: a formula uses metrics that stand before it."""
TOLERANCE = 0.05
"""How much a clock may exceed its peak: a counting window is a little longer than the time between the kernel's time stamps."""
_CHECKED = frozenset({"dispatch.duration_ns", "machine.clock_hz"})
"""Facts that tell whether a counting window belongs to the launch itself."""
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
    "dispatch.rival_share": "1",
    "dispatch.cold_ns": "ns",
    "dispatch.all_ns": "ns",
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
def counted_on(architecture: str) -> bool:
    """Tell whether any formula of an architecture reads counters, and not only what the launch is."""
    return any(name in COUNTED for metric in metrics(architecture) for name in metric.inputs)


@cache
def agree(metric: Metric) -> None:
    """Check once that a formula yields the unit that the vocabulary promises. Raises FormulaError."""
    actual, promised = dimension(metric.tree, units()), units()[metric.name]
    if actual.dimension != promised.dimension:
        raise FormulaError(f"{metric.name} is in {promised}, its formula {metric.formula!r} in {actual}")


LIMITS: Final = {
    "gpu.hbm_bytes_per_s": "machine.hbm_bytes_per_s",
    "gpu.occupancy_waves": "machine.wave_slots",
    "gpu.resident_waves": "machine.wave_slots",
    "gpu.clock_hz": "machine.clock_hz",
    "gpu.lanes": "dispatch.wave_size",
}
"""The machine's limit for each quantity, whichever formula computes it."""


@dataclass(frozen=True, slots=True)
class Derived:
    """What formulas made of one kernel's counters."""

    facts: tuple[Fact, ...] = ()
    gaps: tuple[Gap, ...] = ()
    """Metrics without a value, with the causes."""
    apart: frozenset[str] = frozenset()
    """Facts that set times of different passes against each other, for lack of one pass that has both."""

    @property
    def evidence(self) -> Evidence:
        """Return the metrics as evidence, with the causes of missing ones in words."""
        return Evidence(self.facts, tuple(absent(gap.metric, str(gap)) for gap in self.gaps))


def derive(counts: Counts) -> Evidence:
    """Return the ``gpu.*`` facts of one kernel.

    A fact that is a counter as it stands is measured, any other is derived; its source is the formula with the vendor's
    names. What cannot be computed, or came out as something that cannot be, is absent and names the input that is missing,
    zero or out of place.
    """
    return derived(counts).evidence


def derived(counts: Counts) -> Derived:
    """Return the ``gpu.*`` facts of one kernel, and for each metric that has no value the causes."""
    kernel_wide = _Known(counts, counts.values)
    passes = [_Known(counts, values) for values in counts.runs] if len(counts.runs) > 1 else []
    facts: list[Fact] = []
    gaps: list[Gap] = []
    apart: set[str] = set()
    for name, alternatives in groupby(metrics(counts.architecture), key=lambda metric: metric.name):
        listed = list(alternatives)
        row, split = _best(listed, kernel_wide, passes)
        if isinstance(row, Gap):
            gaps.append(row)
            continue
        facts.append(row)
        kernel_wide.learn(row)
        apart |= {name} if split else set()
        for collected in passes:
            own = _first(listed, collected) if listed[0].together else row
            collected.learn(own if isinstance(own, Fact) else row)
    return Derived(tuple(facts), tuple(gaps), frozenset(apart))


class _Known:
    """What formulas may use: of all passes together, or of one."""

    def __init__(self, counts: Counts, values: Mapping[str, float]) -> None:
        self.counts = counts
        self.values = {n: Quantity(v, units()[n]) for n, v in counts.inputs(values).items() if n in units()}

    def learn(self, row: Fact) -> None:
        """Make a fact known to the metrics after it."""
        self.values[row.name] = Quantity(row.value, units()[row.name])

    def lookup(self, name: str) -> Quantity:
        """Return an input. Raises Missing."""
        if name not in self.values:
            raise Missing(Uncounted(name) if name in COUNTED else Unknown(name))
        return self.values[name]

    def value(self, formula: str) -> float | None:
        """Return what a formula gives in base units, None where an input is not known."""
        try:
            return evaluate(read(formula), self.lookup)
        except Missing:
            return None


def _best(listed: list[Metric], whole: _Known, passes: list[_Known]) -> tuple[Fact | Gap, bool]:
    """Return a metric's value, and whether different passes gave its parts."""
    if not listed[0].together or not passes:
        return _first(listed, whole), False
    for metric in listed:
        for collected in passes:
            row = _first([metric], collected)
            if isinstance(row, Fact):
                return row, False
    if listed[0].whole and not whole.values.keys() >= _CHECKED:
        unchecked = tuple(Unknown(name) for name in sorted(_CHECKED - whole.values.keys()))
        return Gap(
            listed[0].name, unchecked
        ), False  # nothing tells how much longer one pass's window is than another's
    row = _first(listed, whole)
    return row, isinstance(row, Fact)


def _first(alternatives: list[Metric], inputs: _Known) -> Fact | Gap:
    """Return the value by the first formula that has one."""
    causes: list[Cause] = []
    spare: list[Cause] = []
    for metric in alternatives:
        try:
            return _fact(metric, inputs)
        except Missing as missing:
            (spare if metric.told else causes).append(missing.cause)
    return Gap(alternatives[0].name, tuple(dict.fromkeys(causes or spare)))


def _fact(metric: Metric, inputs: _Known) -> Fact:
    counts, coverage = inputs.counts, inputs.counts.coverage()
    if metric.whole and coverage is not None and not counts.whole():
        raise Missing(Partial(coverage))
    for name in metric.given:
        inputs.lookup(name)
    for name in metric.zero:
        if inputs.lookup(name).value:
            raise Missing(Nonzero(name))
    _enough(metric, inputs)
    agree(metric)
    base = evaluate(metric.tree, inputs.lookup)
    value = base / units()[metric.name].scale
    _possible(metric, base, inputs)
    bare = isinstance(metric.tree, Name) and metric.formula not in BY_NAME
    provenance = Provenance.MEASURED if bare else Provenance.DERIVED
    source = f"{metric.formula}, {counts.source}" if counts.source else metric.formula
    try:
        return fact(metric.name, value, provenance, source, upper=metric.upper)
    except ImpossibleError as error:
        raise Missing(Impossible(metric.name, error.value, error.most)) from None


def _enough(metric: Metric, inputs: _Known) -> None:
    """Raise Missing where there is too little of something for the formula to mean anything."""
    if metric.enough is None:
        return
    have, need = (inputs.value(formula) for formula in metric.enough)
    if have is not None and need is not None and have < need:
        raise Missing(Few(f"{metric.enough[0]} is {significant(have)}, below {metric.enough[1]} = {significant(need)}"))


def _possible(metric: Metric, base: float, inputs: _Known) -> None:
    """Raise Missing for a value below 0, or beyond what its formula's limit or the machine allows."""
    scale, unit = units()[metric.name].scale, BY_NAME[metric.name].unit
    figure = f"{significant(base / scale)} {unit}"
    if base < 0:
        raise Missing(Impossible(f"{metric.name} by {metric.formula}", figure, "at least 0"))
    for formula in filter(None, (metric.most, LIMITS.get(metric.name))):
        most = inputs.value(formula)
        if most is not None and base > most * (1 + TOLERANCE):
            limit = f"at most {significant(most / scale)} {unit} ({formula})"
            raise Missing(Impossible(f"{metric.name} by {metric.formula}", figure, limit))
