"""Laws of the paired comparison that hold for any numbers."""

from math import isclose, isfinite

from hypothesis import given, settings
from hypothesis import strategies as st

from hotloop.model.verdict import Verdict
from hotloop.stats.paired import PairedTest
from hotloop.stats.rounds import log_time
from hotloop.stats.signedrank import interval

RELAXED = settings(deadline=None, max_examples=60)
"""No deadline: wall time says nothing on a shared machine."""
RATIOS = st.lists(st.floats(-3, 3), min_size=60, max_size=60)
MIRROR = {Verdict.FASTER: Verdict.SLOWER, Verdict.SLOWER: Verdict.FASTER}


@RELAXED
@given(RATIOS)
def test_swapping_the_contenders_mirrors_the_verdict(ratios):
    here, there = PairedTest().decide(ratios), PairedTest().decide([-r for r in ratios])
    assert there.verdict is MIRROR.get(here.verdict, here.verdict)
    assert isclose(here.speedup * there.speedup, 1.0, rel_tol=1e-9)
    assert isclose(here.low * there.high, 1.0, rel_tol=1e-9)


@RELAXED
@given(RATIOS)
def test_the_last_look_answers_with_an_ordered_finite_interval(ratios):
    found = PairedTest().decide(ratios)
    assert 0 < found.low <= found.speedup <= found.high
    assert isfinite(found.high)
    assert (found.verdict is Verdict.UNCLEAR) == bool(found.reason)


@RELAXED
@given(RATIOS, st.floats(-1, 1))
def test_a_constant_factor_shifts_the_interval(ratios, shift):
    here, there = interval(ratios, 0.01), interval([r + shift for r in ratios], 0.01)
    assert isclose(there.centre, here.centre + shift, abs_tol=1e-9)


@RELAXED
@given(st.lists(st.floats(1e-3, 1e12), min_size=1, max_size=6), st.floats(0.1, 10))
def test_log_time_never_beats_the_fastest_nor_strays_from_it(times, slower):
    from math import log

    assert -1e-9 <= log_time(times) - log(min(times)) <= 0.1 + 1e-9
    assert isclose(log_time([*times, min(times) * (1.2 + slower)]), log_time(times), abs_tol=1e-9)
