"""Metrics of AMD compute chips (GCN and CDNA, gfx9) as formulas over counters.

Unless a row says otherwise the formula is that of ROCm Compute Profiler's metric pages, written with the counters' units
(quad-cycles are converted by the evaluator), and was checked by hand on recorded MI200 and MI300X workloads.
"""

from dataclasses import replace

from hotloop.metrics.metric import FEW_GROUPS, REACHED, Metric, UpperBound

_GFX9 = ("gfx9*",)
_ANY = ("gfx*",)
"""Facts about a launch depend on no counter, so these metrics hold for all of AMD's GPUs."""
_OLD = ("gfx90a*", "gfx908*", "gfx906*")
_OLD_NAMES = (*_OLD, "gfx9")
"""The older chips, and ``gfx9`` for a chip that is known only by names of counters which newer chips do not have, because their memory
channels are numbered."""
_NEW = ("gfx94*", "gfx95*")
_ROCM = "ROCm Compute Profiler documentation, metric pages"
_COUNTING = "counting"


def _amd(
    name: str,
    formula: str,
    source: str = _ROCM,
    misleads: str = "",
    *,
    whole: bool = False,
    on: tuple[str, ...] = _GFX9,
    zero: tuple[str, ...] = (),
    together: bool = False,
    given: tuple[str, ...] = (),
    most: str = "",
    enough: tuple[str, str] | None = None,
) -> Metric:
    return Metric(
        name=name, formula=formula, architectures=on, source=source, misleads=misleads, whole=whole, zero=zero,
        together=together, given=given, most=most, enough=enough,
    )  # fmt: skip


_PEAK = "dispatch.duration_ns * machine.clock_hz"
"""Clocks that can pass while a launch runs; running clocks of another execution may be a quarter more."""
_WINDOW = (
    ("SQ_CYCLES / machine.shader_engines", ("SQ_CYCLES counts every engine's clocks (checked: MI200 8 × GRBM, MI300X 4 × GRBM "
     "summed over 8 dies = 32 engines)")),
    ("GRBM_GUI_ACTIVE / machine.dies", "ROCm Compute Profiler: GRBM_GUI_ACTIVE_PER_XCD"),
    ("GRBM_COUNT / machine.dies", "as GRBM_GUI_ACTIVE, with idle clocks"),
)  # fmt: skip
"""Counters of the whole counting window of a pass, which may be longer than the kernel: on recorded MI300X copies it is 317 K
clocks in one pass and 57 K in another, where the launch took 15 µs, 31 K clocks at the peak, and engines held waves 19 K."""
_BUSY_CLOCKS = "SQ_BUSY_CYCLES / machine.shader_engines"
_LONG = (((*_OLD, "gfx95*"), "200000[cycle]"), (("gfx9", "gfx94*"), "3000000[cycle]"))
"""Clocks from which a window is the launch's to within a tenth: recorded windows are up to 17 K clocks longer than what ran on gfx908, gfx90a
and gfx950, up to 0.32 M on gfx942."""
_NEARLY = 1.25
"""Window over running clocks up to which the rest is the launch's start and end."""


def _windows(formula: str, source: str) -> tuple[Metric, ...]:
    """Return the ways to a launch's clocks by a window that is known to be hardly longer: by its own length, or by the clocks that ran in it.

    Of a shorter one nothing tells how much of it was the launch, and every share of it would be too small.
    """
    held = _amd(
        "gpu.elapsed_cycles", formula, source, whole=True, together=True, most=_PEAK, given=("SQ_BUSY_CYCLES", "machine.shader_engines"),
        enough=(f"{_NEARLY} * {_BUSY_CLOCKS}", formula),
    )  # fmt: skip
    long = (
        _amd(
            "gpu.elapsed_cycles", formula, source, whole=True, together=True, most=_PEAK, on=on, enough=(formula, least)
        )
        for on, least in _LONG
    )
    return (held, *long)


