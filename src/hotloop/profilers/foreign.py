"""Files that other tools wrote and hotloop does not read: what they are, and what to give in their place.

A pattern looks at a file's beginning only, and one row is for one tool: the first that fits speaks. What hotloop reads never
comes here, so patterns may be wide.
"""

from __future__ import annotations

import re
from typing import Final

_TOPDOWN: Final = "'perf stat --topdown' of the same program"
_WHERE: Final = f"it tells where time goes, not what limits it: give what {_TOPDOWN} counts"
_CODE: Final = "give the machine code itself"
_ELSE: Final = "give the machine code that its compiler makes of it, or what a profiler wrote of a run"

BINARY: Final[tuple[tuple[bytes, str], ...]] = (
    (b"\x7fELF", "it is a program or a code object"),
    (b"\x28\xb5\x2f\xfd", "it is compressed: unpack it first"),
    (b"PERFILE2", "it is perf's binary record: write it out with 'perf stat -x,' instead"),
    (b"Perf", "it is perf's binary record"),
    (b"NVIDIA Nsight Systems", "it is a report of Nsight Systems: write it out with 'nsys export --type sqlite' or 'nsys stats --format csv'"),
    (b"QDSTRM", "it is an unfinished report of Nsight Systems: import it, then write it out with 'nsys export --type sqlite'"),
    (b"\xf0OTF2", "it is a trace in OTF2: run 'rocprofv3 --kernel-trace --output-format csv' instead"),
    (b"OTF2", "it is a trace in OTF2: run 'rocprofv3 --kernel-trace --output-format csv' instead"),
    (b"RGP\0", "it is a capture of the Radeon GPU Profiler: give counters of rocprofv3 or the listing"),
    (b"AMD_RDF", "it is a capture of the Radeon GPU Profiler: give counters of rocprofv3 or the listing"),
    (b"HPCRUN", "it is a measurement of HPCToolkit: give counters of rocprofv3, ncu or perf"),
    (b"\x03\x02\x23\x07", "it is SPIR-V, which drivers compile: give the machine code of the device"),
    (b"\x07\x23\x02\x03", "it is SPIR-V, which drivers compile: give the machine code of the device"),
    (b"BC\xc0\xde", "it is LLVM bitcode: compile it to assembly with 'llc' or 'clang -S'"),
    (b"\x89HDF", "it is an HDF5 file, which hotloop does not read: write the table as CSV"),
    (b"\x89PNG", "it is a picture: give the table or the listing as text"),
    (b"\xff\xd8\xff", "it is a picture: give the table or the listing as text"),
    (b"%PDF", "it is a PDF: give the table or the listing as text"),
)  # fmt: skip
"""Beginnings of binary files."""

WITHIN: Final[tuple[tuple[bytes, str], ...]] = (
    (b"CUPTI_ACTIVITY_KIND_", "it is a database of Nsight Systems or nvprof without kernels: profile with 'nsys profile --trace cuda'"),
    (b"ApplicationInvocation", "it is a database of Intel VTune: write it out with 'vtune -report summary'"),
    (b"XPlane", "it is a trace of XLA in protobuf: write JSON with jax.profiler's create_perfetto_trace"),
    (b"SQLite format 3", "it is a database of no profiler that hotloop knows: write its tables as CSV"),
    (b"/device:GPU", "it is a trace of XLA in protobuf: write JSON with jax.profiler's create_perfetto_trace"),
)  # fmt: skip
"""Words in the beginning of binary files."""

_STATE: Final = (
    "it is a log of a device's state (amd-smi, nvidia-smi): it tells load and power over time, and nothing of a kernel"
)
_REPORT: Final = f"it is a report of perf: {_WHERE}"
_HOTSPOTS: Final = (
    "it is a list of hotspots of Intel VTune: it tells where time goes, not what limits it: give "
    f"'vtune -collect uarch-exploration' or {_TOPDOWN}"
)
_SLOTLESS: Final = (
    "it is a report of Intel VTune without pipeline slots: collect 'uarch-exploration', or give what 'perf stat --topdown' "
    "counts of the same program"
)
_INTEL_GPU: Final = (
    "it is a report of Intel VTune about a GPU of Intel's, whose counters and machine code hotloop does not know; "
    "times of its kernels by unitrace are read"
)
_BENCHMARK: Final = "it holds results of a benchmark, which tell how fast a kernel is, and nothing of why"

