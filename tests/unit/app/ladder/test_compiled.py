"""Decisions from machine code, limits, and predictions against measurements; compilers run in tests/loop."""

from dataclasses import replace

import pytest

from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.judge import compare, decide, violations
from hotloop.errors import UnknownNameError, UsageError
from hotloop.model.ladder import Claims, Gate, Limits, Numerics, Rung
from hotloop.report.ladder.view import Built, Conflict, Decision, Estimate

BUILT = Built(
    compiler="triton 3.9.0",
    vgprs=102,
    agprs=0,
    total_vgprs=102,
    sgprs=30,
    spills=0,
    lds_bytes=16384,
    waves=4,
    max_waves=8,
    wave=64,
    groups=4,
    resident_waves=4.0,
    unit="CU",
    limits=(("vgprs", 4), ("lds", 4)),
    work="MFMA",
    works=32,
    instructions=120,
    hiding=(),
    waits=(),
    cycles=3632,
    stall_cycles=2792,
    arithmetic_cycles=512,
    estimate=Estimate(28.4, 28.4),
    conflicts=(),
    hazards=(),
    code="a",
)
HIDDEN = replace(BUILT, cycles=960, stall_cycles=128, estimate=Estimate(16, 26))
TIGHT = replace(HIDDEN, lds_bytes=32768, waves=2, groups=2, resident_waves=2.0, limits=(("vgprs", 3), ("lds", 2)))


# --- decisions -------------------------------------------------------------------------------------------------------


def test_first_rung_below_the_matrix_rate_has_something_to_hide():
    decision, reason = decide(BUILT, None)
    assert decision is Decision.START
    assert "56%" in reason


def test_compute_bound_kernels_skip_both_stages():
    decision, reason = decide(replace(BUILT, estimate=Estimate(16, 18)), None)
    assert decision is Decision.SKIP
    assert "skip both stages" in reason


def test_hiding_more_is_worth_half_the_waves_when_even_the_bound_falls():
    decision, reason = decide(TIGHT, BUILT)
    assert decision is Decision.PROCEED
    assert "2 waves of 64 per SIMD instead of 4" in reason


def test_occupancy_loss_that_costs_more_than_it_hides_is_reverted():
    worse = replace(TIGHT, groups=1, resident_waves=1.0, stall_cycles=0, estimate=Estimate(25.2, 25.2))
    decision, reason = decide(worse, TIGHT)
    assert decision is Decision.REVERT
    assert "occupancy loss" in reason


def test_overlapping_bounds_leave_it_to_a_measurement():
    fewer = replace(TIGHT, resident_waves=1.5, stall_cycles=32)
    assert decide(fewer, TIGHT)[0] is Decision.MEASURE


def test_hiding_more_by_many_more_instructions_is_reverted():
    """As accumulation registers do that vector instructions cannot reach: moves to and fro."""
    moved = replace(HIDDEN, instructions=752, cycles=3000, stall_cycles=64, estimate=Estimate(38, 57))
    decision, reason = decide(moved, HIDDEN)
    assert decision is Decision.REVERT
    assert "23.5 instructions for each, before 3.75" in reason


def test_registers_do_not_count_where_local_memory_allows_fewer_waves_anyway():
    second = replace(TIGHT, total_vgprs=194, limits=(("vgprs", 2), ("lds", 2)), stall_cycles=16)
    decision, reason = decide(second, TIGHT)
    assert decision is Decision.PROCEED
    assert "registers allow 2 instead of 3 waves, but LDS leaves 2" in reason


def test_a_drained_pipeline_is_reverted():
    assert decide(replace(HIDDEN, stall_cycles=1000), HIDDEN)[0] is Decision.REVERT


@pytest.mark.parametrize(
    ("built", "numerics", "decision"),
    [
        (None, None, Decision.REFUSE),
        (BUILT, Numerics(3, 7.0), Decision.REFUSE),
        (replace(BUILT, hazards=("v1 is read before its load",)), None, Decision.REFUSE),
        (replace(BUILT, spills=3), None, Decision.REVERT),
    ],
)
def test_what_is_wrong_or_spills_does_not_stay(built, numerics, decision):
    assert decide(built, BUILT, numerics=numerics, failure="it fails")[0] is decision


def test_equal_code_is_only_worth_a_measurement_when_the_launch_differs():
    assert decide(BUILT, BUILT, same_code="base")[0] is Decision.REVERT
    assert decide(BUILT, BUILT, same_code="base", launch=True)[0] is Decision.MEASURE


def test_vector_kernels_are_judged_by_conflicts():
    vector = replace(BUILT, work="FMA", conflicts=(Conflict("write A", 16, 1),))
    decision, reason = decide(replace(vector, conflicts=(Conflict("write A", 2, 1),)), vector)
    assert decision is Decision.PROCEED
    assert "from 15 to 1" in reason
    assert decide(vector, replace(vector, conflicts=()))[0] is Decision.MEASURE


