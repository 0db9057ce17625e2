"""Explanations of recorded profiles, read where they lie; the expected figures were taken from the files by hand.

Skipped where the recordings are absent: the folder is named by HOTLOOP_SHARED, or is `shared` beside the repository.
"""

import os
from functools import cache
from pathlib import Path

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.errors import UsageError
from hotloop.report.pages.html import explanation as html
from hotloop.report.pages.markdown import explanation as markdown

SHARED = Path(os.environ.get("HOTLOOP_SHARED") or Path(__file__).resolve().parents[3] / "shared")
SAMPLES = SHARED / "samples"
pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recorded profiles are not on this machine")

COMPUTE, V1, NCU = "rocprofiler-compute/vcopy", "rocprofv1/laplacian_k1", "ncu-h100"


@cache
def page(*names, **options):
    return explain(Request(inputs=tuple(str(SAMPLES / name) for name in names), **options))


def roofs(found):
    return {roof.name: roof.fraction for roof in found.roofline}


def test_mi300x_counters_alone_name_chip_and_what_is_missing():
    """A laptop, one CSV: the folder's sysinfo.csv names the chip, and its time stamps were ruined by a spreadsheet."""
    found = page(f"{COMPUTE}/MI300X_A1/pmc_perf.csv")
    assert found.subject.kernel.startswith("vecCopy(double*, double*, double*, int, int)")
    assert found.subject.device == "MI300X_A1 (gfx942)"
    assert "beside the input" in found.subject.inputs[-1].what
    facts = {fact.name: fact.value for fact in found.facts}
    assert facts["gpu.waves"] == "16384 wave"
    assert facts["gpu.vmem_per_wave"] == "2.00 inst/wave"
    assert "gpu.busy_share" in facts
    time = next(row for row in found.missing if row.what == "time of a launch")
    assert time.reason.startswith(
        "estimated (SQ_BUSY_CYCLES / 32 shader engines = 17182 clocks at the peak of 2.10 GHz"
    )
    fetches = ("pmc: SQ_WAVES SQ_IFETCH_LEVEL SQ_ACCUM_PREV_HIRES",)
    assert found.collect == fetches, (
        "without local memory instructions nobody waits for local memory; fetches lie in another file"
    )
    assert found.commands[0] == "rocprofv3 --kernel-trace --output-format csv -d results -- ./program"
    assert all("IFETCH_LEVEL" in command for command in found.commands[1:])


def test_mi300x_counters_without_times_still_give_a_ranked_diagnosis():
    """Clocks give a time base: 549,835 busy clocks over 32 engines are 8.2 µs at 2.1 GHz for 16 MiB, 2.05 TB/s at most."""
    found = page(f"{COMPUTE}/MI300X_A1/pmc_perf.csv")
    top = found.findings[0]
    assert (top.rule, top.confidence) == ("exposed-global-latency", "medium")
    assert "estimated, not measured: gpu.hbm_utilization" in top.doubts
    assert "gpu.global_wait_share is an upper bound" in top.doubts
    assert found.verdict.startswith("Exposed global memory latency, 61 % of the time (medium confidence)")
    assert "work-per-item" in {advice.technique for advice in top.advice}
    facts = {fact.name: fact for fact in found.facts}
    assert facts["gpu.duration_ns"].provenance == "estimated"
    assert facts["gpu.duration_ns"].value == "8.18 µs"
    assert roofs(found)["device memory"] == pytest.approx(0.387, abs=0.002)
    assert "no file tells a time" in found.roofline_words
    tables = {table.title: {row.cells[0]: row.cells[1] for row in table.rows} for table in found.tables}
    assert tables["Where waves' time goes"]["wait for a dependency (memory, barrier, instruction fetch)"] == "79.6 %", (
        "of one pass: 25.17 M of 31.61 M"
    )
    assert tables["Instructions of one wave"]["vector"] == "6.00"
    assert tables["How full the machine is"]["gpu.rounds"] == "1.68"
    assert tables["Caches and memory"]["gpu.l2_hit_rate"] == "0.334"


