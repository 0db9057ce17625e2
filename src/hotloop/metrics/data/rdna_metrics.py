"""Metrics of AMD RDNA chips (gfx10, gfx11, gfx12) as formulas over counters.

Only what AMD publishes a formula of, or what was measured against known traffic, has a row; what is left out is not known. Two facts differ
from gfx9: waves' time is counted in clocks and not in four of them (the same occupancy is 100 × there, 400 × on gfx9), and nobody says over
which instances ``SQ_BUSY_CYCLES`` and ``SQ_INST_CYCLES_VALU`` add up (engines or work-group processors), so neither gives a share here: how
busy vector and scalar units were stays open.
"""

from __future__ import annotations

from dataclasses import replace

from hotloop.metrics.metric import Metric, UpperBound

_OLD = ("gfx10*", "gfx11*")
"""Chips on which requests to memory are counted separately by size."""
_NEW = ("gfx12", "gfx120*")
_SIXTEEN = ("gfx103*", "gfx11*", *_NEW)
"""Chips on which a SIMD holds 16 waves, which agrees with the tool's constant of 32 per unit; older chips hold 20."""
_ALL = (*_OLD, *_NEW)
_PANELS = ("gfx115*",)
_SDK = "ROCprofiler SDK, counter_defs.yaml"
_PROFILER = "ROCm Compute Profiler, panels of gfx1151"
_COUNTING = "counting"
_CACHED = UpperBound("what a memory-side cache answers is inside")
_MEASURED = "256 B a request: streams of 16 to 512 MiB on a gfx1201, one request more or less each 256 B"


def _rdna(
    name: str, formula: str, source: str = _SDK, misleads: str = "", *, on: tuple[str, ...] = _ALL, given: tuple[str, ...] = (),
    whole: bool = False, together: bool = False, most: str = "", enough: tuple[str, str] | None = None,
) -> Metric:  # fmt: skip
    return Metric(
        name=name, formula=formula, architectures=on, source=source, misleads=misleads, given=given, whole=whole,
        together=together, most=most, enough=enough,
    )  # fmt: skip


def _told(name: str, formula: str, misleads: str = "", on: tuple[str, ...] = _ALL) -> Metric:
    return replace(_rdna(name, formula, f"{_SDK}, derived", misleads, on=on), told=True)


_PEAK = "dispatch.duration_ns * machine.clock_hz"
_UNITS = "machine.compute_units * machine.simds"
_WAVE_CLOCKS = "0.25 * SQ_WAVE_CYCLES"
"""A counter that is documented in units of four clocks, which holds on gfx9 only: here it counts single clocks, hence the factor."""

_LAUNCH = (
    *(
        _rdna(
            "gpu.elapsed_cycles", counter, "one die: its clocks are the device's", whole=True, together=True, most=_PEAK,
            given=("dispatch.duration_ns", "machine.clock_hz"),
        )
        for counter in ("GRBM_GUI_ACTIVE", "GRBM_COUNT")
    ),
    _rdna("gpu.clock_hz", "min(gpu.elapsed_cycles / gpu.duration_ns, machine.clock_hz)", _COUNTING, "clocks and time may come from different passes"),
)  # fmt: skip

_MIX = (
    _rdna("gpu.insts_per_wave", "SQ_INSTS_ALL / SQ_WAVES", _PROFILER, on=_PANELS),
    *(
        row
        for kind, told in (("valu", "VALUInsts"), ("salu", "SALUInsts"), ("smem", "SFetchInsts"))
        for row in (
            _rdna(f"gpu.{kind}_per_wave", f"SQ_INSTS_{kind.upper()} / SQ_WAVES", misleads="a wave of 64 may count two for one"),
            _told(f"gpu.{kind}_per_wave", told),
        )
    ),
    _rdna("gpu.lds_per_wave", "SQ_INSTS_LDS / SQ_WAVES", misleads="flat instructions count as local memory too"),
    _rdna("gpu.vmem_per_wave", "SQ_INSTS_TEX / SQ_WAVES", _PROFILER, "flat ones have a counter of their own", on=_PANELS),
)  # fmt: skip

_TIME = (
    _rdna("gpu.wait_share", "SQ_WAIT_ANY / SQ_WAVE_CYCLES", "ROCprofiler SDK: WAVE_DEP_WAIT", "wait counters, barriers and fetch together", together=True),
    _told("gpu.wait_share", "WAVE_DEP_WAIT", "wait counters, barriers and fetch together"),
    _rdna("gpu.issue_wait_share", "SQ_WAIT_INST_ANY / SQ_WAVE_CYCLES", "ROCprofiler SDK: WAVE_ISSUE_WAIT", together=True),
    _told("gpu.issue_wait_share", "WAVE_ISSUE_WAIT"),
    _rdna(
        "gpu.global_wait_share", "SQ_WAIT_CNT_ANY / SQ_WAVE_CYCLES", _PROFILER, UpperBound("waits for local memory and constants are inside"),
        on=_PANELS, together=True,
    ),
    _rdna("gpu.global_wait_share", "gpu.wait_share", "every wait", UpperBound("waits for local memory, constants, barriers and fetch are inside")),
    _rdna("gpu.barrier_wait_share", "SQ_WAIT_BARRIER / SQ_WAVE_CYCLES", _PROFILER, on=_PANELS, together=True),
    _rdna("gpu.fetch_wait_share", "SQ_WAIT_IFETCH / SQ_WAVE_CYCLES", _PROFILER, on=_PANELS, together=True),
)  # fmt: skip

