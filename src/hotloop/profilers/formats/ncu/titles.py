"""Titles of the page ``details`` and the metrics that they show.

Source: the section files of Nsight Compute 2025.3; checked against the raw page of the same kernels, run once more.
"""

_LIGHT = "GPU Speed Of Light Throughput"
_COMPUTE = "Compute Workload Analysis"
_MEMORY = "Memory Workload Analysis"
_SCHEDULER = "Scheduler Statistics"
_WARP = "Warp State Statistics"
_INSTRUCTION = "Instruction Statistics"
_LAUNCH = "Launch Statistics"
_OCCUPANCY = "Occupancy"
_DISTRIBUTION = "GPU and Memory Workload Distribution"
_SOURCE = "Source Counters"

_STALLS = ("Barrier", "Branch Resolving", "Dispatch Stall", "Drain", "IMC Miss", "LG Throttle", "Long Scoreboard", "Math Pipe Throttle",
           "Membar", "MIO Throttle", "Misc", "No Instruction", "Not Selected", "Short Scoreboard", "Sleeping",
           "Tex Throttle", "Wait")  # fmt: skip
"""Reasons for which warps do not issue, as ``--print-details all`` names them behind the word Stall."""

TITLES: dict[tuple[str, str], str] = {
    **{
        (
            _WARP,
            f"Stall {name}",
        ): f"smsp__average_warps_issue_stalled_{name.lower().replace(' ', '_')}_per_issue_active.ratio"
        for name in _STALLS
    },
    (_WARP, "Selected"): "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio",
    (_LIGHT, "DRAM Frequency"): "dram__cycles_elapsed.avg.per_second",
    (_LIGHT, "SM Frequency"): "gpc__cycles_elapsed.avg.per_second",
    (_LIGHT, "Elapsed Cycles"): "gpc__cycles_elapsed.max",
    (_LIGHT, "Memory Throughput"): "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    (_LIGHT, "DRAM Throughput"): "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    (_LIGHT, "Duration"): "gpu__time_duration.sum",
    (_LIGHT, "L1/TEX Cache Throughput"): "l1tex__throughput.avg.pct_of_peak_sustained_active",
    (_LIGHT, "L2 Cache Throughput"): "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    (_LIGHT, "SM Active Cycles"): "sm__cycles_active.avg",
    (_LIGHT, "Compute (SM) Throughput"): "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    (_COMPUTE, "Executed Ipc Active"): "sm__inst_executed.avg.per_cycle_active",
    (_COMPUTE, "Executed Ipc Elapsed"): "sm__inst_executed.avg.per_cycle_elapsed",
    (_COMPUTE, "Issued Ipc Active"): "sm__inst_issued.avg.per_cycle_active",
    (_COMPUTE, "Issue Slots Busy"): "sm__inst_issued.avg.pct_of_peak_sustained_elapsed",
    (_COMPUTE, "SM Busy"): "sm__instruction_throughput.avg.pct_of_peak_sustained_elapsed",
    (_MEMORY, "Local Memory Spilling Requests"): "derived__local_spilling_requests",
    (_MEMORY, "Local Memory Spilling Request Overhead"): "derived__local_spilling_requests_pct",
    (_MEMORY, "Memory Throughput"): "dram__bytes.sum.per_second",
    (_MEMORY, "Mem Busy"): "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed",
    (_MEMORY, "Max Bandwidth"): "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed",
    (_MEMORY, "L1/TEX Hit Rate"): "l1tex__t_sector_hit_rate.pct",
    (_MEMORY, "L2 Hit Rate"): "lts__t_sector_hit_rate.pct",
    (_MEMORY, "Mem Pipes Busy"): "sm__memory_throughput.avg.pct_of_peak_sustained_elapsed",
    (_SCHEDULER, "One or More Eligible"): "smsp__issue_active.avg.pct_of_peak_sustained_active",
    (_SCHEDULER, "Issued Warp Per Scheduler"): "smsp__issue_active.avg.per_cycle_active",
    (_SCHEDULER, "No Eligible"): "smsp__issue_inst0.avg.pct_of_peak_sustained_active",
    (_SCHEDULER, "Active Warps Per Scheduler"): "smsp__warps_active.avg.per_cycle_active",
    (_SCHEDULER, "Eligible Warps Per Scheduler"): "smsp__warps_eligible.avg.per_cycle_active",
    (_WARP, "Warp Cycles Per Issued Instruction"): "smsp__average_warp_latency_per_inst_issued.ratio",
    (_WARP, "Warp Cycles Per Executed Instruction"): "smsp__average_warps_active_per_inst_executed.ratio",
    (_WARP, "Avg. Active Threads Per Warp"): "smsp__thread_inst_executed_per_inst_executed.ratio",
    (_WARP, "Avg. Not Predicated Off Threads Per Warp"): "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
    (_INSTRUCTION, "Avg. Executed Instructions Per Scheduler"): "smsp__inst_executed.avg",
    (_INSTRUCTION, "Executed Instructions"): "smsp__inst_executed.sum",
    (_INSTRUCTION, "Avg. Issued Instructions Per Scheduler"): "smsp__inst_issued.avg",
    (_INSTRUCTION, "Issued Instructions"): "smsp__inst_issued.sum",
    (_LAUNCH, "Block Size"): "launch__block_size",
    (_LAUNCH, "Grid Size"): "launch__grid_size",
    (_LAUNCH, "Registers Per Thread"): "launch__registers_per_thread",
    (_LAUNCH, "Driver Shared Memory Per Block"): "launch__shared_mem_per_block_driver",
    (_LAUNCH, "Dynamic Shared Memory Per Block"): "launch__shared_mem_per_block_dynamic",
    (_LAUNCH, "Static Shared Memory Per Block"): "launch__shared_mem_per_block_static",
    (_LAUNCH, "Shared Memory Configuration Size"): "launch__shared_mem_config_size",
    (_LAUNCH, "# SMs"): "launch__sm_count",
    (_LAUNCH, "Threads"): "launch__thread_count",
    (_LAUNCH, "Waves Per SM"): "launch__waves_per_multiprocessor",
    (_OCCUPANCY, "Block Limit Barriers"): "launch__occupancy_limit_barriers",
    (_OCCUPANCY, "Block Limit SM"): "launch__occupancy_limit_blocks",
    (_OCCUPANCY, "Block Limit Registers"): "launch__occupancy_limit_registers",
    (_OCCUPANCY, "Block Limit Shared Mem"): "launch__occupancy_limit_shared_mem",
    (_OCCUPANCY, "Block Limit Warps"): "launch__occupancy_limit_warps",
    (_OCCUPANCY, "Theoretical Active Warps per SM"): "sm__maximum_warps_avg_per_active_cycle",
    (_OCCUPANCY, "Theoretical Occupancy"): "sm__maximum_warps_per_active_cycle_pct",
    (_OCCUPANCY, "Achieved Occupancy"): "sm__warps_active.avg.pct_of_peak_sustained_active",
    (_OCCUPANCY, "Achieved Active Warps Per SM"): "sm__warps_active.avg.per_cycle_active",
    (_DISTRIBUTION, "Average DRAM Active Cycles"): "dram__cycles_active.avg",
    (_DISTRIBUTION, "Total DRAM Elapsed Cycles"): "dram__cycles_elapsed.sum",
    (_DISTRIBUTION, "Average L1 Active Cycles"): "l1tex__cycles_active.avg",
    (_DISTRIBUTION, "Total L1 Elapsed Cycles"): "l1tex__cycles_elapsed.sum",
    (_DISTRIBUTION, "Average L2 Active Cycles"): "lts__cycles_active.avg",
    (_DISTRIBUTION, "Total L2 Elapsed Cycles"): "lts__cycles_elapsed.sum",
    (_DISTRIBUTION, "Average SM Active Cycles"): "sm__cycles_active.avg",
    (_DISTRIBUTION, "Total SM Elapsed Cycles"): "sm__cycles_elapsed.sum",
    (_DISTRIBUTION, "Average SMSP Active Cycles"): "smsp__cycles_active.avg",
    (_DISTRIBUTION, "Total SMSP Elapsed Cycles"): "smsp__cycles_elapsed.sum",
    (_SOURCE, "Branch Instructions"): "smsp__inst_executed_op_branch.sum",
    (_SOURCE, "Branch Efficiency"): "smsp__sass_average_branch_targets_threads_uniform.pct",
    (_SOURCE, "Avg. Divergent Branches"): "smsp__sass_branch_targets_threads_divergent.avg",
}


