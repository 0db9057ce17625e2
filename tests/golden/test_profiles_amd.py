"""Recorded output of AMD's profilers, read where it lies; the expected figures were taken from the files by hand.

Skipped where the recordings are absent: the folder is named by HOTLOOP_SHARED, or is `shared` beside the repository.
"""

import csv
import os
from contextlib import suppress
from pathlib import Path

import pytest

from hotloop.profilers.detect import recognised
from hotloop.profilers.formats.compute.counters import channels
from hotloop.profilers.joining import joined
from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.names import same
from hotloop.profiles.profile import Profile
from hotloop.profiles.tracing.analysis import analyse

SHARED = Path(os.environ.get("HOTLOOP_SHARED") or Path(__file__).resolve().parents[3] / "shared")
SAMPLES = SHARED / "samples"
pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recorded profiles are not on this machine")

V1, DOCS, SCHEMA = "rocprofv1/laplacian_k1/", "rocprofiler-sdk-docs/", "rocpd-schema/"
MI200, MI300X = "rocprofiler-compute/vcopy/MI200/", "rocprofiler-compute/vcopy/MI300X_A1/"
CALLS = "rocprofv3 trace CSV"
FORMATS = {
    V1 + "results.csv": "rocprof v1 CSV", V1 + "data_movement.csv": "rocprof v1 CSV", V1 + "results.db": "rocprof v1 results.db",
    V1 + "results.json": "rocprof v1 results.json", V1 + "results.stats.csv": "rocprof statistics CSV",
    **{f"rocprofv2-golden/{n}_golden_traces.txt": "rocprof v2 console text" for n in
       ("hip_helloworld", "hip_vectoradd", "hsa_async_mem_copy", "mpi_vectoradd", "openmp_helloworld")},
    DOCS + "counter_collection.csv": "rocprofv3 counters CSV", DOCS + "kernel_names.csv": "rocprofv3 counters CSV",
    DOCS + "kernel_trace.csv": "rocprofv3 kernel trace CSV", DOCS + "kernel_trace_truncated.csv": "rocprofv3 kernel trace CSV",
    DOCS + "hip_api_stats.csv": "rocprof statistics CSV", DOCS + "hip_domain_stats.csv": "rocprof statistics CSV",
    **{f"{DOCS}{n}.csv": CALLS for n in ("hip_compile_trace", "hip_runtime_trace", "hip_trace", "hsa_api_trace", "hsa_core_api_trace",
       "marker_api_trace", "python_bindings", "rccl_trace", "rocdecode_api_trace", "rocjpeg_api_trace", "rocpd-to-csv")},
    **{f"{DOCS}{n}_trace.csv": "rocprofv3 memory trace CSV" for n in ("memory_allocation", "memory_copy", "scratch_memory")},
    **{f"{DOCS}pc_sampling_{n}.csv": "rocprofv3 PC samples CSV" for n in ("host_trap", "host_trap_debug", "stochastic_debug")},
    **{folder + n: "rocprof-compute accumulating counter CSV" for folder in (MI200, MI300X) for n in
       ("SQ_IFETCH_LEVEL.csv", "SQ_INST_LEVEL_LDS.csv", "SQ_INST_LEVEL_SMEM.csv", "SQ_INST_LEVEL_VMEM.csv", "SQ_LEVEL_WAVES.csv")},
    **{folder + n: "rocprof-compute wide counters CSV" for folder in (MI200, MI300X) for n in ("pmc_perf.csv", "pmc_dispatch_info.csv")},
    **{folder + "sysinfo.csv": "rocprof-compute system CSV" for folder in (MI200, MI300X)},
    MI200 + "timestamps.csv": "rocprof-compute wide counters CSV", MI300X + "timestamps.csv": "rocprof v2 CSV",
    MI200 + "roofline.csv": "rocprof-compute roofline CSV",
    "rocprof-compute-viewer-pcsampling/code.json": "thread trace code JSON",
    "rocprof-compute-viewer-pcsampling/filenames.json": "thread trace file list JSON",
    "stats_ui_output_agent_doc_sample.csv": "thread trace statistics CSV",
}  # fmt: skip
NO_PROFILES = {
    "README.md": "a text", DOCS + "rocprofv3-schema.json": "JSON schema",
    **{SCHEMA + n: "SQL script" for n in ("data_views.sql", "rocpd_tables.sql", "rocpd_views.sql", "summary_views.sql", "rocpd_indexes.sql", "marker_views.sql")},
    V1 + "data_movement.txt": "input file", **{f"rocprofv2-golden/{n}.txt": "input file" for n in ("att_vadd", "basic_metrics", "input", "pmc")},
    "rocprof-compute-viewer-pcsampling/snapshots.json": "index of source files",
}  # fmt: skip