def test_a_counter_excludes_older_chips_and_names_none(tmp_path):
    """The same file with nothing beside it: TCC_BUBBLE is counted on gfx942 and on later chips."""
    copied = tmp_path / "pmc_perf.csv"
    copied.write_bytes((SAMPLES / COMPUTE / "MI300X_A1/pmc_perf.csv").read_bytes())
    found = explain(Request(inputs=(str(copied),)))
    assert found.subject.device.startswith("a gfx942 or later, which has the counter TCC_BUBBLE")
    assert "gpu.elapsed_cycles" not in {fact.name for fact in found.facts}, "no file tells the number of engines"
    assert not any("MI300X" in roof.source for roof in found.roofline)


def test_traffic_alone_says_what_a_launch_needs_at_least():
    """No time, no clocks, no chip: 2.88 GiB are all that is known, with the chip they take 1.89 ms at least."""
    bare = page(f"{V1}/data_movement.csv")
    assert bare.commands[0] == "rocprof --timestamp on -i input.txt -o results.csv ./program"
    assert bare.commands[1].endswith(
        "data_movement.csv --target gfx942   # or your chip: formulas and passes depend on it"
    )
    named = page(f"{V1}/data_movement.csv", chip="MI250X")
    assert "device memory alone needs 1.89 ms for 2.88 GiB at 1.64 TB/s" in named.roofline_words
    assert any(
        line.startswith("hotloop profile --target gfx90a --kernel laplacian_kernel --counters ")
        for line in named.commands
    )


def test_mi200_stands_under_its_measured_ceilings():
    found = page(f"{COMPUTE}/MI200")
    assert found.subject.device.startswith("MI200 (gfx90a)")
    assert roofs(found)["device memory"] == pytest.approx(0.62, abs=0.01)
    assert all("measured ceilings" in roof.source for roof in found.roofline)
    assert "device memory is the nearest roof" in found.roofline_words
    top = found.findings[0]
    assert (top.rule, top.confidence) == ("exposed-global-latency", "medium"), (
        "a copy of 16 MiB in 17 µs, one double each"
    )
    assert found.picture is None, "a copy has no operations, so no place in a roofline"


def test_times_and_counters_of_two_runs_together():
    """1,001 launches take 2.65 s; each fetches 1,979,348 KiB and writes 1,043,148: 1.17 TB/s."""
    found = page(f"{V1}/results.csv", f"{V1}/data_movement.csv", chip="MI250X")
    assert found.subject.kernel == "laplacian_kernel"
    assert "of 4 the one with the most time, 100 %" in found.subject.choice
    assert roofs(found)["device memory"] == pytest.approx(1.17 / 1.6384, rel=0.01)


def test_h100_matrix_product_is_at_its_limit():
    found = page(f"{NCU}/gemm-raw.csv")
    assert found.findings[0].rule == "matrix-bound"
    assert found.verdict.startswith("Matrix units are the limit, 90 % of the time")
    assert roofs(found)["bf16 matrix"] == pytest.approx(0.9, abs=0.05)
    assert (found.findings[0].confidence, found.findings[0].doubts) == ("high", ())


def test_h100_matrix_product_has_a_place_at_each_memory_level():
    """137.4 GFLOP over 132 MB of device memory, 948 MB of L2; one height, three intensities."""
    picture = page(f"{NCU}/gemm-raw.csv").picture
    points = {point.level: point for point in picture.points}
    assert list(points) == ["lds", "l2", "hbm"]
    assert points["hbm"].intensity == pytest.approx(1083, rel=0.01)
    assert points["l2"].intensity == pytest.approx(145, rel=0.01)
    assert len({round(point.flops_per_s) for point in picture.points}) == 1
    assert {flat.kind for flat in picture.flats if flat.used} == {"bf16 matrix"}
    assert not any(one.sheet for one in (*picture.slopes, *picture.flats)), "the tool tells its peaks"


def test_h100_mix_explains_the_longest_kernel_and_any_other_by_name():
    longest = page(f"{NCU}/torch-mix-raw.csv")
    assert "conv_depthwise3d" in longest.subject.kernel
    assert "of 13" in longest.subject.choice
    assert [f.rule for f in longest.findings[:2]] == ["issue-bound", "instruction-overhead"]
    scan = page(f"{NCU}/torch-mix-raw.csv", kernel="tensor_kernel_scan_outer_dim")
    assert scan.findings[0].rule == "idle-units"
    assert [f.rule for f in scan.findings][-1] == "foreign-kernel", (
        "whoever names a kernel wants to hear about that one"
    )
    assert "parallel-scan" in {a.technique for a in scan.findings[0].advice}


