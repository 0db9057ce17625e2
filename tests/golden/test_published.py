"""Pages that people published, shortened: what they say by hand, and what the explanation says.

The numbers are their authors'; sources: a CUDA course's SGEMM (sm_75) and row sums and vector addition (sm_80), llm.c's softmax
kernels (sm_86) and AdamW (sm_75), a persistent kernel's page without its first line, and the outputs of ``perf stat --topdown`` of
articles on sorting with AVX2, on a chain of divisions and on an encoder's loop that outgrew a fetch line; a course's transpose of
doubles on a page of 2022 with the asked metrics only (eduardo4jesus/cuda-training-series), rocprof's results of a kernel with a large array of
its own on an APU (a ROCm tutorial), a product of a 4-bit matrix with a vector on a laptop's sm_120; ``perf stat`` of matrix products in a C++ course (ETH) and on a Ryzen 5
3500U, and rocprof's counters of AMD's seismic stencils (HPCTrainingExamples); ``perf stat`` of a small database engine (hardik-kansal/Database-Engine)
and of sums of pairs (grahamking/two_sum); ``perf stat`` of a server of language models by socket and thread; AMD's training example of a product
y·A·x with and without strides (HPCTrainingExamples), one folder's counters of HipKittens on an MI325X, and two counters that ROCm's profiler read
from one place, as its authors reported them (rocm-systems 6940).
"""

import pytest

from hotloop.app.explain.answer import Request, explain

RULER = "    ----------------------- ------------- -------------\n"


def page(line, dram, l1, l2, sm, duration, active, elapsed, rounds="", blocks="", size="256"):
    """Return a page of Nsight Compute's basic set."""
    speed = (("Elapsed Cycles", "cycle", elapsed), ("DRAM Throughput", "%", dram), ("Duration", "msecond", duration),
             ("L1/TEX Cache Throughput", "%", l1), ("L2 Cache Throughput", "%", l2), ("SM Active Cycles", "cycle", active),
             ("Compute (SM) Throughput", "%", sm))  # fmt: skip
    rows = "".join(f"    {name:23} {unit:>13} {value:>13}\n" for name, unit, value in speed)
    head = f"{RULER}    Metric Name               Metric Unit  Metric Value\n{RULER}"
    text = f"==PROF== Disconnected from process 543294\n{line}\n    Section: GPU Speed Of Light Throughput\n{head}{rows}{RULER}\n"
    if rounds:
        launch = (("Block Size", size), ("Grid Size", blocks), ("Waves Per SM", rounds))
        text += (
            f"    Section: Launch Statistics\n{head}"
            + "".join(f"    {n:23} {'':13} {v:>13}\n" for n, v in launch)
            + RULER
        )
    return text


def slots(retiring, speculation, frontend, backend):
    """Return a table of ``perf stat --topdown``."""
    return (" Performance counter stats for 'demo':\n\n %  tma_bad_speculation %  tma_backend_bound      %  tma_retiring %  tma_frontend_bound\n"
            f"                    {speculation}                 {backend}                    {retiring}                   {frontend}\n\n"
            "       0.818694856 seconds time elapsed\n")  # fmt: skip


def asked(line, *rows):
    """Return a page of a few asked metrics as versions before 2022.2 print it: no header, and the date instead of the sizes."""
    ruler = f"    {'-' * 70} {'-' * 15} {'-' * 30}\n"
    body = "".join(f"    {name:70} {unit:>15} {value:>30}\n" for name, unit, value in rows)
    return (
        "==PROF== Disconnected from process 18028\n[18028] task@127.0.0.1\n"
        f"{line}\n    Section: Command line profiler metrics\n{ruler}{body}{ruler}"
    )


def dispatches(*rows):
    """Return rocprof's results.csv of kernels: name, work-items, group, private bytes, registers, begin and end in ns."""
    head = "Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,accum_vgpr,sgpr,wave_size,sig,obj,BeginNs,EndNs"
    body = [
        f'{n},"{name}",1,0,{n},937,937,{items},{group},0,{private},{registers},0,128,32,0x0,0x7073a07c8d00,{begin},{end}'
        for n, (name, items, group, private, registers, begin, end) in enumerate(rows)
    ]
    return "\n".join((head, *body, ""))


