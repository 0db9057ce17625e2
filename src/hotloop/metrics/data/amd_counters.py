"""AMD counters that formulas use: units and meanings.

Sources: the MI200 and MI300 performance counter pages of the ROCm documentation, LLVM's AMDGPU usage page, and checks on
recorded workloads: the wave-cycle identity is exact on MI200 and proves the quad unit; 1,024 K items of a copy of doubles
give 8,388,608 B in each direction at L1, L2 and memory, which proves the request sizes. Every counter is taken as the sum
over all instances (compute dies, shader engines, channels) of one dispatch.
"""

from hotloop.metrics.counters import Counter

_INSTRUCTIONS = {
    "SQ_INSTS": "instructions of all kinds",
    "SQ_INSTS_VALU": "vector instructions, matrix instructions included",
    "SQ_INSTS_MFMA": "matrix instructions",
    "SQ_INSTS_SALU": "scalar instructions",
    "SQ_INSTS_SMEM": "scalar memory reads",
    "SQ_INSTS_LDS": "local memory instructions, flat ones included",
    "SQ_INSTS_VMEM": "vector memory instructions, flat and scratch included",
    "SQ_INSTS_VMEM_RD": "vector memory reads",
    "SQ_INSTS_VMEM_WR": "vector memory writes",
    "SQ_INSTS_FLAT": "flat memory instructions",
    "SQ_INSTS_BRANCH": "branches",
    "SQ_INSTS_VALU_FMA_F16": "fused multiply-adds, half precision",
    "SQ_INSTS_VALU_FMA_F32": "fused multiply-adds, single precision",
    "SQ_INSTS_VALU_FMA_F64": "fused multiply-adds, double precision",
    "SQ_INSTS_VALU_ADD_F16": "additions, half precision",
    "SQ_INSTS_VALU_ADD_F32": "additions, single precision",
    "SQ_INSTS_VALU_ADD_F64": "additions, double precision",
    "SQ_INSTS_VALU_MUL_F16": "multiplications, half precision",
    "SQ_INSTS_VALU_MUL_F32": "multiplications, single precision",
    "SQ_INSTS_VALU_MUL_F64": "multiplications, double precision",
    "SQ_INSTS_VALU_INT32": "32-bit integer vector instructions",
    "SQ_INSTS_VALU_INT64": "64-bit integer vector instructions",
    "SQ_INSTS_VALU_CVT": "conversion instructions",
    "SQC_ICACHE_REQ": "requests to the instruction cache",
}
_MISSES = {"SQC_ICACHE_MISSES": "misses of the instruction cache", "SQC_ICACHE_HITS": "hits of the instruction cache"}
_WAVE_QUADS = {
    "SQ_WAVE_CYCLES": "cycles that waves are resident",
    "SQ_WAIT_ANY": "cycles that waves wait for a dependency: wait counters, barriers, instruction fetch",
    "SQ_WAIT_INST_ANY": "cycles that waves wait to issue an instruction",
    "SQ_WAIT_INST_LDS": "cycles that waves wait to issue a local memory instruction",
    "SQ_ACTIVE_INST_ANY": "cycles that waves work on an instruction",
    "SQ_ACTIVE_INST_VALU": "cycles that waves work on a vector instruction",
    "SQ_ACTIVE_INST_LDS": "cycles that waves work on a local memory instruction",
    "SQ_ACTIVE_INST_VMEM": "cycles that waves work on a vector memory instruction",
    "SQ_THREAD_CYCLES_VALU": "cycles that lanes work on a vector instruction: lanes switched on × SQ_ACTIVE_INST_VALU",
    "SQ_BUSY_CU_CYCLES": "cycles that the SIMDs of compute units hold waves",
}
_CYCLES = {
    "SQ_CYCLES": "clocks, summed over shader engines",
    "SQ_BUSY_CYCLES": "clocks in which a shader engine holds waves",
    "SQ_VALU_MFMA_BUSY_CYCLES": "clocks in which a SIMD's matrix unit works",
    "SQ_LDS_BANK_CONFLICT": "clocks in which local memory is stalled by conflicts",
    "SQ_LDS_IDX_ACTIVE": "clocks in which local memory works on indexed operations, conflicts included",
    "SQ_LDS_UNALIGNED_STALL": "clocks in which local memory is stalled by misaligned accesses",
    "GRBM_COUNT": "clocks of the graphics register bus manager, summed over dies",
    "GRBM_GUI_ACTIVE": "clocks in which the device works, summed over dies",
    "TCP_PENDING_STALL_CYCLES_sum": "clocks in which the L1 waits for a line that is on its way",
}
_REQUESTS = {
    "TCP_TOTAL_CACHE_ACCESSES_sum": "lookups of L1",
    "TCP_TOTAL_ACCESSES_sum": "accesses of lanes to L1",
    "TCP_TCC_READ_REQ_sum": "reads that L1 sends to L2",
    "TCP_TCC_WRITE_REQ_sum": "writes that L1 sends to L2",
    "TCP_TCC_ATOMIC_WITH_RET_REQ_sum": "atomics with a result that L1 sends to L2",
    "TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum": "atomics without a result that L1 sends to L2",
    "TCC_HIT_sum": "hits of L2",
    "TCC_MISS_sum": "misses of L2; uncached reads count as misses",
    "TCC_REQ_sum": "requests to L2",
    "TCC_EA_RDREQ_sum": "reads from memory, 32 or 64 B each (gfx90a)",
    "TCC_EA_RDREQ_32B_sum": "reads from memory of 32 B (gfx90a)",
    "TCC_EA_WRREQ_sum": "writes to memory, 32 or 64 B each (gfx90a)",
    "TCC_EA_WRREQ_64B_sum": "writes to memory of 64 B (gfx90a)",
    "TCC_EA0_RDREQ_sum": "reads from memory, 32, 64 or 128 B each (gfx940 and later)",
    "TCC_EA0_RDREQ_32B_sum": "reads from memory of 32 B (gfx940 and later)",
    "TCC_EA0_RDREQ_64B_sum": "reads from memory of 64 B (gfx950)",
    "TCC_EA0_RDREQ_128B_sum": "reads from memory of 128 B (gfx950)",
    "TCC_BUBBLE_sum": "reads from memory of 128 B (gfx940 and later)",
    "TCC_EA0_WRREQ_sum": "writes to memory, 32 or 64 B each (gfx940 and later)",
    "TCC_EA0_WRREQ_64B_sum": "writes to memory of 64 B (gfx940 and later)",
}
_MATRIX = {f"SQ_INSTS_VALU_MFMA_MOPS_{t}": f"matrix arithmetic, {t}, in 512 operations"
           for t in ("F16", "BF16", "F32", "F64", "I8", "F8", "F6F4")}  # fmt: skip
