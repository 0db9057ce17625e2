"""Counts of one kernel as formulas see them: vendors' names, launch geometry and machine facts in one lookup."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from hotloop.metrics.delivered import ACCUMULATED, ACCUMULATOR, LEVELS, undelivered
from hotloop.targets.chips import Machine

_CHANNEL = re.compile(r"(.+)\[\d+\]")
_SUMMED = ("GL2C_", "GL1C_", "TCP_", "TCC_")
"""Prefixes of counters whose sum over all instances formulas name with ``_sum``."""
_PLAIN = ("SQ_", "SQC_", "GRBM_")
"""Prefixes of counters whose sum formulas name without ``_sum``, though tools may write one counter for each engine, or their sum."""
_TOTAL = "_sum"
COVERAGE_TOLERANCE = 0.02
"""Relative difference allowed between waves counted and waves launched, because two passes are two executions."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter that formulas may use."""

    name: str
    unit: str
    """Unit, spelled as in `hotloop.metrics.dimension`."""
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
    """Share of the profile's device time that this kernel takes."""
    rival_share: float | None = None
    """Largest share of the profile's device time that another kernel takes."""
    cold_ns: float | None = None
    """Time of the first launch, where it was set apart from the others."""
    all_ns: float | None = None
    """Time of all launches of this size, those set apart included."""
    cold_ratio: float | None = None
    """Clocks of the first launch over those of a usual one, where it was set apart and no launch has a time."""
    all_ratio: float | None = None
    """The same of all launches of this size together."""

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
    """Values by the vendor's name, summed over all instances of the counting block, in the unit of `hotloop.metrics.data`."""
    passes: tuple[Mapping[str, float], ...] = ()
    """Counters by pass of the tool, each of which is a run with a clock and a counting window of its own; empty when all come from one run."""
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
        return {**{k: float(v) for k, v in inputs.items() if v is not None}, **canonical(chosen, self.architecture)}

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


def canonical(values: Mapping[str, float], architecture: str = "") -> dict[str, float]:
    """Return counters under the names that formulas use: channels summed, an accumulator named after its level.

    What was not delivered is absent (`hotloop.metrics.delivered`).

    >>> canonical({"TCC_HIT[0]": 2.0, "TCC_HIT[1]": 3.0})["TCC_HIT_sum"]
    5.0
    >>> canonical({"SQ_LEVEL_WAVES": 0.0, "SQ_ACCUM_PREV_HIRES": 9.0})["SQ_LEVEL_WAVES_ACCUM"]
    9.0
    """
    lost = set(undelivered(values, architecture))
    renamed = {name: value for name, value in values.items() if name not in lost}
    sums: dict[str, float] = {}
    for name, value in values.items():
        channel = _CHANNEL.fullmatch(name)
        if channel:
            sums[f"{channel[1]}_sum"] = sums.get(f"{channel[1]}_sum", 0.0) + value
    for name, total in sums.items():
        renamed.setdefault(name, total)
    levels = [name for name in LEVELS if name in values]
    if ACCUMULATOR in renamed and len(levels) == 1:
        renamed.setdefault(levels[0] + ACCUMULATED, values[ACCUMULATOR])
    return renamed


def known_as(name: str) -> str:
    """Return the name that formulas use for a counter of all instances: rocprofv3 adds them up under either.

    >>> known_as("GL2C_HIT"), known_as("SQ_WAVES_sum"), known_as("TCC_HIT[3]"), known_as("TCC_WRREQ_STALL_max")
    ('GL2C_HIT_sum', 'SQ_WAVES', 'TCC_HIT[3]', 'TCC_WRREQ_STALL_max')
    """
    if name.startswith(_PLAIN):
        return name.removesuffix(_TOTAL)
    whole = name.startswith(_SUMMED) and not name.endswith((_TOTAL, "_max", "_min", "_avr", "]"))
    return f"{name}{_TOTAL}" if whole else name
