"""Metrics of NVIDIA GPUs as formulas over Nsight Compute's metrics (``--set full``)."""

from dataclasses import replace
from itertools import combinations

from hotloop.metrics.data.nvidia_stalls import SAMPLE_COUNT, STALLS, asked_stall, sampled_stall, stall
from hotloop.metrics.metric import FEW_GROUPS, REACHED, Metric, UpperBound

_NCU = "Nsight Compute documentation, metrics reference"
_COUNTING = "counting"
_LATENCY = "smsp__average_warp_latency_per_inst_issued.ratio"
_WARP = "warp states: cycles of a reason over the cycles between two instructions of a warp"


def _ncu(
    name: str,
    formula: str,
    source: str = _NCU,
    misleads: str = "",
    on: tuple[str, ...] = ("sm_*",),
    *,
    told: bool = False,
) -> Metric:
    return Metric(name=name, formula=formula, architectures=on, source=source, misleads=misleads, told=told)


def _spare(name: str, formula: str, source: str = _NCU, misleads: str = "") -> Metric:
    """Return a way to a value for files of fewer metrics than ``--set full``."""
    return _ncu(name, formula, source, misleads, told=True)


_ACTIVE = "of the clocks in which the multiprocessor held warps"
_VECTOR_PIPES = ("gpu.fma_utilization", "gpu.int_utilization", "gpu.double_utilization")
_NAMED_UNITS = "max(gpu.load_utilization, gpu.constant_utilization)"


def _taken(pipe: str) -> str:
    """Return the metric of the instructions that a pipe took, over the most that it takes while active."""
    return f"sm__inst_executed_pipe_{pipe}.avg.pct_of_peak_sustained_active"


def _state(name: str, *reasons: str, misleads: str = "") -> Metric:
    total = " + ".join(stall(reason) for reason in reasons)
    return _ncu(name, f"({total}) / {_LATENCY}", _WARP, misleads)


def _asked(name: str, *reasons: str) -> Metric:
    """Return the way by the metrics that tell reasons as shares of warps, which people ask for by name."""
    return _spare(
        name,
        " + ".join(asked_stall(reason) for reason in reasons),
        misleads="a share of warps' time, as the tool tells it",
    )


def _sampled(name: str, *reasons: str) -> Metric:
    """Return the way by samples of warps, which pages of source and full sets have."""
    total = " + ".join(sampled_stall(reason) for reason in reasons)
    return _spare(name, f"({total}) / {SAMPLE_COUNT}", misleads="sampled: of few samples a rough share")


def _waiting(name: str, *reasons: str, misleads: str = "") -> tuple[Metric, ...]:
    return _state(name, *reasons, misleads=misleads), _asked(name, *reasons), _sampled(name, *reasons)


def _lanes(operation: str) -> str:
    return f"smsp__sass_thread_inst_executed_op_{operation}_pred_on.sum.per_cycle_elapsed"


