"""Why metrics have no value, as types."""

from __future__ import annotations

from hotloop.metrics.catalogue import derived
from hotloop.metrics.cause import Gap, Uncounted, Undefined, Unknown
from hotloop.metrics.counters import Counts


def gap(metric: str, values: dict[str, float]) -> Gap:
    gaps = {gap.metric: gap for gap in derived(Counts(architecture="gfx942", values=values)).gaps}
    return gaps[metric]


def test_a_counter_that_nobody_collected_is_named():
    assert Uncounted("SQ_INSTS_VALU") in gap("gpu.valu_per_wave", {"SQ_WAVES": 8.0}).causes


def test_a_divisor_of_zero_is_no_missing_counter():
    empty = gap("gpu.valu_per_wave", {"SQ_WAVES": 0.0, "SQ_INSTS_VALU": 3.0})
    assert empty.causes == (Undefined(("SQ_WAVES",)),)
    assert str(empty) == "division by zero: SQ_WAVES"


def test_causes_of_several_formulas_are_told_one_after_the_other():
    both = Gap("gpu.x", (Uncounted("A"), Unknown("gpu.y")))
    assert str(both) == "A was not counted; or gpu.y is not known"