def test_every_recorded_file_is_listed():
    """Nothing may be overlooked; recordings of NVIDIA's profiler and those that are held in have tests of their own."""
    recorded = {p.relative_to(SAMPLES).as_posix() for p in SAMPLES.rglob("*") if p.is_file()}
    assert {
        name for name in recorded if not name.startswith(("ncu-", "held-in/"))
    } == FORMATS.keys() | NO_PROFILES.keys()


def test_recordings_that_are_held_in_are_read_or_refused_by_design():
    held_in = sorted(path for path in (SAMPLES / "held-in").rglob("*") if path.is_file())
    for path in held_in:
        with suppress(ProfileError):
            assert isinstance(read(path), Profile), path


@pytest.mark.parametrize("name", FORMATS)
def test_it_is_recognised_and_read(name):
    path = SAMPLES / name
    assert recognised(path).name == FORMATS[name]
    profile = read(path)
    held = (profile.kernels, profile.calls, profile.samples, profile.facts, profile.trace)
    assert any(held) or profile.absent


@pytest.mark.parametrize("name", NO_PROFILES)
def test_what_is_no_profile_is_named(name):
    with pytest.raises(ProfileError, match=NO_PROFILES[name]):
        read(SAMPLES / name)


def test_v1_times_counters_and_database():
    times, counters, stored = (read(SAMPLES / V1 / n) for n in ("results.csv", "data_movement.csv", "results.db"))
    assert len(times.dispatches) == len(counters.dispatches) == 1004
    laplacian = times.kernel("laplacian_kernel")
    assert laplacian.dispatches == 1001
    assert laplacian.duration_ns.total == 2646378558  # as the tool's own statistics say
    assert read(SAMPLES / V1 / "results.stats.csv").kernel("laplacian_kernel").duration_ns.total == 2646378558
    assert stored.kernels == times.kernels
    assert laplacian.grid_items == 512**3
    whole = joined(times.dispatches, counters.dispatches, "counters")
    assert not whole.notes
    assert whole.dispatches[1].counters["FETCH_SIZE"] == 1979347.875
    assert whole.dispatches[1].duration_ns == 2647539


def test_v2_ranks_and_no_dispatch():
    ranks = read(SAMPLES / "rocprofv2-golden/mpi_vectoradd_golden_traces.txt")
    assert [(d.dispatch_id, d.device, d.process_id) for d in ranks.dispatches] == [(1, "5", 2185441), (1, "4", 2185436)]
    assert ranks.kernels[0].counters["GRBM_COUNT"].total == 499551 + 499406
    nothing = read(SAMPLES / "rocprofv2-golden/hsa_async_mem_copy_golden_traces.txt")
    assert "no kernel ran" in nothing.why_absent("dispatches")


def test_v3_tables():
    counters, old, trace = (
        read(SAMPLES / DOCS / n) for n in ("counter_collection.csv", "kernel_names.csv", "kernel_trace.csv")
    )
    assert counters.dispatches[0].counters == {"SQ_WAVES": 16384.0}
    assert counters.dispatches[0].duration_ns == 3200098838483232 - 3200098838431081
    assert counters.dispatches[0].device == "Agent 1"
    assert old.dispatches[0].device == "1"
    assert old.dispatches[0].agprs is None
    assert old.dispatches[0].duration_ns is None
    assert trace.dispatches[0].grid_items == 1024 * 1024
    assert trace.kernel("divide_kernel(float*, float const*, float const*, int, int)").agprs == 4
    shortened = read(SAMPLES / DOCS / "kernel_trace_truncated.csv")
    assert all(any(same(k.kernel, t.kernel) for t in trace.kernels) for k in shortened.kernels)
    for name in ("counter_collection.csv", "kernel_names.csv", "kernel_trace.csv"):
        for dispatch in read(SAMPLES / DOCS / name).dispatches:
            assert dispatch.counters.get("SQ_WAVES", dispatch.grid_items / 64) == dispatch.grid_items / 64


