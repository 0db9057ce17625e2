"""Nsight Compute's default page; texts are shortened from profiles that their authors published."""

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.metrics.catalogue import derive
from hotloop.profilers.detect import recognised
from hotloop.profilers.reading import read
from hotloop.profiles.counts import of_kernel
from hotloop.profiles.failure import ProfileError

HEAD = """M=1024, N=1024, K=1024
==PROF== Connected to process 828 (/tmp/cuda_exec.out)
==PROF== Profiling "sgemm" - 0: 0%....50%....100% - 8 passes
==WARNING== No metrics to collect found in sections.
[828] cuda_exec.out@127.0.0.1
"""
SPEED = """    Section: GPU Speed Of Light Throughput
    ----------------------- ------------- -------------
    Metric Name               Metric Unit  Metric Value
    ----------------------- ------------- -------------
    SM Frequency            cycle/usecond        584.99
    Elapsed Cycles                  cycle    56,344,784
    DRAM Throughput                     %          0.47
    Duration                      msecond         96.32
    L1/TEX Cache Throughput             %         98.45
    L2 Cache Throughput                 %          0.40
    SM Active Cycles                cycle 55,313,213.62
    Compute (SM) Throughput             %          5.97
    ----------------------- ------------- -------------

    OPT   This kernel exhibits low compute throughput and memory bandwidth utilization relative to the peak performance
"""
LAUNCH = """    Section: Launch Statistics
    -------------------------------- --------------- ---------------
    Metric Name                          Metric Unit    Metric Value
    -------------------------------- --------------- ---------------
    Block Size                                                 1,024
    Function Cache Configuration                     CachePreferNone
    Grid Size                                                  1,024
    Registers Per Thread             register/thread              39
    Waves Per SM                                               73.14
    -------------------------------- --------------- ---------------
"""
LINE = "  sgemm(int, const float *, float *) (32, 32, 1)x(32, 32, 1), Context 1, Stream 7, Device 0, CC 7.5\n"


