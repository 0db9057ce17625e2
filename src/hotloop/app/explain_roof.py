"""Where a profiled kernel stands under the roofs of its device: measured ceilings first, then the tool's, then the data sheet's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hotloop import units
from hotloop.app.explain_counts import Counted
from hotloop.errors import UsageError
from hotloop.metrics import hierarchy
from hotloop.model.evidence import Evidence
from hotloop.profilers.cell import real
from hotloop.profilers.profile import Profile
from hotloop.report.explanation.page import Roof

_LEVELS = (("l1", "gpu.l1_bytes"), ("l2", "gpu.l2_bytes"), ("hbm", "gpu.hbm_bytes"))
_AMD_MOPS = {
    f"{name} matrix": f"SQ_INSTS_VALU_MFMA_MOPS_{counter}"
    for name, counter in (("fp16", "F16"), ("bf16", "BF16"), ("fp32", "F32"), ("fp64", "F64"))
}
_AMD_TICK_FLOPS = 512
_NVIDIA_OPS = {
    "bf16 matrix": "sm__ops_path_tensor_src_bf16_dst_fp32.sum",
    "fp16 matrix": "sm__ops_path_tensor_src_fp16.sum",
    "tf32 matrix": "sm__ops_path_tensor_src_tf32_dst_fp32.sum",
}
_NAMES = {"l1": "first-level cache", "l2": "second-level cache", "hbm": "device memory"}


@dataclass(frozen=True, slots=True)
class Standing:
    """Roofs with what is used of them, the binding one first; empty with the reason."""

    roofs: tuple[Roof, ...]
    words: str
    """One sentence."""


def standing(profiles: Sequence[Profile], counted: Counted) -> Standing:
    """Return the position of one kernel."""
    evidence = counted.evidence
    spent = evidence.get("gpu.duration_ns") or counted.counts.launch.duration_ns
    if not spent:
        return Standing((), "not known: the files tell no time of the kernel")
    load = hierarchy.Load(_flops(counted), _moved(evidence), spent)
    memory, arithmetic = _roofs(profiles, counted)
    if not memory and not arithmetic:
        return Standing((), "not known: no ceiling of the device is; --chip names one")
    try:
        found = hierarchy.position(load, memory, arithmetic)
    except UsageError:
        return Standing((), "not known: neither bytes nor operations of the kernel were counted")
    rows = (*_memory_rows(found, load, memory), *_arithmetic_rows(load, arithmetic))
    ranked = tuple(sorted(rows, key=lambda row: -row.fraction))
    return Standing(ranked, _words(found, ranked))


def _words(found: hierarchy.Position, ranked: Sequence[Roof]) -> str:
    top = ranked[0]
    close = (
        "at its limit"
        if found.fraction >= 0.85
        else "near its limit"
        if found.fraction >= 0.6
        else "far from any limit"
    )
    return f"{top.name} is the nearest roof: {units.percent(top.fraction)} of it is used, so the kernel is {close}"


def _memory_rows(found: hierarchy.Position, load: hierarchy.Load, roofs: Sequence[hierarchy.Roof]) -> list[Roof]:
    by_name = {roof.name: roof for roof in roofs}
    return [
        _row(_NAMES[p.level], load.moved_bytes[p.level] / load.duration_ns * 1e9, by_name[p.level], "B/s", p.intensity)
        for p in found.points
    ]


def _arithmetic_rows(load: hierarchy.Load, roofs: Sequence[hierarchy.Roof]) -> list[Roof]:
    chosen = [roof for roof in roofs if load.flops.get(roof.name)]
    return [_row(roof.name, load.flops[roof.name] / load.duration_ns * 1e9, roof, "FLOP/s", None) for roof in chosen]


def _row(name: str, rate: float, roof: hierarchy.Roof, unit: str, intensity: float | None) -> Roof:
    detail = f"{units.rate(rate, unit)} of {units.rate(roof.per_second, unit)}"
    if intensity is not None and 0 < intensity < float("inf"):
        detail += f", {units.significant(intensity)} FLOP per byte"
    return Roof(name, rate / roof.per_second, detail, roof.source)


def _flops(counted: Counted) -> dict[str, float]:
    """Return the operations by kind of arithmetic, as far as they were counted."""
    values, evidence = counted.counts.values, counted.evidence
    found = {kind: _AMD_TICK_FLOPS * values[name] for kind, name in _AMD_MOPS.items() if name in values}
    found |= {kind: values[name] for kind, name in _NVIDIA_OPS.items() if name in values}
    vector = evidence.get("gpu.vector_flops")
    if vector is not None:
        found[_vector_kind(values)] = vector
    return {kind: flops for kind, flops in found.items() if flops > 0}


def _vector_kind(values: Mapping[str, float]) -> str:
    """Return the precision that most vector operations have: the facts add them up."""
    double = sum(values.get(f"SQ_INSTS_VALU_{op}_F64", 0.0) for op in ("ADD", "MUL", "FMA"))
    single = sum(values.get(f"SQ_INSTS_VALU_{op}_F32", 0.0) for op in ("ADD", "MUL", "FMA"))
    return "fp64 vector" if double > single else "fp32 vector"


def _moved(evidence: Evidence) -> dict[str, float]:
    return {level: value for level, name in _LEVELS if (value := evidence.get(name)) is not None}


def _roofs(
    profiles: Sequence[Profile], counted: Counted
) -> tuple[tuple[hierarchy.Roof, ...], tuple[hierarchy.Roof, ...]]:
    for profile in profiles:
        measured = hierarchy.recorded(_benchmarked(profile), f"measured ceilings in {profile.source}")
        if measured[0] or measured[1]:
            return measured
    told = hierarchy.reported(counted.counts.values)
    if told[0] or told[1]:
        return told
    return (counted.chip.memory, counted.chip.arithmetic) if counted.chip else ((), ())


def _benchmarked(profile: Profile) -> dict[str, float]:
    """Return the ceilings of the first device that ROCm Compute Profiler's benchmark lists."""
    rows = [(f.name, real(f.value)) for f in profile.facts if f.device == "0"]
    return {name: value for name, value in rows if value}
