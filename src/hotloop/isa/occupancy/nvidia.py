"""Occupancy on NVIDIA targets, by the rules of NVIDIA's own calculator (cuda_occupancy.h, version 12.1).

Registers are allocated per warp (256 at a time, so 8 per thread) within one of four sub-partitions; shared memory per block,
rounded to its granule after the system's reserve is added, out of the carve-out; the rest are slots.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.errors import UsageError
from hotloop.isa.occupancy.result import Limit, Occupancy

if TYPE_CHECKING:
    from hotloop.targets.machine import NvidiaMachine

CONVENTION = "warps per SM, whole blocks only"


@dataclass(frozen=True, slots=True, kw_only=True)
class NvidiaRequest:
    """A kernel's use of the machine and its launch shape."""

    registers: int
    """Per thread."""
    shared_bytes: int = 0
    """Static, per block."""
    dynamic_shared_bytes: int = 0
    block: int = 256
    """Threads."""
    carveout_bytes: int | None = None
    """Preferred shared memory of an SM; None: as much as it can have."""
    barriers: int = 1
    """Named barriers of a block."""


def evaluate(target: NvidiaMachine, request: NvidiaRequest) -> Occupancy:
    """Return blocks and warps per SM and what each resource allows.

    Raises:
        UsageError: a count that the target cannot have.
    """
    _check(target, request)
    warps = -(-request.block // target.warp)
    asked = request.shared_bytes + request.dynamic_shared_bytes
    limits = [
        _limit("registers", *_by_registers(target, request.registers, warps), target, warps),
        _limit("shared", *_by_shared(target, request, asked), target, warps),
        _limit("workgroup", target.warps // warps, f"{warps} warps of {target.warps}", target, warps),
        _limit("blocks", target.blocks, f"{target.blocks} blocks per SM", target, warps),
    ]
    if target.barriers is not None and request.barriers:
        detail = f"{request.barriers} of {target.barriers} block barriers"
        limits.append(_limit("barriers", target.barriers // request.barriers, detail, target, warps))
    groups = min(limit.groups for limit in limits)
    return Occupancy(
        target=target.name,
        waves=groups * warps,
        max_waves=target.warps,
        convention=CONVENTION,
        groups=groups,
        group_waves=warps,
        simds=target.partitions,
        unit="SM",
        limits=tuple(limits),
        why_not="" if groups else _why_not(target, request, limits, asked),
    )


def _limit(resource: str, groups: int, detail: str, target: NvidiaMachine, warps: int) -> Limit:
    return Limit(resource, min(groups * warps, target.warps), groups, detail)


def _by_registers(target: NvidiaMachine, registers: int, warps: int) -> tuple[int, str]:
    if not registers:
        return target.blocks, "none"
    allocated = -(-registers * target.warp // target.register_granule) * target.register_granule
    per_thread = target.register_granule // target.warp
    detail = f"{registers} -> {allocated // target.warp} of {target.registers // target.warp} (granule {per_thread})"
    # The launch check assumes a block's warps to take registers in all partitions at once.
    if target.registers_block < allocated * (-(-warps // target.partitions) * target.partitions):
        return 0, detail
    per_partition = target.registers // target.partitions // allocated
    return per_partition * target.partitions // warps, detail


def _by_shared(target: NvidiaMachine, request: NvidiaRequest, asked: int) -> tuple[int, str]:
    granule, reserve = target.shared_granule_bytes, target.shared_reserve_bytes
    allocated = -(-(asked + reserve) // granule) * granule
    preferred = target.carveouts_bytes[-1] if request.carveout_bytes is None else request.carveout_bytes
    pool = carveout(target, max(preferred, allocated))
    detail = f"{asked} + {reserve} -> {allocated} of {pool} B (granule {granule})"
    if allocated > target.shared_block_bytes + reserve or pool is None:
        return 0, detail
    return pool // allocated if allocated else target.blocks, detail


def carveout(target: NvidiaMachine, wanted_bytes: int) -> int | None:
    """Return the smallest setting of an SM's shared memory that is not below `wanted_bytes`, None when there is none."""
    return next((size for size in target.carveouts_bytes if size >= wanted_bytes), None)


def _check(target: NvidiaMachine, request: NvidiaRequest) -> None:
    if not 0 <= request.registers <= target.registers_thread:
        raise UsageError(
            f"--vgpr {request.registers} is outside the range of {target.name}, 0 to {target.registers_thread} per thread."
        )
    if not 1 <= request.block <= target.block_max:
        raise UsageError(f"--workgroup {request.block} is outside the range of {target.name}, 1 to {target.block_max}.")
    if min(request.shared_bytes, request.dynamic_shared_bytes) < 0:
        raise UsageError("--lds and --dynamic-lds are sizes in bytes and cannot be negative.")
    wanted = request.carveout_bytes
    if wanted is not None and not 0 <= wanted <= target.carveouts_bytes[-1]:
        raise UsageError(
            f"--carveout {wanted} is outside the range of {target.name}, 0 to {target.carveouts_bytes[-1]} B."
        )
    if not 0 <= request.barriers <= 16:
        raise UsageError(f"--barriers {request.barriers} is outside the range of a block, 0 to 16.")


def _why_not(target: NvidiaMachine, request: NvidiaRequest, limits: list[Limit], asked: int) -> str:
    if asked > target.shared_block_bytes:
        return f"a block may have {target.shared_block_bytes} B of shared memory, this one asks for {asked} B"
    short = next(limit for limit in limits if not limit.groups)
    return f"one block of {request.block} threads does not fit into an SM: {short.resource} {short.detail}"
