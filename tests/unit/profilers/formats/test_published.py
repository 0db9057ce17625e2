"""Tables as other people published them, each with the verdict that a person would give from its numbers."""

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.errors import UsageError
from hotloop.profilers.reading import read

NSYS = "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n"
COPY = "1134000000,661000,123,,,,,,,,,,4.194,6337.593,Pinned,Device,RTX 5000 (0),1,,13,[CUDA memcpy Host-to-Device]\n"
LAUNCH = '1136000000,7072,128,4096,1,1,256,1,1,16,0.000,0.000,,,,,RTX 5000 (0),1,,13,"scale(float *, int)"\n'


def test_a_trace_of_nsys_with_rates_in_MB_per_s_tells_kernels_and_copies(write):
    profile = read(write("trace.csv", NSYS + COPY * 2 + LAUNCH))
    assert [(k.kernel, k.duration_ns.total) for k in profile.kernels] == [("scale(float *, int)", 7072)]
    assert [(c.domain, c.duration_ns.total) for c in profile.calls] == [("copy", 1322000)]
    assert (
        "copies take 99.5 % of the time"
        in explain(Request(inputs=(str(write("trace.csv", NSYS + COPY * 2 + LAUNCH)),))).verdict
    )


def test_a_reader_that_fails_is_no_wrong_path(write, monkeypatch):
    """What a reader did not expect was called a path that is none."""
    path = write("trace.csv", NSYS + LAUNCH)

    def fail(*_):
        raise ValueError("zip() argument 2 is longer than argument 1")

    monkeypatch.setattr("hotloop.app.explain.reading.read_profile", fail)
    with pytest.raises(UsageError, match="trace.csv' is damaged, or not as its tool writes such files: zip"):
        explain(Request(inputs=(str(path),)))


def test_copies_in_rocprofs_statistics_are_no_kernels(write):
    rows = '"Name","Calls","TotalDurationNs","AverageNs","Percentage"\n"CopyDeviceToHost",1,25180001,25180001,96.4\n"CopyHostToDevice",2,948544,474272,3.6\n'
    profile = read(write("results.copy_stats.csv", rows))
    assert not profile.kernels
    assert {call.name for call in profile.calls} == {"CopyDeviceToHost", "CopyHostToDevice"}


TORCH = """
-----------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------
       Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg     Self CUDA   Self CUDA %    CUDA total  CUDA time avg    # of Calls
-----------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------
  reference         0.82%     578.000us        58.39%      41.241ms      41.241ms       0.000us         0.00%      60.034ms      60.034ms             1
  reference         0.00%       0.000us         0.00%       0.000us       0.000us      55.989ms        53.31%      55.989ms      55.989ms             1
  aten::sub         2.67%       1.886ms        22.89%      16.168ms       2.695ms      24.292ms        23.13%      35.288ms       5.881ms             6
triton_sub0         0.10%      10.000us         0.10%      10.000us      10.000us       1.000ms         0.95%       1.000ms       1.000ms             1
triton_sub0         0.00%       0.000us         0.00%       0.000us       0.000us       1.000ms         0.95%       1.000ms       1.000ms             1
sub_kernel<         0.00%       0.000us         0.00%       0.000us       0.000us      24.292ms        23.13%      24.292ms       2.024ms             12
-----------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------
"""


def test_a_range_that_the_program_named_is_no_kernel_and_a_kernel_called_like_its_operator_is_one(write):
    profile = read(write("table.txt", TORCH))
    assert {k.kernel for k in profile.kernels} == {"triton_sub0", "sub_kernel<"}
    assert "reference" not in {call.name for call in profile.calls}


SUMMARY = (
    '"Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Invocations","Section Name","Metric Name","Metric Unit","Minimum","Maximum","Average"\n'
    '"39","vectoradd","127.0.0.1","add(float *)","1","7","(1024, 1, 1)","(1953125, 1, 1)","0","8.0","100","Command line profiler metrics","dram__bytes.sum","byte","23,989,882,752.00","23,990,681,984.00","23,990,083,863.04"\n'
    '"39","vectoradd","127.0.0.1","add(float *)","1","7","(1024, 1, 1)","(1953125, 1, 1)","0","8.0","100","Command line profiler metrics","gpu__time_duration.sum","nsecond","17,466,880.00","17,480,032.00","17,473,124.16"\n'
)


def test_the_summary_of_ncu_that_names_the_process(write):
    profile = read(write("summary.csv", "==PROF== Connected to process 39 (/vectoradd)\n" + SUMMARY))
    (launch,) = profile.dispatches
    assert (launch.kernel, launch.duration_ns, launch.counters["dram__bytes.sum"]) == ("add(float *)", 17473124.16, 23990083863.04)  # fmt: skip
    assert any("means over all launches" in note for note in profile.notes)


METRICS = '"Metric Name","Metric Unit","Metric Value"\n"sm__throughput.avg.pct_of_peak_sustained_elapsed","%","77.5"\n"dram__throughput.avg.pct_of_peak_sustained_elapsed","%","42.25"\n'


