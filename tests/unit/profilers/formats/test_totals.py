"""Summaries of times: nsys, nvprof and ``rocprofv3 -S``; texts are shortened from published runs."""

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError

NSYS = """
 ** CUDA API Summary (cuda_api_sum):

 Time (%)  Total Time (ns)  Num Calls  Avg (ns)   Name
 --------  ---------------  ---------  --------  ----------------
     81.9          8617962          3  2872654.0  cuMemAllocAsync

 ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):

 Time (%)  Total Time (ns)  Instances   Avg (ns)  Med (ns)  Min (ns)  Max (ns)  StdDev (ns)                  Name
 --------  ---------------  ---------  ---------  --------  --------  --------  -----------  ------------------------------------
     69.5        2,426,413          3   808804.3  808666.0    807833    809914       1047.4  fused_NT_matmul(float *, int)
     20.6           718778          1   718778.0  718778.0    718778    718778          0.0  void gemm<(int)128, tensor16x8x16>(T1)
"""
NSYS_GERMAN = """ Time(%)  Total Time (ns)  Instances  Average  Minimum  Maximum      Name
 -------  ---------------  ---------  -------  -------  -------  -------------
    33,0            2.176          1  2.176,0    2.176    2.176  loop_2_38_gpu
"""
NSYS_SWISS = """//  Time (%)  Total Time (ns)  Instances  Avg (ns)  Med (ns)  Min (ns)  Max (ns)  Name
//  --------  ---------------  ---------  --------  --------  --------  --------  -----------------------
//     100.0            6’816          1   6’816.0   6’816.0     6’816     6’816  transpose(int *, float)
"""
NSYS_CSV = """Processing [report.sqlite] with [cuda_gpu_kern_sum.py]...

"Time (%)","Total Time (us)","Instances","Avg (us)","Min (us)","Max (us)","Name"
"91.2","182.4","4","45.6","45","46.4","main_kernel(int, int)"
"""
NVPROF = """==262099== Profiling application: ./vectorReduce
==262099== Profiling result:
            Type  Time(%)      Time     Calls       Avg       Min       Max  Name
 GPU activities:   67.08%  8.6348ms        14  616.77us     512ns  3.1952ms  [CUDA memcpy HtoD]
                   32.67%  4.2060ms        14  300.43us  4.5440us  1.3851ms  reduceNeighbored(int*, int*, unsigned int)
      API calls:   79.27%  969.71ms         3  323.24ms  5.5178ms  958.52ms  cudaMemcpy
"""
NVPROF_CSV = """Time(%),Time,Calls,Avg,Min,Max,Name
47.79%,542.36ms,45,12.052ms,12.007ms,12.110ms,[CUDA memcpy HtoD]
20.92%,237.43ms,150,1.5829ms,1.5103ms,2.1174ms,red_sor(float*, float*, int)
"""
NVPROF_UNITS = """======== Profiling result:
"Type","Time(%)","Time","Calls","Avg","Min","Max","Name"
,%,us,,us,us,us,
"GPU activities",92.2,521.27,1,521.27,521.27,521.27,"vecAdd(float const *, int)"
"API calls",78.0,7570567.921,11,688233.447,684120.984,693194.046,"cudaMemcpyAsync"
"""
ROCPROF = """
|                   NAME                   |     DOMAIN      |      CALLS      | DURATION (nsec) | AVERAGE (nsec)  | PERCENT (INC) |   MIN (nsec)    |   MAX (nsec)    |     STDDEV      |
|------------------------------------------|-----------------|-----------------|-----------------|-----------------|---------------|-----------------|-----------------|-----------------|
| compute_rhs                              | KERNEL_DISPATCH |            2000 |        15955440 |       7.978e+03 |     31.263037 |            7171 |            9935 |       3.800e+02 |
| hipLaunchKernel                          | HIP_API         |            2001 |        10397246 |       5.196e+03 |     20.372330 |            3766 |            7532 |       5.639e+02 |
"""


def kernels(tmp_path, text):
    path = tmp_path / "summary.txt"
    path.write_text(text, encoding="utf-8")
    profile = read(path)
    return profile, {
        k.kernel: (k.dispatches, k.duration_ns.total, k.duration_ns.minimum, k.duration_ns.maximum)
        for k in profile.kernels
    }


