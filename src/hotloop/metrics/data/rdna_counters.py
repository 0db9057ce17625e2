"""Counters of AMD RDNA chips (gfx10 to gfx12) that formulas use and gfx9 does not have: units and meanings.

Sources: ROCprofiler SDK, ``counter_defs.yaml`` (blocks, texts and derived metrics by architecture); ROCm Compute Profiler, panels of gfx1151.
"""

from hotloop.metrics.counters import Counter

_INSTRUCTIONS = {
    "SQ_INSTS_ALL": "instructions of all kinds",
    "SQ_INSTS_TEX": "vector memory instructions",
}
_WAVE_CLOCKS = {
    "SQ_WAIT_CNT_ANY": "clocks that waves wait for a wait counter",
    "SQ_WAIT_BARRIER": "clocks that waves wait at a barrier",
    "SQ_WAIT_IFETCH": "clocks that waves wait for instructions",
}
"""Counted in the unit of `SQ_WAVE_CYCLES`, which their shares are of."""
_CYCLES = {
    "SQC_LDS_IDX_ACTIVE": "clocks in which local memory works on indexed operations",
    "SQC_LDS_BANK_CONFLICT": "clocks in which local memory is stalled by conflicts",
}
_REQUESTS = {
    "TCP_REQ_sum": "requests to L0, the cache next to the units",
    "TCP_REQ_MISS_sum": "requests that miss L0",
    "GL1C_REQ_sum": "requests to L1, the cache of a shader array",
    "GL1C_REQ_MISS_sum": "requests that miss L1",
    "GL2C_HIT_sum": "hits of L2",
    "GL2C_MISS_sum": "misses of L2; uncached reads count as misses",
    "GL2C_EA_RDREQ_sum": "reads that leave L2 (gfx12)",
    **{f"GL2C_EA_RDREQ_{size}B_sum": f"reads that leave L2 of {size} B" for size in (32, 64, 96, 128)},
    "GL2C_MC_WRREQ_sum": "writes that leave L2, 32 or 64 B each (gfx10, gfx11)",
    "GL2C_EA_WRREQ_64B_sum": "writes that leave L2 of 64 B",
    "GL2C_EA_WRREQ_sum": "writes that leave L2 (gfx12)",
}
_DERIVED = {
    "WAVE_DEP_WAIT": "waves' time waiting for anything",
    "WAVE_ISSUE_WAIT": "waves' time waiting to issue",
    "L0CacheHit": "hits of L0",
}

COUNTERS = (
    *(Counter(name, "inst", text) for name, text in _INSTRUCTIONS.items()),
    *(Counter(name, "quad", text) for name, text in _WAVE_CLOCKS.items()),
    *(Counter(name, "cycle", text) for name, text in _CYCLES.items()),
    *(Counter(name, "req", text) for name, text in _REQUESTS.items()),
    *(Counter(name, "%", text) for name, text in _DERIVED.items()),
)