def panels(total_ns, first, second):
    """Return the tables of ``rocprof-compute analyze --block 16.1 17.1``: Hit rate, Bandwidth, Utilization and Coalescing, then the second level's."""
    names = ("Hit rate", "Bandwidth", "Utilization", "Coalescing")
    rows = "".join(
        f"│ 16.1.{n} │ {name} │ {value} │ Pct of peak │\n"
        for n, (name, value) in enumerate(zip(names, first, strict=True))
    )
    names = ("Utilization", "Bandwidth", "Hit Rate", "L2-Fabric Read BW", "L2-Fabric Write and Atomic BW")
    units = ("Pct", "Pct", "Pct", "Gb/s", "Gb/s")
    more = "".join(
        f"│ 17.1.{n} │ {name} │ {value} │ {unit} │\n"
        for n, (name, value, unit) in enumerate(zip(names, second, units, strict=True))
    )
    return (
        f"{'-' * 80}\n0. Top Stats\n0.1 Top Kernels\n╒═══╤═══╕\n│ │ Kernel_Name │ Count │ Sum(ns) │ Mean(ns) │ Median(ns) │ Pct │\n╞═══╪═══╡\n"
        f"│ 0 │ yax(double*, double*, double*) [clone .kd] │ 1.00 │ {total_ns} │ {total_ns} │ {total_ns} │ 100.00 │\n╘═══╧═══╛\n\n"
        f"{'-' * 80}\n16. Vector L1 Data Cache\n16.1 Speed-of-Light\n╒═══╤═══╕\n│ Metric_ID │ Metric │ Avg │ Unit │\n╞═══╪═══╡\n{rows}╘═══╧═══╛\n\n"
        f"{'-' * 80}\n17. L2 Cache\n17.1 Speed-of-Light\n╒═══╤═══╕\n│ Metric_ID │ Metric │ Avg │ Unit │\n╞═══╪═══╡\n{more}╘═══╧═══╛\n"
    )


def compute(**counters):
    """Return a folder's pmc_perf.csv of ROCm Compute Profiler with one launch on an MI325X."""
    row = {
        "Dispatch_ID": 4, "Kernel_Name": "direct_copy_kernel", "GPU_ID": 2, "Grid_Size": 2097152, "Workgroup_Size": 128, "LDS_Per_Workgroup": 0,
        "Scratch_Per_Workitem": 0, "Arch_VGPR": 40, "Accum_VGPR": 0, "SGPR": 64, "wave_size": 64, **counters,
    }  # fmt: skip
    return ",".join(row) + "\n" + ",".join(map(str, row.values())) + "\n"


def launch(name, sizes, capability):
    return f"  {name} {sizes}, Context 1, Stream 7, Device 0, CC {capability}"


def counted(*rows):
    """Return what ``perf stat`` prints: value, event, remark."""
    body = "".join(f"{value:>22}      {event:24} {remark}\n" for value, event, remark in rows)
    return f" Performance counter stats for './demo':\n\n{body}\n       1.26850 seconds time elapsed\n"


def traffic(columns, *rows):
    """Return rocprof's results.csv of counters without times: name, work-items, registers, values."""
    head = f"Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,accum_vgpr,sgpr,wave_size,sig,obj,{columns}"
    body = [
        f'{n},"{name}",8,0,{n},12811,12811,{items},256,0,0,{registers},0,32,64,0x0,0x7fbf2296d680,{values}'
        for n, (name, items, registers, values) in enumerate(rows)
    ]
    return "\n".join((head, *body, ""))


