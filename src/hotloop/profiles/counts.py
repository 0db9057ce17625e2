"""From a profile to what formulas take: one kernel's counters, launch and machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

from hotloop.metrics.counters import Counts, Launch, known_as
from hotloop.profiles.cell import real
from hotloop.profiles.launches import Chosen, chosen
from hotloop.profiles.profile import Dispatch, KernelProfile, Profile
from hotloop.targets.chips import Machine

_FACTS: dict[str, tuple[str, ...]] = {
    "compute_units": ("cu_per_gpu", "multiprocessor_count", "cu_count", "Cu_Count", "Compute Unit"),
    "simds": ("simd_per_cu", "num_schedulers_per_multiprocessor", "Simd_Per_Cu", "SIMDs per CU"),
    "dies": ("num_xcd", "Num_Xcc"),
    "shader_engines": ("se_per_gpu", "Num_Shader_Banks", "Shader Engines"),
    "wave_slots": ("max_warps_per_scheduler", "Max_Waves_Per_Simd"),
}
"""Names under which tools tell facts of the machine: ROCm Compute Profiler's sysinfo, Nsight Compute, rocprofv3's agents, rocminfo."""
_CLOCKS_MHZ = ("max_sclk", "Max_Engine_Clk_Fcompute", "Max Clock Freq. (MHz)")
_BANK_BYTES = 4
_UNKNOWN = Machine()


def of_dispatch(profile: Profile, dispatch: Dispatch, machine: Machine = _UNKNOWN) -> Counts:
    """Return the counts of one launch; what `machine` leaves open is taken from the profile."""
    launch = _launch(dispatch, dispatch.duration_ns, _share(profile, dispatch.duration_ns))
    return _counts(profile, dict(dispatch.counters), dispatch.passes, launch, machine)


def of_kernel(profile: Profile, kernel: KernelProfile, machine: Machine = _UNKNOWN) -> Counts:
    """Return the mean counts of the launches that stand for a kernel (see `hotloop.profiles.launches`)."""
    return of_chosen(profile, kernel, chosen(profile, kernel), machine)


def of_chosen(profile: Profile, kernel: KernelProfile, launches: Chosen, machine: Machine = _UNKNOWN) -> Counts:
    """Return the counts of a kernel from the launches that stand for it."""
    spent = None if kernel.duration_ns is None else kernel.duration_ns.total
    launch = _launch(launches.example or kernel, launches.duration_ns, _share(profile, spent))
    launch = replace(launch, rival_share=_rival(profile, kernel), cold_ns=launches.cold_ns, all_ns=launches.total_ns)
    launch = replace(launch, cold_ratio=launches.cold_ratio, all_ratio=launches.total_ratio)
    return _counts(profile, launches.values, launches.passes, launch, machine)


def told(profile: Profile) -> Machine:
    """Return what a profile says about its one machine; facts in which devices differ are unknown."""
    values: dict[str, set[float]] = {}
    for fact in profile.facts:
        value = real(fact.value.replace(",", ""))
        if value is not None and value > 0:
            values.setdefault(fact.name, set()).add(value)
    metrics = {name: numbers.pop() for name, numbers in values.items() if len(numbers) == 1}
    counts = {
        ours: next((metrics[name] for name in spellings if name in metrics), None) for ours, spellings in _FACTS.items()
    }
    waves, simds, banks, rate, clock_mhz = (
        metrics.get("max_waves_per_cu", metrics.get("Max Waves Per CU")),
        counts["simds"],
        metrics.get("lds_banks_per_cu"),
        metrics.get("hbm_bw"),
        next((metrics[name] for name in _CLOCKS_MHZ if name in metrics), None),
    )
    if counts["wave_slots"] is None and waves and simds:
        counts["wave_slots"] = waves / simds
    return Machine(
        **{name: None if value is None else int(value) for name, value in counts.items()},
        lds_bytes_per_cycle=None if banks is None else banks * _BANK_BYTES,
        hbm_bytes_per_s=None if rate is None else rate * 1e9,
        clock_hz=None if clock_mhz is None else clock_mhz * 1e6,
    )


def unlike(profile: Profile) -> bool:
    """Tell whether a profile lists processors of different sizes, so that it does not say which one a kernel ran on."""
    sizes = {real(fact.value) for fact in profile.facts if fact.name in _FACTS["compute_units"]}
    return len({size for size in sizes if size}) > 1


def _counts(
    profile: Profile,
    values: Mapping[str, float],
    passes: tuple[Mapping[str, float], ...],
    launch: Launch,
    machine: Machine,
) -> Counts:
    return Counts(
        architecture=profile.architecture or "",
        values=_possible(values),
        passes=tuple(_possible(reading) for reading in passes),
        launch=launch,
        machine=_filled(machine, told(profile)),
        source=f"{profile.tool}, {profile.source}",
    )


def _possible(values: Mapping[str, float]) -> Mapping[str, float]:
    """Return counters by the names of formulas, without those that no event can count: a file was damaged, or a counter ran over."""
    return {
        known_as(name): value
        for name, value in values.items()
        if value >= 0 and (known_as(name) == name or known_as(name) not in values)
    }


def below_zero(kernel: KernelProfile) -> tuple[str, ...]:
    """Return the counters whose mean is negative, which formulas do not see."""
    return tuple(sorted(name for name, tally in kernel.counters.items() if tally.total < 0))


def _filled(first: Machine, second: Machine) -> Machine:
    chosen = ((f.name, getattr(first, f.name), getattr(second, f.name)) for f in fields(Machine))
    return Machine(**{name: stated if stated is not None else other for name, stated, other in chosen})


def _launch(shape: Dispatch | KernelProfile, duration_ns: float | None, share: float | None) -> Launch:
    sizes = (
        shape.grid_items,
        shape.workgroup_items,
        shape.wave_size,
        shape.lds_bytes,
        shape.scratch_bytes,
        shape.vgprs,
    )
    items, group, wave, local, private, registers = (size if size is None or size >= 0 else None for size in sizes)
    return Launch(
        items=items, group_items=group, wave_size=wave, lds_bytes=local, scratch_bytes=private, vgprs=registers,
        duration_ns=duration_ns, kernel_share=share,
    )  # fmt: skip


def _rival(profile: Profile, kernel: KernelProfile) -> float | None:
    """Return the largest share of device time that another kernel has."""
    others = [k.duration_ns.total for k in profile.kernels if k.duration_ns is not None and k.kernel != kernel.kernel]
    return _share(profile, max(others)) if others else None


def _share(profile: Profile, spent_ns: float | None) -> float | None:
    total = sum(kernel.duration_ns.total for kernel in profile.kernels if kernel.duration_ns is not None)
    return spent_ns / total if spent_ns is not None and total else None