_LAUNCH = (
    _amd("gpu.duration_ns", "dispatch.duration_ns", "time stamps of the dispatch", "own clocks and caches of a profiled run", on=_ANY),
    *(way for window in _WINDOW for way in _windows(*window)),
    _amd(
        "gpu.elapsed_cycles", _BUSY_CLOCKS, "mean over the engines of the clocks in which they held waves", whole=True, together=True,
        most=f"1.25 * {_PEAK}", enough=("dispatch.groups", "4 * machine.shader_engines"), misleads="without the launch's start and end",
    ),
    _amd(
        "gpu.running_share", f"{_BUSY_CLOCKS} / gpu.elapsed_cycles", "mean over the engines", together=True, whole=True,
        misleads="engines without work lower it; 1 where gpu.elapsed_cycles are the running clocks themselves",
    ),
    _amd("gpu.clock_hz", "min(gpu.elapsed_cycles / gpu.duration_ns, machine.clock_hz)", _COUNTING, "clocks and time may come from "
         "different passes", enough=("gpu.elapsed_cycles", f"0.5 * {_PEAK}")),
    _amd("gpu.clock_hz", "gpu.elapsed_cycles / gpu.duration_ns", _COUNTING, "clocks and time may come from different passes",
         enough=("gpu.elapsed_cycles", f"0.5 * {_PEAK}")),
    _amd("gpu.kernel_share", "dispatch.kernel_share", _COUNTING, on=_ANY),
    _amd("gpu.rival_share", "dispatch.rival_share", _COUNTING, on=_ANY),
    _amd("gpu.cold_ns", "dispatch.cold_ns", _COUNTING, on=_ANY),
    _amd("gpu.cold_share", "(dispatch.cold_ns - gpu.duration_ns) / dispatch.all_ns", _COUNTING, on=_ANY),
    _amd("gpu.waves", "dispatch.waves", "grid and work-group size", on=_ANY),
    _amd("gpu.waves", "SQ_WAVES", misleads="one engine's share where the tool does not sum", on=_ANY),
    _amd("gpu.groups", "dispatch.groups", "grid and work-group size", on=_ANY),
    _amd("gpu.reached_share", REACHED, _COUNTING, on=_ANY),
    _amd("gpu.counted_waves_share", "SQ_WAVES / dispatch.waves", "every SQ counter comes per engine; the sum must equal the grid", on=_ANY),
    _amd("gpu.vgprs", "dispatch.vgprs", "dispatch packet", on=_ANY),
    _amd("gpu.local_bytes", "dispatch.lds_bytes", "dispatch packet", on=_ANY),
    _amd("gpu.scratch_bytes", "dispatch.scratch_bytes", "dispatch packet", on=_ANY, misleads="scratch also holds arrays that are indexed at run time"),
)  # fmt: skip

_MIX = (
    _amd("gpu.insts_per_wave", "SQ_INSTS / SQ_WAVES"),
    _amd("gpu.valu_per_wave", "SQ_INSTS_VALU / SQ_WAVES", misleads="includes matrix instructions unless the tool subtracts them"),
    _amd("gpu.salu_per_wave", "SQ_INSTS_SALU / SQ_WAVES"),
    _amd("gpu.smem_per_wave", "SQ_INSTS_SMEM / SQ_WAVES"),
    _amd("gpu.lds_per_wave", "SQ_INSTS_LDS / SQ_WAVES", misleads="flat instructions count as local memory too"),
    _amd("gpu.vmem_per_wave", "SQ_INSTS_VMEM / SQ_WAVES", misleads="spills count here"),
    _amd("gpu.vmem_per_wave", "(SQ_INSTS_VMEM_RD + SQ_INSTS_VMEM_WR) / SQ_WAVES"),
    _amd("gpu.matrix_per_wave", "SQ_INSTS_MFMA / SQ_WAVES"),
    _amd(
        "gpu.fma_share", "(SQ_INSTS_VALU_FMA_F16 + SQ_INSTS_VALU_FMA_F32 + SQ_INSTS_VALU_FMA_F64) / SQ_INSTS_VALU", _COUNTING
    ),
    _amd("gpu.fma_share", "SQ_INSTS_VALU_FMA_F32 / SQ_INSTS_VALU", _COUNTING, "single precision only"),
    _amd("gpu.int_share", "(SQ_INSTS_VALU_INT32 + SQ_INSTS_VALU_INT64) / SQ_INSTS_VALU", _COUNTING),
    _amd("gpu.int_share", "SQ_INSTS_VALU_INT32 / SQ_INSTS_VALU", _COUNTING, "32-bit only"),
    _amd("gpu.convert_share", "SQ_INSTS_VALU_CVT / SQ_INSTS_VALU", _COUNTING, "shifts and masks that unpack bf16 are not counted"),
    _amd(
        "gpu.bit_ops_ratio", "SQ_INSTS_VALU_IOPS / SQ_INSTS_VALU", "gfx950 only",
        "operations, and they overlap with other classes: the reported shares of V97 add up to 106 %", on=("gfx95*",),
    ),
    _amd("gpu.lanes", "SQ_THREAD_CYCLES_VALU / SQ_ACTIVE_INST_VALU"),
    _amd("gpu.lane_share", "gpu.lanes / dispatch.wave_size", _COUNTING),
)  # fmt: skip

