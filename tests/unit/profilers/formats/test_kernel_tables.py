"""Tables of kernels as older and rarer tools print them; the numbers are made up, the forms are published ones."""

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.profilers.reading import read

FUSER = """Fus#  NSegs CuEvtTm(ms) KerTm(ms) %PeakBw   Seg# S-KerName  S-KerTm(ms) S-EffBw(GB/s) S-%PeakBw S-In(MB) S-Out(MB) S-Smem[Dyn,Stat] S-Regs S-Grid         S-Block{head}
    0     1      30.000     0.050   90.00    0    kernel1       0.050       1800.00     90.00   50.000    40.000        [512, 16]     41     [8192, 1, 1]   [128, 1, 1]{row}
    1     2      40.000     0.300   80.00    0    kernel2       0.100       1600.00     80.00   80.000    80.000           [0, 0]     16     [100, 1, 1]    [128, 1, 1]{row}
                                             1    kernel3       0.200       1500.00     75.00   150.00    150.00           [0, 0]     16     [100, 1, 1]    [128, 1, 1]{row}
"""


@pytest.mark.parametrize(("head", "row", "device"), [
    ("", "", None), ("  S-Dev S-Stm S-DeviceName   S-PeakBw(GB/s)", "   0   7   NVIDIA A100 80GB P   2000.00", "NVIDIA A100 80GB P"),
])  # fmt: skip
def test_nvfusers_kernels_with_what_the_longest_moves_at_least(write, head, row, device):
    profile = read(write("fuser.txt", FUSER.format(head=head, row=row)))
    times = {k.kernel: k.duration_ns.total for k in profile.kernels}
    assert times == {"kernel1": 50_000.0, "kernel2": 100_000.0, "kernel3": 200_000.0}
    assert profile.device_name == device
    assert profile.notes == (
        "kernel3, the longest, moves its inputs and outputs at 1500 GB/s, 75 % of its memory's peak by nvFuser: the least that it can move",
    )


def test_nvfusers_bandwidth_beyond_the_peak_is_no_bandwidth(write):
    text = FUSER.format(head="", row="").replace("1500.00     75.00", "3000.00    150.00")
    (note,) = read(write("fuser.txt", text)).notes
    assert "in a cache, or the time is not theirs" in note
    assert "150" not in note


ROW = "   GPU activities:   {share}%  {time}       600  16.000us  15.000us  17.000us  shift(float*)\n"


def test_runs_of_nvprof_whose_heads_were_left_out_are_not_added(write):
    """One kernel of two runs was told that another one takes half of the time."""
    text = (
        f"with:\n{ROW.format(share='42.00', time='9.6000ms')}\nwithout:\n{ROW.format(share='44.00', time='9.7000ms')}"
    )
    profile = read(write("notes.txt", text))
    assert [(k.kernel, k.dispatches, k.duration_ns.total) for k in profile.kernels] == [
        ("shift(float*)", 600, pytest.approx(9.7e6))
    ]
    assert "2 runs" in profile.notes[0]


def test_a_kernel_that_stands_twice_in_a_table_is_one(write):
    table = "Name,Calls,Total Time (ms)\nvolta_h884gemm_...,2,4.0\nscale,1,1.0\nvolta_h884gemm_...,1,3.0\n"
    profile = read(write("times.csv", table))
    assert [(c.name, c.duration_ns.count, c.duration_ns.total) for c in profile.calls] == [
        ("volta_h884gemm_...", 3, 7e6),
        ("scale", 1, 1e6),
    ]


def test_copies_beside_nvprofs_metrics_are_told(write):
    text = (
        "Invocations   Metric Name   Metric Description   Min   Max   Avg\n"
        'Device "Tesla V100 (0)"\n    Kernel: add(float*)\n'
        "          1     achieved_occupancy     Achieved Occupancy    0.500000    0.500000    0.500000\n"
        "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n"
        " GPU activities:   99.00%  1.4000ms         1  1.4000ms  1.4000ms  1.4000ms  [CUDA memcpy HtoD]\n"
        "                    1.00%  14.000us         1  14.000us  14.000us  14.000us  add(float*)\n"
    )
    assert "copies take 99.0 % of the time" in explain(Request(inputs=(str(write("m.txt", text)),))).verdict


def test_private_and_local_memory_in_older_traces_of_rocprofv3(write):
    head = '"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Private_Segment_Size","Group_Segment_Size","Workgroup_Size_X","Grid_Size_X"\n'
    profile = read(write("kernel_trace.csv", head + '"KERNEL_DISPATCH",4,"taylor",1,1000,9000,1024,512,256,4096\n'))
    (kernel,) = profile.kernels
    assert (kernel.scratch_bytes, kernel.lds_bytes) == (1024, 512)


def test_a_raw_page_of_few_columns_has_its_units(write):
    rows = '"ID","Kernel Name","gpu__time_duration.sum","sm__throughput.avg.pct_of_peak_sustained_elapsed"\n"","","us","%"\n"0","gemm","12.5","25.0"\n'
    (kernel,) = read(write("raw.csv", rows)).kernels
    assert kernel.duration_ns.total == pytest.approx(12_500)


def test_pytorchs_table_until_its_version_1_6(write):
    rows = (
        "Name          Self CPU total %  Self CPU total   CPU total %      CPU total        CPU time avg     CUDA total %     CUDA total       CUDA time avg    Number of Calls",
        "aten::matmul  0.20%             1.000ms          99.00%           500.000ms        5.000ms          50.00%           800.000ms        8.000ms          100",
        "aten::mm      98.00%            490.000ms        98.50%           495.000ms        4.950ms          49.90%           799.000ms        7.990ms          100",
    )
    calls = {call.name: call.duration_ns.total for call in read(write("table.txt", "\n".join(rows) + "\n")).calls}
    assert calls == {"aten::matmul": 1e6, "aten::mm": 490e6}
