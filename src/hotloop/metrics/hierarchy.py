"""Roofline over the memory hierarchy: one work against the roofs of every memory level and every precision.

S. Williams, A. Waterman and D. Patterson, "Roofline", CACM 52(4), 2009; the hierarchical form: C. Yang, T. Kurth and
S. Williams, "Hierarchical Roofline analysis for GPUs", Concurrency and Computation 32(20), 2020. Each memory level has its
own bytes, so one kernel is a point per level; the roof that takes longest binds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite

from hotloop.errors import UsageError
from hotloop.targets.chips import Roof


@dataclass(frozen=True, slots=True)
class Load:
    """Operations, bytes and time of one launch."""

    flops: Mapping[str, float]
    """Operations by kind of arithmetic, under the names of the roofs; kinds that run one after another add up."""
    moved_bytes: Mapping[str, float]
    """Bytes by memory level, under the names of the roofs."""
    duration_ns: float


@dataclass(frozen=True, slots=True)
class Point:
    """The launch under the roof of one memory level."""

    level: str
    intensity: float
    """Operations per byte of this level; infinite when it moved nothing."""
    flops_per_s: float
    attainable: float
    """Operations per second that this level and the arithmetic allow at this intensity."""
    fraction: float
    """Least time that this level needs over the time taken, 0..1 unless a ceiling is too low."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a launch stands under all roofs."""

    points: tuple[Point, ...]
    """Points by memory level, in the order of the roofs."""
    arithmetic_fraction: float
    """Least time that the arithmetic needs over the time taken."""
    binding: str
    """Name of the roof that needs the most time: a memory level, or the kind of arithmetic that takes longest."""
    fraction: float
    """Share of the binding roof's limit that is reached."""
    missing: tuple[str, ...] = ()
    """Loads without a roof and roofs without a load, left out."""


def position(load: Load, memory: tuple[Roof, ...], arithmetic: tuple[Roof, ...]) -> Position:
    """Return the launch's points under the roofs, and the roof that binds.

    Raises:
        UsageError: no roof fits the load, or a time, roof or amount is not a positive number.
    """
    _check(load, (*memory, *arithmetic))
    seconds = load.duration_ns / 1e9
    kinds = {roof.name: load.flops[roof.name] / roof.per_second for roof in arithmetic if roof.name in load.flops}
    total, compute_s = sum(load.flops[kind] for kind in kinds), sum(kinds.values())
    levels = [roof for roof in memory if roof.name in load.moved_bytes]
    peak = total / compute_s if compute_s else 0.0
    points = tuple(_point(roof, load.moved_bytes[roof.name], total, peak, seconds) for roof in levels)
    limits = {point.level: point.fraction for point in points}
    if kinds:
        limits[max(kinds, key=lambda kind: kinds[kind])] = compute_s / seconds
    if not limits:
        raise UsageError("no roof has the name of a memory level or kind of arithmetic that was measured.")
    binding = max(limits, key=lambda name: limits[name])
    return Position(points, compute_s / seconds, binding, limits[binding], _unmatched(load, memory, arithmetic))


def _point(roof: Roof, moved_bytes: float, flops: float, peak: float, seconds: float) -> Point:
    intensity = flops / moved_bytes if moved_bytes else inf
    reachable = min(peak, roof.per_second * intensity) if isfinite(intensity) else peak
    return Point(roof.name, intensity, flops / seconds, reachable, moved_bytes / roof.per_second / seconds)


def _unmatched(load: Load, memory: tuple[Roof, ...], arithmetic: tuple[Roof, ...]) -> tuple[str, ...]:
    roofs, loads = {roof.name for roof in (*memory, *arithmetic)}, {*load.flops, *load.moved_bytes}
    return tuple(sorted(roofs ^ loads))