_LAUNCH = (
    _ncu(
        "gpu.duration_ns",
        "gpu__time_duration.sum",
        misleads="the profiler's clocks and cold caches: no benchmark result",
    ),
    _ncu("gpu.duration_ns", "dispatch.duration_ns"),
    _ncu("gpu.elapsed_cycles", "sm__cycles_elapsed.max"),
    _ncu("gpu.elapsed_cycles", "sm__cycles_elapsed.avg"),
    _spare("gpu.elapsed_cycles", "gpc__cycles_elapsed.max"),
    _ncu(
        "gpu.clock_hz", "gpu.elapsed_cycles / gpu.duration_ns", _COUNTING, "clocks and time come from different passes"
    ),
    _ncu("gpu.kernel_share", "dispatch.kernel_share", _COUNTING),
    _ncu("gpu.rival_share", "dispatch.rival_share", _COUNTING),
    _ncu("gpu.cold_ns", "dispatch.cold_ns", _COUNTING),
    _ncu("gpu.cold_share", "(dispatch.cold_ns - gpu.duration_ns) / dispatch.all_ns", _COUNTING),
    _ncu("gpu.waves", "dispatch.waves", _COUNTING),
    _ncu("gpu.groups", "launch__grid_size"),
    _ncu("gpu.groups", "dispatch.groups", _COUNTING),
    _ncu("gpu.reached_share", REACHED, _COUNTING),
    _ncu("gpu.rounds", "launch__waves_per_multiprocessor", misleads="a persistent or grid-stride kernel has no tail"),
    _ncu("gpu.busy_share", "sm__cycles_active.avg / gpu.elapsed_cycles", _COUNTING),
    _spare("gpu.busy_share", "sm__cycles_active.avg.pct_of_peak_sustained_elapsed"),
    _spare("gpu.busy_share", "smsp__cycles_active.avg.pct_of_peak_sustained_elapsed"),
    replace(
        _spare(
            "gpu.busy_share",
            "gpu.reached_share",
            _COUNTING,
            UpperBound("the units that had a group, as if it had stayed"),
        ),
        enough=FEW_GROUPS,
    ),
    _ncu(
        "gpu.busiest_share",
        "sm__cycles_active.max / gpu.elapsed_cycles",
        _COUNTING,
        "different passes: may pass 1 by a little",
    ),
    _ncu("gpu.imbalance", "1 - sm__cycles_active.avg / sm__cycles_active.max", _COUNTING),
    _ncu("gpu.ramp_share", "max(0, 1 - gpu.busiest_share)", _COUNTING),
    _ncu("gpu.occupancy_waves", "smsp__warps_active.avg.per_cycle_active", misleads="while the scheduler is active"),
    _ncu("gpu.occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"),
    _ncu("gpu.occupancy_limit", "sm__maximum_warps_per_active_cycle_pct"),
    _ncu("gpu.limit_registers", "launch__occupancy_limit_registers"),
    _ncu("gpu.limit_local", "launch__occupancy_limit_shared_mem"),
    _ncu("gpu.limit_waves", "launch__occupancy_limit_warps"),
    _ncu("gpu.vgprs", "launch__registers_per_thread"),
    _ncu("gpu.local_bytes", "launch__shared_mem_per_block"),
    _ncu("gpu.spill_share", "derived__local_spilling_requests_pct"),
)