def test_rungs_with_different_matrix_instructions_compare_by_multiply_adds():
    small = replace(BUILT, macs=32 * 4096, stall_cycles=1600, estimate=Estimate(20, 20))
    large = replace(BUILT, macs=32 * 8192, stall_cycles=2400, estimate=Estimate(30, 30))
    decision, reason = decide(large, small)
    assert decision is Decision.PROCEED  # 75 cycles per 8192 multiply-adds, before 100
    assert "MFMA of 8192 multiply-adds fall from 100 to 75" in reason
    assert decide(replace(large, stall_cycles=4000), small)[0] is Decision.REVERT


def test_matrix_and_vector_rungs_are_for_a_measurement():
    decision, reason = decide(BUILT, replace(BUILT, work="FMA"))
    assert decision is Decision.MEASURE
    assert "MFMA instead of FMA" in reason


def test_conflicts_that_go_away_outweigh_a_little_exposure():
    before = replace(BUILT, conflicts=(Conflict("read K", 32, 4),))
    after = replace(BUILT, stall_cycles=2850, conflicts=(Conflict("read K", 4, 4),))
    decision, reason = decide(after, before)
    assert decision is Decision.MEASURE
    assert "from 28 to 0" in reason
    assert decide(replace(after, conflicts=before.conflicts), before)[0] is Decision.REVERT


def test_a_failed_check_of_the_family_refuses():
    gate = Gate("weights", passed=False, words="45 of 75 are lost")
    assert decide(replace(BUILT, gates=(gate,)), None) == (Decision.REFUSE, "weights: 45 of 75 are lost")
    assert decide(replace(BUILT, gates=(replace(gate, passed=True),)), None)[0] is Decision.START


# --- reported figures --------------------------------------------------------------------------------------------------


def test_reported_figures_stand_beside_the_compiler_at_hand():
    told = Claims(vgprs=102, waves=5, target="gfx950", source="somebody")
    rung = Rung(name="a", change="b", claims=told)
    found = compare(rung, "gfx950", BUILT)
    assert [(c.what, c.reported, c.here, c.confirmed) for c in found] == [
        ("registers", 102, 102, True), ("waves per SIMD", 5, 4, False),
    ]  # fmt: skip
    assert compare(rung, "gfx942", BUILT) == ()
    assert compare(rung, "gfx950", None)[0].here is None
    assert compare(Rung(name="a", change="b"), "gfx950", BUILT) == ()


def test_families_have_short_names():
    assert ladder_data.ladder_for("conv3d", "gfx950") == ladder_data.ladder_for("conv3d_depthwise", "gfx950")


# --- limits ----------------------------------------------------------------------------------------------------------


def test_limits_that_hold_say_nothing():
    assert violations(BUILT, Limits(max_vgpr=102, max_spills=0, max_lds_bytes=16384, min_waves=4)) == ()


def test_each_broken_limit_is_named():
    broken = violations(BUILT, Limits(max_vgpr=96, max_spills=0, max_lds_bytes=0, min_waves=5, max_exposed_cycles=4))
    assert len(broken) == 4
    assert broken[0] == "102 vector registers, the limit is at most 96"


def test_scratch_memory_is_limited():
    assert violations(replace(BUILT, scratch_bytes=0), Limits(max_scratch_bytes=0)) == ()
    (broken,) = violations(replace(BUILT, scratch_bytes=48), Limits(max_scratch_bytes=0))
    assert broken == "48 bytes of scratch memory per work-item, the limit is at most 0"


def test_what_is_not_known_breaks_its_limit():
    assert violations(replace(BUILT, cycles=None), Limits(max_exposed_cycles=4)) != ()
    assert violations(None, Limits()) != ()


# --- data ------------------------------------------------------------------------------------------------------------


def test_families_without_ladders_are_told():
    with pytest.raises(UnknownNameError, match=r"unknown family with a ladder .* did you mean gemm\?"):
        ladder_data.collection("gemmm")


def test_targets_without_ladder_are_told():
    with pytest.raises(UsageError, match="gfx942"):
        ladder_data.ladder_for("gemm", "gfx906")


def test_targets_of_measured_ladders_are_named_too():
    with pytest.raises(
        UnknownNameError,
        match=r"target for reduction's ladders 'sm_80'; known: gfx942, gfx950, sm_90; did you mean sm_90\?",
    ):
        ladder_data.ladder_for("reduction", "sm_80")
    assert {"gfx942", "sm_90"} <= set(ladder_data.targets("gemm"))
    assert "cpu" not in ladder_data.targets("gemm")


def test_unknown_rungs_are_told():
    with pytest.raises(UnknownNameError, match="stage1"):
        ladder_data.ladder_for("gemm", "gfx942").rung("stage9")