@pytest.mark.parametrize(
    ("text", "tool", "expected", "calls"),
    [
        (NSYS, "nsys", {"fused_NT_matmul(float *, int)": (3, 2426413, 807833, 809914), "void gemm<(int)128, tensor16x8x16>(T1)": (1, 718778, 718778, 718778)}, ["cuMemAllocAsync"]),
        (NSYS_CSV, "nsys", {"main_kernel(int, int)": (4, 182400, 45000, 46400)}, []),
        (NSYS_GERMAN, "nsys", {"loop_2_38_gpu": (1, 2176, 2176, 2176)}, []),
        (NSYS_SWISS, "nsys", {"transpose(int *, float)": (1, 6816, 6816, 6816)}, []),
        (NVPROF, "nvprof", {"reduceNeighbored(int*, int*, unsigned int)": (14, 4206000, 4544, 1385100)}, ["[CUDA memcpy HtoD]", "cudaMemcpy"]),
        (NVPROF_CSV, "nvprof", {"red_sor(float*, float*, int)": (150, 237430000, 1510300, 2117400)}, ["[CUDA memcpy HtoD]"]),
        (NVPROF_UNITS, "nvprof", {"vecAdd(float const *, int)": (1, 521270, 521270, 521270)}, ["cudaMemcpyAsync"]),
        (ROCPROF, "rocprofv3", {"compute_rhs": (2000, 15955440, 7171, 9935)}, ["hipLaunchKernel"]),
    ],
)  # fmt: skip
def test_summaries_tell_kernels_from_calls(tmp_path, text, tool, expected, calls):
    profile, found = kernels(tmp_path, text)
    assert profile.tool == tool
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        assert found[name] == pytest.approx(values, rel=1e-6)
    assert [call.name for call in profile.calls] == calls


TOP = """Kernel_Name,Count,Sum(ns),Mean(ns),Median(ns),Pct
"void bmm<64u, 64u>(unsigned int, dim3)",150,4358035.0703125,29053.567135416666,28900.3828125,83.78956670452105
__amd_rocclr_fillBufferAligned,151,843131.6640625,5583.653404387417,5514.15625,16.210433295478946
"""


def test_rows_of_less_than_one_launch_are_none(tmp_path):
    path = tmp_path / "summary.txt"
    path.write_text(NSYS.replace("2,426,413          3 ", "2,426,413        0.1 "))
    assert [kernel.kernel for kernel in read(path).kernels] == ["void gemm<(int)128, tensor16x8x16>(T1)"]


def test_rocprof_computes_list_of_kernels(tmp_path):
    profile, found = kernels(tmp_path, TOP)
    assert profile.tool == "rocprof-compute"
    assert found["void bmm<64u, 64u>(unsigned int, dim3)"] == (150, 4358035.0703125, None, None)


METRICS = """==25284== Metric result:
Invocations                               Metric Name                            Metric Description         Min         Max         Avg
Device "GeForce GTX 1070 (0)"
    Kernel: void affine<unsigned char, Functor>(int, Functor)
          1                      dram_read_throughput                 Device Memory Read Throughput  589.52MB/s  589.52MB/s  589.37MB/s
          1                        achieved_occupancy                            Achieved Occupancy    0.948254    0.948254    0.948254
          1                            gld_efficiency                 Global Memory Load Efficiency      25.00%      25.00%      25.00%
          1                        shared_utilization                     Shared Memory Utilization     Low (1)     Low (1)     Low (1)
"""
METRICS_CSV = """==15227== Metric result:
"Device","Kernel","Invocations","Metric Name","Metric Description","Min","Max","Avg"
"Tesla K20c (0)","jacobi(float*, int)",3,"dram_read_transactions","Device Memory Read Transactions",100,300,200
"""


def test_nvprofs_metrics_get_the_names_of_today_and_levels_are_no_numbers(tmp_path):
    path = tmp_path / "metrics.txt"
    path.write_text(METRICS)
    profile = read(path)
    (kernel,) = profile.kernels
    assert (profile.device_name, kernel.kernel) == (
        "GeForce GTX 1070",
        "void affine<unsigned char, Functor>(int, Functor)",
    )
    assert {name: tally.mean for name, tally in kernel.counters.items()} == pytest.approx(
        {
            "dram_read_throughput": 589.37e6,
            "sm__warps_active.avg.pct_of_peak_sustained_active": 94.8254,
            "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct": 25,
        }
    )


