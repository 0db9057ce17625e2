"""Metrics as data: every formula fits its unit, uses what exists, and is honest about what is missing."""

from __future__ import annotations

import pytest

from hotloop.metrics.catalogue import COUNTERS, METRICS, agree, derive, metrics, units
from hotloop.metrics.counters import Counts, Launch, Machine, canonical
from hotloop.metrics.dimension import parse
from hotloop.metrics.formula import FormulaError
from hotloop.metrics.metric import Metric
from hotloop.metrics.vocabulary import BY_NAME, TERMS
from hotloop.model.evidence import Provenance

IDS = [f"{i}-{metric.name}" for i, metric in enumerate(METRICS)]
ARCHITECTURES = ("gfx90a", "gfx942", "gfx950", "sm_80", "sm_90", "sm_100")
CDNA3 = Machine(
    compute_units=2, simds=4, dies=2, shader_engines=2, wave_slots=8, lds_bytes_per_cycle=128, hbm_bytes_per_s=1e9
)


def amd(architecture="gfx942", machine=CDNA3, launch=None, **values):
    return derive(Counts(architecture=architecture, values=values, machine=machine, launch=launch or Launch()))


@pytest.mark.parametrize("metric", METRICS, ids=IDS)
def test_every_formula_yields_the_unit_of_its_name(metric):
    agree(metric)
    assert metric.source
    assert metric.meaning
    assert metric.inputs


def test_a_wrong_unit_is_found():
    with pytest.raises(FormulaError, match=r"gpu\.duration_ns"):
        agree(Metric(name="gpu.duration_ns", formula="SQ_WAVES", architectures=("gfx",), source="nowhere"))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_formulas_use_metrics_that_stand_before_them(architecture):
    seen: list[str] = []
    for metric in metrics(architecture):
        assert {name for name in metric.inputs if name in BY_NAME} <= set(seen), metric.name
        if metric.name in seen:
            assert seen[-1] == metric.name, f"alternatives of {metric.name} do not stand together"
        seen.append(metric.name)


def test_every_term_has_a_formula_and_counters_are_told_once():
    assert {term.name for term in TERMS if term.name.startswith("gpu.")} == {metric.name for metric in METRICS}
    assert len({counter.name for counter in COUNTERS}) == len(COUNTERS)
    assert all(counter.meaning and parse(counter.unit) for counter in COUNTERS)


def test_every_counter_is_used():
    used = {name for metric in METRICS for name in metric.inputs}
    spare = {counter.name for counter in COUNTERS} - used
    assert {name for name in spare if not name.startswith("SQ")} <= {
        "TCP_PENDING_STALL_CYCLES_sum", "TCP_TOTAL_ACCESSES_sum", "TCC_REQ_sum", "SQC_ICACHE_HITS",
        "smsp__cycles_elapsed.max", "smsp__sass_inst_executed_op_shared_ld.sum",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.per_second",
    } | {name for name in spare if "hadd" in name or "hmul" in name}  # fmt: skip
    assert set(units()) >= used


def test_quad_cycles_need_no_factor():
    found = amd(SQ_WAVE_CYCLES=8e6, SQ_CYCLES=8e6)
    assert found.get("gpu.elapsed_cycles") == 4e6
    assert found.get("gpu.occupancy_waves") == pytest.approx(4 * 2 / 8)


def test_provenance_and_source():
    found = derive(
        Counts(
            architecture="sm_90", values={"gpu__time_duration.sum": 5.0, "sm__cycles_elapsed.max": 9.0}, source="x.csv"
        )
    )
    duration, clock = found.fact("gpu.duration_ns"), found.fact("gpu.clock_hz")
    assert (duration.provenance, duration.source) == (Provenance.MEASURED, "gpu__time_duration.sum, x.csv")
    assert clock.provenance is Provenance.DERIVED
    assert clock.value == pytest.approx(9 / 5e-9)


