import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.metrics.roofline import roofline
from hotloop.model.device import Ceilings
from hotloop.model.evidence import Provenance
from hotloop.model.problem import Work

CEILINGS = Ceilings(flops_per_s=100e9, bytes_per_s=10e9)


def test_compute_bound():
    found = roofline(Work(flops=2e6, bytes=1e4), CEILINGS, 40_000.0)
    assert found.get("roof.floor_ns") == pytest.approx(20_000)
    assert found.get("roof.fraction") == pytest.approx(0.5)
    assert found.get("roof.flops_per_s") == pytest.approx(50e9)
    assert found.get("roof.flops_share") == pytest.approx(0.5)
    assert found.get("roof.bytes_share") == pytest.approx(0.025)
    assert found.get("roof.memory_bound") == 0
    assert (found.get("work.flops"), found.get("work.bytes")) == (2e6, 1e4)
    assert all(f.provenance is Provenance.DERIVED for f in found.facts)


def test_memory_bound():
    found = roofline(Work(flops=2e3, bytes=1e6), CEILINGS, 200_000.0)
    assert found.get("roof.floor_ns") == pytest.approx(100_000)
    assert found.get("roof.memory_bound") == 1
    assert found.get("roof.fraction") == pytest.approx(found.get("roof.bytes_share")) == pytest.approx(0.5)


def test_pure_copy_has_no_flops():
    found = roofline(Work(flops=0, bytes=1e6), CEILINGS, 200_000.0)
    assert found.get("roof.flops_share") == 0
    assert found.get("roof.memory_bound") == 1


def test_zero_work_has_no_fraction_of_the_roof():
    found = roofline(Work(0, 0), CEILINGS, 1000.0)
    assert found.get("roof.floor_ns") == 0
    assert found.get("roof.fraction") is None
    assert found.get("roof.memory_bound") is None
    assert "no work" in found.why_absent("roof.fraction")
    assert found.get("roof.flops_per_s") == 0


@pytest.mark.parametrize("call_ns", [None, 0.0, -1.0])
def test_without_a_time_there_is_a_floor_but_no_position(call_ns):
    found = roofline(Work(1e6, 1e3), CEILINGS, call_ns)
    assert found.get("roof.floor_ns") == pytest.approx(10_000)
    assert found.get("roof.fraction") is None
    assert "no time" in found.why_absent("roof.flops_per_s")


POSITIVE = st.floats(1.0, 1e12)


@given(flops=POSITIVE, moved=POSITIVE, call_ns=POSITIVE, peak=POSITIVE, bandwidth=POSITIVE)
def test_the_fraction_is_the_larger_of_the_two_shares(flops, moved, call_ns, peak, bandwidth):
    found = roofline(Work(flops, moved), Ceilings(flops_per_s=peak, bytes_per_s=bandwidth), call_ns)
    larger = max(found.get("roof.flops_share"), found.get("roof.bytes_share"))
    assert found.get("roof.fraction") == pytest.approx(larger)
    bytes_win = found.get("roof.bytes_share") > found.get("roof.flops_share") * (1 + 1e-12)
    flops_win = found.get("roof.flops_share") > found.get("roof.bytes_share") * (1 + 1e-12)
    assert (found.get("roof.memory_bound") == 1) == bytes_win or not (bytes_win or flops_win)