_FMAS = " + ".join(_lanes(operation) for operation in ("ffma", "hfma", "dfma"))
_MIX = (
    _ncu("gpu.insts_per_wave", "smsp__inst_executed.sum / gpu.waves", _COUNTING),
    _ncu("gpu.lds_per_wave", "smsp__sass_inst_executed_op_shared.sum / gpu.waves", _COUNTING, "copies by the bulk engine count too"),
    _ncu(
        "gpu.vmem_per_wave", "(smsp__sass_inst_executed_op_global_ld.sum + smsp__sass_inst_executed_op_global_st.sum) / gpu.waves",
        _COUNTING, "bulk copies (TMA) are not counted",
    ),
    _ncu(
        "gpu.fma_share", f"({_FMAS}) * sm__cycles_elapsed.avg / (32 * smsp__inst_executed.sum)",
        "threads per clock × clocks over warp instructions of 32 threads; 89 % for a recorded SIMT matrix product",
        "packed half instructions count once",
    ),
    _ncu(
        "gpu.convert_share", "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum / (smsp__thread_inst_executed_per_inst_executed.ratio * smsp__inst_executed.sum)",
        "threads' conversions over all threads' instructions; not in --set full: name it with --metrics",
    ),
    _ncu("gpu.lanes", "smsp__thread_inst_executed_per_inst_executed.ratio"),
    _ncu("gpu.lane_share", "gpu.lanes / 32", _COUNTING),
    _spare("gpu.lane_share", "smsp__thread_inst_executed_per_inst_executed.pct"),
    _ncu("gpu.issue_utilization", "smsp__issue_active.avg.pct_of_peak_sustained_active"),
    *(_spare("gpu.issue_utilization", f"sm__inst_issued.avg.pct_of_peak_sustained_{of}") for of in ("active", "elapsed")),
    _ncu("gpu.load_utilization", _taken("lsu"), misleads=_ACTIVE),
    _ncu("gpu.constant_utilization", _taken("adu"), misleads=_ACTIVE),
    _ncu("gpu.path_utilization", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", misleads="which part it is stays open"),
    *(_spare("gpu.path_utilization", f"gpu__compute_memory_{kind}_throughput.avg.pct_of_peak_sustained_elapsed", misleads="which part it is stays open")
      for kind in ("request", "access")),
    _ncu("gpu.unit_utilization", "sm__throughput.avg.pct_of_peak_sustained_elapsed", misleads="the units share the name, not the limit"),
    *(_spare("gpu.unit_utilization", formula, misleads="at least: single units are told")
      for formula in (_NAMED_UNITS, "gpu.load_utilization", "gpu.constant_utilization")),
    _ncu("gpu.fma_utilization", "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"),
    _spare("gpu.fma_utilization", _taken("fma"), misleads=_ACTIVE),
    _ncu("gpu.int_utilization", "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed"),
    _spare("gpu.int_utilization", _taken("alu"), misleads=_ACTIVE),
    _ncu("gpu.double_utilization", "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed"),
    _spare("gpu.double_utilization", _taken("fp64"), misleads=_ACTIVE),
    _ncu("gpu.special_utilization", "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"),
    _ncu(
        "gpu.valu_utilization",
        f"max({', '.join(_VECTOR_PIPES)})",
        "the busiest of the vector pipes",
    ),
    *(_spare("gpu.valu_utilization", formula, misleads="at least: pipes that were not counted are left out")
      for formula in (*(f"max({', '.join(pair)})" for pair in combinations(_VECTOR_PIPES, 2)), *_VECTOR_PIPES)),
    _ncu(
        "gpu.matrix_utilization", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
        misleads="up to 2 % without any matrix instruction on recorded kernels: the pipe serves others too",
    ),
    *(
        _spare("gpu.matrix_utilization", f"{name}.avg.pct_of_peak_sustained_active * gpu.busy_share", _COUNTING)
        for name in ("sm__pipe_tensor_cycles_active", "sm__inst_executed_pipe_tensor")
    ),
)  # fmt: skip

_TIME = (
    _state("gpu.stall_identity", *STALLS, misleads="newer chips have reasons that this list lacks"),
    *_waiting("gpu.global_wait_share", "long_scoreboard", misleads="a producer warp of a pipelined kernel waits by design"),
    _state("gpu.lds_wait_share", "short_scoreboard", "mio_throttle", misleads="special functions and shuffles go the same way"),
    _asked("gpu.lds_wait_share", "short_scoreboard", "mio_throttle"),
    _sampled("gpu.lds_wait_share", "short_scoreboard", "mio_throttle"),
    replace(_state("gpu.lds_wait_share", "mio_throttle", misleads="at least: waits for results are not told"), told=True),
    replace(_state("gpu.lds_wait_share", "short_scoreboard", misleads="at least: waits for the queue are not told"), told=True),
    *_waiting("gpu.lds_queue_share", "mio_throttle"),
    _ncu(
        "gpu.lds_wait_ratio", f"({stall('short_scoreboard')} + {stall('mio_throttle')}) / {stall('selected')}", _WARP,
        "counted against all instructions, AMD's against vector work",
    ),
    _spare("gpu.lds_wait_ratio", f"{stall('mio_throttle')} / 1[cycle]", _WARP, "at least: one reason is told, and issuing takes one cycle"),
    _spare("gpu.lds_wait_ratio", f"{stall('short_scoreboard')} / 1[cycle]", _WARP, "at least: one reason is told, and issuing takes one cycle"),
    *_waiting("gpu.barrier_wait_share", "barrier", misleads="warps with other roles wait for each other by design"),
    *_waiting("gpu.fetch_wait_share", "no_instruction"),
    *_waiting("gpu.constant_wait_share", "imc_miss"),
    _state("gpu.store_wait_share", "drain", misleads="stores after a warp's last instruction only"),
    *_waiting("gpu.fixed_wait_share", "wait"),
    *_waiting("gpu.math_wait_share", "math_pipe_throttle"),
    *_waiting("gpu.matrix_wait_share", "gmma"),
    *_waiting("gpu.ready_share", "not_selected"),
    *_waiting("gpu.issued_share", "selected"),
    _ncu("gpu.icache_miss_rate", "1 - sm__icc_request_hit_rate.pct", misleads="large in kernels too short to warm up"),
)  # fmt: skip

_SHARED = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"
_CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"
_MEMORY = (
    _ncu("gpu.lds_active_share", f"{_SHARED}.pct_of_peak_sustained_elapsed", misleads="matrix instructions read shared memory unseen"),
    _ncu("gpu.lds_conflict_share", f"gpu.lds_active_share * {_CONFLICTS} / {_SHARED}", _COUNTING, UpperBound("conflicts that other work hides count, too")),
    _ncu("gpu.lds_conflicts_per_access", f"{_CONFLICTS} / ({_SHARED} - {_CONFLICTS})", _COUNTING),
    _ncu("gpu.lds_bytes_moved", f"128[B/req] * ({_SHARED} - {_CONFLICTS})", _COUNTING, UpperBound("a wavefront moves at most 128 B")),
    _ncu("gpu.l1_hit_rate", "l1tex__t_sector_hit_rate.pct", misleads="0 for bulk copies, which pass by"),
    _ncu("gpu.l2_hit_rate", "lts__t_sector_hit_rate.pct", misleads="may pass 100 %: hits and requests come from different passes"),
    _ncu("gpu.l1_utilization", "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"),
    _spare(
        "gpu.l1_utilization", "l1tex__throughput.avg.pct_of_peak_sustained_active * sm__cycles_active.avg / gpu.elapsed_cycles",
        misleads="while active",
    ),
    _ncu("gpu.l1_local_utilization", f"{_SHARED}.pct_of_peak_sustained_elapsed", misleads="matrix instructions read shared memory unseen"),
    _spare("gpu.l1_bytes", "l1tex__t_bytes.sum"),
    _ncu("gpu.l2_utilization", "lts__throughput.avg.pct_of_peak_sustained_elapsed"),
    _spare("gpu.l2_bytes", "lts__t_bytes.sum"),
    _ncu("gpu.l2_bytes", "32[B/sector] * lts__t_sectors_srcunit_tex.sum", "a sector is 32 B"),
    _spare("gpu.l2_bytes", "32[B/sector] * lts__t_sectors.sum", "a sector is 32 B"),
    _ncu("gpu.l2_bytes_per_s", "gpu.l2_bytes / gpu.duration_ns", _COUNTING),
    _ncu("gpu.hbm_read_bytes", "dram__bytes_read.sum"),
    _ncu("gpu.hbm_write_bytes", "dram__bytes_write.sum", misleads="what stays in L2 is written later, in nobody's kernel"),
    _ncu("gpu.hbm_bytes", "gpu.hbm_read_bytes + gpu.hbm_write_bytes", _COUNTING),
    _spare("gpu.hbm_bytes", "dram__bytes.sum"),
    _spare("gpu.hbm_bytes", "32[B/sector] * (dram__sectors_read.sum + dram__sectors_write.sum)", "a sector is 32 B"),
    _spare("gpu.hbm_bytes", "dram__bytes.sum.per_second * gpu.duration_ns", _COUNTING),
    _ncu("gpu.hbm_bytes_per_s", "gpu.hbm_bytes / gpu.duration_ns", _COUNTING),
    _ncu("gpu.hbm_utilization", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"),
    _spare("gpu.hbm_utilization", "dram__throughput.avg.pct_of_peak_sustained_elapsed"),
    _spare("gpu.hbm_utilization", "dram__bytes_read.sum.pct_of_peak_sustained_elapsed + dram__bytes_write.sum.pct_of_peak_sustained_elapsed"),
    _spare("gpu.hbm_utilization", "gpu.hbm_bytes_per_s / machine.hbm_bytes_per_s", _COUNTING, "a data sheet's peak is never reached"),
    _ncu(
        "gpu.load_sectors",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum / l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
        misleads="4 for 4 B per thread, 2 for 2 B, 16 for 16 B when contiguous",
    ),
    _ncu("gpu.sector_use", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio / 32[B/sector]", _COUNTING),
    _spare("gpu.sector_use", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"),
    _ncu(
        "gpu.wasted_sectors", "derived__memory_l2_theoretical_sectors_global_excessive / "
        "(l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum + l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum)",
        misleads="a cache may serve the rest of a sector to somebody else",
    ),
    _spare(
        "gpu.wasted_sectors", "derived__memory_l2_theoretical_sectors_global_excessive / memory_l2_theoretical_sectors_global",
        misleads="a cache may serve the rest of a sector to somebody else",
    ),
    replace(
        _spare(
            "gpu.wasted_sectors", "1 - 16[sector/req] / gpu.load_sectors", _COUNTING,
            "at least: 16 sectors are the most that 32 threads with 16 B each need",
        ),
        enough=("gpu.load_sectors", "17[sector/req]"),
    ),
)  # fmt: skip

_MATRIX = " + ".join(
    f"sm__ops_path_tensor_src_{kind}.sum"
    for kind in ("bf16_dst_fp32", "fp16", "tf32_dst_fp32", "fp64", "fp8_sparsity_off")
)
_LEGACY = " + ".join(
    f"sm__ops_path_tensor_op_hmma_src_{kind}_sparsity_off.sum"
    for kind in ("bf16_dst_fp32", "fp16_dst_fp16", "fp16_dst_fp32", "tf32_dst_fp32")
)
_GROUP = " + ".join(
    f"sm__ops_path_tensor_op_hgmma_src_{kind}_sparsity_off.sum" for kind in ("bf16_dst_fp32", "fp16", "tf32_dst_fp32")
)
_VECTOR = " + ".join(
    f"{1 + (o.endswith('fma'))} * {_lanes(o)}" for o in ("fadd", "fmul", "ffma", "dadd", "dmul", "dfma")
)

_NERSC = "roofline methodology of NERSC (gitlab.com/NERSC/roofline-on-nvidia-gpus)"


def _executed(unit: str, kinds: str = "fdh") -> str:
    """Return operations of threads by the counters of one unit (``sm`` or ``smsp``): a multiply-add is two."""
    return " + ".join(
        f"{1 + (op == 'fma')} * {unit}__sass_thread_inst_executed_op_{kind}{op}_pred_on.sum"
        for kind in kinds
        for op in ("add", "mul", "fma")
    )


_ARITHMETIC = (
    _ncu("gpu.matrix_flops", _MATRIX, misleads="sparse operations are left out"),
    _spare(
        "gpu.matrix_flops",
        "512[flop/inst] * sm__inst_executed_pipe_tensor.sum",
        _NERSC,
        "512 operations an instruction are those of a V100: newer tensor cores do more, so this is a lower bound",
    ),
    _ncu(
        "gpu.vector_flops", f"1[flop/inst] * ({_VECTOR}) * sm__cycles_elapsed.avg", _COUNTING, "without half precision"
    ),
    *(
        _spare("gpu.vector_flops", f"1[flop/inst] * ({_executed(unit)})", f"{_NERSC}; half precision included")
        for unit in ("sm", "smsp")
    ),
    *(
        _spare("gpu.vector_flops", f"1[flop/inst] * ({_executed(unit, kinds)})", _NERSC, f"{what} precision only")
        for unit in ("sm", "smsp")
        for kinds, what in (("fd", "single and double"), ("f", "single"), ("d", "double"))
    ),
    _ncu("gpu.flops", "gpu.matrix_flops + gpu.vector_flops", _COUNTING),
    _spare("gpu.flops", "gpu.vector_flops", _COUNTING, "without matrix work"),
    _ncu("gpu.matrix_flops_per_s", "gpu.matrix_flops / gpu.duration_ns", _COUNTING),
    _ncu("gpu.vector_flops_per_s", "gpu.vector_flops / gpu.duration_ns", _COUNTING),
    _ncu("gpu.legacy_matrix_share", f"({_LEGACY}) / ({_LEGACY} + {_GROUP})", _COUNTING, on=("sm_90*",)),
    _ncu("gpu.flops_per_hbm_byte", "gpu.flops / gpu.hbm_bytes", _COUNTING),
    _ncu("gpu.flops_per_l2_byte", "gpu.flops / gpu.l2_bytes", _COUNTING),
)

METRICS = (*_LAUNCH, *_MIX, *_TIME, *_MEMORY, *_ARITHMETIC)