_LDS_PENDING = "SQ_INST_LEVEL_LDS_ACCUM / 1[inst]"
_FETCH_LATE = "max(SQ_IFETCH_LEVEL_ACCUM / 1[inst] - 16[cycle/inst] * SQ_IFETCH, 0[cycle])"
"""Time of instruction fetches beyond what the cache takes to answer one: 16 clocks on recorded MI100, MI200 and MI300A runs that never miss."""
"""Clocks in which local memory instructions were under way, each for itself: no wave waits longer for them."""
_SUM = "(SQ_WAIT_ANY + SQ_WAIT_INST_ANY + SQ_ACTIVE_INST_ANY)"
_STATES = (("SQ_WAVE_CYCLES", 1.05), (_SUM, 4))
"""All of waves' time: the counter of it, and the three states that it consists of. Where both are counted, the sum in wholes up to which
a share means something: of the counter, as long as all three shares are of it; of the sum, as far as another execution of the launch can
have been longer (twice, recorded on MI300X). Beyond, one of the three is wrong, and a share of their sum would be, too.
"""


def _state(name: str, counter: str, base: tuple[str, float], misleads: str = "") -> Metric:
    cycles, most = base
    return _amd(
        name, f"{counter} / {cycles}", misleads=misleads, together=True, enough=(f"{most} * SQ_WAVE_CYCLES", _SUM)
    )


def _global_wait(
    formula: str, source: str, remains: str, *, together: bool = False, zero: tuple[str, ...] = ()
) -> tuple[Metric, ...]:
    """Return the way to the wait for global memory, before it the same without late fetches, for files that tell those."""
    ways = (f"max({formula} - gpu.fetch_wait_share, 0)", formula)
    return tuple(
        _amd("gpu.global_wait_share", way, source, UpperBound(remains), together=together, zero=zero) for way in ways
    )


_TIME = (
    _amd(
        "gpu.wave_cycle_identity", f"{_SUM} / SQ_WAVE_CYCLES",
        "exact in one pass, recorded on MI200 and MI300X; passes are different executions", together=True,
    ),
    *(_state("gpu.wait_share", "SQ_WAIT_ANY", base, "wait counters, barriers and fetch together") for base in _STATES),
    *(_state("gpu.issue_wait_share", "SQ_WAIT_INST_ANY", base) for base in _STATES),
    *(_state("gpu.active_share", "SQ_ACTIVE_INST_ANY", base) for base in _STATES),
    _amd(
        "gpu.fetch_wait_share", f"min({_FETCH_LATE}, SQ_WAIT_ANY) / SQ_WAVE_CYCLES", "fetches that the instruction cache does not answer at once",
        UpperBound("a fetch that runs ahead of its wave costs nothing"),
    ),
    *_global_wait(
        "max(SQ_WAIT_ANY - SQ_WAIT_INST_LDS, 0[quad]) / SQ_WAVE_CYCLES", "reported MI350X conv3d work", "it takes an issue stall from a "
        "dependency wait, and waits for local memory results, barriers and fetch remain inside; a thread trace splits them", together=True,
    ),
    *_global_wait(
        f"max(SQ_WAIT_ANY - {_LDS_PENDING}, 0[quad]) / SQ_WAVE_CYCLES", "every local memory instruction counted as waited for from issue to "
        "result", "waits for constants, barriers and instruction fetch remain inside",
    ),
    *_global_wait(
        "gpu.wait_share", "as above, of a kernel without local memory instructions", "waits for constants, barriers and instruction fetch "
        "remain inside", zero=("SQ_INSTS_LDS",),
    ),
    _amd(
        "gpu.lds_wait_share", "SQ_WAIT_INST_LDS / SQ_WAVE_CYCLES", together=True,
        misleads="the queue's back-pressure; waits for results are in gpu.wait_share",
    ),
    _amd("gpu.lds_queue_share", "SQ_WAIT_INST_LDS / SQ_WAVE_CYCLES", together=True),
    _amd(
        "gpu.lds_wait_ratio", "SQ_WAIT_INST_LDS / SQ_ACTIVE_INST_VALU",
        "reported MI300X attention work: above 1.5 bound by local memory; 3.05 before, 0.53 after the fix",
        "falls also when vector work is added",
    ),
    _amd(
        "gpu.lds_wait_ratio", "0[quad] / SQ_ACTIVE_INST_VALU", "no local memory instruction can wait to issue", zero=("SQ_INSTS_LDS",)
    ),
)  # fmt: skip