def test_nvprofs_metrics_as_csv(tmp_path):
    path = tmp_path / "metrics.csv"
    path.write_text(METRICS_CSV)
    profile = read(path)
    (kernel,) = profile.kernels
    sectors = kernel.counters["dram__sectors_read.sum"]
    assert (profile.device_name, kernel.dispatches, sectors.mean, sectors.maximum) == ("Tesla K20c", 3, 200, 300)


@pytest.mark.parametrize(
    "text",
    [NSYS.split("     69.5")[0].split("     81.9")[0] + "\n", NVPROF.split(" GPU")[0], METRICS.split("Device")[0]],
)
def test_a_head_without_rows_is_refused_in_one_sentence(tmp_path, text):
    path = tmp_path / "empty.txt"
    path.write_text(text)
    with pytest.raises(ProfileError, match="has the head of"):
        read(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("-----\nCPU name:\tIntel Xeon\nCPU type:\tSkylake\n", "likwid-perfctr"),
        ("Elapsed Time: 0.7s\nEffective Physical Core Utilization: 3%\n", "Intel VTune"),
        ("-----\n0. Top Stat\n╒═══╕\n", "without its list of kernels"),
    ],
)
def test_reports_of_tools_that_are_not_read_are_named(tmp_path, text, said):
    path = tmp_path / "report.txt"
    path.write_text(text)
    with pytest.raises(ProfileError, match=said):
        read(path)


ACTIVITIES = """ GPU activities:   15.95%  1.72898s     28160  61.398us  3.4240us  133.22us  resample_by_picking
                   14.57%  1.57934s     26499  59.599us  4.4480us  117.47us  multiply
                    1.38%  149.99ms        62  3.7735ms  1.3440us  11.178ms  [CUDA memcpy DtoH]
"""
CUT = """ Time (%)  Total Time (ns)  Instances  Avg (ns)   Name
     43.2          2144342        400    5360.9   stage0
     18.9           937916        400    2344.8   void stage1<1, 2>(int, int)
"""


@pytest.mark.parametrize(("text", "names", "total_ns"), [
    (ACTIVITIES, ["resample_by_picking", "multiply"], 1.72898e9), (CUT, ["stage0", "void stage1<1, 2>(int, int)"], 2144342),
])  # fmt: skip
def test_rows_that_people_cut_out(write, text, names, total_ns):
    kernels = read(write("times.txt", text)).kernels
    assert [kernel.kernel for kernel in kernels] == names
    assert kernels[0].duration_ns.total == pytest.approx(total_ns)


CUT = '"Name","Calls","TotalDurationNs","AverageNs","Percentage"\n"jacobi",10,400000,40000,40.0\n"norm",10,200000,20000,20.0\n'
TABLE = """-------------------------------------------  ------------  ------------  ------------  ------------  ------------
                                       Name    Self CPU %      Self CPU     CPU total     Self CUDA   Self CUDA %    # of Calls
-------------------------------------------  ------------  ------------  ------------  ------------  ------------  ------------
                                   aten::mm         4.10%     100.000us     120.000us       4.000ms        80.00%            10
ampere_sgemm_128x64_tn                             0.00%       0.000us       0.000us       4.000ms        80.00%            10
                       Memcpy HtoD (Pinned)         0.00%       0.000us       0.000us       1.000ms        20.00%             2
-------------------------------------------  ------------  ------------  ------------  ------------  ------------  ------------
"""
LAUNCHES = """==7522== Profiling result:
   Start  Duration            Grid Size      Block Size     Regs*    SSMem*    DSMem*      Size  Throughput  SrcMemType  DstMemType           Device   Context    Stream  Name
330.01ms  16.992us                    -               -         -         -         -  195.31KB  10.962GB/s    Pageable      Device  Tesla T4 (0)         1         7  [CUDA memcpy HtoD]
330.08ms  2.7520us            (196 1 1)       (256 1 1)         8    2.0000KB        0B         -           -           -           -  Tesla T4 (0)         1         7  add(float const *, int) [128]
"""