_LEVELS = {
    "TCP_TCC_READ_REQ_LATENCY_sum": ("req*cycle", "latency of L1's reads from L2, summed"),
    "SQ_LEVEL_WAVES_ACCUM": ("cycle", "resident waves, added up every clock"),
    "SQ_INST_LEVEL_VMEM_ACCUM": ("inst*cycle", "vector memory instructions in flight, added up every clock"),
    "SQ_INST_LEVEL_LDS_ACCUM": ("inst*cycle", "local memory instructions in flight, added up every clock"),
    "SQ_INST_LEVEL_SMEM_ACCUM": ("inst*cycle", "scalar memory reads in flight, added up every clock"),
    "SQ_IFETCH_LEVEL_ACCUM": ("inst*cycle", "instruction fetches in flight, added up every clock"),
}

_DERIVED = {
    "Coalescing": (
        "%",
        "how near vector memory instructions come to 16 cache lookups, as ROCm Compute Profiler prints it",
    ),
    "ActiveUnits": ("%", "compute units that held work, as ROCm Compute Profiler prints them"),
    "OccupancyPercent": ("%", "resident waves over the most"),
    "MeanOccupancyPerCU": ("wave", "resident waves of a compute unit"),
    "VALUBusy": ("%", "time in which vector units worked"),
    "HbmRateOfPeak": ("%", "traffic of the device memory over the peak that was measured, as an analysis prints it"),
    "MfmaRateOfPeak": ("%", "rate of matrix arithmetic over the peak rates, as an analysis prints it"),
    "MfmaUtil": ("%", "time in which matrix units worked"),
    "VALUUtilization": ("%", "lanes switched on in vector instructions"),
    "L2CacheHit": ("%", "hits of L2"),
    "LDSBankConflict": ("%", "time in which local memory was stalled by conflicts"),
    "MemUnitStalled": ("%", "time in which the memory unit could take nothing"),
    "Wavefronts": ("wave", "waves launched"),
    "VALUInsts": ("inst/wave", "vector instructions of a wave"),
    "SALUInsts": ("inst/wave", "scalar instructions of a wave"),
    "SFetchInsts": ("inst/wave", "scalar memory reads of a wave"),
    "LDSInsts": ("inst/wave", "local memory instructions of a wave"),
    "VFetchInsts": ("inst/wave", "vector memory reads of a wave"),
    "VWriteInsts": ("inst/wave", "vector memory writes of a wave"),
    "FetchSize": ("KiB", "read from memory"),
    "FETCH_SIZE": ("KiB", "read from memory"),
    "WriteSize": ("KiB", "written to memory"),
    "WRITE_SIZE": ("KiB", "written to memory"),
}
"""What rocprof derives itself. Source: ROCprofiler's derived metrics (``derived_counters.xml``, documentation of MI200 and MI300)."""

COUNTERS = (
    Counter("SQ_WAVES", "wave", "waves launched"),
    Counter("SQ_IFETCH", "inst", "instruction fetches"),
    Counter("SQ_INSTS_VALU_IOPS", "op", "integer and bit operations (gfx950); operations, not instructions"),
    Counter("SQ_INSTS_LDS_LOAD", "inst", "local memory loads (gfx950)"),
    *(Counter(name, "inst", text) for name, text in {**_INSTRUCTIONS, **_MISSES}.items()),
    *(Counter(name, "quad", text) for name, text in _WAVE_QUADS.items()),
    *(Counter(name, "cycle", text) for name, text in _CYCLES.items()),
    *(Counter(name, "req", text) for name, text in _REQUESTS.items()),
    *(Counter(name, "mop", text) for name, text in _MATRIX.items()),
    *(Counter(name, unit, text) for name, (unit, text) in _LEVELS.items()),
    *(Counter(name, unit, text) for name, (unit, text) in _DERIVED.items()),
)
