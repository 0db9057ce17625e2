"""Occupancy on AMD targets: LLVM's figure, LLVM's figure as clang up to 22 computes it, and whole work-groups.

All three share the register limit, ``min(max_waves, floor(registers / align(used, granule)))``. They differ elsewhere:

* LLVM asks how many waves per SIMD there could be and never rounds the register limit to whole work-groups: 86 VGPRs on
  gfx950 are 5 waves for 1024-thread groups too, although such a group puts 4 waves on every SIMD.
* clang up to 22 divides the LDS pool by raw bytes and has a table for scalar registers; later LLVM (in Triton 3.9) rounds
  LDS to the granule and divides the scalar registers, the trap handler's 16 included.
* Neither refuses what cannot launch: LDS beyond the pool is "1 wave".

Formulas: LLVM, ``AMDGPUSubtarget::getOccupancyWithWorkGroupSizes`` and ``AMDGPU::IsaInfo`` (AMDGPUBaseInfo.cpp).
Proof: benchmarks/occupancy_proof.py compares with the compiler's own remarks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from hotloop.errors import UsageError
from hotloop.isa.occupancy.result import Limit, Occupancy
from hotloop.targets.machine import AccumulationFile

if TYPE_CHECKING:
    from hotloop.targets.machine import AmdMachine, ScalarFile, SharedUnit, VectorFile

CONVENTION = "waves per SIMD by LLVM's convention (registers not rounded to whole work-groups)"


class Convention(StrEnum):
    """Whose arithmetic: all agree on vector registers, see the module's text for the rest."""

    LLVM = "llvm"
    """LLVM after 22: the headline."""
    CLANG_22 = "clang-22"
    """clang up to 22: raw LDS bytes, a table for scalar registers."""
    TRITON_39 = "triton-3.9"
    """The LLVM in Triton 3.9: like LLVM, but 8 where work-group size and LDS allow 9 of 10 waves (seen, not explained)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmdRequest:
    """A kernel's use of the machine and its launch shape."""

    vgprs: int
    agprs: int = 0
    sgprs: int | None = None
    """Scalar registers with VCC and the other reserved ones, as the compiler's TotalSGPRs; None: not known, and taken not to limit."""
    lds_bytes: int = 0
    """Static local memory, known to the compiler."""
    dynamic_lds_bytes: int = 0
    workgroup: int = 256
    """Work-items; the largest when the kernel was compiled for a range."""
    workgroup_min: int | None = None
    """The smallest of a range; None: the same as `workgroup`."""
    wave_size: int
    mode: str
    """``cu`` or ``wgp``."""


