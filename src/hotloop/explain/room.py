"""How many work-groups fit: from the registers and local memory that the profile tells of a kernel, by the occupancy calculator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hotloop.errors import HotloopError
from hotloop.isa.occupancy import amd
from hotloop.isa.occupancy.result import Occupancy
from hotloop.metrics.counters import Counts
from hotloop.metrics.fact import fact
from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.profiles.profile import KernelProfile
from hotloop.targets.machine import AmdMachine
from hotloop.targets.target import Target

_LIMITS = {"lds": "gpu.limit_local", "workgroup": "gpu.limit_waves", "barriers": "gpu.limit_waves"}
"""Facts of the calculator's resources; all others are registers."""


def room(counts: Counts, parts: Sequence[KernelProfile]) -> Evidence:
    """Return ``gpu.occupancy_limit``, ``gpu.limit_*`` and ``gpu.rounds`` of an AMD kernel; nothing where a size is not known."""
    launch = counts.launch
    if launch.vgprs is None or launch.group_items is None or not Target.of(counts.architecture).amd:
        return Evidence()
    agprs, sgprs = (_first(parts, name) for name in ("agprs", "sgprs"))
    try:
        target = Target.of(counts.architecture).machine
        assert isinstance(target, AmdMachine)
        request = amd.AmdRequest(
            vgprs=launch.vgprs, agprs=agprs or 0, sgprs=sgprs, lds_bytes=launch.lds_bytes or 0, workgroup=launch.group_items,
            wave_size=launch.wave_size or target.files[0].wave_size, mode=target.units[0].mode,
        )  # fmt: skip
        occupancy = amd.evaluate(target, request)
    except HotloopError:  # a family of chips, or sizes that the processor cannot have: the file means another one
        return Evidence()
    return Evidence(tuple(_facts(counts, occupancy))) if occupancy.launches else Evidence()


def _first(parts: Sequence[KernelProfile], name: str) -> int | None:
    """Return a size from the first profile that tells it."""
    return next((value for part in parts if (value := getattr(part, name)) is not None), None)


def _facts(counts: Counts, occupancy: Occupancy) -> Iterator[Fact]:
    source = f"occupancy calculator, {occupancy.target}, registers and local memory of {counts.source}"
    fraction = occupancy.resident_waves / occupancy.max_waves
    yield fact("gpu.occupancy_limit", fraction, Provenance.DERIVED, source)
    named: dict[str, tuple[int, str]] = {}
    for limit in occupancy.limits:
        key = _LIMITS.get(limit.resource, "gpu.limit_registers")
        if key not in named or limit.groups < named[key][0]:
            named[key] = (limit.groups, limit.detail)
    for name, (most, detail) in named.items():
        yield fact(name, most, Provenance.DERIVED, f"{detail}, {source}")
    units, groups = counts.machine.compute_units, counts.launch.groups
    if units and groups:
        shared = units * counts.machine.simds / occupancy.simds if counts.machine.simds else units
        yield fact(
            "gpu.rounds",
            groups / (occupancy.groups * shared),
            Provenance.DERIVED,
            f"work-groups over those that fit, {source}",
        )
