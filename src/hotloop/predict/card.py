"""The machine that a prediction is for: facts of the chip (chips.toml) and of its instruction set (timing.toml)."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.errors import UsageError
from hotloop.targets import chips
from hotloop.targets.span import Span
from hotloop.targets.target import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One device; rates of the whole device, latencies in engine cycles."""

    name: str
    target: Target
    units: int
    """Parts that work-groups are dealt to: compute units, or pairs of them (WGP)."""
    unit_simds: int
    """SIMDs of such a part."""
    simds: int
    """SIMDs that share a first-level cache and local memory: those of a compute unit."""
    dies: int
    """Compute dies, each with a second-level cache of its own."""
    clock: Span
    """Engine clock in Hz, from the least to the most that long kernels plausibly run at."""
    l1_bytes: int
    arrays: int = 0
    """Groups of compute units that share a cache between their own and the second-level one; 0: there is none."""
    array_bytes: int = 0
    l2_bytes: int
    """Size of the second-level cache of one die."""
    mall_bytes: int
    """Memory-side cache of the device; 0: none."""
    line_bytes: int
    """Bytes that the second-level cache fetches at a time."""
    l2_bytes_per_s: float
    mall_bytes_per_s: float
    memory_bytes_per_s: Span
    """Reached by copies, from the worst to the best that is plausible."""
    latency_l1: Span
    latency_l2: Span
    latency_mall: Span
    latency_memory: Span
    launch_ns: Span

    @property
    def clock_hz(self) -> float:
        """The clock that times are predicted with."""
        return self.clock.middle

    def fact(self, name: str) -> float:
        """Return a fact of the instruction set. Raises UsageError when the table has none."""
        value = self.target.rate(name)
        if value is None:
            raise UsageError(f"{self.target.name} has no {name} in timing.toml; nothing can be predicted for it.")
        return value


def card(name: str) -> Card:
    """Return a device by the name of a chip (``MI300A``) or of a target (``gfx942``: the chip that it is taken to be).

    Raises:
        UsageError: no chip is known for it, or too little about the chip.
    """
    chip = chips.named(name) or chips.of_target(name)
    if chip is None:
        meant = Target.of(name)
        if meant.listed and not meant.amd:
            raise UsageError(f"times are predicted for AMD GPUs, not for {name}; name one such as gfx942.")
        if meant.amd:
            known = ", ".join(dict.fromkeys(listed.target for listed in chips.chips()))
            raise UsageError(f"no chip is known for {name}, so no time can be predicted; chips are known for {known}.")
        names = ", ".join(listed.name for listed in chips.chips())
        raise UsageError(f"no chip is known for {name}; name one with --chip: {names}.")
    target, machine = Target.named(chip.target), chip.machine
    roofs = {roof.name: roof.per_second for roof in chip.memory}
    if not target.amd or not (machine.compute_units and machine.clock_hz and machine.hbm_bytes_per_s):
        raise UsageError(f"times are predicted for AMD GPUs whose chip is known, not for {chip.name}.")
    share, kept = _span(target, "memory_share"), _span(target, "clock_share")
    simds = target.number("simds_cu") or 1
    together = target.number("simds_wgp") or simds
    return Card(
        name=chip.name,
        target=target,
        units=machine.compute_units * simds // together,
        unit_simds=together,
        simds=simds,
        dies=machine.dies or 1,
        clock=Span(kept.low * machine.clock_hz, kept.high * machine.clock_hz),
        l1_bytes=target.number("l1_bytes") or 0,
        arrays=(target.number("arrays_engine") or 0) * (machine.shader_engines or 0),
        array_bytes=target.number("array_bytes") or 0,
        l2_bytes=chip.l2_bytes or 0,
        mall_bytes=chip.mall_bytes or 0,
        line_bytes=target.number("l2_line_bytes") or 128,
        l2_bytes_per_s=roofs["l2"],
        mall_bytes_per_s=chip.mall_bytes_per_s or machine.hbm_bytes_per_s,
        memory_bytes_per_s=Span(share.low * machine.hbm_bytes_per_s, share.high * machine.hbm_bytes_per_s),
        latency_l1=_span(target, "latency_l1"),
        latency_l2=_span(target, "latency_l2"),
        latency_mall=_span(target, "latency_mall"),
        latency_memory=_span(target, "latency_memory"),
        launch_ns=_span(target, "launch_ns"),
    )


def _span(target: Target, name: str) -> Span:
    span = target.span(name)
    if span is None:
        raise UsageError(f"{target.name} has no {name} in timing.toml; nothing can be predicted for it.")
    return span