def evaluate(target: AmdMachine, request: AmdRequest) -> Occupancy:
    """Return LLVM's figure as headline, whole work-groups beside it, and what each resource allows.

    Raises:
        UsageError: a count that the target cannot encode, or a wave size or mode that it does not have.
    """
    _check(target, request)
    file, unit = target.file(request.wave_size), target.unit(request.mode)
    waves = -(-request.workgroup // request.wave_size)
    lds_bytes = request.lds_bytes + request.dynamic_lds_bytes
    limits = (
        *_registers(target, request, file, unit, waves),
        _lds(target, request, unit, waves, lds_bytes),
        *_slots(target, unit, waves),
    )
    groups = min(limit.groups for limit in limits)
    return Occupancy(
        target=target.name,
        waves=llvm_waves(target, request, lds_bytes=lds_bytes),
        max_waves=target.max_waves,
        convention=CONVENTION,
        groups=groups,
        group_waves=waves,
        simds=unit.simds,
        unit=unit.mode.upper(),
        limits=limits,
        why_not="" if groups else _why_not(target, limits, unit, lds_bytes, waves),
        notes=_notes(target, request, unit, lds_bytes),
    )


def llvm_waves(
    target: AmdMachine,
    request: AmdRequest,
    convention: Convention = Convention.LLVM,
    *,
    lds_bytes: int | None = None,
) -> int:
    """Return the Occupancy that LLVM's resource remark states.

    Args:
        target: the processor.
        request: registers and launch shape.
        convention: which LLVM.
        lds_bytes: local memory that the compiler sees; None: the static part.
    """
    file, unit = target.file(request.wave_size), target.unit(request.mode)
    seen = request.lds_bytes if lds_bytes is None else lds_bytes
    rounded = seen if convention is Convention.CLANG_22 else align(seen, target.lds_granule_bytes)
    by_lds = _llvm_lds(target, request, unit, rounded)
    if convention is Convention.TRITON_39 and (by_lds, target.max_waves) == (9, 10):
        by_lds = 8
    by_vgprs = _waves(file.registers, used_vgprs(target, request), file.granule, target.max_waves)
    return min(by_lds, by_vgprs, _sgpr_waves(target, request.sgprs, convention))


def used_vgprs(target: AmdMachine, request: AmdRequest) -> int:
    """Return the vector registers that count against the file (the compiler's TotalNumVgprs)."""
    if target.agpr_granule and request.agprs:
        return align(request.vgprs, target.agpr_granule) + request.agprs
    return max(request.vgprs, request.agprs)


def align(value: int, granule: int) -> int:
    """Return `value` rounded up to a multiple of `granule`.

    >>> align(124, 8), align(32001, 1280)
    (128, 33280)
    """
    return -(-value // granule) * granule


def _waves(registers: int, used: int, granule: int, most: int) -> int:
    allocated = align(max(used, 1), granule)
    return min(max(registers // allocated, 1), most)


def _sgpr_waves(target: AmdMachine, sgprs: int | None, convention: Convention) -> int:
    if target.scalars is None or sgprs is None:
        return target.max_waves
    if convention is not Convention.CLANG_22:
        return min(target.scalars.registers // _allocated_sgprs(target.scalars, sgprs), target.max_waves)
    step = next((10 - i for i, most in enumerate(target.scalars.steps) if sgprs <= most), 7)
    return min(step, target.max_waves)


def _allocated_sgprs(file: ScalarFile, sgprs: int) -> int:
    return align(max(sgprs, 1), file.granule) + file.trap


def _llvm_lds(target: AmdMachine, request: AmdRequest, unit: SharedUnit, lds_bytes: int) -> int:
    """Waves per SIMD by local memory and work-group size: the best over the allowed range of sizes."""
    by_lds = unit.lds_bytes // max(lds_bytes, 1)
    if not by_lds:
        return 1
    low = -(-(request.workgroup_min or request.workgroup) // request.wave_size)
    high = -(-request.workgroup // request.wave_size)
    few = min(_groups_by_slots(target, unit, low), by_lds)
    many = min(_groups_by_slots(target, unit, high), by_lds)
    most = max(low * few, high * many)
    if low * few > high * many:
        # A size between the two may fill the slots that the smallest leaves free, with as many groups.
        left = (target.max_waves * unit.simds - few * low) // few
        most = low * few + few * min(left, high - low)
    return min(max(-(-most // unit.simds), 1), target.max_waves)


def _groups_by_slots(target: AmdMachine, unit: SharedUnit, waves: int) -> int:
    slots = target.max_waves * unit.simds
    return slots if waves == 1 else min(slots // waves, unit.barriers)


def _registers(
    target: AmdMachine, request: AmdRequest, file: VectorFile, unit: SharedUnit, waves: int
) -> tuple[Limit, ...]:
    rows = []
    if target.agprs is AccumulationFile.SEPARATE:
        rows += [("vgprs", request.vgprs), ("agprs", request.agprs)]
    else:
        rows.append(("vgprs", used_vgprs(target, request)))
    limits = [_vector(name, used, file, unit, waves, target.max_waves) for name, used in rows]
    if target.scalars is not None and request.sgprs is not None:
        scalars, waves_each = target.scalars, _sgpr_waves(target, request.sgprs, Convention.LLVM)
        allocated = _allocated_sgprs(scalars, request.sgprs)
        detail = f"{request.sgprs} -> {allocated} of {scalars.registers} (granule {scalars.granule}, {scalars.trap} for traps)"
        limits.append(Limit("sgprs", waves_each, waves_each * unit.simds // waves, detail))
    return tuple(limits)


def _vector(name: str, used: int, file: VectorFile, unit: SharedUnit, waves: int, most: int) -> Limit:
    resident = _waves(file.registers, used, file.granule, most)
    detail = f"{used} -> {align(max(used, 1), file.granule)} of {file.registers} (granule {file.granule})"
    return Limit(name, resident, resident * unit.simds // waves, detail)


def _lds(target: AmdMachine, request: AmdRequest, unit: SharedUnit, waves: int, lds_bytes: int) -> Limit:
    granule = target.lds_hardware_granule_bytes
    allocated = align(lds_bytes, granule)
    slots = target.max_waves * unit.simds // waves
    fits = lds_bytes <= target.lds_workgroup_bytes
    groups = 0 if not fits else slots if not allocated else min(unit.lds_bytes // allocated, slots)
    by_lds = unit.lds_bytes // max(align(lds_bytes, target.lds_granule_bytes), 1)
    by_llvm = min(max(-(-min(by_lds, slots) * waves // unit.simds), 1), target.max_waves)
    if request.workgroup_min is not None:
        by_llvm = _llvm_lds(target, request, unit, align(lds_bytes, target.lds_granule_bytes))
    detail = f"{lds_bytes} -> {allocated} of {unit.lds_bytes} B (granule {granule})"
    return Limit("lds", by_llvm, groups, detail)


def _slots(target: AmdMachine, unit: SharedUnit, waves: int) -> tuple[Limit, ...]:
    slots = target.max_waves * unit.simds
    size = Limit(
        "workgroup", _spread(slots // waves, waves, unit, target), slots // waves, f"{waves} waves of {slots} slots"
    )
    if waves == 1:
        return (size,)
    barriers = Limit(
        "barriers",
        _spread(unit.barriers, waves, unit, target),
        unit.barriers,
        f"{unit.barriers} groups of several waves per {unit.mode.upper()}",
    )
    return size, barriers


def _spread(groups: int, waves: int, unit: SharedUnit, target: AmdMachine) -> int:
    """Waves on the fullest SIMD when groups spread evenly."""
    return min(max(-(-groups * waves // unit.simds), 1), target.max_waves)


def _check(target: AmdMachine, request: AmdRequest) -> None:
    most = target.vgpr_addressable
    _within("--vgpr", request.vgprs, 0, most, target.name)
    if request.agprs and target.agprs is AccumulationFile.NONE:
        raise UsageError(f"{target.name} has no accumulation registers; leave --agpr away.")
    _within("--agpr", request.agprs, 0, most, target.name)
    if request.sgprs is not None:
        # VCC, XNACK_MASK and FLAT_SCRATCH come on top of the addressable ones in the compiler's total.
        _within("--sgpr", request.sgprs, 0, target.sgpr_addressable + 10, target.name)
    _within("--workgroup", request.workgroup, 1, target.workgroup_max, target.name)
    if request.workgroup_min is not None:
        _within("--workgroup", request.workgroup_min, 1, request.workgroup, target.name)
    if min(request.lds_bytes, request.dynamic_lds_bytes) < 0:
        raise UsageError("--lds and --dynamic-lds are sizes in bytes and cannot be negative.")


def _within(option: str, value: int, low: int, high: int, target: str) -> None:
    if not low <= value <= high:
        raise UsageError(f"{option} {value} is outside the range of {target}, {low} to {high}.")


def _why_not(target: AmdMachine, limits: tuple[Limit, ...], unit: SharedUnit, lds_bytes: int, waves: int) -> str:
    if lds_bytes > target.lds_workgroup_bytes:
        return f"a work-group may have {target.lds_workgroup_bytes} B of local memory, this one asks for {lds_bytes} B"
    short = next(limit for limit in limits if not limit.groups)
    return f"one work-group of {waves} waves does not fit into a {unit.mode.upper()}: {short.resource} {short.detail}"


def _notes(target: AmdMachine, request: AmdRequest, unit: SharedUnit, lds_bytes: int) -> tuple[str, ...]:
    notes = []
    remark = llvm_waves(target, request, Convention.CLANG_22)
    if remark != llvm_waves(target, request, lds_bytes=lds_bytes):
        notes.append(f"the remark of clang up to 22 says {remark} waves: it {' and '.join(_apart(target, request))}")
    if target.lds_hardware_granule_bytes != target.lds_granule_bytes and lds_bytes:
        apart = unit.lds_bytes // align(lds_bytes, target.lds_granule_bytes)
        if apart != unit.lds_bytes // align(lds_bytes, target.lds_hardware_granule_bytes):
            notes.append(
                f"LLVM rounds local memory to {target.lds_granule_bytes} B, the hardware to "
                f"{target.lds_hardware_granule_bytes} B: whole work-groups are counted with the latter"
            )
    if request.sgprs is None and target.scalars is not None:
        notes.append("scalar registers were not given and are taken not to limit")
    return tuple(notes)


def _apart(target: AmdMachine, request: AmdRequest) -> list[str]:
    """Why the remark of clang up to 22 differs from the headline."""
    reasons = []
    if request.dynamic_lds_bytes:
        reasons.append("does not know dynamic local memory")
    if _sgpr_waves(target, request.sgprs, Convention.CLANG_22) != _sgpr_waves(target, request.sgprs, Convention.LLVM):
        reasons.append("has an old table for scalar registers")
    if request.lds_bytes % target.lds_granule_bytes:
        reasons.append("divides raw bytes of local memory without the granule")
    return reasons