_MANY_GROUPS = ("dispatch.groups", "1280[group]")
"""Work-groups from which every unit of the largest device has several, so that units hold work for most of a launch."""


def _while_held(name: str, counter: str) -> Metric:
    """Return the way to a utilization that needs no fact of the machine: for files that do not name the chip."""
    way = _amd(
        name, f"{counter} / SQ_BUSY_CU_CYCLES", "both counters add up SIMDs", UpperBound("start and end of the launch are no part"),
        together=True, given=("dispatch.groups",), enough=_MANY_GROUPS,
    )  # fmt: skip
    return replace(way, told=True)


_BUSY = (
    _amd(
        "gpu.busy_share", "SQ_BUSY_CU_CYCLES / (gpu.elapsed_cycles * machine.compute_units * machine.simds)",
        "counts every SIMD (checked: 0.94 of the clocks that ran on a recorded MI200 copy)", whole=True, together=True,
    ),
    replace(_amd("gpu.busy_share", "gpu.reached_share", _COUNTING, UpperBound("the units that had a group, as if it had stayed")), enough=FEW_GROUPS, told=True),
    _amd(
        "gpu.occupancy_waves", "SQ_LEVEL_WAVES_ACCUM / (gpu.elapsed_cycles * machine.compute_units * machine.simds)",
        misleads="the column SQ_LEVEL_WAVES itself reads 0; only its accumulator means something", whole=True, together=True,
    ),
    _amd(
        "gpu.occupancy_waves", "SQ_WAVE_CYCLES / (gpu.elapsed_cycles * machine.compute_units * machine.simds)",
        "the quad unit is proved by occupancy 3 and 4 of reported kernels", whole=True, together=True,
    ),
    _amd(
        "gpu.resident_waves", "SQ_WAVE_CYCLES / SQ_BUSY_CU_CYCLES", "waves' time over the time in which their SIMD held any (checked: "
        "6.99 on a recorded MI300X copy that fills 6.4 of 8 slots over the running clocks)", together=True,
    ),
    _amd("gpu.occupancy", "gpu.resident_waves / machine.wave_slots", _COUNTING),
    _amd("gpu.occupancy", "gpu.occupancy_waves / machine.wave_slots", _COUNTING, "idle units lower it too", whole=True),
    _amd(
        "gpu.valu_utilization", "SQ_ACTIVE_INST_VALU / (gpu.elapsed_cycles * machine.compute_units * machine.simds)",
        misleads="counts 4 cycles for each instruction; half-rate ones keep the pipe longer", whole=True,
    ),
    _while_held("gpu.valu_utilization", "SQ_ACTIVE_INST_VALU"),
    _amd(
        "gpu.matrix_utilization",
        "SQ_VALU_MFMA_BUSY_CYCLES / (gpu.elapsed_cycles * machine.compute_units * machine.simds)", whole=True,
    ),
    _while_held("gpu.matrix_utilization", "SQ_VALU_MFMA_BUSY_CYCLES"),
    _amd(
        "gpu.lds_active_share", "SQ_LDS_IDX_ACTIVE / (gpu.elapsed_cycles * machine.compute_units)", whole=True,
        misleads="conflict cycles count as work",
    ),
    _amd(
        "gpu.lds_conflict_share", "SQ_LDS_BANK_CONFLICT / (gpu.elapsed_cycles * machine.compute_units)", whole=True,
        misleads=UpperBound("13.4 % cost less than 0.1 % in the reported conv3d; one engine's conflicts over the clocks gave 107 %"),
    ),
    _amd("gpu.lds_conflicts_per_access", "SQ_LDS_BANK_CONFLICT / (SQ_LDS_IDX_ACTIVE - SQ_LDS_BANK_CONFLICT)"),
    _amd(
        "gpu.lds_bytes_moved", "(SQ_LDS_IDX_ACTIVE - SQ_LDS_BANK_CONFLICT) * machine.lds_bytes_per_cycle",
        misleads="capacity of the active cycles; the reported conv3d used 28 % of it",
    ),
    _amd("gpu.lds_latency_cycles", "SQ_INST_LEVEL_LDS_ACCUM / SQ_INSTS_LDS"),
    _amd("gpu.vmem_latency_cycles", "SQ_INST_LEVEL_VMEM_ACCUM / SQ_INSTS_VMEM"),
    _amd("gpu.smem_latency_cycles", "SQ_INST_LEVEL_SMEM_ACCUM / SQ_INSTS_SMEM"),
    _amd("gpu.fetch_latency_cycles", "SQ_IFETCH_LEVEL_ACCUM / SQ_IFETCH"),
    _amd("gpu.l2_latency_cycles", "TCP_TCC_READ_REQ_LATENCY_sum / TCP_TCC_READ_REQ_sum"),
    _amd("gpu.icache_miss_rate", "SQC_ICACHE_MISSES / SQC_ICACHE_REQ", misleads="requests that wait for a miss under way are no misses"),
)  # fmt: skip