def test_the_same_kernel_before_and_after_on_two_machines():
    request = Request(inputs=(str(SAMPLES / COMPUTE / "MI200"),), against=(str(SAMPLES / COMPUTE / "MI300X_A1"),))
    shift = explain(request).shift
    assert shift.verdict.startswith("the bottleneck stays exposed-global-latency: 47 % → 61 % of the time")
    assert {row.name: row.after for row in shift.signals}["gpu.duration_ns"] == "8.18 µs"


def test_inputs_of_two_machines_are_not_mixed():
    """The ceilings of an MI200 must not stand over a kernel of an H100, whatever the order."""
    for names in ((f"{COMPUTE}/MI200", f"{NCU}/gemm-raw.csv"), (f"{NCU}/gemm-raw.csv", f"{COMPUTE}/MI200")):
        found = page(*names)
        assert found.subject.target == "sm_90"
        assert roofs(found)["bf16 matrix"] == pytest.approx(0.9, abs=0.05)
        assert all("Nsight Compute" in roof.source for roof in found.roofline)
        assert any("several processors" in note for note in found.notes)


def test_a_folder_of_files_is_all_of_them():
    found = page(V1, chip="MI250X")
    assert found.subject.kernel == "laplacian_kernel"
    assert {"results.csv", "data_movement.csv"} <= {Path(i.name).name for i in found.subject.inputs}
    assert roofs(found)["device memory"] == pytest.approx(1.17 / 1.6384, rel=0.01), (
        "times of one file, bytes of the other"
    )


@pytest.mark.parametrize(("name", "words"), [
    (f"{COMPUTE}/MI300X_A1/sysinfo.csv", "sysinfo.csv describes a machine and no kernel; add what was counted on it"),
    (f"{V1}/results.json", "results.json holds no launch of a kernel"),
])  # fmt: skip
def test_files_without_a_kernel_say_what_they_are(name, words):
    with pytest.raises(UsageError, match=words):
        explain(Request(inputs=(str(SAMPLES / name),)))


def test_a_trace_says_what_stalls_and_where():
    found = page("rocprof-compute-viewer-pcsampling")
    assert found.subject.kernel.startswith("void reference_gemm<4>")
    stalls = next(table for table in found.tables if table.title == "What stalls")
    assert stalls.rows
    top = found.findings[0]
    assert top.rule == "barrier-stalls"
    assert top.advice, "a barrier in a trace brings techniques"
    assert any("s_barrier" in line for line in top.lines)
    waited = {fact.name: fact.value for fact in found.facts}["gpu.barrier_wait_share"]
    assert waited == "0.162", "761 of 4,690 samples did not issue for the reason BARRIER_WAIT"
    missing = {row.what for row in found.missing}
    assert "counters" in missing
    assert "machine code" not in missing, "the trace holds its listing"


@pytest.mark.parametrize("name", ["stats_ui_output_agent_doc_sample.csv", "rocprofiler-sdk-docs/pc_sampling_stochastic_debug.csv",
                                  "rocprofiler-sdk-docs/hip_api_stats.csv"])  # fmt: skip
def test_files_that_name_no_kernel_still_say_something(name):
    found = page(name)
    assert found.subject.choice == "the inputs name no kernel"
    assert found.tables


def test_every_recorded_file_is_explained_or_refused_in_one_sentence():
    """No recorded file gives anything but a page or one designed sentence."""
    names = [p for p in sorted(SAMPLES.rglob("*")) if p.is_file() and p.stat().st_size < 1 << 18]
    refused: list[str] = []
    for name in names:
        try:
            found = explain(Request(inputs=(str(name),)))
        except UsageError as error:
            refused.append(str(error))
            continue
        assert found.verdict.endswith(".")
        assert html.render(found)
        assert markdown.render(found)
    assert not [text for text in refused if "\n" in text]
    assert len(names) - len(refused) >= 40