def test_shares_of_a_cut_table_are_of_all_kernels(write):
    profile = read(write("cut_kernel_stats.csv", CUT))
    assert profile.kernels_ns == pytest.approx(1e6)
    assert read(write("whole.csv", CUT.replace("20.0\n", "60.0\n"))).kernels_ns is None


def test_shares_of_calls_in_a_cut_table_are_of_all_calls(write):
    """Of a report of 2020, whose head has no blank before its unit; the same by rocprof."""
    head = "\n Time(%)  Total Time (ns)  Num Calls    Average  Name\n -------  ---------------  ---------  ---------  ----------------\n"
    path = write("calls.txt", head + "    46.1      12711800961    1747010     7276.3  cudaLaunchKernel\n")
    assert (
        "of 27.6 s in calls of the host and the runtime cudaLaunchKernel takes 46.1 %"
        in explain(Request(inputs=(str(path),))).verdict
    )
    path = write(
        "calls.csv", '"Name","Calls","TotalDurationNs","AverageNs","Percentage"\n"hipLaunchKernel",10,4000,400.0,40.0\n'
    )
    assert "hipLaunchKernel takes 40" in explain(Request(inputs=(str(path),))).verdict


def test_what_pytorch_prints(write):
    profile = read(write("table.txt", TABLE))
    assert [(k.kernel, k.dispatches, k.duration_ns.total) for k in profile.kernels] == [
        ("ampere_sgemm_128x64_tn", 10, 4e6)
    ]
    assert {(c.domain, c.name) for c in profile.calls} == {
        ("operator on the device", "aten::mm"),
        ("copy", "Memcpy HtoD (Pinned)"),
    }


def test_operators_alone_are_work_of_the_device_and_the_sums_tell_who_waits(write):
    """By hand: 2 of 20 ms, so with one thread of the host the device stands still for nine tenths."""
    table = "\n".join(line for line in TABLE.splitlines() if "sgemm" not in line and "Memcpy" not in line)
    sums = "Self CPU time total: 20.000ms\nSelf CUDA time total: 2.000ms\n"
    answer = explain(Request(inputs=(str(write("table.txt", f"{table}\n{sums}")),)))
    assert "in operators' work on the device aten::mm takes 80" in answer.verdict
    assert any("90.0 % of the time at least" in note for note in answer.notes)
    busy = sums.replace("2.000", "19.000")
    assert not any("stands still" in note for note in read(write("busy.txt", f"{table}\n{busy}")).notes)


def test_launches_that_nvprof_prints(write):
    profile = read(write("trace.txt", LAUNCHES))
    (launch,) = profile.dispatches
    assert (launch.kernel, launch.grid_items, launch.workgroup_items) == ("add(float const *, int)", 196 * 256, 256)
    assert (launch.lds_bytes, launch.vgprs, launch.duration_ns, profile.device_name) == (2048, 8, 2752, "Tesla T4 (0)")


def test_launches_that_nsys_lists(write):
    head = "Start (ns),Duration ({}),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n"
    rows = (
        "885000000,125,101,,,,,,,,,,16.777,13421.6,Pageable,Device,NVIDIA A10 (0),1,,7,[CUDA memcpy Host-to-Device]\n"
        '887100000,320,121,128,2,1,16,16,1,40,0.002,0.000,,,,,NVIDIA A10 (0),1,,7,"matmul(float *, int)"\n'
    )
    profile = read(write("trace.csv", head.format("us") + rows))
    (launch,) = profile.dispatches
    assert (launch.kernel, launch.grid_items, launch.workgroup_items, launch.vgprs, launch.lds_bytes, launch.duration_ns) == (
        "matmul(float *, int)", 65536, 256, 40, 2000, 320e3,
    )  # fmt: skip
    assert profile.device_name == "NVIDIA A10"
    head = "API Start (ns),API Dur (ns),Queue Start (ns),Queue Dur (ns),Kernel Start (ns),Kernel Dur (ns),Total Dur (ns),PID,TID,DevId,API Function,GridXYZ,BlockXYZ,Kernel Name\n"
    row = "1000,5000,6000,2000,8000,410000,417000,7,7,0,cudaLaunchKernel,1024   2   1,256   1   1,saxpy\n"
    (launch,) = read(write("executed.csv", head + row)).dispatches
    assert (launch.kernel, launch.grid_items, launch.workgroup_items, launch.duration_ns) == (
        "saxpy",
        524288,
        256,
        410e3,
    )