def test_launches_with_their_sizes_and_values_in_base_units(write):
    path = write("out.txt", HEAD + LINE + SPEED + LAUNCH + LINE.replace("sgemm", "other") + SPEED)
    assert recognised(path).name == "ncu default page"
    profile = read(path)
    assert profile.architecture == "sm_75"
    first, second = profile.dispatches
    assert (first.kernel, second.kernel) == ("sgemm(int, const float *, float *)", "other(int, const float *, float *)")
    assert (first.grid_items, first.workgroup_items, first.vgprs) == (1 << 20, 1024, 39)
    assert first.duration_ns == 96.32e6
    assert first.counters["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] == 0.47
    assert first.counters["launch__waves_per_multiprocessor"] == 73.14
    assert "launch__registers_per_thread" not in second.counters
    assert any("No metrics to collect" in note for note in profile.notes)


def test_a_capability_that_nsight_compute_never_had_names_no_processor(write):
    assert read(write("out.txt", HEAD + LINE.replace("CC 7.5", "CC 3.8") + SPEED + LAUNCH)).architecture is None


def test_the_first_level_cache_is_scaled_to_the_launch(write):
    profile = read(write("out.txt", HEAD + LINE + SPEED + LAUNCH))
    facts = derive(of_kernel(profile, profile.kernels[0]))
    assert facts.get("gpu.l1_utilization") == pytest.approx(0.9845 * 55_313_213.62 / 56_344_784)
    assert facts.get("gpu.busy_share") == pytest.approx(55_313_213.62 / 56_344_784)
    assert facts.get("gpu.rounds") == 73.14


def test_older_titles_and_a_line_without_sizes(write):
    line = "  vectorAdd(float const*, float*), 2020-Jul-14 12:00:01, Context 1, Stream 7\n"
    older = SPEED.replace("Light Throughput", "Light").replace("DRAM Throughput", "SOL DRAM       ")
    older = older.replace("L2 Cache Throughput", "SOL L2 Cache       ")
    (launch,) = read(write("out.txt", HEAD + line + older + LAUNCH)).dispatches
    assert launch.kernel == "vectorAdd(float const*, float*)"
    assert launch.workgroup_items == 1024
    assert launch.counters["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] == 0.47
    assert launch.counters["lts__throughput.avg.pct_of_peak_sustained_elapsed"] == 0.4


def test_sections_without_a_launch_line_are_one_launch_without_a_name(write):
    profile = read(write("out.txt", SPEED + LAUNCH))
    assert [d.kernel for d in profile.dispatches] == [""]
    assert profile.architecture is None


def test_numbers_in_several_spellings_are_refused(write):
    with pytest.raises(ProfileError, match="LC_ALL=C"):
        read(write("out.txt", HEAD + LINE + SPEED.replace("96.32", "96,32")))


def test_metrics_that_were_asked_for_by_name_are_read_under_it(write):
    """A roofline by NERSC's method: clocks over their rate are the time, lanes count operations."""
    columns = '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Section Name","Metric Name","Metric Unit","Metric Value"\n'
    values = (("dram__bytes.sum", "Mbyte", "2,000.00"), ("sm__cycles_elapsed.avg", "cycle", "1,410,000"),
              ("sm__cycles_elapsed.avg.per_second", "cycle/nsecond", "1.41"), ("lts__t_bytes.sum", "Mbyte", "2,100.00"),
              ("sm__sass_thread_inst_executed_op_ffma_pred_on.sum", "inst", "1,000,000"),
              ("sm__sass_thread_inst_executed_op_fadd_pred_on.sum", "inst", "5"), ("sm__sass_thread_inst_executed_op_fmul_pred_on.sum", "inst", "0"))  # fmt: skip
    rows = "".join(
        f'"0","12","bin","h","copy(float*)","1","7","Command line profiler metrics","{n}","{u}","{v}"\n'
        for n, u, v in values
    )
    profile = read(write("roof.csv", columns + rows))
    assert profile.dispatches[0].duration_ns == pytest.approx(1e6)
    counts = of_kernel(profile, profile.kernels[0])
    facts = derive(type(counts)(architecture="sm_70", values=counts.values, launch=counts.launch))
    assert facts.get("gpu.hbm_bytes") == 2e9
    assert facts.get("gpu.hbm_bytes_per_s") == pytest.approx(2e12)
    assert facts.get("gpu.l2_bytes") == 2.1e9
    assert facts.get("gpu.vector_flops") == 2_000_005


def test_what_people_write_behind_a_value_is_left_out(write):
    remarked = (
        SPEED.replace("96.32\n", "96.32  # 约 96 ms\n")
        .replace("5.97\n", "5.97   <- low\n")
        .replace("98.45\n", "98.45 // nearly all\n")
    )
    (kernel,) = read(write("remarked.txt", HEAD + LINE + remarked)).kernels
    (plain,) = read(write("plain.txt", HEAD + LINE + SPEED)).kernels
    assert kernel.duration_ns == plain.duration_ns
    assert {name: tally.mean for name, tally in kernel.counters.items()} == {
        n: t.mean for n, t in plain.counters.items()
    }


def test_reasons_for_waiting_of_a_page_with_all_details_drawn_again(write):
    """Of an article on a softmax; the titles are those of ``--print-details all``."""
    ruler = "  " + "-" * 69 + "\n"
    text = (f"  Section: Warp State Statistics\n{ruler}    Warp Cycles Per Issued Instruction   cycle         38.6\n"
            "    Warp Cycles Per Executed Instruction cycle         39.1\n    ---- Warp Stall Reasons (cycles per instruction) ----\n"
            f"    Stall Long Scoreboard                cycle         26.2   <-- 68%\n    Stall Math Pipe Throttle             cycle          0.4\n{ruler}")  # fmt: skip
    (kernel,) = read(write("softmax.txt", text)).kernels
    assert {name: tally.mean for name, tally in kernel.counters.items()} == {
        "smsp__average_warp_latency_per_inst_issued.ratio": 38.6,
        "smsp__average_warps_active_per_inst_executed.ratio": 39.1,
        "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio": 26.2,
        "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio": 0.4,
    }


def test_sections_whose_rulers_somebody_left_away(write):
    rows = (("SOL DRAM", "%", "85.34"), ("SOL L2 Cache", "%", "31.08"), ("Duration", "usecond", "358.08"))
    page = "Section: GPU Speed Of Light\n" + "".join(f"   {t:40}{u:>20}{v:>20}\n" for t, u, v in rows)
    (launch,) = read(write("out.txt", page)).dispatches
    assert launch.duration_ns == 358_080
    assert launch.counters["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] == 85.34


def test_the_path_to_memory_as_a_whole_is_a_roof_where_its_parts_are_not_told(write):
    path = write("out.txt", LINE + "    Section: Memory Workload Analysis\n" + "".join(
        f"    {a:27} {b:>11} {c:>12}\n" for a, b, c in (
            ("-" * 27, "-" * 11, "-" * 12), ("Metric Name", "Metric Unit", "Metric Value"), ("-" * 27, "-" * 11, "-" * 12),
            ("Mem Busy", "%", "39.94"), ("Max Bandwidth", "%", "92.88"), ("-" * 27, "-" * 11, "-" * 12))))  # fmt: skip
    facts = derive(of_kernel(read(path), read(path).kernels[0]))
    assert facts.get("gpu.path_utilization") == pytest.approx(0.9288)
    assert "92.9 % of it is used" in explain(Request(inputs=(str(path),))).verdict


RULER = f"{'-' * 30} {'-' * 11} {'-' * 12}\n"


def headless(margin, *rows):
    lines = "".join(f"    {title:30} {unit:>11} {value:>12}\n" for title, unit, value in rows)
    return f"{margin}{RULER}    {'Metric Name':30} Metric Unit Metric Value\n    {RULER}{lines}    {RULER}```\n\nsome prose, with 1,234 numbers\n```\n"


def test_tables_without_their_sections_titles_are_of_one_launch(write):
    """As notes show them, each from a run with other sections: the first ruler has a tab, or no margin."""
    text = "## 1\n```\nncu --set basic ./bench\n```\n```\n" + headless("\t", ("DRAM Frequency", "Ghz", "5.51"), ("Duration", "ms", "64.91"), ("L1/TEX Cache Throughput", "%", "98.26"))  # fmt: skip
    text += headless("", ("One or More Eligible", "%", "37.03")) + headless(
        "", ("l1tex__data_bank_conflicts.sum", "", "268435456")
    )
    (launch,) = read(write("notes.md", text)).dispatches
    assert launch.duration_ns == pytest.approx(64.91e6)
    assert launch.counters["l1tex__throughput.avg.pct_of_peak_sustained_active"] == 98.26
    assert launch.counters["smsp__issue_active.avg.pct_of_peak_sustained_active"] == 37.03
    assert launch.counters["l1tex__data_bank_conflicts.sum"] == 268435456


def test_two_launches_pages_without_titles_stay_two(write):
    first, second = (
        headless("", ("DRAM Frequency", "Ghz", "5.51"), ("Duration", "ms", time)) for time in ("1.00", "2.00")
    )
    assert [launch.duration_ns for launch in read(write("notes.md", first + second)).dispatches] == [1e6, 2e6]


def test_a_launch_that_failed_under_the_tool_is_told(write):
    text = (
        "==ERROR== LaunchFailed\n"
        + LINE
        + headless("    ", ("DRAM Frequency", "cycle/second", "(!) nan"), ("Duration", "nsecond", "(!) nan"))
    )
    with pytest.raises(ProfileError, match=r"nothing was measured \(Nsight Compute: LaunchFailed\)"):
        read(write("out.txt", text))


@pytest.mark.parametrize("end", ["0.47\n", "98.", "5.97"])
def test_a_page_that_ends_within_a_table_is_told_and_no_part_of_a_number_is_read(write, end):
    """`L1/TEX Cache Throughput 98.` is no 98 %: the value ended behind the end of the file."""
    page = HEAD + LINE + SPEED
    profile = read(write("out.txt", page[: page.index(end) + len(end)]))
    assert "ends within a table" in profile.notes[-1]
    (launch,) = profile.dispatches
    assert launch.counters["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] == 0.47
    told = [name for name in launch.counters if "l1tex" in name or "compute" in name or "sm__throughput" in name]
    assert bool(told) == (end == "5.97")