_READS_OLD = "64[B/req] * (TCC_EA_RDREQ_sum - TCC_EA_RDREQ_32B_sum) + 32[B/req] * TCC_EA_RDREQ_32B_sum"
_READS_NEW = (
    "128[B/req] * TCC_BUBBLE_sum + 64[B/req] * max(TCC_EA0_RDREQ_sum - TCC_BUBBLE_sum - TCC_EA0_RDREQ_32B_sum, 0[req])"
    " + 32[B/req] * TCC_EA0_RDREQ_32B_sum"
)
_READS_SIZED = (
    "128[B/req] * TCC_EA0_RDREQ_128B_sum + 64[B/req] * TCC_EA0_RDREQ_64B_sum + 32[B/req] * TCC_EA0_RDREQ_32B_sum"
)
_READS_LARGE = "128[B/req] * (TCC_EA0_RDREQ_sum - TCC_EA0_RDREQ_32B_sum) + 32[B/req] * TCC_EA0_RDREQ_32B_sum"
_WRITES = "64[B/req] * {0}_64B_sum + 32[B/req] * ({0}_sum - {0}_64B_sum)"
_ATOMICS = "TCP_TCC_ATOMIC_WITH_RET_REQ_sum + TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum"
_TRAFFIC = f"TCP_TCC_WRITE_REQ_sum + {_ATOMICS}"
_COPY = "request sizes checked on a recorded copy of 8 MiB"