def test_metrics_of_ncu_without_the_columns_that_name_the_launch(write):
    verdict = explain(Request(inputs=(str(write("ncu.csv", "==PROF== Connected to process\n" + METRICS)),))).verdict
    assert "42.2 % of it is used; yet the busiest unit of the compute units works at 77.5 %" in verdict
    again = METRICS + METRICS.partition("\n")[2].replace("77.5", "10.0")
    assert [
        d.counters["sm__throughput.avg.pct_of_peak_sustained_elapsed"] for d in read(write("two.csv", again)).dispatches
    ] == [77.5, 10.0]


def test_reads_and_writes_of_memory_as_shares_of_its_peak_are_added(write):
    rows = '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n' + "".join(
        f'"0","gemm","dram__bytes_{way}.sum.pct_of_peak_sustained_elapsed","%","{value}"\n'
        for way, value in (("read", "40.0"), ("write", "22.0"))
    )
    assert (
        "device memory is the nearest roof: 62.0 %" in explain(Request(inputs=(str(write("ncu.csv", rows)),))).verdict
    )


FUNCTIONS = (
    "Function\tHardware Event Count:INST_RETIRED.ANY\tHardware Event Count:CPU_CLK_UNHALTED.THREAD\tModule\n"
    "inner\t6390000000\t2632500000\tapp\n  caller\t6390000000\t2632500000\tapp\nouter\t1200000000\t2400000000\tapp\n"
)
EVENTS = (
    "Hardware Event Sample Count:Self,Hardware Event Type,Events Per Sample,Hardware Event Count:Self,Precise:Self\n"
    "1,INST_RETIRED.ANY,1234.0,1234,Yes\n1,CPU_CLK_UNHALTED.THREAD,567.0,567,Yes\n"
)
UNITS = (
    "Function,Hardware Event Count:INST_RETIRED.ANY (M),Hardware Event Count:CPU_CLK_UNHALTED.THREAD (K)\n"
    "f,6000,5000000\ng,1000,500000\n"
)
TREE = (
    "Function Stack,Hardware Event Count:INST_RETIRED.ANY:Total,Hardware Event Count:INST_RETIRED.ANY:Self,"
    "Hardware Event Count:CPU_CLK_UNHALTED.THREAD:Self\nTotal,9000,0,0\n  main,9000,1000,500\n    f,8000,8000,4000\n"
)
REPEATED = "Hardware Event Type,Thread,Hardware Event Count\nINST_RETIRED.ANY,a,5\nINST_RETIRED.ANY,b,7\nCPU_CLK_UNHALTED.THREAD,a,3\n"


@pytest.mark.parametrize(
    ("text", "instructions", "cycles"),
    [(FUNCTIONS, 7.59e9, 5.0325e9), (EVENTS, 1234, 567), (UNITS, 7e9, 5.5e9), (TREE, 9000, 4500), (REPEATED, 12, 3)],
    ids=["functions", "events", "units", "tree", "repeated"],
)
def test_hardware_events_of_vtune_are_added_up(write, text, instructions, cycles):
    """By hand: rows set to the right are counted in the row above them, but for what callees took themselves."""
    profile = read(write("hw.csv", text))
    assert {r.event: r.value for r in profile.readings} == {"instructions": instructions, "cycles": cycles}
    assert any("inner has 52.3 % of the clocks" in note for note in profile.notes) is (text is FUNCTIONS)


def test_a_title_that_stands_twice_as_share_and_number_is_one_launch(write):
    text = '"Metric Name","Metric Unit","Metric Value"\n"Memory Throughput","%","61"\n"Duration","us","20"\n"Memory Throughput","Gbyte/s","812"\n'
    more = text.partition("\n")[2]
    assert [len(read(write("bare.csv", rows)).dispatches) for rows in (text, text + more)] == [1, 2]


@pytest.mark.parametrize(
    "head",
    ['"Kernel_Name","Start_Timestamp","End_Timestamp"', '"Kind","Kernel_Name","Start_Timestamp","End_Timestamp"'],
)
def test_a_trace_of_which_names_and_times_were_kept_has_kernels(write, head):
    kind = '"KERNEL_DISPATCH",' if "Kind" in head else ""
    profile = read(write("trace.csv", f'{head}\n{kind}"q8_kernel",100,1200\n{kind}"q8_kernel",2000,2900\n'))
    assert [(k.kernel, k.dispatches, k.duration_ns.total) for k in profile.kernels] == [("q8_kernel", 2, 2000)]


def test_a_table_below_words_in_a_comment_amid_code(write):
    rows = (
        "The file looks like this:",
        "",
        '"Kind","Agent_Id","Kernel_Name","Start_Timestamp","End_Timestamp"',
        '"KERNEL_DISPATCH","Agent 1","main_l19",100,1300',
        "...",
    )
    text = "import sys\n\n" + "".join(f"# {row}\n" for row in rows) + "print(sys.argv)\nprint(1)\nprint(2)\n"
    profile = read(write("teams.txt", text))
    assert [(k.kernel, k.duration_ns.total) for k in profile.kernels] == [("main_l19", 1200)]