def test_copies_that_outlast_the_kernels_are_told(write):
    rows = ("GPU activities:   58.09%  768.26ms       300  2.5609ms  64.447us  3.8251ms  [CUDA memcpy DtoH]",
            "                   1.04%  13.815ms       200  69.077us  64.255us  75.552us  scale(float*)")  # fmt: skip
    head = "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name"
    path = write("nvprof.txt", "\n".join(("==1== Profiling result:", head, *rows, "")))
    assert "copies take 98.2 % of the time" in explain(Request(inputs=(str(path),))).verdict


SEPARATED = """==99== Profiling result:
"Start","Duration","Grid X","Grid Y","Grid Z","Block X","Block Y","Block Z","Registers Per Thread","Static SMem","Dynamic SMem","Size","Throughput","SrcMemType","DstMemType","Device","Context","Stream","Name"
s,us,,,,,,,,KB,KB,MB,GB/s,,,,,,
0.251421,1.056000,,,,,,,,,,0.003906,3.612689,"Pageable","Device","Tesla P100 (0)","1","7","[CUDA memcpy HtoD]"
0.252310,245.120000,4096,2,1,256,1,1,24,2.000000,0.000000,,,,,"Tesla P100 (0)","1","7","axpy(int, float *) [113]"
"""


def test_a_trace_of_nvprof_with_commas_has_its_units_in_a_row_of_their_own(write):
    (launch,) = read(write("trace.csv", SEPARATED)).dispatches
    assert (launch.kernel, launch.duration_ns, launch.grid_items, launch.workgroup_items) == (
        "axpy(int, float *)", pytest.approx(245_120), 4096 * 2 * 256, 256,
    )  # fmt: skip
    assert (launch.vgprs, launch.lds_bytes, launch.device) == (24, 2048, "Tesla P100 (0)")


REDUCED = """==7== Metric result:
Invocations                               Metric Name                            Metric Description         Min         Max         Avg
Device "Tesla V100-SXM2-16GB (0)"
    Kernel: reduce(float*, int)
          1                             sm_efficiency                       Multiprocessor Activity      41.50%      41.50%      41.50%
==7== Trace result:
            Type  Time(%)      Time     Calls       Avg       Min       Max  Name
 GPU activities:   99.28%  1.4175ms         1  1.4175ms  1.4175ms  1.4175ms  [CUDA memcpy HtoD]
                    0.41%  5.9200us         1  5.9200us  5.9200us  5.9200us  reduce(float*, int)
"""


def test_times_beside_metrics_of_nvprof_are_the_kernels(write):
    (kernel,) = read(write("both.txt", REDUCED)).kernels
    assert (kernel.duration_ns.total, len(kernel.counters)) == (pytest.approx(5920), 1)


def test_a_summary_in_a_sources_comment_is_read_as_its_tool_wrote_it(write):
    begin = REDUCED.index("            Type")
    page = "#include <stdio.h>\n\n" + "".join(f"// {line}\n" for line in REDUCED[begin:].splitlines())
    profile = read(write("reduce.cu", page))
    assert (profile.tool, [kernel.kernel for kernel in profile.kernels]) == ("nvprof", ["reduce(float*, int)"])


def test_a_table_that_does_not_say_what_its_names_are_is_not_taken_for_calls(write):
    path = write("names.txt", "Name,Calls,Total Time (us)\naiter::decode,4,80.0\nreduce_v1,4,20.0\n")
    assert (
        "kernels or not as the table does not say, aiter::decode takes 80.0 %"
        in explain(Request(inputs=(str(path),))).verdict
    )