def test_missing_and_zero_inputs_are_absent_with_the_name():
    found = amd(SQ_INSTS_VALU=10.0, SQ_WAVES=0.0)
    assert "gpu.valu_per_wave" not in found
    assert found.why_absent("gpu.valu_per_wave") == "division by zero: SQ_WAVES"
    assert found.why_absent("gpu.salu_per_wave") == "SQ_INSTS_SALU was not counted"
    assert "machine.shader_engines" in amd(machine=Machine(), SQ_CYCLES=1.0).why_absent("gpu.elapsed_cycles")


def test_counters_of_one_engine_give_no_rates_but_ratios():
    launch = Launch(items=64 * 320, group_items=64, wave_size=64)
    found = amd(
        launch=launch, SQ_WAVES=10.0, SQ_CYCLES=100.0, SQ_WAVE_CYCLES=50.0, SQ_INSTS_VALU=70.0, SQ_WAIT_ANY=25.0
    )
    assert found.get("gpu.counted_waves_share") == pytest.approx(1 / 32)
    assert found.get("gpu.valu_per_wave") == 7
    assert found.get("gpu.wait_share") == 0.5
    assert "3.1%" in found.why_absent("gpu.elapsed_cycles")


def test_nothing_is_known_of_an_unknown_architecture():
    found = derive(Counts(architecture="x86-64", values={"SQ_WAVES": 1.0}))
    assert (found.facts, found.absent) == ((), ())


def test_of_a_launch_the_same_is_known_on_every_amd_gpu():
    launch = Launch(items=1024, group_items=256, wave_size=32, duration_ns=5.0)
    found = derive(Counts(architecture="gfx1250", values={"SQ_WAVE_CYCLES": 1.0}, launch=launch))
    assert {fact.name for fact in found.facts} == {"gpu.duration_ns", "gpu.waves", "gpu.groups"}, "no counter is read"


def test_channels_are_summed_and_a_given_sum_wins():
    assert canonical({"TCC_HIT[0]": 1.0, "TCC_HIT[31]": 2.0, "TCC_MISS[0]": 5.0, "TCC_MISS_sum": 7.0}) == {
        "TCC_HIT[0]": 1.0, "TCC_HIT[31]": 2.0, "TCC_HIT_sum": 3.0, "TCC_MISS[0]": 5.0, "TCC_MISS_sum": 7.0,
    }  # fmt: skip


def test_an_accumulator_without_one_level_stays_nameless():
    both = {"SQ_LEVEL_WAVES": 0.0, "SQ_INST_LEVEL_VMEM": 1.0, "SQ_ACCUM_PREV_HIRES": 9.0}
    assert set(canonical(both)) == set(both)


def test_waves_of_a_launch_count_partial_waves_and_groups():
    assert Launch(items=1000, group_items=96, wave_size=64).waves == 11 * 2
    assert Launch(items=1000, group_items=96).waves is None
    assert Launch(items=1000, group_items=96).groups == 11
    assert Launch(group_items=96).groups is None


def test_memory_requests_of_a_generation():
    old = amd("gfx90a", TCC_EA_RDREQ_sum=10.0, TCC_EA_RDREQ_32B_sum=4.0, TCC_EA_WRREQ_sum=5.0, TCC_EA_WRREQ_64B_sum=3.0)
    assert old.get("gpu.hbm_read_bytes") == 6 * 64 + 4 * 32
    assert old.get("gpu.hbm_write_bytes") == 3 * 64 + 2 * 32
    new = amd("gfx942", TCC_EA0_RDREQ_sum=10.0, TCC_EA0_RDREQ_32B_sum=1.0, TCC_BUBBLE_sum=6.0)
    assert new.get("gpu.hbm_read_bytes") == 6 * 128 + 3 * 64 + 32


def test_matrix_operations_are_counted_in_512():
    found = amd(SQ_INSTS_VALU_MFMA_MOPS_F16=16.0)
    assert found.get("gpu.matrix_flops") == 16 * 512 == 2 * 16 * 16 * 16
