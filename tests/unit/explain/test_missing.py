"""Reasons for missing facts, followed to what a profiler collects."""

from __future__ import annotations

from hotloop.explain.missing import Reason, _root
from hotloop.metrics.cause import Uncounted, Undefined, Unknown


def test_a_metric_that_another_one_lacks_is_followed_to_the_counter():
    gaps = {"gpu.rate": (Unknown("gpu.bytes"),), "gpu.bytes": (Uncounted("TCC_HIT_sum"), Uncounted("TCC_MISS_sum"))}
    reason = _root("gpu.rate", gaps)
    assert reason.counters == ("TCC_HIT_sum", "TCC_MISS_sum")
    assert str(reason) == "TCC_HIT_sum was not counted; or TCC_MISS_sum was not counted"


def test_a_circle_of_metrics_ends():
    gaps = {"gpu.a": (Unknown("gpu.b"),), "gpu.b": (Unknown("gpu.a"),)}
    assert _root("gpu.a", gaps) == Reason((Unknown("gpu.a"),))


def test_what_is_meaningless_or_only_lacks_the_time_asks_for_no_counter():
    assert Reason((Undefined(("SQ_WAVES",)), Uncounted("X"))).meaningless
    assert Reason((Unknown("dispatch.duration_ns"),)).timeless
    assert not Reason((Unknown("dispatch.duration_ns"), Uncounted("X"))).timeless


def test_without_any_formula_there_are_no_counters_of_a_known_processor():
    assert str(_root("gpu.a", {})) == "no counters of a known processor"
