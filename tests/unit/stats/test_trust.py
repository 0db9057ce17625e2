import pytest

from hotloop.model.outcome import Sample
from hotloop.stats.trust import cpu_trust


def batch(cpu, count=10):
    return [Sample(wall_ns=100.0, calls=1, cpu_ns=cpu)] * count


def test_a_process_that_ran_all_the_time_is_trusted():
    found = cpu_trust(batch(195.0), threads=2)
    assert found.trusted
    assert found.cpu_share == pytest.approx(0.975)
    assert found.disturbed == 0.0


def test_a_process_that_waited_is_not():
    found = cpu_trust(batch(195.0, 4) + batch(90.0, 6), threads=2)
    assert not found.trusted
    assert found.disturbed == pytest.approx(0.6)
    assert "66% of 2 threads" in found.reason


def test_without_cpu_time_nothing_is_claimed():
    assert cpu_trust([Sample(wall_ns=1.0, calls=1)], threads=1) is None
    assert cpu_trust([], threads=1) is None


def test_threads_must_be_positive():
    with pytest.raises(ValueError, match="at least 1"):
        cpu_trust(batch(1.0), threads=0)