def nvprof_run(process, command, kernel_ms, *, begun=True):
    begin = f"==NUM== NVPROF is profiling process NUM, command: {command}\n" if begun else ""
    return f"""{begin}==NUM== Profiling application: {command}
==NUM== Profiling result:
            Type  Time(%)      Time     Calls       Avg       Min       Max  Name
 GPU activities:  100.00%  {kernel_ms}ms         2  {kernel_ms / 2}ms  {kernel_ms / 2}ms  {kernel_ms / 2}ms  step(float*, int)
      API calls:   96.51%  50.00ms         1  50.00ms  50.00ms  50.00ms  cudaMallocManaged

==NUM== Unified Memory profiling result:
Device "Tesla P100-PCIE-16GB (0)"
   Count  Avg Size  Min Size  Max Size  Total Size  Total Time  Name
       8         -         -         -           -  3.0000ms  Gpu page fault groups
""".replace("NUM", str(process))


def test_of_nvprofs_runs_behind_one_another_the_longest_speaks(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text(nvprof_run(21, "./nbody", 4.0) + "\n***\n" + nvprof_run(34, "./nbody 15", 80.0))
    profile = read(path)
    (kernel,) = profile.kernels
    assert (kernel.dispatches, kernel.duration_ns.total, profile.device_name) == (2, 80e6, "Tesla P100-PCIE-16GB")
    assert "the text holds 2 runs" in profile.notes[0]
    assert "./nbody 15" in profile.notes[0]


def test_processes_of_a_parallel_program_are_added_up(tmp_path):
    begins = "".join(f"=={n}== NVPROF is profiling process {n}, command: ./solver\n" for n in (7, 8))
    path = tmp_path / "ranks.txt"
    path.write_text(begins + nvprof_run(7, "./solver", 4.0, begun=False) + nvprof_run(8, "./solver", 6.0, begun=False))
    profile = read(path)
    (kernel,) = profile.kernels
    assert (kernel.dispatches, kernel.duration_ns.total) == (4, 10e6)
    assert "2 processes' times were added up" in profile.notes[0]


def test_page_faults_under_kernels_are_said(tmp_path):
    path = tmp_path / "managed.txt"
    path.write_text(nvprof_run(5, "./nbody", 4.0))
    assert "page faults of unified memory took 75 % of the kernels' time" in read(path).notes[0]


def test_a_summary_of_nvprof_without_the_shortest_and_the_longest_launch(tmp_path):
    """A student's report left the two columns out; the names of kernels were lost and copies taken for kernels."""
    path = tmp_path / "report.md"
    path.write_text(
        " GPU activities:   41.38%  7.21036s       900  8.0115ms  frameKernel(...)\n"
        "                   26.33%  4.58856s      2700  1.6995ms  [CUDA memcpy HtoD]\n"
        "                   18.43%  3.21214s       900  3.5690ms  stepKernel(int, float*)\n"
        "      API calls:   73.89%  22.1741s      4500  4.9276ms  cudaMemcpy\n"
    )
    profile = read(path)
    assert [kernel.kernel for kernel in profile.kernels] == ["frameKernel(...)", "stepKernel(int, float*)"]
    assert profile.kernels[0].duration_ns.total == pytest.approx(7.21036e9)


def test_a_row_whose_first_blanks_were_lost_is_put_under_its_ruler(write):
    """A product of matrices, published with its groups' sizes; an editor had set the row to the left."""
    text = """
        Time (%)  Total Time (ns)  Instances  Avg (ns)  Med (ns)     GridXYZ         BlockXYZ                        Name
        --------  ---------------  ---------  --------  --------  --------------  --------------  -------------------------------
        100.0           181949          1  181949.0  181949.0     4    4    1    32   32    1  matrix_mul(float *, float *, int)
"""
    kernels = read(write("stats.txt", text)).kernels
    assert [(one.kernel, one.duration_ns.total) for one in kernels] == [("matrix_mul(float *, float *, int)", 181949.0)]


def test_runs_one_behind_another_are_not_added_up(write):
    """One addition of vectors with three sizes of launches, published on one page."""
    table = " Time (%)  Total Time (ns)  Instances  Name\n --------  ---------------  ---------  -----------------\n    100.0       {}          1  add(float *, int)\n\n"
    text = "".join(table.format(f"{time:>10,}") for time in (1_250_775, 62_506_521, 39_905))
    found = read(write("stats.txt", text))
    assert [one.duration_ns.total for one in found.kernels] == [62_506_521.0]
    assert "3 runs" in found.notes[0]
