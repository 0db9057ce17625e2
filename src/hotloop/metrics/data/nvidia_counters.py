"""NVIDIA metrics that formulas use, by Nsight Compute's names, in the base units to which the parser brings them.

Source: Nsight Compute documentation, metrics reference; names and units as version 2025.3 writes them for an H100.
"""

from hotloop.metrics.counters import Counter

STALLS = {
    "long_scoreboard": "waiting for global, local, texture or surface memory",
    "short_scoreboard": "waiting for shared memory or special functions through the memory input/output queue",
    "mio_throttle": "waiting for a place in the memory input/output queue",
    "lg_throttle": "waiting for a place in the queue of global and local memory",
    "tex_throttle": "waiting for a place in the texture queue",
    "barrier": "waiting at a barrier of the block",
    "membar": "waiting for a memory fence",
    "wait": "fixed latency of a dependent instruction",
    "math_pipe_throttle": "waiting for a busy arithmetic pipe",
    "gmma": "waiting for matrix instructions of the warp group",
    "no_instruction": "waiting for instructions",
    "imc_miss": "waiting for a constant",
    "branch_resolving": "waiting for a branch's target",
    "dispatch_stall": "held back by the dispatcher",
    "drain": "waiting for stores after the last instruction",
    "sleeping": "asleep",
    "misc": "other reasons",
    "not_selected": "ready, another warp was taken",
    "selected": "issuing",
}
"""Reasons of Nsight Compute's warp states; together they make the latency between two instructions of a warp."""


def stall(reason: str) -> str:
    """Return the metric that counts a reason, in cycles between two instructions of a warp."""
    return f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio"


_PERCENT = {
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed": "device memory, share of peak",
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed": "device memory and caches together, share of peak of the busiest part",
    "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed": "the same, of requests and bytes between the parts",
    "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed": "the same, of accesses within the parts",
    "lts__throughput.avg.pct_of_peak_sustained_elapsed": "L2, share of peak",
    "l1tex__throughput.avg.pct_of_peak_sustained_elapsed": "L1, share of peak",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed": "shared memory's data pipe, share of peak",
    "l1tex__throughput.avg.pct_of_peak_sustained_active": "L1, share of peak while active",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": "busiest unit of the multiprocessors, share of peak",
    "lts__t_sector_hit_rate.pct": "L2 hits",
    "l1tex__t_sector_hit_rate.pct": "L1 hits",
    "sm__icc_request_hit_rate.pct": "instruction cache hits",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "resident warps over the most, while active",
    "sm__maximum_warps_per_active_cycle_pct": "occupancy that the launch allows",
    "smsp__issue_active.avg.pct_of_peak_sustained_active": "issue slots used while active",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed": "tensor cores",
    "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed": "multiply-add pipe",
    "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed": "integer and logic pipe",
    "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed": "double precision pipe",
    "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active": "special functions and conversions, while active",
    "derived__local_spilling_requests_pct": "requests for spilled registers over requests to L1",
}
_ASKED = {
    "sm__inst_issued.avg.pct_of_peak_sustained_active": "issue slots used while active, of the multiprocessor",
    "sm__inst_issued.avg.pct_of_peak_sustained_elapsed": "issue slots used, of the multiprocessor",
    "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active": "multiply-add instructions, while active",
    "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active": "integer and logic instructions, while active",
    "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active": "double precision instructions, while active",
    "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active": "loads and stores, while active",
    "sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_active": "address divergence unit (indexed constants, branches), while active",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": "device memory, share of peak",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active": "tensor cores, while active",
    "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active": "tensor core instructions, while active",
    "smsp__thread_inst_executed_per_inst_executed.pct": "threads per executed instruction over 32",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct": "bytes asked for per sector over 32, global loads",
    "smsp__cycles_active.avg.pct_of_peak_sustained_elapsed": "clocks in which a scheduler held warps over all",
    "sm__cycles_active.avg.pct_of_peak_sustained_elapsed": "clocks in which a multiprocessor held warps over all",
}
"""Metrics that no section has and people choose themselves: the ones that NVIDIA's table names for nvprof's."""


