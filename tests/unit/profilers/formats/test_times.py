"""Tables of times whose tool has no format of its own, and what files are that are not read."""

import json

import pytest

from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError

RECORDS = json.dumps(
    [{"Time (%)": 81.0, "Total Time (ns)": 8100, "Instances": 9, "Avg (ns)": 900.0, "Name": "rope(half*)"}]
)
UNITRACE = """=== Device Timing Summary ===

                  Kernel,       Calls,           Time (ns),    Time (%),        Average (ns),            Min (ns),            Max (ns)
             "rope(half*)",       9,                8100,   88.888888,             900,             890,            910
 "zeCommandListAppendMemoryCopy(H2D)",   1,     1000,   11.111112,            1000,             1000,            1000
"""
HATCHET = [
    {"frame": {"name": "ROOT", "type": "function"}, "metrics": {"count": 0}, "children": [
        {"frame": {"name": "a", "type": "function"}, "metrics": {"flops16": 1e9}, "children": [
            {"frame": {"name": "rope(half*)", "type": "function"}, "metrics": {"count": 4, "time (ns)": 3600}, "children": []}]},
        {"frame": {"name": "rope(half*)", "type": "function"}, "metrics": {"count": 5, "time (ns)": 4500}, "children": []}]},
    {"HIP": {"0": {"arch": "gfx942", "num_sms": 304}}},
]  # fmt: skip
READ = {
    "unitrace": UNITRACE,
    "nsys-json": RECORDS,
    "nsys-tsv": "Time (%)\tTotal Time (ns)\tInstances\tAvg (ns)\tName\n81.0\t8100\t9\t900.0\trope(half*)\n",
    "kernel-time-not-the-calls": "Count,TID,Total Time (ns),Kernel Time (ns),API Name,Kernel Name\n9,1,30000,8100,cudaLaunchKernel,rope(half*)\n",
    "german": "Kernel;Calls;Total Time (us);Avg (us)\nrope(half*);9;8,1;0,9\n",
    "vtune": "Computing Task  Total Time  Average Time  Instance Count\n--------------  ----------  ------------  --------------\nrope(half*)       0.0000081s      0.0000009s               9\n",
    "markdown": "| Kernel | Launches | Total (us) |\n|---|--:|--:|\n| `rope(half*)` | 9 | 8.1 |\n",
    "proton": json.dumps(HATCHET),
}


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_kernels_and_times_of_any_table(write, text):
    profile = read(write("table", text))
    (kernel,) = profile.kernels
    assert (kernel.kernel, kernel.dispatches) == ("rope(half*)", 9)
    assert kernel.duration_ns.total == pytest.approx(8100)


def test_each_row_a_launch_and_the_tools_processor(write):
    profile = read(write("rows.csv", "Kernel Name,Queue,Device Time (us)\nspmv,0,120.5\nspmv,0,119.5\n"))
    assert [(k.kernel, k.dispatches, k.duration_ns.total) for k in profile.kernels] == [("spmv", 2, 240_000)]
    assert read(write("p.hatchet", json.dumps(HATCHET))).architecture == "gfx942"


def test_functions_of_the_host_are_no_kernels(write):
    profile = read(write("tracy.csv", "name,src_file,total_ns,counts,mean_ns\nupdate,main.cpp,9000,10,900\n"))
    assert (profile.kernels, [(call.domain, call.name) for call in profile.calls]) == ((), [("function", "update")])