def test_v3_samples():
    stochastic = read(SAMPLES / DOCS / "pc_sampling_stochastic_debug.csv")
    with (SAMPLES / DOCS / "pc_sampling_stochastic_debug.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(s.samples for s in stochastic.samples) == len(rows)
    assert sum(s.issued for s in stochastic.samples) == sum(row["Wave_Issued_Instruction"] == "1" for row in rows)
    waits = sum(s.stalls.get("WAITCNT", 0) for s in stochastic.samples)
    assert waits == sum(
        row["Wave_Issued_Instruction"] == "0" and row["Stall_Reason"].endswith("_WAITCNT") for row in rows
    )


@pytest.mark.parametrize(
    ("name", "architecture", "channel_count", "counters"), [(MI200, "gfx90a", 32, 982), (MI300X, "gfx942", 128, 2675)]
)
def test_workloads(name, architecture, channel_count, counters):
    profile = read(SAMPLES / name)
    assert profile.architecture == architecture
    (kernel,) = profile.kernels
    assert (kernel.dispatches, len(kernel.counters), kernel.wave_size) == (3, counters, 64)
    for dispatch in profile.dispatches:
        assert dispatch.counters["SQ_WAVES"] == dispatch.grid_items / 64
        assert len(channels(dispatch.counters, "TCC_HIT")) == channel_count
    families = {c.partition("[")[0] for c in kernel.counters if "[" in c}
    assert len(families) == (23 if channel_count == 32 else 19)
    first = profile.dispatches[0].counters
    # mean latency of scalar loads in clocks: the accumulated level over the number of loads
    assert first["SQ_INST_LEVEL_SMEM_ACCUM"] / first["SQ_INSTS_SMEM"] == pytest.approx(
        296 if channel_count == 32 else 4506.9, rel=1e-3
    )
    if channel_count == 32:
        assert [d.duration_ns for d in profile.dispatches] == [20480, 16320, 15520]
        # the wave-cycle identity, exact on this generation
        assert first["SQ_WAVE_CYCLES"] == first["SQ_WAIT_ANY"] + first["SQ_WAIT_INST_ANY"] + first["SQ_ACTIVE_INST_ANY"]
    else:
        assert kernel.duration_ns is None
        assert "spreadsheet" in profile.why_absent("duration_ns")


def test_pc_sampled_code():
    profile = read(SAMPLES / "rocprof-compute-viewer-pcsampling")
    assert profile.tool_version == "3.0.0"
    (kernel,) = profile.trace.kernels
    assert kernel.name.startswith("void reference_gemm<4>(")
    assert len(kernel.instructions) == 1634
    addresses = {i.address for i in kernel.instructions}
    assert all(i.target in addresses for i in kernel.instructions if i.target is not None)
    (found,) = analyse(profile.trace)
    assert found.unit == "samples"
    assert found.total == sum((i.samples_issued or 0) + (i.samples_stalled or 0) for i in kernel.instructions)
    assert {c.name for c in found.loop_classes} >= {"matrix", "LDS", "barrier"}
    assert found.stalled[0].reason == "samples say BARRIER_WAIT"


def test_the_documented_statistics():
    (kernel,) = read(SAMPLES / "stats_ui_output_agent_doc_sample.csv").trace.kernels
    first = kernel.instructions[0]
    assert (
        first.code_object,
        first.address,
        first.hits,
        first.latency_cycles,
        first.stall_cycles,
        first.idle_cycles,
    ) == (11, 5888, 48, 276, 96, 48)
    assert first.source == "kernel.py:391"