_ASKED_STALLS = ("long_scoreboard", "short_scoreboard", "mio_throttle", "barrier", "no_instruction", "imc_miss", "wait",
                 "math_pipe_throttle", "gmma", "not_selected", "selected")  # fmt: skip


def asked_stall(reason: str) -> str:
    """Return the metric that tells a reason as a share of warps, which people ask for by name."""
    return f"smsp__warp_issue_stalled_{reason}_per_warp_active.pct"


SAMPLE_COUNT = "smsp__pcsamp_sample_count"


def sampled_stall(reason: str) -> str:
    """Return the metric that counts samples of warps which wait for a reason; one has another name there than elsewhere."""
    return f"smsp__pcsamp_warps_issue_stalled_{reason}{'s' if reason == 'no_instruction' else ''}"


_CYCLES = {
    "sm__cycles_elapsed.avg": "clocks of the launch",
    "sm__cycles_elapsed.max": "clocks of the launch, longest of all units",
    "sm__cycles_active.avg": "clocks in which a multiprocessor held warps, mean",
    "sm__cycles_active.max": "clocks in which a multiprocessor held warps, busiest",
    "gpc__cycles_elapsed.max": "clocks of the launch, longest of all clusters",
    "smsp__cycles_elapsed.max": "clocks of the launch, longest of all schedulers",
}
_COUNTS = {
    "launch__grid_size": ("group", "blocks"),
    "launch__waves_per_multiprocessor": ("1", "blocks over those that the device holds at once"),
    "launch__registers_per_thread": ("1", "registers of a thread"),
    "launch__shared_mem_per_block": ("B", "shared memory of a block"),
    "launch__occupancy_limit_registers": ("group", "blocks per multiprocessor that registers allow"),
    "launch__occupancy_limit_shared_mem": ("group", "blocks per multiprocessor that shared memory allows"),
    "launch__occupancy_limit_warps": ("group", "blocks per multiprocessor that warp slots allow"),
    "gpu__time_duration.sum": ("ns", "time of the launch"),
    "smsp__inst_executed.sum": ("inst", "warp instructions executed"),
    "smsp__thread_inst_executed_per_inst_executed.ratio": ("item", "threads per executed instruction"),
    "smsp__warps_active.avg.per_cycle_active": ("wave", "resident warps of a scheduler, while active"),
    "smsp__average_warp_latency_per_inst_issued.ratio": ("cycle", "cycles between two instructions of a warp"),
    "smsp__sass_inst_executed_op_shared_ld.sum": ("inst", "shared memory loads"),
    "smsp__sass_inst_executed_op_shared.sum": ("inst", "shared memory instructions"),
    "smsp__sass_inst_executed_op_global_ld.sum": ("inst", "global loads"),
    "smsp__sass_inst_executed_op_global_st.sum": ("inst", "global stores"),
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio": (
        "B/sector",
        "bytes asked for per sector, global loads",
    ),
    "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum": ("inst", "threads that executed a conversion"),
    "dram__bytes.sum": ("B", "bytes read from and written to device memory"),
    "dram__bytes.sum.per_second": ("B/s", "the same per second"),
    "dram__sectors_read.sum": ("sector", "sectors read from device memory"),
    "dram__sectors_write.sum": ("sector", "sectors written to device memory"),
    "lts__t_sectors.sum": ("sector", "sectors through L2"),
    "lts__t_bytes.sum": ("B", "bytes through L2"),
    "l1tex__t_bytes.sum": ("B", "bytes through L1"),
    "sm__inst_executed_pipe_tensor.sum": ("inst", "tensor core instructions"),
    "dram__bytes_read.sum": ("B", "bytes read from device memory"),
    "dram__bytes_write.sum": ("B", "bytes written to device memory"),
    "lts__t_sectors_srcunit_tex.sum": ("sector", "sectors that L1 asks of L2"),
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum": ("req", "wavefronts that conflicts of shared memory added"),
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": ("req", "wavefronts of shared memory, conflicts included"),
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.per_second": ("req/s", "the same per second"),
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": ("req", "global load requests"),
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": ("sector", "sectors of global loads"),
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": ("sector", "sectors of global stores"),
    "derived__memory_l2_theoretical_sectors_global_excessive": ("sector", "sectors beyond ideal access"),
    "memory_l2_theoretical_sectors_global": ("sector", "sectors of global accesses by the code's addresses"),
    "sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32_sparsity_off.sum": ("flop", "wgmma operations, bf16"),
    "sm__ops_path_tensor_op_hgmma_src_fp16_sparsity_off.sum": ("flop", "wgmma operations, fp16"),
    "sm__ops_path_tensor_op_hgmma_src_tf32_dst_fp32_sparsity_off.sum": ("flop", "wgmma operations, tf32"),
    "sm__ops_path_tensor_op_hmma_src_bf16_dst_fp32_sparsity_off.sum": ("flop", "mma operations, bf16"),
    "sm__ops_path_tensor_op_hmma_src_fp16_dst_fp16_sparsity_off.sum": ("flop", "mma operations, fp16 sums"),
    "sm__ops_path_tensor_op_hmma_src_fp16_dst_fp32_sparsity_off.sum": ("flop", "mma operations, fp16 with fp32 sums"),
    "sm__ops_path_tensor_op_hmma_src_tf32_dst_fp32_sparsity_off.sum": ("flop", "mma operations, tf32"),
    "sm__ops_path_tensor_src_bf16_dst_fp32.sum": ("flop", "tensor operations, bf16"),
    "sm__ops_path_tensor_src_fp16.sum": ("flop", "tensor operations, fp16"),
    "sm__ops_path_tensor_src_tf32_dst_fp32.sum": ("flop", "tensor operations, tf32"),
    "sm__ops_path_tensor_src_fp64.sum": ("flop", "tensor operations, double precision"),
    "sm__ops_path_tensor_src_fp8_sparsity_off.sum": ("flop", "tensor operations, fp8"),
}
_LANE_OPS = {f"smsp__sass_thread_inst_executed_op_{op}_pred_on.sum.per_cycle_elapsed": f"{op}, threads per clock of the device"
             for op in ("fadd", "fmul", "ffma", "hadd", "hmul", "hfma", "dadd", "dmul", "dfma")}  # fmt: skip

_LANES = {f"{unit}__sass_thread_inst_executed_op_{op}_pred_on.sum": f"{op}, threads that executed one"
          for op in ("fadd", "fmul", "ffma", "hadd", "hmul", "hfma", "dadd", "dmul", "dfma") for unit in ("sm", "smsp")}  # fmt: skip

COUNTERS = (
    *(Counter(name, "inst", text) for name, text in _LANES.items()),
    *(Counter(name, "%", text) for name, text in {**_PERCENT, **_ASKED}.items()),
    *(Counter(asked_stall(reason), "%", text) for reason, text in STALLS.items() if reason in _ASKED_STALLS),
    *(
        Counter(sampled_stall(reason), "1", f"samples of warps: {text}")
        for reason, text in STALLS.items()
        if reason in _ASKED_STALLS
    ),
    Counter(SAMPLE_COUNT, "1", "samples of warps"),
    *(Counter(name, "cycle", text) for name, text in _CYCLES.items()),
    *(Counter(name, unit, text) for name, (unit, text) in _COUNTS.items()),
    *(Counter(stall(reason), "cycle", text) for reason, text in STALLS.items()),
    *(Counter(name, "inst/cycle", text) for name, text in _LANE_OPS.items()),
)