ADVICE = """
    Section: Warp State Statistics
    ---------------------------------------- ----------- ------------
    Metric Name                              Metric Unit Metric Value
    ---------------------------------------- ----------- ------------
    Warp Cycles Per Issued Instruction             cycle        12.27
    ---------------------------------------- ----------- ------------

    OPT   Estimated Speedup: 49.14%
          On average, each warp of this kernel spends 6.0 cycles being stalled waiting for the MIO (memory
          input/output) instruction queue to be not full. This stall type represents about 49.1% of the total average
          of 12.3 cycles between issuing two instructions.
"""
DERIVED = (
    "Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,vgpr,sgpr,fbar,sig,obj,GPUBusy,Wavefronts,VALUInsts,SALUInsts,"
    "SFetchInsts,MemUnitStalled,VALUUtilization,VALUBusy,SALUBusy,L2CacheHit,WriteUnitStalled,LDSBankConflict\n"
    '0,"{0}(float*, float*, int, int) [clone .kd]",0,0,0,246,246,16777216,1024,{1},0,8,24,0,0x0,0x7ffdd7609840,100,262144,{2},{3},2,{4},100,{5},0,{6},0,{7}\n'
)
NSYS = """ ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):

 Time (%)  Total Time (ns)  Instances  Avg (ns)  Med (ns)  Min (ns)  Max (ns)  StdDev (ns)                 Name
 --------  ---------------  ---------  --------  --------  --------  --------  -----------  ----------------------------------
     69.5          2426413          3  808804.3  808666.0    807833    809914       1047.4  fused_decode3_fused_NT_matmul21_kernel_1
     20.6           718778          1  718778.0  718778.0    718778    718778          0.0  sm80_xmma_gemm_f16f16_f16f32_f32_tn_n
"""
PUBLISHED = {
    "SGEMM 1024³": (page(launch("sgemm(int, const float *)", "(32, 32, 1)x(32, 32, 1)", "7.5"), "0.47", "98.45", "0.40", "5.97", "96.32",
                         "55,313,213.62", "56,344,784"), "l1-bound", "97 % of the first-level cache, nothing else above 6 %"),
    "row sums": (page(launch("row_sums(const float *)", "(64, 1, 1)x(256, 1, 1)", "8.0"), "17.98", "99.84", "17.06", "2.08", "3.84",
                      "2,489,585.13", "4,205,684"), "idle-units", ("64 blocks keep units busy 59 % of the launch, as 64 of 108 are; those that "
                 "work are at 99.8 % of the first-level cache")),
    "vector addition by one thread": (page(launch("vadd(const float *)", "(1, 1, 1)x(1, 1, 1)", "8.0"), "0.00", "2.37", "0.03", "0.02",
                                           "3.88", "39,311.81", "4,247,581", "0.00", "1", "1"), "idle-units", "one block on 108 units"),
    "softmax, a row a thread": (page(launch("softmax_forward_kernel1(float *)", "(16, 1, 1)x(512, 1, 1)", "8.6"), "10.50", "77.09", "38.14",
                                     "5.27", "15.15", "4,788,773.59", "13,843,531", "0.12", "16", "512"), "idle-units",
                                "16 blocks keep units busy 35 % of the launch"),
    "softmax, a row a warp": (page(launch("softmax_forward_kernel3(float *)", "(8192, 1, 1)x(32, 1, 1)", "8.6"), "55.98", "18.21", "28.14",
                                   "12.02", "3.28", "2,913,056.91", "3,004,364", "11.13", "8,192", "32"), "",
                              "56 % of device memory, waiting was not counted"),
    "AdamW": (page(launch("void adamw_kernel3<float, float>(T1 *)", "(2048, 1, 1)x(512, 1, 1)", "7.5"), "86.36", "7.98", "28.42", "7.12", "0.60656",
                   "843,909.21", "845,438", "73.14", "2,048", "512"), "hbm-bound", "86 % of device memory"),
    "sparse product, brief blocks": (page(launch("fused_spmm_gemm_relu_small_n_kernel", "(64, 1, 1)x(128, 1, 1)", "8.6"), "3.29", "26.71", "1.27",
                                          "0.42", "0.11798", "3,717.88", "166,261", "0.76", "64", "128"), "idle-units",
                                     "64 blocks leave a quarter of the units idle; they ran for 2 % of the launch, which more blocks do not change"),
    "persistent kernel": (page("", "23.38", "19.35", "23.98", "85.58", "0.3248", "518383.56", "534862", "1", "78"), "unit-bound",
                          "86 % of a unit that the page does not name"),
    "chain of divisions": (slots(8.5, 0.0, 0.1, 91.4), "backend-bound", "91 % of the slots wait for the divider"),
    "encoder's loop": (slots(61.9, 2.3, 35.2, 0.6), "frontend-bound", "35 % of the slots wait for instructions"),
    "sorting with AVX2": (slots(37.6, 32.3, 16.9, 13.2), "bad-speculation", "32 % of the slots are thrown away"),
    "encoder's loop before": (slots(77.7, 3.0, 18.5, 0.8), "", "78 % of the slots do useful work"),
    "transpose by column": (asked("  naive_cuda_transpose(int, const double *, double *), 2022-Jun-08 16:31:17, Context 1, Stream 7",
                                  ("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", "sector/request", "32"),
                                  ("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "request", "524,288"),
                                  ("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", "%", "25")), "",
                            "stores use a quarter of their sectors; neither a time nor the load of a level was asked for"),
    "kernel with an array of its own": (dispatches(
        ("light_kernel(float*, int) [clone .kd]", 20971520, 256, 0, 8, 363394501507848, 363394502312007),
        ("heavy_kernel(float*, int) [clone .kd]", 20971520, 256, 144, 72, 363394502772909, 363394537269967)), "private-memory",
                                        "144 B a work-item beside 72 registers, 43 times as long as the kernel without"),
    "4-bit matrix times vector": (page(launch("gemv_kernel(const __half *, const unsigned char *)", "(32, 1, 1)x(128, 1, 1)", "12.0"),
                                       "2.64", "91.13", "1.11", "13.18", "0.9625", "1,084,265.23", "1,621,955", "0.10", "32", "128"),
                                  "idle-units", "32 blocks keep units busy 67 % of the launch"),
    "matrix product of a C++ course": (counted(
        ("1’265.91 msec", "task-clock", "#    0.998 CPUs utilized"), ("2’725’958’586", "cycles", "#    2.153 GHz   (49.80%)"),
        ("2’102’075’504", "instructions", "#    0.77  insn per cycle  (62.41%)"),
        ("17’904’419", "LLC-loads", "#   14.144 M/sec  (50.03%)"),
        ("15’112’462", "LLC-load-misses", "#   84.41% of all LL-cache accesses  (50.01%)")), "",
                                      "15 million loads from memory in 1.27 s, but how many overlap was not counted"),
    "matrix product on a laptop": (counted(
        ("397,184,949", "cycles", "#    2.248 GHz (81.90%)"), ("269,961,726", "stalled-cycles-backend", "# 67.97% backend cycles idle (84.20%)"),
        ("1,103,594,689", "instructions", "#    2.78  insn per cycle")), "",
                                   "2.78 instructions a clock beside 68 % of idle clocks: the event does not mean what it says there"),
    "database engine, two forms one behind the other": ("".join(counted(
        (task, "task-clock", f"#    {cores} CPUs utilized"), (cycles, "cycles", "#    3.672 GHz"), (done, "instructions", "#    1.02  insn per cycle"),
        (branches, "branches", "#  384.724 M/sec"), (missed, "branch-misses", "#    8.55% of all branches")).replace("1.26850", elapsed)
        for task, cores, cycles, done, branches, missed, elapsed in (
            ("1.05 msec", "0.736", "3,849,533", "4,299,124", "843,665", "70,482", "0.001427"),
            ("2.20 msec", "0.744", "4,218,515", "4,313,702", "847,010", "72,441", "0.002961"))), "branch-misses",
                                                        "8.6 % of the branches, about 26 % of the clocks at fifteen each; 3 ms are too brief to tell of waiting"),
    "a server's thread, watched for 400 s": (counted(
        ("6,924.46 msec", "task-clock", "#    0.017 CPUs utilized"), ("13,304,072,756", "cycles", "#    1.921 GHz  (56.74%)"),
        ("16,574,737,010", "instructions", "#    1.25  insn per cycle  (57.64%)"),
        ("89,239,174", "cache-references", "#   12.888 M/sec  (54.75%)"), ("37,648,789", "cache-misses", "#   42.19% of all cache refs  (53.42%)"),
        ).replace("1.26850", "400.004093380"), "process-waits", "it runs for 7 of 400 s: its load took a minute"),
    "two counters in one place": ((
        '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size",'
        '"LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"\n'
        + "".join(f'1,1,"Agent 1",1,64,64,65536,1,"test",256,0,0,8,0,128,"{name}",{value},942033628701783,942033628707263\n'
                  for name, value in (("SQ_WAVES", 4301154), ("SQ_CYCLES", 25794636)))), "partial-counters",
                                  "4,301,154 waves counted where 65,536 work-items are at most 2,048", "gfx1100"),
    "copy that turns a matrix": (compute(
        SQ_WAIT_ANY=26477814, SQ_WAIT_INST_ANY=318571963, SQ_ACTIVE_INST_ANY=19398656, SQ_BUSY_CU_CYCLES=54147689, SQ_ACTIVE_INST_VALU=7995392,
        SQ_WAVES=32768, SQ_WAVE_CYCLES=363817290, SQ_BUSY_CYCLES=5792094, GRBM_GUI_ACTIVE=1554116, TCP_TOTAL_CACHE_ACCESSES_sum=17825792,
        SQ_INSTS_VMEM=524288, SQ_INSTS_VALU=7995392, SQ_INSTS_LDS=0, TCC_HIT_sum=16523488, TCC_MISS_sum=786910,
        Start_Timestamp=4572254445044269, End_Timestamp=4572254445141172), "scattered-lines",
                                 "64 lookups a load and 4 a store, 88 % of the waves' time waiting to issue; the same bytes in order take a quarter of the time"),
    "sparse product, its page cut off": (page(launch("fused_spmm_gemm_relu_small_n_kernel", "(64, 1, 1)x(128, 1, 1)", "8.6"), "3.29", "26.71", "1.27",
                                              "0.42", "0.11798", "3,717.88", "166,261"), "uneven-groups",
                                         "units hold work 2 % of the launch; how many blocks fit at once is cut off"),
    "product with strides, two levels of cache": (panels("70270856.00", ("0.00", "8.64", "87.71", "25.00"), ("98.66", "28.10", "93.45", "125.05", "0.00")), "",
                                                  "25 % coalesced is printed of neighbouring doubles, too; neither waiting nor the chip is told"),
    "the same without strides": (panels("12364156.00", ("49.98", "12.29", "98.12", "25.00"), ("98.56", "10.03", "0.52", "694.86", "0.00")), "",
                                 "busy shares are no limits: 8 GiB in 12.4 ms on a chip that is not named"),
    "sums of pairs, three programs": ("---\n".join(counted(
        (f"{seconds},000.00 msec", "task-clock", "#    1.000 CPUs utilized"), (retiring, "topdown-retiring", f"#     {share}% retiring"),
        (speculation, "topdown-bad-spec", "#      9.4% bad speculation"), (front, "topdown-fe-bound", "#      4.7% frontend bound"),
        (back, "topdown-be-bound", "#     43.1% backend bound")).replace("1.26850", f"{seconds}.01")
        for seconds, share, retiring, speculation, front, back in (
            (60, "73.8", "267,075,091,601", "19,798,995,528", "73,539,126,250", "1,414,213,966"),
            (61, "42.8", "157,444,278,685", "34,651,381,189", "17,325,690,594", "158,818,830,452"),
            (8, "71.3", "36,566,963,083", "1,606,856,945", "13,066,952,341", "29,418,976"))), "backend-bound",
                                      "43 % of the slots of the longest; the other two wait for nothing, and three runs are no sum"),
    "finite differences, bank conflicts": (traffic(
        "LDSBankConflict,LDSInsts", ("compute_fd_x_kernel", 134217728, 16, "0.0000000000,0.0000000000"),
        ("compute_fd_x_kernel", 134217728, 16, "0.0000000000,0.0000000000")), "",
                                           "no local memory is used, and nothing else was asked for"),
    "finite differences, traffic": (traffic(
        "FETCH_SIZE,WRITE_SIZE,TCP_TOTAL_CACHE_ACCESSES_sum,TCP_TCC_READ_REQ_sum,TCP_TCC_WRITE_REQ_sum",
        ("compute_fd_x_kernel", 134217728, 4, "3.25,528532.8750000000,16777216.0,0.0,10485760.0"),
        ("compute_fd_x_kernel", 134217728, 4, "2.75,528533.0937500000,16777216.0,0.0,10485760.0")), "",
                                    "516 MiB written and nothing read in a time that the file does not tell"),
    "addition by one thread, by 256, by 4,096 blocks": ("\n".join(
        page(launch("add(int, float *, float *)", sizes, "8.6"), dram, l1, l2, sm, duration, active, elapsed)
        for sizes, dram, l1, l2, sm, duration, active, elapsed in (
            ("(1, 1, 1)x(1, 1, 1)", "1.71", "0.78", "0.89", "0.02", "574.81", "21227963.63", "809887455"),
            ("(1, 1, 1)x(256, 1, 1)", "1.82", "4.77", "1.36", "0.09", "3.93", "144739.32", "5534390"),
            ("(4096, 1, 1)x(256, 1, 1)", "0.01", "1.25", "49.37", "1.57", "0.49866", "698143.45", "702997"))), "idle-units",
                                                        "575 ms by one thread; units hold work 2.6 % of it, as one of 38 does"),
    "product in tiles of 16×16": (page(launch("matmul_naive(const float *)", "(188, 250, 1)x(16, 16, 1)", "8.6"), "25.07", "97.55", "21.20", "97.50",
                                       "27.01", "37,633,714.52", "37,680,872", "95.53", "47,000"), "l1-bound",
                                  "97 % of the first-level cache; the unit at 97.5 % is the one that feeds it"),
    "product in register tiles": (page(launch("register_tiled(float *, float *)", "(32, 32, 1)x(16, 16, 1)", "7.5"), "21.48", "97.94", "10.81", "47.15",
                                       "12.29", "7049744.38", "7187283", "12.80", "1024") + ADVICE, "lds-bound",
                                  "the path of shared memory and first-level cache is 96 % full, and warps wait in shared memory's queue"),
    "transpose with stores by columns": (DERIVED.format("transpose_kernel", 0, 16, 0, 83, 6, 77, 0), "memory-unit-stalled",
                                         "the memory unit is stalled 83 % of the time; no bytes and no time"),
    "transpose through a tile without padding": (DERIVED.format("transpose_lds_kernel", 4096, 20, 2, 26, 26, 0, 67), "bank-conflicts",
                                                 "conflicts stall local memory for 67 % of the time"),
    "copy, in rocprof's own metrics": (DERIVED.format("copy_kernel", 0, 11, 1, 13, 13, 0, 0), "", "neither time nor bytes; nothing is busy or stalled"),
    "an idle machine, as JSON": (
        '{"interval" : 1.0, "counter-value" : "2497454658.0", "unit" : "", "event" : "cycles", "metric-value" : "0.15", "metric-unit" : "GHz"}\n'
        + "".join(f'{{"interval" : 1.0, "metric-value" : "{share}", "metric-unit" : "%  tma_{name}"}}\n' for name, share in (
            ("backend_bound", 22.0), ("bad_speculation", 7.6), ("frontend_bound", 36.7), ("retiring", 33.6))),
        "frontend-bound", "37 % of the slots wait for instructions"),
    "fused product, summary of nsys": (NSYS, "", "times alone"),
    "transpose with stamps of another clock": (
        ("Dispatch_ID,GPU_ID,Queue_ID,Queue_Index,PID,TID,GRD,WGR,LDS,SCR,Arch_VGPR,ACCUM_VGPR,SGPR,Wave_Size,SIG,OBJ,Kernel_Name,"
        "Start_Timestamp,End_Timestamp,Correlation_ID,SQ_WAVES,GRBM_COUNT,GRBM_GUI_ACTIVE,SQ_INSTS_VALU,FETCH_SIZE\n\n"
        '1,64700,1,0,353,353,1048576,16,0,0,8,0,16,64,140356026185088,1,"matrixTranspose(float*, float*, int) (.kd)",7,30064771072,0,'
        "65536.0,398333.0,398333.0,917504.0,4136.0\n"), "", "398,333 clocks in the 30 s of the stamps are impossible: no time is known"),
}  # fmt: skip
"""By name: text, verdict by hand (empty: undecided, or nothing to find), reason; processor where it is asked for with one."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_pages_say_what_their_numbers_say(name, tmp_path):
    text, rule, reason, *target = PUBLISHED[name]
    path = tmp_path / "page.txt"
    path.write_text(text)
    found = explain(Request(inputs=(str(path),), target="".join(target)))
    assert [finding.rule for finding in found.findings][:1] == ([rule] if rule else []), reason