_OLDER = {"GPU Speed Of Light": _LIGHT}
_RENAMED = {
    "SOL DRAM": "DRAM Throughput", "SOL FB": "DRAM Throughput", "SOL L1/TEX Cache": "L1/TEX Cache Throughput",
    "SOL L2 Cache": "L2 Cache Throughput", "SOL SM": "Compute (SM) Throughput", "SOL Memory": "Memory Throughput",
    "SOL TEX": "L1/TEX Cache Throughput", "SOL L2": "L2 Cache Throughput",
    "Memory [%]": "Memory Throughput", "DRAM [%]": "DRAM Throughput", "SM [%]": "Compute (SM) Throughput",
    "L1/TEX Cache [%]": "L1/TEX Cache Throughput", "L2 Cache [%]": "L2 Cache Throughput", "Compute (SM) [%]": "Compute (SM) Throughput",
}  # fmt: skip
"""Sections and titles of versions before 2021, by those of today."""


def section_of(printed: str) -> str:
    """Return today's name of a section.

    >>> section_of("GPU Speed Of Light")
    'GPU Speed Of Light Throughput'
    """
    return _OLDER.get(printed, printed)


def metric(section: str, title: str) -> str:
    """Return the metric that a title stands for, ``section/title`` for an unknown one; a metric's own name is left as it is.

    >>> metric("GPU Speed Of Light", "SOL DRAM"), metric("", "Duration"), metric("Other", "Thing")
    ('gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed', 'gpu__time_duration.sum', 'Other/Thing')
    """
    if "__" in title:
        return title
    today = _RENAMED.get(title, title)
    known = TITLES.get((section_of(section), today)) if section else alone(today)
    return known or f"{section}/{title}"


def alone(title: str) -> str | None:
    """Return the metric of a title without its section, None where two sections use the title for different ones."""
    metrics = {metric for (_, same), metric in TITLES.items() if same == title}
    return metrics.pop() if len(metrics) == 1 else None