_MEMORY = (
    _amd(
        "gpu.l1_hit_rate", f"1 - (TCP_TCC_READ_REQ_sum + {_TRAFFIC}) / TCP_TOTAL_CACHE_ACCESSES_sum",
        misleads="write-through: every write counts as a miss, so a copy shows 50 %",
    ),
    _amd("gpu.l2_hit_rate", "TCC_HIT_sum / (TCC_HIT_sum + TCC_MISS_sum)", misleads="writes that fill a line count as hits or misses"),
    _amd("gpu.l1_bytes", "64[B/req] * TCP_TOTAL_CACHE_ACCESSES_sum", misleads="whole lines; twice the truth for a copy of doubles"),
    _amd("gpu.l2_read_bytes", "64[B/req] * TCP_TCC_READ_REQ_sum", _COPY, on=_OLD),
    _amd("gpu.l2_read_bytes", "128[B/req] * TCP_TCC_READ_REQ_sum", _COPY, on=_NEW),
    _amd("gpu.l2_bytes", f"64[B/req] * (TCP_TCC_READ_REQ_sum + {_TRAFFIC})", _COPY, on=_OLD),
    _amd("gpu.l2_bytes", f"128[B/req] * TCP_TCC_READ_REQ_sum + 64[B/req] * ({_TRAFFIC})", _COPY, on=_NEW),
    _amd("gpu.l2_bytes_per_s", "gpu.l2_bytes / gpu.duration_ns", _COUNTING),
    _amd("gpu.hbm_read_bytes", _READS_OLD, f"{_ROCM}; {_COPY}", on=_OLD_NAMES),
    _amd("gpu.hbm_read_bytes", _READS_NEW, f"{_ROCM}; {_COPY}", on=("gfx94*",)),
    _amd("gpu.hbm_read_bytes", _READS_SIZED, _ROCM, on=("gfx95*",)),
    _amd(
        "gpu.hbm_read_bytes", _READS_LARGE, "TCC_BUBBLE stays 0 on gfx950: a recorded copy of 8 MiB makes 65,612 reads of 128 B",
        UpperBound("requests of 64 B count double"), on=("gfx95*",),
    ),
    _amd("gpu.hbm_write_bytes", _WRITES.format("TCC_EA_WRREQ"), f"{_ROCM}; {_COPY}", on=_OLD_NAMES),
    _amd("gpu.hbm_write_bytes", _WRITES.format("TCC_EA0_WRREQ"), f"{_ROCM}; {_COPY}", on=_NEW),
    _amd("gpu.hbm_bytes", "gpu.hbm_read_bytes + gpu.hbm_write_bytes", _COUNTING),
    _amd(
        "gpu.hbm_bytes_per_s", "gpu.hbm_bytes / gpu.duration_ns", _COUNTING,
        "say which directions are counted: 344 GB/s of a reported kernel was one direction of 720",
    ),
    _amd("gpu.hbm_utilization", "gpu.hbm_bytes_per_s / machine.hbm_bytes_per_s", _COUNTING, "a data sheet's peak is never reached"),
    _amd(
        "gpu.lines_per_vmem", "TCP_TOTAL_CACHE_ACCESSES_sum / SQ_INSTS_VMEM", whole=True, most="128[req/inst]", source="64 for a fully scattered instruction of 64 lanes",
        misleads="a contiguous copy of doubles shows 16: width and direction change it",
    ),
)  # fmt: skip

_MOPS = " + ".join(f"SQ_INSTS_VALU_MFMA_MOPS_{kind}" for kind in ("F16", "BF16", "F32", "F64"))
_FLOPS = " + ".join(
    f"{1 + (operation == 'FMA')} * SQ_INSTS_VALU_{operation}_{kind}"
    for kind in ("F16", "F32", "F64")
    for operation in ("ADD", "MUL", "FMA")
)

_ARITHMETIC = (
    _amd(
        "gpu.matrix_flops",
        f"{_MOPS} + SQ_INSTS_VALU_MFMA_MOPS_F8 + SQ_INSTS_VALU_MFMA_MOPS_F6F4",
        "as below",
        on=("gfx95*",),
    ),
    _amd("gpu.matrix_flops", f"{_MOPS} + SQ_INSTS_VALU_MFMA_MOPS_F8", "as below", on=("gfx94*",)),
    _amd("gpu.matrix_flops", _MOPS, "each tick is 512 operations: a 16×16×16 matrix instruction counts 16"),
    _amd("gpu.matrix_flops", "SQ_INSTS_VALU_MFMA_MOPS_F16", "as above", "half precision only"),
    _amd(
        "gpu.vector_flops",
        f"64[flop/inst] * ({_FLOPS})",
        misleads="assumes that all lanes work; packed instructions count half",
    ),
    _amd("gpu.flops", "gpu.matrix_flops + gpu.vector_flops", _COUNTING),
    _amd("gpu.flops", "gpu.matrix_flops", _COUNTING, "without vector work"),
    _amd("gpu.matrix_flops_per_s", "gpu.matrix_flops / gpu.duration_ns", _COUNTING),
    _amd("gpu.vector_flops_per_s", "gpu.vector_flops / gpu.duration_ns", _COUNTING),
    _amd("gpu.flops_per_hbm_byte", "gpu.flops / gpu.hbm_bytes", _COUNTING),
    _amd("gpu.flops_per_l2_byte", "gpu.flops / gpu.l2_bytes", _COUNTING),
)