_BUSY = (
    _rdna(
        "gpu.occupancy_waves", f"{_WAVE_CLOCKS} / (gpu.elapsed_cycles * {_UNITS})", "ROCprofiler SDK: MeanOccupancyPerCU",
        "a work-group processor has two units and four SIMDs", whole=True, together=True,
    ),
    _told("gpu.occupancy_waves", "MeanOccupancyPerCU / machine.simds", "over all clocks of the counting window"),
    _rdna("gpu.occupancy", "gpu.occupancy_waves / machine.wave_slots", _COUNTING, "idle units lower it too", whole=True),
    _told("gpu.occupancy", "OccupancyPercent", "idle units and a long counting window lower it", on=_SIXTEEN),
    _rdna(
        "gpu.lds_active_share", "SQC_LDS_IDX_ACTIVE / (gpu.elapsed_cycles * machine.compute_units / 2)", "ROCprofiler SDK: LdsUtil",
        "of the local memory of a work-group processor", on=_NEW, whole=True,
    ),
    _rdna(
        "gpu.lds_conflicts_per_access", "SQC_LDS_BANK_CONFLICT / (SQC_LDS_IDX_ACTIVE - SQC_LDS_BANK_CONFLICT)", "ROCprofiler SDK: LDSBankConflict is "
        "conflicts over active clocks, at most 100 %",
    ),
    _rdna("gpu.icache_miss_rate", "SQC_ICACHE_MISSES / SQC_ICACHE_REQ", "misses over requests, as on gfx9"),
    _rdna("gpu.icache_miss_rate", "SQC_ICACHE_MISSES / (SQC_ICACHE_MISSES + SQC_ICACHE_HITS)", _PROFILER),
)  # fmt: skip

_SIZES = "32[B/req] * GL2C_EA_RDREQ_32B_sum + 64[B/req] * GL2C_EA_RDREQ_64B_sum"
_READS = f"{_SIZES} + 96[B/req] * GL2C_EA_RDREQ_96B_sum + 128[B/req] * GL2C_EA_RDREQ_128B_sum"
_SIZED_12 = "GL2C_EA_RDREQ_32B_sum + GL2C_EA_RDREQ_64B_sum + GL2C_EA_RDREQ_128B_sum"
_WRITES = "64[B/req] * GL2C_EA_WRREQ_64B_sum + 32[B/req] * (GL2C_MC_WRREQ_sum - GL2C_EA_WRREQ_64B_sum)"

_MEMORY = (
    _rdna("gpu.l1_hit_rate", "1 - TCP_REQ_MISS_sum / TCP_REQ_sum", "ROCprofiler SDK: L0CacheHit; panels of gfx1151", "the cache next to the units, called L0"),
    _told("gpu.l1_hit_rate", "L0CacheHit", "the cache next to the units, called L0"),
    _rdna("gpu.middle_hit_rate", "1 - GL1C_REQ_MISS_sum / GL1C_REQ_sum", _PROFILER, "the cache that a shader array shares, called L1"),
    _rdna("gpu.l2_hit_rate", "GL2C_HIT_sum / (GL2C_HIT_sum + GL2C_MISS_sum)", "ROCprofiler SDK: L2CacheHit"),
    _told("gpu.l2_hit_rate", "L2CacheHit"),
    _rdna("gpu.hbm_read_bytes", _READS, "ROCprofiler SDK: FETCH_SIZE", _CACHED, on=_OLD),
    _rdna(
        "gpu.hbm_read_bytes", f"{_SIZES} + 128[B/req] * GL2C_EA_RDREQ_128B_sum", "ROCprofiler SDK: FETCH_SIZE", _CACHED, on=_NEW,
        given=("GL2C_EA_RDREQ_sum",), enough=(_SIZED_12, "0.95 * GL2C_EA_RDREQ_sum"),
    ),
    _rdna("gpu.hbm_read_bytes", "256[B/req] * GL2C_EA_RDREQ_sum", _MEASURED, UpperBound(f"{_CACHED}, and smaller requests count as whole ones"), on=("gfx1201",)),
    _told("gpu.hbm_read_bytes", "FETCH_SIZE", _CACHED),
    _told("gpu.hbm_read_bytes", "FetchSize", _CACHED),
    _rdna("gpu.hbm_write_bytes", _WRITES, "ROCprofiler SDK: WRITE_SIZE", _CACHED, on=_OLD),
    _rdna("gpu.hbm_write_bytes", "256[B/req] * GL2C_EA_WRREQ_sum", _MEASURED, UpperBound(f"{_CACHED}, and smaller requests count as whole ones"), on=("gfx1201",)),
    _told("gpu.hbm_write_bytes", "WRITE_SIZE", _CACHED, on=_OLD),
    _rdna("gpu.hbm_bytes", "gpu.hbm_read_bytes + gpu.hbm_write_bytes", _COUNTING, _CACHED),
    _rdna("gpu.hbm_bytes_per_s", "gpu.hbm_bytes / gpu.duration_ns", _COUNTING, _CACHED),
    _rdna("gpu.hbm_utilization", "gpu.hbm_bytes_per_s / machine.hbm_bytes_per_s", _COUNTING, UpperBound(f"{_CACHED}; a data sheet's peak is never reached")),
)  # fmt: skip

METRICS = (*_LAUNCH, *_MIX, *_TIME, *_BUSY, *_MEMORY)
