"""Recorded AMD profiles against verdicts that were written down beforehand, from the counters by hand.

The figures below were computed from the files by a script that shares nothing with the package: bytes are requests times their
size, clocks are compared with the launch's time stamps in the pass they were counted in, shares of waves' time are of one pass.
Skipped where the recordings are absent: the folder is named by HOTLOOP_SHARED, or is `shared` beside the repository.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.profilers.reading import read
from hotloop.profiles.launches import chosen
from hotloop.report.explanation import json as as_json

SAMPLES = Path(os.environ.get("HOTLOOP_SHARED") or Path(__file__).resolve().parents[3] / "shared") / "samples"
HELD = SAMPLES / "held-in"
pytestmark = pytest.mark.skipif(not HELD.is_dir(), reason="the recorded profiles are not on this machine")

COMPUTE = "held-in/rocprofiler-compute"
LATENCY = "exposed-global-latency"
UNDECIDED = ""
"""No finding: what was counted does not say what limits the kernel, and the answer names what would."""


@dataclass(frozen=True)
class Hand:
    """What the files say, by hand."""

    folder: str
    device: str
    rule: str
    """Verdict; see UNDECIDED."""
    reason: str
    clock_ghz: tuple[float, float]
    """Highest clock that a pass's counting window implies, and the device's peak."""
    duration_us: float
    mib: float | None = None
    """Through device memory."""
    wait: float | None = None
    resident: float | None = None
    """Waves of a SIMD while it holds any."""
    occupancy: float | None = None


HANDS = (
    Hand(f"{COMPUTE}/device_filter/MI300A_A1", "MI300A_A1 (gfx942)", LATENCY,
         "16 MiB in 6.8 µs are 47 % of 5.3 TB/s, waves wait 90 %: one load and one store a work-item, nothing to overlap",
         (17.2, 2.1), 6.756, 16.0, 0.899, 6.1, 5.76),
    Hand(f"{COMPUTE}/ipblocks_SQ/MI300X_A1", "MI300X_A1 (gfx942)", LATENCY,
         "no bytes counted; waves wait 78 %, vector pipe 2 %; first launch of 42.3 µs against 13.8 set apart", (4.23, 2.1), 13.82,
         None, 0.777, 6.9, 6.45),
    Hand(f"{COMPUTE}/ipblocks_TCC/MI100", "MI100 (gfx908)", UNDECIDED,
         "730 GB/s of 1,229 (59 %), no counter of waiting: neither memory nor latency can be blamed", (2.35, 1.502), 20.43, 14.2),
    Hand(f"{COMPUTE}/ipblocks_TD/MI300A_A1", "MI300A_A1 (gfx942)", UNDECIDED,
         "counters of the texture path only; units hold waves in 91 % of the running clocks, start and end of 6.7 µs are the rest",
         (7.27, 2.1), 6.676, resident=6.35, occupancy=5.8),
    Hand(f"{COMPUTE}/kernel/MI100", "MI100 (gfx908)", LATENCY,
         "713 GB/s of 1,229 (58 %), waves wait 92 % with 7.4 of 8 to 10 slots full and a vector pipe at 5 %", (2.46, 1.502), 20.91,
         14.2, 0.916, 7.4, 7.19),
    Hand(f"{COMPUTE}/kernel/MI300A_A1", "MI300A_A1 (gfx942)", LATENCY, "as device_filter: 48 % of the bandwidth, waves wait 90 %",
         (18.7, 2.1), 6.570, 16.0, 0.898, 6.1, 5.7),
    Hand(f"{COMPUTE}/kernel/MI300X_A1", "MI300X_A1 (gfx942)", LATENCY,
         "1.08 TB/s of 5.3 (20 %), waves wait 79 %; third launch of 45 µs for the same instructions set apart", (22.4, 2.1), 15.58,
         16.0, 0.788, 6.95, 6.49),
    Hand(f"{COMPUTE}/no_roof/MI300X_A1", "MI300X_A1 (gfx942)", LATENCY,
         "1.1 TB/s of 5.3 (20 %); 0.336 waves per SIMD over another pass's window, 2.2 over its own, 6.3 over the running clocks",
         (23.5, 2.1), 15.28, 16.0, 0.787, 7.3, 6.35),
    Hand(f"{COMPUTE}/no_roof/MI350", "MI350 (gfx950)", LATENCY,
         "decimal time stamps: 18.5 µs; 8.01 MiB read in requests of 128 B, 8 written; waves wait 89 %", (0.49, 2.2), 18.52, 16.0,
         0.889),
    Hand(f"{COMPUTE}/sort_kernels/MI200", "MI200 (gfx90a)", UNDECIDED,
         "862 GB/s are 62 % of the measured 1,389; requests to memory are all that was counted", (0.0, 1.7), 17.55, 14.36),
    Hand("held-in/hpc/laplacian-kernel2", "AMD Instinct MI250X/MI250 (gfx90a)", "l2-thrash",
         "1.73 GiB read and 0.99 written where a stencil on 512³ doubles needs 1 and 0.99; 70 % of the bandwidth", (0.0, 1.7), 2561.7,
         2794.0),
    Hand("held-in/hpc/laplacian-kernel3", "AMD Instinct MI250X/MI250 (gfx90a)", UNDECIDED,
         "2.00 GiB moved are what is needed, at 68 % of the peak, 80 % of what copies reach: where the rest goes is not counted",
         (0.0, 1.7), 1931.0, 2050.0),
    Hand("held-in/hpc/openmp-MI300A", "MI300A_A1 (gfx942)", "first-launch",
         "430.6 ms of first touch before 0.63 ms for the same instructions; the later launch writes 1.03 GiB at 33 % of the peak",
         (2.13, 2.1), 629.1, 1057.8, 0.816, 3.8, 3.74),
    Hand("rocprofiler-compute/vcopy/MI200", "MI200 (gfx90a)", LATENCY, "867 GB/s of 1,638 (53 %), waves wait 93 %", (2.68, 1.7), 17.44,
         14.4, 0.932, 6.85, 6.7),
    Hand("rocprofiler-compute/vcopy/MI300X_A1", "MI300X_A1 (gfx942)", LATENCY,
         "time stamps rounded by a spreadsheet: 17,182 running clocks take at least 8.2 µs; waves wait 80 %", (0.0, 2.1), 8.18, 16.0,
         0.796, 6.95, 6.58),
)  # fmt: skip


@cache
def page(folder):
    return explain(Request(inputs=(str(SAMPLES / folder),)))


def value(found, name):
    """Return a fact as the page prints it, without its unit."""
    text = next(fact.value for fact in found.facts if fact.name == name)
    return float(text.split()[0])


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.folder)
def test_device_and_verdict_are_those_written_down(hand):
    found = page(hand.folder)
    assert found.subject.device.startswith(hand.device), hand.reason
    rules = [finding.rule for finding in found.findings]
    assert rules[:1] == ([hand.rule] if hand.rule else []), hand.reason
    if not hand.rule:
        assert "would decide" in found.verdict
        assert "hotloop profile --target" in found.verdict, "the command that brings the evidence"


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.folder)
def test_figures_are_those_counted_by_hand(hand):
    found = page(hand.folder)
    facts = {fact.name: fact for fact in found.facts}
    text = facts["gpu.duration_ns"].value
    scale = {"µs": 1.0, "ms": 1e3}[text.split()[1]]
    assert float(text.split()[0]) * scale == pytest.approx(hand.duration_us, rel=0.01)
    for name, expected in (
        ("gpu.wait_share", hand.wait),
        ("gpu.resident_waves", hand.resident),
        ("gpu.occupancy_waves", hand.occupancy),
    ):
        if expected is not None:
            assert value(found, name) == pytest.approx(expected, rel=0.02), name
    if hand.mib is not None:
        moved = facts["gpu.hbm_bytes"].value.split()
        assert float(moved[0]) * {"MiB": 1, "GiB": 1024}[moved[1]] == pytest.approx(hand.mib, rel=0.01)


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.folder)
def test_nothing_impossible_is_printed(hand):
    """The windows imply up to 23.5 GHz; no clock above the peak, no share above 100 %, no share of a roof above 1."""
    found = page(hand.folder)
    clocks = [fact.value for fact in found.facts if fact.name == "gpu.clock_hz"]
    for text in clocks:
        amount, unit = text.split()
        assert float(amount) * {"GHz": 1.0, "MHz": 1e-3}[unit] <= hand.clock_ghz[1] * 1.001
    everything = json.dumps(as_json.render(found), ensure_ascii=False)
    shares = [float(number) for number in re.findall(r"(\d+(?:\.\d+)?) %", everything)]
    assert all(share <= 100 for share in shares)
    assert all(0 <= roof.fraction <= 1 for roof in found.roofline)


def test_one_launch_of_430_ms_is_not_averaged_with_one_of_0_6():
    found = page("held-in/hpc/openmp-MI300A")
    assert "the first launch took 431 ms, 685 times as long as the others: it is set apart as cold" in found.notes
    assert value(found, "gpu.vmem_latency_cycles") == pytest.approx(1135, rel=0.01), "142,898 in the first launch"
    profile = read(HELD / "hpc/openmp-MI300A")
    for kernel in profile.kernels[1:]:
        assert chosen(profile, kernel).cold_ns is None, "1.48 and 1.54 ms are the same"


def test_the_first_launch_is_told_by_clocks_where_no_file_has_times(tmp_path):
    """Without time stamps another limit was named, at medium confidence."""
    for path in (HELD / "hpc/openmp-MI300A").glob("*.csv"):
        rows = list(csv.reader(io.StringIO(path.read_text())))
        kept = [
            i for i, head in enumerate(rows[0]) if head not in {"Start_Timestamp", "End_Timestamp", "BeginNs", "EndNs"}
        ]
        with (tmp_path / path.name).open("w", newline="") as out:
            csv.writer(out).writerows([row[i] for i in kept] for row in rows)
    found = explain(Request(inputs=(str(tmp_path),)))
    top = found.findings[0]
    assert (top.rule, top.confidence) == ("first-launch", "low"), "431 ms and 629 µs by the clock"
    assert top.share == pytest.approx(0.997, abs=0.002)


def test_a_description_beside_the_input_names_the_device(tmp_path):
    """MI100 counters beside their sysinfo were taken for an MI250X, MI350 files for an MI300X."""
    for folder, file, device in (
        ("kernel/MI100", "pmc_perf.csv", "MI100 (gfx908)"),
        ("no_roof/MI350", "pmc_perf_3.csv", "MI350 (gfx950)"),
        ("no_roof/MI350", "SQ_LEVEL_WAVES.csv", "MI350 (gfx950)"),
    ):
        alone = explain(Request(inputs=(str(HELD / "rocprofiler-compute" / folder / file),)))
        assert alone.subject.device.startswith(device)
        copied = tmp_path / f"{Path(folder).name}-{file}"
        shutil.copy(HELD / "rocprofiler-compute" / folder / file, copied)
        nothing = explain(Request(inputs=(str(copied),)))
        assert "MI" not in nothing.subject.device.replace("AMD", ""), "no file names a chip"
    v1 = explain(Request(inputs=(str(HELD / "hpc/laplacian-kernel2/data_movement.csv"),)))
    assert v1.subject.device == "AMD Instinct MI250X/MI250 (gfx90a)", "results.sysinfo.txt lies beside it"


def test_agents_win_over_guesses():
    inputs = (str(HELD / "gfx950-agent/agent_info.csv"), str(HELD / "rocprofv3-docs/counter_collection.csv"))
    for order in (inputs, inputs[::-1]):
        found = explain(Request(inputs=order))
        assert found.subject.device == "AMD Instinct MI350X (gfx950)"
        assert not found.findings, "26.5, 25.3, 24.4 and 23.8 % of the time: none of four kernels dominates"


def test_bytes_that_a_person_states_are_weighed():
    found = explain(Request(inputs=(str(SAMPLES / "rocprofv1/laplacian_k1"),), chip="MI250X", needed_bytes=2.0 * 2**30))
    top = found.findings[0]
    assert top.rule == "l2-thrash"
    assert "2.88 GiB where 2.00 GiB are compulsory" in top.message
    assert top.share == pytest.approx(0.715 * (1 - 2 / 2.88), rel=0.02)


@dataclass(frozen=True)
class Other:
    """A verdict on files that are no workload folder."""

    inputs: tuple[str, ...]
    rule: str
    reason: str
    chip: str = ""


DOCS = "rocprofiler-sdk-docs"
OTHERS = (
    Other(("ncu-h100/gemm-raw.csv",), "matrix-bound", "tensor cores busy 90 % of the launch"),
    Other((f"{DOCS}/pc_sampling_stochastic_debug.csv",), LATENCY, "62 of 97 samples stand at s_waitcnt vmcnt, 9 at lgkmcnt"),
    Other((f"{DOCS}/pc_sampling_host_trap.csv",), LATENCY, "30 of 79 samples stand at s_waitcnt vmcnt, 36 at the end of the program"),
    Other(("held-in/rocprofv3-docs/pc_sampling_stochastic_debug.csv",), LATENCY, "the same file of the documentation"),
    Other(("rocprof-compute-viewer-pcsampling",), "barrier-stalls", "761 of 4,690 samples at barriers; 30 % ready behind other waves"),
    Other(("stats_ui_output_agent_doc_sample.csv",), UNDECIDED, "four instructions of one kernel's head"),
    Other(("held-in/rocprofv3-docs/counter_collection.csv",), UNDECIDED, "SQ_WAVES alone, four kernels of 23 to 27 % of the time"),
    Other(("held-in/rocprofv3-docs/kernel_trace.csv",), UNDECIDED, "times alone"),
    Other((f"{DOCS}/kernel_names.csv",), UNDECIDED, "SQ_WAVES alone, no times"),
    Other((f"{DOCS}/hip_api_stats.csv",), UNDECIDED, "calls of the host alone"),
    Other(("rocprofv1/laplacian_k1/results.csv",), UNDECIDED, "times alone"),
    Other(("rocprofv1/laplacian_k1",), UNDECIDED, "2.88 GiB in 2.64 ms on a chip that nothing names"),
    Other(("rocprofv1/laplacian_k1",), "l2-thrash", "1.89 GiB read where the output has 0.99: 72 % of an MI250X's bandwidth", "MI250X"),
    *(Other((f"rocprofv2-golden/{name}_golden_traces.txt",), UNDECIDED, "one count of clocks")
      for name in ("hip_vectoradd", "hip_helloworld", "mpi_vectoradd", "openmp_helloworld")),
    Other((f"{DOCS}/counter_collection.csv",), UNDECIDED, "SQ_WAVES alone"),
    Other((f"{DOCS}/kernel_trace.csv",), UNDECIDED, "times alone"),
    Other((f"{DOCS}/pc_sampling_host_trap_debug.csv",), UNDECIDED, "21 samples, 11 of them at s_waitcnt vmcnt: too few for a share"),
    *(Other((f"{DOCS}/{name}.csv",), UNDECIDED, "calls of the host, copies or memory alone")
      for name in ("hip_runtime_trace", "hip_trace", "hsa_api_trace", "hsa_core_api_trace", "marker_api_trace", "memory_copy_trace",
                   "rccl_trace", "hip_domain_stats")),
    Other(("ncu-h100/torch-mix-raw.csv",), "issue-bound", "the product in single precision takes most time: 84 % of its issue slots"),
    Other(("rocprofv1/laplacian_k1/results.stats.csv",), UNDECIDED, "times alone"),
    Other(("rocprofv1/laplacian_k1/data_movement.csv",), UNDECIDED, "traffic without times"),
    Other(("rocprofv1/laplacian_k1/results.db",), UNDECIDED, "times alone"),
)  # fmt: skip


@pytest.mark.parametrize("other", OTHERS, ids=lambda other: f"{other.inputs[0]} {other.chip}".strip())
def test_verdicts_on_other_files_are_those_written_down(other):
    found = explain(Request(inputs=tuple(str(SAMPLES / name) for name in other.inputs), chip=other.chip))
    assert [finding.rule for finding in found.findings][:1] == ([other.rule] if other.rule else []), other.reason