def _check(load: Load, roofs: tuple[Roof, ...]) -> None:
    if not (isfinite(load.duration_ns) and load.duration_ns > 0):
        raise UsageError(f"a launch cannot have taken {load.duration_ns} ns.")
    for roof in roofs:
        if not (isfinite(roof.per_second) and roof.per_second > 0):
            raise UsageError(f"the roof {roof.name!r} of {roof.per_second} per second is no limit.")
    for name, amount in (*load.flops.items(), *load.moved_bytes.items()):
        if not (isfinite(amount) and amount >= 0):
            raise UsageError(f"{name!r}: {amount} is no amount.")


_RECORDED = {
    "hbm": "HBMBw", "l2": "L2Bw", "l1": "L1Bw", "lds": "LDSBw", "fp32 vector": "FP32Flops", "fp64 vector": "FP64Flops",
    "bf16 matrix": "MFMABF16Flops", "fp16 matrix": "MFMAF16Flops", "fp32 matrix": "MFMAF32Flops",
    "fp64 matrix": "MFMAF64Flops", "int8 matrix": "MFMAI8Ops", "fp8 matrix": "MFMAF8Flops",
}  # fmt: skip
_LEVELS = ("lds", "l1", "l2", "hbm")


def recorded(row: Mapping[str, float], source: str) -> tuple[tuple[Roof, ...], tuple[Roof, ...]]:
    """Return the memory and arithmetic roofs of one device row of ROCm Compute Profiler's ``roofline.csv``.

    The file has GB/s and GFLOP/s; columns that are missing or 0 give no roof.
    """
    roofs = {name: Roof(name, 1e9 * row[column], source) for name, column in _RECORDED.items() if row.get(column)}
    memory = tuple(roofs[name] for name in _LEVELS if name in roofs)
    return memory, tuple(roof for name, roof in roofs.items() if name not in _LEVELS)


_REPORTED = {
    "l1": (
        "derived__l1tex__lsu_writeback_bytes_mem_lgds.sum.peak_sustained",
        "l1tex__cycles_elapsed.avg.per_second",
        1.0,
    ),
    "l2": ("derived__lts__lts2xbar_bytes.sum.peak_sustained", "lts__cycles_elapsed.avg.per_second", 1.0),
    "hbm": ("dram__bytes.sum.peak_sustained", "dram__cycles_elapsed.avg.per_second", 1.0),
    "fp32 vector": (
        "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained",
        "sm__cycles_elapsed.avg.per_second",
        2.0,
    ),
    "fp64 vector": (
        "sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained",
        "sm__cycles_elapsed.avg.per_second",
        2.0,
    ),
}
_RATED = {
    kind: f"sm__ops_path_tensor_op_{path}_sparsity_off.sum.peak_sustained_elapsed.per_second"
    for kind, path in (
        ("bf16 matrix", "hgmma_src_bf16_dst_fp32"),
        ("fp16 matrix", "hgmma_src_fp16"),
        ("tf32 matrix", "hgmma_src_tf32_dst_fp32"),
    )
}


def reported(values: Mapping[str, float]) -> tuple[tuple[Roof, ...], tuple[Roof, ...]]:
    """Return the memory and arithmetic roofs that Nsight Compute states beside a kernel's counters.

    They hold for the clocks of that launch; a metric that is missing or 0 gives no roof.
    """
    source = "Nsight Compute, peak at the launch's clocks"
    rates = {
        name: values.get(peak, 0.0) * values.get(clock, 0.0) * each for name, (peak, clock, each) in _REPORTED.items()
    }
    rates |= {name: values.get(rate, 0.0) for name, rate in _RATED.items()}
    rates["lds"] = rates["l1"]  # shared memory and L1 are one memory with one path to the units
    roofs = {name: Roof(name, rate, source) for name, rate in rates.items() if rate > 0}
    memory = tuple(roofs[name] for name in _LEVELS if name in roofs)
    return memory, tuple(roof for name, roof in roofs.items() if name not in _LEVELS)
