from math import exp, log
from statistics import median

import pytest

from hotloop.model.outcome import Sample
from hotloop.ports import Round
from hotloop.stats.rounds import beside, call_ns, log_ratios, log_time, log_times
from hotloop.stats.signedrank import interval


def samples(order, times, **more):
    return Round(tuple((who, Sample(wall_ns=t, calls=2, **more)) for who, t in zip(order, times, strict=True)))


def test_ratio_of_a_quiet_round_is_geometric():
    one = samples((0, 1, 1, 0), (100.0, 52.0, 50.0, 104.0))
    assert log_ratios([one]) == (pytest.approx(log((100 * 104 / (52 * 50)) ** 0.5)),)


def test_a_burst_on_one_sample_does_not_count():
    calm, hit = samples((0, 1, 1, 0), (100.0, 50.0, 50.0, 100.0)), samples((0, 1, 1, 0), (100.0, 50.0, 170.0, 100.0))
    assert log_ratios([hit]) == pytest.approx(log_ratios([calm]))


def test_linear_drift_cancels():
    one = samples((0, 1, 1, 0), (100.0, 101.0, 102.0, 103.0))
    assert log_ratios([one])[0] == pytest.approx(0.0, abs=2e-4)


def test_three_contenders_pick_by_index():
    one = samples((0, 1, 2, 2, 1, 0), (10.0, 20.0, 40.0, 40.0, 20.0, 10.0))
    assert log_ratios([one], 2, 1) == (pytest.approx(log(2)),)
    assert log_ratios([one], 0, 2) == (pytest.approx(-log(4)),)


def test_clocks():
    one = Sample(wall_ns=100.0, calls=4, device_ns=40.0, cpu_ns=160.0)
    assert (call_ns(one), call_ns(one, "device"), call_ns(one, "cpu")) == (25.0, 10.0, 40.0)
    with pytest.raises(ValueError, match="no device time"):
        call_ns(Sample(wall_ns=1.0, calls=1), "device")
    with pytest.raises(ValueError, match="no wall time"):
        call_ns(Sample(wall_ns=0.0, calls=1))


def test_missing_contender_is_refused():
    with pytest.raises(ValueError, match="no sample of contender 3"):
        log_times([samples((0, 1), (1.0, 1.0))], 3)


def test_log_time_keeps_the_undisturbed():
    assert log_time([1.0, 1.05, 9.0]) == pytest.approx(log(1.05) / 2)


def test_times_beside_a_ratio_are_of_the_rounds_that_have_it():
    times = [(80.0, 5.0), (70.0, 6.0), (200.0, 24.0), (79.0, 30.0), (76.0, 7.0), (75.0, 6.2)]
    taken = [samples((0, 1), (2 * old, 2 * new)) for old, new in times]
    found = interval(log_ratios(taken), 0.2)
    assert found is not None
    before, after = beside(taken, exp(found.centre))
    assert before / after == pytest.approx(exp(found.centre), rel=0.02)
    assert median(old for old, _ in times) / median(new for _, new in times) != pytest.approx(
        exp(found.centre), rel=0.02
    )
    assert beside(taken[:1], 16.0) == pytest.approx((80.0, 5.0))
    with pytest.raises(ValueError, match="no round"):
        beside([], 1.0)
