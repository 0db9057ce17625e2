"""Counts of one kernel as formulas see them: vendors' names, launch geometry and machine facts in one lookup."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from hotloop.targets.chips import Machine

_CHANNEL = re.compile(r"(.+)\[\d+\]")
_ACCUMULATOR = "SQ_ACCUM_PREV_HIRES"
_LEVELS = ("SQ_LEVEL_WAVES", "SQ_INST_LEVEL_VMEM", "SQ_INST_LEVEL_LDS", "SQ_INST_LEVEL_SMEM", "SQ_IFETCH_LEVEL")
ACCUMULATED = "_ACCUM"
"""What follows a level's name in the name of its sum over all clocks; tools write every level's sum as one and the same counter."""
_NEVER_ZERO = frozenset(
    {"SQ_WAVE_CYCLES", "SQ_BUSY_CYCLES", "SQ_BUSY_CU_CYCLES", "SQ_CYCLES", "GRBM_COUNT", "GRBM_GUI_ACTIVE", "GPUBusy", "VALUBusy",
     "VALUUtilization", "OccupancyPercent", "MeanOccupancyPerCU", "Wavefronts"}
)  # fmt: skip
"""What no kernel leaves at 0. Tools have written it for counters that the hardware did not deliver: rocprofv3 on gfx1100 and gfx1200, and
for sums of levels where nobody asked it to accumulate."""
_SUMS = frozenset({_ACCUMULATOR, *(level + ACCUMULATED for level in _LEVELS)})
COVERAGE_TOLERANCE = 0.02
"""Waves counted and waves launched may differ by this; two passes are two executions."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter that formulas may use."""

    name: str
    unit: str
    """As `hotloop.metrics.dimension` spells it."""
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How the kernel was launched, as the profiler tells."""

    items: int | None = None
    group_items: int | None = None
    wave_size: int | None = None
    lds_bytes: int | None = None
    scratch_bytes: int | None = None
    vgprs: int | None = None
    duration_ns: float | None = None
    kernel_share: float | None = None
    """Of the profile's device time."""
    rival_share: float | None = None
    """Of the profile's device time, the largest that another kernel has."""
    cold_ns: float | None = None
    """Time of the first launch, where it was set apart from the others."""
    all_ns: float | None = None
    """Time of all launches of this size, those set apart included."""

    @property
    def waves(self) -> int | None:
        """Waves that were launched."""
        if not self.items or not self.wave_size:
            return None
        group = self.group_items or self.items
        return -(-self.items // group) * -(-group // self.wave_size)

    @property
    def groups(self) -> int | None:
        """Work-groups that were launched."""
        return None if not self.items or not self.group_items else -(-self.items // self.group_items)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """All that is known of one kernel, for one launch."""

    architecture: str
    """``gfx942``, ``sm_90`` ..."""
    values: Mapping[str, float] = field(default_factory=dict)
    """By the vendor's name, summed over all instances of the counting block, in the unit of `hotloop.metrics.data`."""
    passes: tuple[Mapping[str, float], ...] = ()
    """The same by pass: each is a run of its own, with a clock and a counting window of its own; empty: all are of one."""
    launch: Launch = Launch()
    machine: Machine = Machine()
    source: str = ""
    """File or tool that gave the values, for messages."""

    @property
    def runs(self) -> tuple[Mapping[str, float], ...]:
        """The counters of each pass."""
        return self.passes or (self.values,)

    def inputs(self, values: Mapping[str, float] | None = None) -> dict[str, float]:
        """Return every input that a formula can name: ``dispatch.*``, ``machine.*`` and the counters, or those of `values`."""
        chosen = self.values if values is None else values
        inputs = {f"machine.{f.name}": getattr(self.machine, f.name) for f in fields(Machine)}
        inputs |= {f"dispatch.{f.name}": getattr(self.launch, f.name) for f in fields(Launch)}
        inputs |= {"dispatch.waves": self.launch.waves, "dispatch.groups": self.launch.groups}
        return {**{k: float(v) for k, v in inputs.items() if v is not None}, **canonical(chosen)}

    def coverage(self) -> float | None:
        """Return waves counted over waves launched, None when either is unknown.

        Below 1 the counters come from some of the engines only: shares of waves still hold, rates do not.
        """
        counted, launched = self.values.get("SQ_WAVES"), self.launch.waves
        return counted / launched if counted is not None and launched else None

    def whole(self) -> bool:
        """Tell whether nothing speaks against the counters being sums over all engines."""
        covered = self.coverage()
        return covered is None or abs(covered - 1) <= COVERAGE_TOLERANCE


def undelivered(values: Mapping[str, float]) -> list[str]:
    """Return the counters that read 0 though a kernel ran: they were not delivered.

    >>> undelivered({"VALUBusy": 0.0, "SQ_INSTS_LDS": 0.0, "SQ_LEVEL_WAVES_ACCUM": 0.0})
    ['VALUBusy', 'SQ_LEVEL_WAVES_ACCUM']
    """
    return [name for name, value in values.items() if value == 0 and name in _NEVER_ZERO | _SUMS]


def canonical(values: Mapping[str, float]) -> dict[str, float]:
    """Return counters under the names that formulas use: channels summed, an accumulator named after its level.

    What no kernel leaves at 0 is absent where it reads so.

    >>> canonical({"TCC_HIT[0]": 2.0, "TCC_HIT[1]": 3.0})["TCC_HIT_sum"]
    5.0
    >>> canonical({"SQ_LEVEL_WAVES": 0.0, "SQ_ACCUM_PREV_HIRES": 9.0})["SQ_LEVEL_WAVES_ACCUM"]
    9.0
    """
    lost = set(undelivered(values))
    renamed = {name: value for name, value in values.items() if name not in lost}
    sums: dict[str, float] = {}
    for name, value in values.items():
        channel = _CHANNEL.fullmatch(name)
        if channel:
            sums[f"{channel[1]}_sum"] = sums.get(f"{channel[1]}_sum", 0.0) + value
    for name, total in sums.items():
        renamed.setdefault(name, total)
    levels = [name for name in _LEVELS if name in values]
    if _ACCUMULATOR in renamed and len(levels) == 1:
        renamed.setdefault(levels[0] + ACCUMULATED, values[_ACCUMULATOR])
    return renamed
