import pytest

from hotloop.metrics.timing import timing
from hotloop.model.evidence import Provenance
from hotloop.model.outcome import Conditions, Measured, Sample


def measured(*samples):
    return Measured(samples=samples, conditions=Conditions("f"))


SAMPLES = (
    Sample(wall_ns=1000.0, calls=10, device_ns=800.0, cpu_ns=1500.0),
    Sample(wall_ns=1200.0, calls=10, device_ns=900.0, cpu_ns=1800.0),
    Sample(wall_ns=9000.0, calls=10, device_ns=850.0, cpu_ns=1700.0),
)


def test_times_per_call_are_medians():
    found = timing(measured(*SAMPLES), {}, 7.0, 2)
    assert found.get("time.call_ns") == 120
    assert found.get("time.device_ns") == 85
    assert found.get("time.launch_ns") == 7
    assert all(f.provenance is Provenance.MEASURED for f in found.facts)


def test_busy_share_weighs_samples_by_their_length():
    found = timing(measured(*SAMPLES), {}, None, 2)
    assert found.get("time.cpu_share") == pytest.approx(5000 / (11_200 * 2))


def test_samples_without_cpu_time_do_not_dilute_the_busy_share():
    found = timing(measured(SAMPLES[0], Sample(wall_ns=1e9, calls=10)), {}, None, 2)
    assert found.get("time.cpu_share") == pytest.approx(0.75)


def test_helper_share():
    found = timing(measured(*SAMPLES), {"main": 60.0, "pack": 30.0, "clear": 10.0}, None)
    assert found.get("time.helper_share") == pytest.approx(0.4)
    assert timing(measured(*SAMPLES), {"main": 60.0}, None).get("time.helper_share") == 0


def test_what_was_not_measured_is_absent_with_a_reason():
    found = timing(measured(Sample(wall_ns=10.0, calls=1)), {}, None)
    assert {a.name for a in found.absent} == {"time.device_ns", "time.launch_ns", "time.helper_share", "time.cpu_share"}
    assert "no CPU time" in found.why_absent("time.cpu_share")
    with_cpu = timing(measured(*SAMPLES), {"main": 0.0}, None)
    assert "compute units unknown" in with_cpu.why_absent("time.cpu_share")
    assert "by phase" in with_cpu.why_absent("time.helper_share")
