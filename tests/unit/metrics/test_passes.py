"""Counters of several passes: times are set against times of the same execution, clocks against the device's peak."""

import pytest

from hotloop.metrics.catalogue import derive, derived
from hotloop.metrics.cause import Few, Impossible, Uncounted
from hotloop.metrics.counters import Counts, Launch
from hotloop.metrics.fact import ImpossibleError, fact, stated
from hotloop.model.evidence import Absent, Provenance
from hotloop.targets.chips import Machine

MI300X = Machine(compute_units=304, simds=4, dies=8, shader_engines=32, wave_slots=8, clock_hz=2.1e9)
LAUNCH = Launch(items=1 << 20, group_items=256, wave_size=64, duration_ns=15_040)
LEVEL = {
    "GRBM_GUI_ACTIVE": 454_139.0,
    "SQ_BUSY_CYCLES": 619_129.0,
    "SQ_WAVE_CYCLES": 37_184_565.0,
    "SQ_LEVEL_WAVES_ACCUM": 149_078_556.0,
}
BUSY = {
    "GRBM_GUI_ACTIVE": 2_569_126.0,
    "SQ_BUSY_CYCLES": 602_192.0,
    "SQ_WAVE_CYCLES": 36_990_598.0,
    "SQ_BUSY_CU_CYCLES": 5_288_201.0,
}
WAITS = {"SQ_WAIT_ANY": 55_681_546.0, "SQ_WAIT_INST_ANY": 16_097_106.0, "SQ_ACTIVE_INST_ANY": 278_528.0}
"""One launch of a recorded copy on an MI300X, as three passes counted it."""


def counts(*passes, launch=LAUNCH, machine=MI300X):
    merged = {}
    for one in passes:
        merged = {**one, **merged}
    return Counts(
        architecture="gfx942", values=merged, passes=passes if len(passes) > 1 else (), launch=launch, machine=machine
    )


def test_waiting_is_a_share_of_its_own_pass():
    """Over the other pass's wave cycles it is 150.5 %."""
    found = derived(counts(BUSY, LEVEL, WAITS))
    assert found.evidence.get("gpu.wait_share") == pytest.approx(0.773, abs=0.001)
    assert "gpu.wait_share" not in found.apart


def test_a_window_longer_than_the_launch_is_no_clock_of_it():
    """2,569,126 / 8 clocks in 15 µs are 21 GHz, 454,139 / 8 are 3.8 GHz; 602,192 / 32 are 1.25 GHz."""
    found = derive(counts(BUSY, LEVEL, WAITS))
    assert found.get("gpu.elapsed_cycles") == pytest.approx(602_192 / 32)
    assert found.get("gpu.clock_hz") == pytest.approx(1.251e9, rel=0.001)
    assert found.get("gpu.occupancy_waves") == pytest.approx(149_078_556 / (619_129 / 32 * 1216)), (
        "over its own pass's clocks"
    )
    assert found.get("gpu.resident_waves") == pytest.approx(36_990_598 / 5_288_201)


def test_a_window_that_hardly_exceeds_the_clocks_that_ran_is_kept():
    fits = BUSY | {"GRBM_GUI_ACTIVE": 1.2 * 602_192 / 32 * 8}
    assert derive(counts(fits)).get("gpu.elapsed_cycles") == pytest.approx(1.2 * 602_192 / 32)


@pytest.mark.parametrize(
    ("architecture", "window", "known"),
    [("gfx942", 400_000, False), ("gfx942", 3_100_000, True), ("gfx90a", 150_000, False), ("gfx90a", 210_000, True)],
)
def test_of_a_window_that_may_be_mostly_not_the_launch_nothing_is_said(architecture, window, known):
    """Windows are up to 0.32 M clocks longer on gfx942: at the peak such a launch may have taken a fifth of them."""
    alone = {"GRBM_GUI_ACTIVE": 8.0 * window, "SQ_ACTIVE_INST_VALU": 0.1 * window * 1216}
    found = derive(
        Counts(architecture=architecture, values=alone, launch=Launch(duration_ns=window / 1.9), machine=MI300X)
    )
    assert ("gpu.elapsed_cycles" in found, "gpu.valu_utilization" in found) == (known, known)
    assert known or "below" in found.why_absent("gpu.elapsed_cycles")


def test_few_groups_leave_engines_without_work_so_their_mean_means_nothing():
    few = Launch(items=256 * 8, group_items=256, wave_size=64, duration_ns=15_040)
    gap = next(g for g in derived(counts(BUSY, launch=few)).gaps if g.metric == "gpu.elapsed_cycles")
    assert any(isinstance(cause, Few) for cause in gap.causes)
    assert all(isinstance(cause, Few | Uncounted) for cause in gap.causes)


def test_a_clock_above_the_peak_cannot_be():
    gap = next(g for g in derived(counts({"GRBM_GUI_ACTIVE": 8 * 4e6})).gaps if g.metric == "gpu.elapsed_cycles")
    assert any(isinstance(cause, Impossible) for cause in gap.causes)
    assert "at most 31584 cycle" in str(gap)


def test_parts_of_different_passes_are_said_to_be():
    waits, waves = {"SQ_WAIT_ANY": 22_515_878.0}, {"SQ_WAVE_CYCLES": 25_020_769.0}
    found = derived(counts(waits, waves))
    assert found.evidence.get("gpu.wait_share") == pytest.approx(0.9, abs=0.001)
    assert "gpu.wait_share" in found.apart


def test_a_share_above_one_is_absent_with_the_reason():
    found = derive(counts({"SQ_WAIT_ANY": 55_681_546.0}, {"SQ_WAVE_CYCLES": 36_990_598.0}))
    assert "gpu.wait_share" not in found
    assert "150.5 %" in found.why_absent("gpu.wait_share")


def test_no_share_above_one_can_be_made():
    with pytest.raises(ImpossibleError, match=r"156\.7 %"):
        fact("gpu.wait_share", 1.567, Provenance.DERIVED)
    assert fact("gpu.l2_hit_rate", 1.01, Provenance.DERIVED).value == 1, "two passes differ by a little"
    row = stated("gpu.busy_share", 9.12, Provenance.DERIVED)
    assert isinstance(row, Absent)
    assert "912.0 %" in row.reason