TEXT: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple((re.compile(pattern, flags), reason) for pattern, flags, reason in (
    (r"^\s*(?:#[^\n]*\n\s*)*pmc\s*:", 0, "it is an input file of rocprof: counters to collect, no results"),
    (r"^\s*att\s*:", 0, "it is an input file of rocprof: what a thread trace shall record, no results"),
    (r"^CPU name:[^\n]*\n(?:CPU [^\n]*\n)+", re.MULTILINE, "it is likwid-perfctr's beginning without a table of counts"),
    (r"^LIKWID MICRO BENCHMARK", re.MULTILINE, f"{_BENCHMARK}: give what likwid-perfctr counts of the same kernel"),
    (r"^\s*(?:XVE|EU) Array (?:Stalled/Idle|Active|Stalled|Idle):", re.MULTILINE, _INTEL_GPU),
    (r"^Effective (?:Physical|Logical) Core Utilization:|^Top Hotspots$", re.MULTILINE, _SLOTLESS),
    (r"\A\s*(?:--(?!-)|PRAGMA\b|CREATE (?:TABLE|VIEW|INDEX)\b|INSERT\b)", re.IGNORECASE, "it is an SQL script"),
    (r'^\s*\{\s*"\$schema"', 0, "it is a JSON schema, a description of results"),
    (r"\ACan't find|\Arocprof[^\n]*: error", re.IGNORECASE, "it is an error message of a profiler"),
    (r'\A\{"/":\{', 0, "it is a thread trace's index of source files: give the folder it lies in"),
    (r"^timestamp,gpu,|^gpu,(?:timestamp|gfx_activity|socket_power)|(?:^|,)gfx_activity,umc_activity\b|^gpu,gfx,gfx_clock|^timestamp, ?[^\n]*(?:utilization\.gpu|power\.draw)", 0, _STATE),
    (r"\A\s*#\s*(?:gpu|Entity|GPU)\b[^\n]*\n\s*#\s*(?:Idx|ID)\b|^\|\s*NVIDIA-SMI\b|ROCm System Management Interface|^GPU\s+(?:Temp|POWER)\b", re.MULTILINE, _STATE),
    (r"^# Overhead\s+(?:Command|Shared|Symbol|Samples)|^# Samples: .* of event|^\s*[0-9]+[.,][0-9]+%\s+(?:[0-9]+[.,][0-9]+%\s+)?\S+\s+\S+\s+\[[.k]\] \S", re.MULTILINE, _REPORT),
    (r"\A\s*Percent\s*\|\s*Source code & Disassembly", 0, f"it is an annotated listing of perf: {_WHERE}, and the listing of 'objdump -d'"),
    (r"\A\s*\S[^\n]{0,60}?\s+[0-9]+(?:/[0-9]+)?\s+(?:\[[0-9]+\]\s+)?[0-9]+\.[0-9]{6}:\s+(?:[0-9]+\s+)?\S+?:", 0, f"it holds samples of 'perf script': {_WHERE}"),
    (r"^(?:Function|Function Stack|Source Function)[,;\t][^\n]*\bCPU Time\b", 0, _HOTSPOTS),
    (r"^AMDuProf CLI\b|HOTTEST (?:FUNCTIONS|MODULES)", re.MULTILINE, f"it is a report of AMD uProf's samples: {_WHERE}, or a report of 'AMDuProfPcm -m pipeline_util'"),
    (r"^\s*(?:LS|FSU|ALU BRU) IssueQ Full:|^\s*Inter Chip Remote DDR Bound:", re.MULTILINE, f"it is a top-down tree of Kunpeng's tuner, whose kinds are of its own: give what {_TOPDOWN} counts"),
    (r"^Kernel execution time statistics in milliseconds", re.MULTILINE, "it is a table of times by kernel without a sum: write a table of name, calls and total time with its unit"),
    (r"Function Call Sites and Loops", 0, f"it is a survey of Intel Advisor, which tells loops and no counts of what cores wait for: give what {_TOPDOWN} counts"),
    (r'"papi_version"|\APAPI\b', 0, f"it holds counts of PAPI by region, under names that differ between processors: give what {_TOPDOWN} counts, or likwid-perfctr's regions"),
    (r"^Block RThroughput:|^Dispatch Width:\s+\d|^Resource pressure (?:per iteration|by instruction):", re.MULTILINE, f"it is an analysis of llvm-mca: {_CODE}, the listing that it was made from"),
    (r"^Open Source Architecture Code Analyzer|^Combined Analysis Report", re.MULTILINE, f"it is an analysis of OSACA: {_CODE}, the listing that it was made from"),
    (r"-Rpass-analysis=kernel-resource-usage\]|^remark: .*\[-Rpass", re.MULTILINE, f"it holds remarks of the compiler, registers and scratch memory without code: {_CODE} (clang -S, or --save-temps), which has the same figures"),
    (r"^\s*ptxas info\b", re.MULTILINE, f"it holds messages of ptxas, registers and spills without code: {_CODE}, the cubin or what 'cuobjdump -sass' prints of it"),
    (r"^--- !(?:Passed|Missed|Analysis)\b", re.MULTILINE, f"it is a record of the compiler's optimizations: {_CODE} (clang -S)"),
    (r"^\s*(?:; ModuleID = |target triple = |define [^\n]*@[\w.$\"]+\()", re.MULTILINE, "it is LLVM's intermediate code: compile it to assembly with 'llc' or 'clang -S'"),
    (r"\A\s*(?:#\w+ = [^\n]*\n\s*)*(?:module\b|#(?:ttg|triton_gpu|blocked)|tt\.func)", 0, "it is MLIR, as Triton's .ttir and .ttgir: give the .ptx, .cubin, .amdgcn or .hsaco beside it, or name a GPU with --target"),
    (r'\A\s*\{[^\0]{0,4000}?"num_warps"\s*:[^\0]{0,4000}?"num_stages"\s*:', 0, "it holds what Triton noted of a compiled kernel: give the .ptx, .cubin, .amdgcn or .hsaco beside it"),
    (r"REAL-CLOCK TIMER|WALL-CLOCK TIMER|^\|\s*LABEL\s*\|\s*COUNT\s*\|\s*DEPTH\s*\|", re.MULTILINE, "it holds times by function of rocprof-sys (Omnitrace): kernels' counters are in what 'rocprofv3 --pmc' writes"),
    (r'\A\s*\{\s*"timemory"', 0, "it holds times by function of rocprof-sys (Omnitrace): kernels' counters are in what 'rocprofv3 --pmc' writes"),
    (r"^Legend \(Metric: \S+|^[0-9.]+ ROOT$", re.MULTILINE, "it is a tree that proton-viewer drew: give the .hatchet file that it was drawn from"),
    (r'"benchmarks"\s*:\s*\[[^\]]{0,2000}"real_time"', 0, f"{_BENCHMARK}: give counters of rocprofv3, ncu or perf"),
    (r'\A\s*\[\s*\{\s*"cat"\s*:\s*"(?:Session|Node|Api)"', 0, "it is a profile of ONNX Runtime, which tells operators of the host: profile the program with nsys, rocprofv3 or perf"),
    (r"creator: (?:callgrind|cachegrind)|^(?:events|desc): |\A# callgrind format", re.MULTILINE, f"it is an output of Valgrind, which simulates and counts instructions: {_WHERE.partition(': ')[2]}"),
    (r"^Flat profile:", re.MULTILINE, f"it is a profile of gprof: {_WHERE}"),
    (r"^\s*(?:\*+ )?TensorRT|\[TRT\]|=== (?:Profile|Performance summary)", re.MULTILINE, "it is an output of TensorRT, which tells layers: profile the same command with 'nsys profile' or 'ncu'"),
    (r"\ANODE [0-9]+;CONTEXT [0-9]+:THREAD", 0, f"it is a profile of TAU: {_WHERE}"),
    (r'\A\s*(?:\{\s*"\$schema":\s*"https://www\.speedscope|[\w.;:<>~ ]+;[\w.;:<>~ ]+ [0-9]+\n[\w.;:<>~ ]+;)', 0, f"it holds folded stacks, a flame graph's data: {_WHERE}"),
    (r"^\s*(?:#\s+)?Address\s+Source\s[^\n]*(?:Warp Stall Sampling|# Samples)", re.MULTILINE, "it is Nsight Compute's page of source as text, whose columns cannot be told apart: write it with 'ncu --import FILE --page source --csv'"),
    (r"^\s*(?:; SPIR-V$|OpCapability\s)", re.MULTILINE, "it is SPIR-V, which drivers compile: give the machine code of the device"),
    (r"^==(?:ERROR|WARNING)== [^\n]*ERR_NVGPUCTRPERM", re.MULTILINE, "Nsight Compute was not allowed to count: run it as root, or allow counters to all users (NVIDIA's page ERR_NVGPUCTRPERM), and profile again"),
    (r"\A[^\n]*\n?[-=\s]*Trace Event Information|^\s*Shared Data Cache Line Table", re.MULTILINE, f"it is a report of 'perf c2c', which tells lines that cores share: {_WHERE}"),
    (r"\AList of (?:pre-defined events|all)|^\s*\[(?:Hardware|Software|Kernel PMU) event\]", re.MULTILINE, "it is a list of events that could be counted, no results"),
    (r"^Metric Name\s+Metric Type\s+Metric Unit\s+Metric Description|^Identifier\s+Display Name", re.MULTILINE, "it is a list of metrics that could be counted, no results"),
    (r"^DEVICE,SCRATCH_MEM,|^\S+,[^\n]*\bUSED_VGPRs\b", re.MULTILINE, f"it holds statistics of the Radeon GPU Analyzer: {_CODE} (its ISA disassembly), which has the same figures"),
    (r"^\*+ SHADER STATS \*+|^\s*SGPRS: \d+\s*$", re.MULTILINE, f"it holds statistics of Mesa's compiler: {_CODE}"),
    (r"^remark: [^\n]*(?:Function Name|VGPRs|SGPRs|Occupancy \[waves)", re.MULTILINE, f"it holds remarks of the compiler, registers and scratch memory without code: {_CODE} (clang -S, or --save-temps), which has the same figures"),
    (r"^\s*ncalls\s+tottime|^Line #\s+Hits\s+Time|function calls(?: \([^)]*\))? in [0-9.]+ seconds", re.MULTILINE, "it is a profile of Python's functions: record kernels with torch.profiler, nsys, rocprofv3 or Proton"),
    (r"torch\.utils\.benchmark|\balgbw\s+busbw\b|-Gflops\b,|^\s*Median: [0-9.]+ [mun]?s$", re.MULTILINE, f"{_BENCHMARK}: give counters of rocprofv3, ncu or perf"),
    (r"^Timestamp, ?DeviceId\b|\bGPU Utilization \(%\)|^RAM [0-9]+/[0-9]+MB", re.MULTILINE, _STATE),
    (r"^Number of platforms\b|^\s*Marketing Name:\s|^CUDA Device Query|^\s*Platform Name\s", re.MULTILINE, "it describes devices, and nothing that ran on them"),
    (r'"tune_params(?:_keys)?"\s*:', 0, "it is a cache of Kernel Tuner: 'hotloop import' reads it"),
    (r"\A#+ ", 0, "it is a text"),
    (r"^\s*(?:__kernel|__global__|kernel)\s+void\b|@triton\.jit\b", re.MULTILINE, f"it is a source: {_ELSE}"),
    ((r"^\s*#version \d+|^\s*layout\s*\(\s*local_size_x|\[numthreads\s*\(|^\s*(?:program|subroutine|module) \w+\s*$|^\s*(?:pub )?fn \w+\s*\(|"
     r"^\s*function \w+[^\n]*\)\s*$|^\s*#include\s*[<\"]|^\s*(?:void|int|float|double)\s+\w+\s*\([^;\n]*\)\s*\{"), re.MULTILINE, f"it is a source: {_ELSE}"),
))  # fmt: skip
"""Beginnings and lines of text files."""


def reason(raw: bytes, text: str) -> str:
    """Return what a file that begins so is, with what to give in its place; empty: not known.

    >>> reason(b"PERFILE2", "")
    "it is perf's binary record: write it out with 'perf stat -x,' instead"
    """
    for prefix, words in BINARY:
        if raw.startswith(prefix):
            return words
    if b"\0" in raw[:512]:
        return next((words for word, words in WITHIN if word in raw), "")
    return next((words for pattern, words in TEXT if pattern.search(text)), "")