_TOLD = "derived by rocprof itself; formulas in ROCprofiler's basic counters and derived metrics"


def _told(name: str, formula: str, misleads: str = "", on: tuple[str, ...] = _GFX9) -> Metric:
    return replace(_amd(name, formula, _TOLD, misleads, on=on), told=True)


def _of_windows(name: str, formula: str, misleads: str) -> tuple[Metric, ...]:
    """Return the ways to a share of the counting window: none of a launch that is known to be too short to fill it."""
    shares = ((replace(_told(name, formula, misleads, on), enough=(_PEAK, least))) for on, least in _LONG)
    return tuple(shares)


_WINDOWED = "over all clocks of the counting window"
_BY_ROCPROF = (
    _told("gpu.waves", "Wavefronts", on=_ANY),
    _told("gpu.busy_share", "ActiveUnits", "of all units of the device, a mean over the launch"),
    *_of_windows("gpu.occupancy", "OccupancyPercent", "idle units lower it too"),
    *_of_windows("gpu.occupancy_waves", "MeanOccupancyPerCU / machine.simds", _WINDOWED),
    *_of_windows("gpu.valu_utilization", "VALUBusy", _WINDOWED),
    *_of_windows("gpu.matrix_utilization", "MfmaUtil", _WINDOWED),
    _told("gpu.hbm_utilization", "HbmRateOfPeak", "the peak is what a copy reaches, below the data sheet's"),
    _told("gpu.matrix_rate_share", "MfmaRateOfPeak", "the clock of the launch is below the peak's"),
    _told(
        "gpu.matrix_utilization",
        "MfmaRateOfPeak",
        "a lower bound: padding, slow instructions and a low clock do not show",
    ),
    _told("gpu.lane_share", "VALUUtilization"),
    _told("gpu.l2_hit_rate", "L2CacheHit"),
    _told("gpu.lds_conflict_share", "LDSBankConflict", UpperBound("conflicts that other work hides count, too")),
    *_of_windows("gpu.memory_stall_share", "MemUnitStalled", f"{_WINDOWED}; of the unit that stalls most"),
    _told("gpu.valu_per_wave", "VALUInsts"),
    _told("gpu.salu_per_wave", "SALUInsts"),
    _told("gpu.smem_per_wave", "SFetchInsts"),
    _told("gpu.lds_per_wave", "LDSInsts"),
    _told("gpu.vmem_per_wave", "VFetchInsts + VWriteInsts", "flat instructions are apart"),
    _told("gpu.hbm_read_bytes", "FetchSize"),
    _told("gpu.hbm_read_bytes", "FETCH_SIZE"),
    _told("gpu.hbm_write_bytes", "WriteSize"),
    _told("gpu.hbm_write_bytes", "WRITE_SIZE"),
)
"""Metrics that the profiler works out and writes among the counters, where those that they are made of are missing."""


def _joined(*groups: tuple[Metric, ...]) -> tuple[Metric, ...]:
    """Return the metrics with the profiler's own as the last way to each value, in the order of their first way."""
    rows = [metric for group in groups for metric in group]
    for metric in _BY_ROCPROF:
        last = max((i for i, row in enumerate(rows) if row.name == metric.name), default=len(rows) - 1)
        rows.insert(last + 1, metric)
    return tuple(rows)


METRICS = _joined(_LAUNCH, _MIX, _TIME, _BUSY, _MEMORY, _ARITHMETIC)
