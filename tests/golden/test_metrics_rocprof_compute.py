"""Metrics of recorded ROCm Compute Profiler workloads against counting by hand.

``vcopy``: 1,048,576 work-items in groups of 256 copy one double each. The recordings lie beside the repository
(``shared/samples``, or where HOTLOOP_SHARED says); without them the tests skip.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from hotloop.diagnose.engine import diagnose
from hotloop.metrics.catalogue import derive
from hotloop.metrics.hierarchy import Load, position, recorded
from hotloop.profilers.reading import read
from hotloop.profiles.counts import of_dispatch, told

SHARED = Path(os.environ.get("HOTLOOP_SHARED", Path(__file__).parents[3] / "shared"))
FOLDER = SHARED / "samples" / "rocprofiler-compute" / "vcopy"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the recordings are not at {FOLDER}")

ITEMS = 1_048_576
ONE_WAY = 8 * ITEMS


@cache
def workload(chip):
    profile = read(FOLDER / chip)
    return profile, [derive(of_dispatch(profile, dispatch)) for dispatch in profile.dispatches]


@pytest.mark.parametrize(("chip", "units", "dies", "engines"), [("MI200", 104, 1, 8), ("MI300X_A1", 304, 8, 32)])
def test_the_machine_is_in_the_folder(chip, units, dies, engines):
    machine = told(workload(chip)[0])
    assert (machine.compute_units, machine.dies, machine.shader_engines, machine.simds) == (units, dies, engines, 4)
    assert machine.wave_slots == 8
    assert machine.lds_bytes_per_cycle == 128


@pytest.mark.parametrize("chip", ["MI200", "MI300X_A1"])
def test_what_a_copy_does(chip):
    for facts in workload(chip)[1]:
        assert facts.get("gpu.counted_waves_share") == 1
        assert facts.get("gpu.waves") == ITEMS / 64
        assert facts.get("gpu.vmem_per_wave") == 2
        assert facts.get("gpu.lds_per_wave") == 0
        assert facts.get("gpu.lanes") == 64
        assert facts.get("gpu.l2_bytes") == 2 * ONE_WAY
        assert facts.get("gpu.hbm_read_bytes") == pytest.approx(ONE_WAY, rel=0.003)
        assert facts.get("gpu.flops") == 0
        assert "gpu.lds_conflicts_per_access" not in facts
        assert "division by zero" in facts.why_absent("gpu.lds_conflicts_per_access")
        assert facts.get("gpu.lds_wait_ratio") == 0, "not counted, but without local memory instructions nobody waits"
        late = facts.get("gpu.fetch_wait_share")
        assert 0 <= late < 0.02, "code of a few lines: only the first waves' fetches come late"
        assert facts.get("gpu.global_wait_share") == pytest.approx(facts.get("gpu.wait_share") - late), "as above"
        assert facts.why_absent("gpu.lds_wait_share") == "SQ_WAIT_INST_LDS was not counted"


def test_mi200_by_hand():
    facts = workload("MI200")[1][0]
    assert facts.get("gpu.elapsed_cycles") == pytest.approx(131_018 / 8, rel=1e-4), (
        "nothing tells how much of the window of 29,466 clocks is the launch"
    )
    assert "gpu.clock_hz" not in facts, "0.8 to 1.44 GHz in 20.48 µs"
    assert facts.get("gpu.wave_cycle_identity") == 1, "one pass: exact"
    assert facts.get("gpu.wait_share") == pytest.approx(9_564_806 / 10_620_646)
    assert facts.get("gpu.valu_per_wave") == 163_840 / 16_384
    assert facts.get("gpu.l2_hit_rate") == pytest.approx(72_935 / (72_935 + 131_081))
    assert facts.get("gpu.valu_utilization") == pytest.approx(4 * 163_840 / (16_377.25 * 104 * 4))
    assert facts.get("gpu.busy_share") == pytest.approx(4 * 1_594_430 / (16_377.25 * 416))
    assert facts.get("gpu.duration_ns") == 20_480
    assert facts.get("gpu.hbm_bytes_per_s") == pytest.approx((131_086 + 131_072) * 64 / 20_480e-9)
    assert facts.get("gpu.hbm_utilization") == pytest.approx((131_086 + 131_072) * 64 / 20_480e-9 / 1638.4e9)
    assert facts.get("gpu.l2_latency_cycles") == pytest.approx(84_637_584 / 131_072)


def test_mi300x_by_hand():
    facts = workload("MI300X_A1")[1][0]
    assert facts.get("gpu.elapsed_cycles") == pytest.approx(622_203 / 32), (
        "the window of 2,572,147 / 8 clocks is 17 times as long"
    )
    assert facts.get("gpu.wait_share") == pytest.approx(28_336_787 / (28_336_787 + 6_427_087 + 278_528)), "of one pass"
    assert facts.get("gpu.resident_waves") == pytest.approx(7.00, abs=0.01)
    assert facts.get("gpu.vmem_latency_cycles") == pytest.approx(40_323_912 / 32_768)
    assert facts.get("gpu.hbm_read_bytes") == 65_536 * 128 + (65_775 - 65_536) * 64
    assert "gpu.duration_ns" not in facts, "a spreadsheet rounded the time stamps"
    assert "gpu.hbm_bytes_per_s" not in facts


def test_a_short_copy_waits_for_memory():
    rules = [finding.rule for finding in diagnose(workload("MI200")[1][1]).findings]
    assert "exposed-global-latency" in rules, "no local memory instruction, so nothing has to be split off the waits"
    assert not {"bank-conflicts", "valu-bound", "scattered-lines", "partial-counters"} & set(rules)


def test_the_copy_under_the_measured_roofs_of_its_machine():
    header, row = ((FOLDER / "MI200" / "roofline.csv").read_text().splitlines())[:2]
    memory, arithmetic = recorded(
        {n: float(v) for n, v in zip(header.split(","), row.split(","), strict=True)}, "roofline.csv"
    )
    assert {roof.name for roof in memory} == {"lds", "l1", "l2", "hbm"}
    facts = workload("MI200")[1][0]
    load = Load({}, {"hbm": facts.get("gpu.hbm_bytes"), "l2": facts.get("gpu.l2_bytes")}, facts.get("gpu.duration_ns"))
    found = position(load, memory, arithmetic)
    assert found.binding == "hbm"
    assert found.fraction == pytest.approx(819.24 / 1388.93, rel=1e-3)
