"""Counters that read 0 because nobody delivered them: a 0 that is taken for a count is a wrong answer said with confidence.

rocprofv3 writes 0 for what the hardware did not count. On RDNA that is most of what there is while the clocks are not held by a profile level:
instructions, waves' time, all of L2, of kernels that stream gigabytes (recorded on gfx1100, gfx1200 and gfx1201).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hotloop.targets.target import Target

ACCUMULATOR: Final = "SQ_ACCUM_PREV_HIRES"
"""Adds up, every cycle, the level counter that is collected just before it; there is one in a pass."""
LEVELS: Final = ("SQ_LEVEL_WAVES", "SQ_INST_LEVEL_VMEM", "SQ_INST_LEVEL_LDS", "SQ_INST_LEVEL_SMEM", "SQ_IFETCH_LEVEL")
ACCUMULATED: Final = "_ACCUM"
"""Suffix of the name of a level's sum over all clocks; tools write the sums of all levels as one and the same counter."""
_NEVER_ZERO: Final = frozenset(
    {"SQ_WAVE_CYCLES", "SQ_BUSY_CYCLES", "SQ_BUSY_CU_CYCLES", "SQ_CYCLES", "GRBM_COUNT", "GRBM_GUI_ACTIVE", "GPUBusy", "VALUBusy",
     "VALUUtilization", "OccupancyPercent", "MeanOccupancyPerCU", "Wavefronts"}
)  # fmt: skip
"""Counters that no kernel leaves at 0. Tools have written 0 for counters that the hardware did not deliver, and for sums of levels where
nobody asked the tool to accumulate."""
_LAUNCHED: Final = frozenset({"SQ_WAVES", "SQ_INSTS", "SQ_INSTS_VALU"})
"""Counters that every kernel raises; they are 0 in the share of an engine or die without work. Where nothing else was counted either,
nothing was delivered."""
_SUMS: Final = frozenset({ACCUMULATOR, *(level + ACCUMULATED for level in LEVELS)})
HELD: Final = "counters that stay 0 unless a profile level holds the clocks"
"""The feature of targets where a 0 may be a counter that was not delivered."""
_NEVER_ZERO_RDNA: Final = frozenset(
    {"FETCH_SIZE", "FetchSize", "WRITE_SIZE", "L2CacheHit", "L0CacheHit", "VALUInsts", "SALUInsts", "SQ_WAVES"}
)
_FAMILIES: Final = (
    "SQ_INSTS_",
    "SQ_WAIT_",
    "SQC_ICACHE_",
    "SQC_LDS_",
    "TCP_",
    "GL1C_",
    "GL2C_EA_",
    "GL2C_MC_",
    "GL2C_",
)
"""Beginnings of the names of what is delivered together: where all of a family read 0, none was. The longest first."""
_ONE: Final = {"GL2C_MC_": "GL2C_EA_"}
"""Two names of the way from L2 to memory."""


def undelivered(values: Mapping[str, float], architecture: str = "") -> list[str]:
    """Return the counters that read 0 though a kernel ran: they were not delivered.

    >>> undelivered({"SQ_WAVES": 4.0, "VALUBusy": 0.0, "SQ_INSTS_LDS": 0.0, "SQ_LEVEL_WAVES_ACCUM": 0.0})
    ['VALUBusy', 'SQ_LEVEL_WAVES_ACCUM']
    >>> undelivered({"SQ_INSTS_LDS": 0.0, "GL2C_HIT_sum": 5.0, "GL2C_MISS_sum": 0.0}, "gfx1201")
    ['SQ_INSTS_LDS']
    >>> undelivered({"SQ_WAVES": 0.0, "TCC_MISS_sum": 0.0}, "gfx90a")
    ['SQ_WAVES', 'TCC_MISS_sum']
    """
    if not any(values.values()) and not (_NEVER_ZERO | _LAUNCHED).isdisjoint(values):
        return list(values)
    lost, alive = _NEVER_ZERO | _SUMS, frozenset[str]()
    rdna = bool(architecture) and Target.of(architecture).has(HELD)
    if rdna:
        lost |= _NEVER_ZERO_RDNA
        alive = frozenset(_family(name) for name, value in values.items() if value > 0)
    return [name for name, value in values.items() if value == 0 and (name in lost or (rdna and _dead(name, alive)))]


def _family(name: str) -> str:
    """Return the family of a counter, empty for one of none."""
    begin = next((begin for begin in _FAMILIES if name.startswith(begin)), "")
    return _ONE.get(begin, begin)


def _dead(name: str, alive: frozenset[str]) -> bool:
    """Tell whether none of a counter's family was delivered."""
    family = _family(name)
    return bool(family) and family not in alive