def test_kernels_of_xla_stand_on_streams(write):
    def thread(number, name):
        return {"ph": "M", "pid": 1, "tid": number, "name": "thread_name", "args": {"name": name}}

    events = [
        {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:0"}},
        thread(5, "Stream #5(Compute)"),
        thread(9, "XLA Ops"),
        {"ph": "X", "pid": 1, "tid": 5, "ts": 1, "dur": 7, "name": "gemm", "args": {"hlo_op": "dot"}},
        {
            "ph": "X",
            "pid": 1,
            "tid": 5,
            "ts": 9,
            "dur": 3,
            "name": "fusion",
            "args": {"kernel_details": "regs:32 grid:8,1,1 block:256,1,1"},
        },
        {"ph": "X", "pid": 1, "tid": 5, "ts": 20, "dur": 50, "name": "MemcpyH2D", "args": {"memcpy_details": "size:4"}},
        {"ph": "X", "pid": 1, "tid": 9, "ts": 1, "dur": 7, "name": "dot", "args": {}},
    ]
    profile = read(write("perfetto_trace.json", json.dumps({"traceEvents": events})))
    assert [(k.kernel, k.duration_ns.total, k.vgprs, k.grid_items) for k in profile.kernels] == [
        ("gemm", 7000, None, None), ("fusion", 3000, 32, 2048),
    ]  # fmt: skip


REFUSED = {
    "no unit": ("kernel,calls,total,avg\nk,10,100,10\n", "names no unit: write it into the head"),
    "disagree": ("Kernel,Calls,Total Time (ms),Average Time (us)\nk,10,100,1\n", "do not agree"),
    "nsys report": (b"NVIDIA Nsight Systems\0" + bytes(600), "nsys export --type sqlite"),
    "otf2": (b"\xf0OTF2\0\3" + bytes(range(200)), "rocprofv3 --kernel-trace --output-format csv"),
    "spir-v": (b"\x03\x02\x23\x07" + bytes(60), "it is SPIR-V"),
    "llvm": ('target triple = "amdgcn-amd-amdhsa"\ndefine amdgpu_kernel void @k(ptr %p) {\n', "intermediate code"),
    "mlir": ("module attributes {ttg.target = 1} {\n  tt.func public @k() {\n", "give the .ptx, .cubin, .amdgcn"),
    "remarks": ("k.hip:4:1: remark:     VGPRs: 256 [-Rpass-analysis=kernel-resource-usage]\n", "remarks of the compiler"),
    "ptxas": ("ptxas info    : Used 255 registers, 49152 bytes smem\n", "cuobjdump -sass"),
    "mca": ("Iterations:        100\nBlock RThroughput: 1.5\n", "analysis of llvm-mca"),
    "ptxas, indented": ("    ptxas info    : Used 64 registers, 368 bytes cmem[0]\n", "cuobjdump -sass"),
    "first mca": ("Iterations:     70\nInstructions:   5320\nDispatch Width: 4\nIPC:            3.66\n", "analysis of llvm-mca"),
    "rows of perf report": ("47,79%  app  libblas.so.3   [.] dgemm_kernel\n", "report of perf"),
    "proton's tree": ("0.003 ROOT\n├─ 0.001 gemm\n└─ 0.002 relu\n", "give the .hatchet file"),
    "rocminfo": ("Agent 2\n  Name:      gfx1200\n  Marketing Name:   AMD Radeon RX 9060 XT\n", "it describes devices"),
    "perf script": ("app 21931 12345.678901:     250000 cycles:P:      55d4a2c01196 spmv+0x26 (/home/u/app)\n", "'perf stat --topdown'"),
    "permission": ("==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n", "not allowed to count"),
    "another tool": ("kernel,section,value,note\ncopy_k,Duration,0.28,no need of ERR_NVGPUCTRPERM\n", "columns belong to no known table"),
    "source as text": ("  #  Address  Source   # Samples  stall_barrier\n", "--page source --csv"),
    "uprof": ("AMDuProf CLI,4.2\n\"HOTTEST FUNCTIONS (Sort Event)\"\nFUNCTION,\"CPU_TIME (s)\"\n", "AMDuProfPcm"),
    "benchmark": ('{"benchmarks": [{"name": "a", "real_time": 1.0}]}', "results of a benchmark"),
    "smi": ("# gpu    pwr  gtemp\n# Idx      W      C\n    0    310     61\n", "log of a device's state"),
    "database": (b"SQLite format 3\0" + bytes(600), "database of no profiler"),
    "unknown": ("alpha,beta,gamma\n1,2,3\n", "hotloop reads counters and times of rocprof"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_read_is_named_with_what_to_give(write, content, words):
    with pytest.raises(ProfileError, match=words):
        read(write("file", content))


def test_a_descriptor_names_a_kernel_in_a_table_of_all_activities(write):
    rows = "65.81% 318678057.6    17802  17901.3      0.0  57786.7  MIOpenConvUni.kd\n 9.25% 44798797.4       14 3199914.1 153476.5 17637303.4  gap >=100000us\n"
    profile = read(
        write("rpt", f"      Total(%)    Time(us)    Calls  Avg(us)  Min(us)  Max(us)  Name\n        {rows}")
    )
    assert [kernel.kernel for kernel in profile.kernels] == ["MIOpenConvUni.kd"]
