"""Explanations of recorded profiles, read where they lie; the expected figures were taken from the files by hand.

Skipped where the recordings are absent: the folder is named by HOTLOOP_SHARED, or is `shared` beside the repository.
"""

import os
from functools import cache
from pathlib import Path

import pytest

from hotloop.app.explain import Request, explain
from hotloop.errors import UsageError
from hotloop.report.explanation import html, markdown

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
    """A laptop, one CSV: no architecture in it, and its time stamps were ruined by a spreadsheet."""
    found = page(f"{COMPUTE}/MI300X_A1/pmc_perf.csv")
    assert found.subject.kernel.startswith("vecCopy(double*, double*, double*, int, int)")
    assert "taken to be an MI300X (gfx942)" in found.subject.device
    assert "TCC_BUBBLE" in found.subject.device
    facts = {fact.name: fact.value for fact in found.facts}
    assert facts["gpu.waves"] == "16384 wave"
    assert facts["gpu.vmem_per_wave"] == "2.00 inst/wave"
    assert "gpu.busy_share" in facts, "the data sheet's 304 units stand in for the file that tells them"
    assert any(row.reason.startswith("no file tells how long a launch took") for row in found.missing)
    assert found.collect == ("pmc: SQ_WAVES SQ_WAIT_INST_LDS",)


def test_mi200_stands_under_its_measured_ceilings():
    found = page(f"{COMPUTE}/MI200")
    assert found.subject.device == "MI200 (gfx90a)"
    assert roofs(found)["device memory"] == pytest.approx(0.62, abs=0.01)
    assert all("measured ceilings" in roof.source for roof in found.roofline)
    assert "device memory is the nearest roof" in found.verdict


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
    assert shift.verdict == "no bottleneck was found before or after."
    assert {row.name: row.after for row in shift.signals}["gpu.duration_ns"] == "dispatch.duration_ns is not known"


def test_a_trace_says_what_stalls_and_where():
    found = page("rocprof-compute-viewer-pcsampling")
    assert found.subject.kernel.startswith("void reference_gemm<4>")
    stalls = next(table for table in found.tables if table.title == "What stalls")
    assert stalls.rows
    assert "in the trace" in found.verdict
    assert {row.what for row in found.missing} >= {"counters", "machine code"}


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
