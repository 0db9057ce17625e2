"""What an occupancy calculation answers, the same for every vendor."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """Number of waves or groups that one resource allows."""

    resource: str
    waves: int
    """Waves (warps) that this resource alone allows: per SIMD on AMD, per SM on NVIDIA."""
    groups: int
    """Whole work-groups (blocks) that this resource alone allows on one compute unit."""
    detail: str
    """How the figure comes about, e.g. ``124 -> 128 of 512 (granule 8)``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupancy:
    """Resident waves of one kernel with one launch shape."""

    target: str
    waves: int
    """The headline: waves per SIMD by LLVM's convention (AMD), or warps per SM (NVIDIA)."""
    max_waves: int
    convention: str
    """Meaning of `waves`, in words."""
    groups: int
    """Whole work-groups resident on one `unit`; 0 when the kernel does not launch."""
    group_waves: int
    """Waves of one work-group."""
    simds: int
    """SIMDs (sub-partitions) of a `unit`."""
    unit: str
    """Hardware unit that a work-group shares: ``CU``, ``WGP`` or ``SM``."""
    limits: tuple[Limit, ...]
    why_not: str = ""
    """Why it does not launch; empty when it does."""
    notes: tuple[str, ...] = ()

    @property
    def launches(self) -> bool:
        """True when at least one work-group fits."""
        return not self.why_not and self.groups > 0

    @property
    def limiting(self) -> tuple[str, ...]:
        """Resources that cause the headline; several when they tie, none when the machine is full."""
        if self.waves >= self.max_waves:
            return ()
        least = min((limit.waves for limit in self.limits), default=0)
        return tuple(limit.resource for limit in self.limits if limit.waves == least)

    @property
    def limiting_groups(self) -> tuple[str, ...]:
        """Resources that cause the number of whole work-groups."""
        least = min((limit.groups for limit in self.limits), default=0)
        return tuple(limit.resource for limit in self.limits if limit.groups == least)

    @property
    def resident_waves(self) -> float:
        """Mean waves per SIMD of the whole work-groups that are resident."""
        return self.groups * self.group_waves / self.simds

    @property
    def fraction(self) -> float:
        """Headline waves as a share of the machine's maximum."""
        return self.waves / self.max_waves
