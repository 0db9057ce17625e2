"""One launch under the roofs of all memory levels and precisions: what the drawing shows, as plain data.

S. Williams, A. Waterman and D. Patterson, "Roofline", CACM 52(4), 2009; the hierarchical form: C. Yang, T. Kurth and
S. Williams, Concurrency and Computation 32(20), 2020: each memory level has its own bytes, so one launch is a point per
level, all at the same height.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hotloop.model.device import Ceilings
from hotloop.model.evidence import Fact

NAMES = {"lds": "local memory", "l1": "first-level cache", "l2": "second-level cache", "hbm": "device memory"}
"""Memory levels, nearest to the arithmetic first."""
BYTES = {"lds": "gpu.lds_bytes_moved", "l1": "gpu.l1_bytes", "l2": "gpu.l2_bytes", "hbm": "gpu.hbm_bytes"}
"""Facts with the bytes that a launch moved at each level."""


@dataclass(frozen=True, slots=True)
class Slope:
    """The roof of one memory level."""

    level: str
    """A key of `NAMES`."""
    bytes_per_s: float
    source: str
    sheet: bool = False
    """True when the limit comes from a data sheet and was not measured."""


@dataclass(frozen=True, slots=True)
class Flat:
    """The roof of one kind of arithmetic."""

    kind: str
    """``bf16 matrix``, ``fp32 vector`` ..."""
    flops_per_s: float
    source: str
    sheet: bool = False
    used: bool = False
    """True when the launch did such arithmetic."""


@dataclass(frozen=True, slots=True)
class LevelPoint:
    """The launch, seen from one memory level."""

    level: str
    intensity: float
    """FLOP per byte of this level."""
    flops_per_s: float
    used: float | None
    """Share of this level's roof that is used; None: the level has no roof."""


@dataclass(frozen=True, slots=True)
class Levels:
    """Data of the whole drawing; it has at least one point and one roof."""

    slopes: tuple[Slope, ...]
    flats: tuple[Flat, ...]
    points: tuple[LevelPoint, ...]
    note: str = ""
    """Remark that a reader needs about the values, e.g. that the time was estimated."""


def levels(
    flops: Mapping[str, float],
    moved_bytes: Mapping[str, float],
    duration_ns: float,
    slopes: Iterable[Slope],
    flats: Iterable[Flat],
    note: str = "",
) -> Levels | None:
    """Return the drawing's data, None where there are no operations, no bytes, no time or no roof: nothing has a place then.

    Args:
        flops: operations of one launch by kind of arithmetic.
        moved_bytes: bytes of one launch by memory level.
        duration_ns: of one launch.
        slopes: roofs of memory; where two of a level are given, the first is the one that use is measured against.
        flats: roofs of arithmetic.
        note: for the reader.
    """
    total, roofs = sum(flops.values()), tuple(slopes)
    if total <= 0 or duration_ns <= 0:
        return None
    best: dict[str, float] = {}
    for roof in roofs:
        best.setdefault(roof.level, roof.bytes_per_s)
    points = tuple(
        LevelPoint(level, total / amount, 1e9 * total / duration_ns, _used(amount, duration_ns, best.get(level)))
        for level, amount in moved_bytes.items()
        if amount > 0 and level in NAMES
    )
    limits = tuple(Flat(f.kind, f.flops_per_s, f.source, f.sheet, flops.get(f.kind, 0.0) > 0) for f in flats)
    return Levels(roofs, limits, points, note) if points and (roofs or limits) else None


def _used(amount: float, duration_ns: float, bytes_per_s: float | None) -> float | None:
    return None if bytes_per_s is None else 1e9 * amount / duration_ns / bytes_per_s


def of_run(facts: Iterable[Fact], ceilings: Ceilings | None) -> Levels | None:
    """Return the drawing for a step of a run whose evidence has counters, None for one that has not.

    The roofs are those measured in the run: copy bandwidth and multiply-add rate.
    """
    values = {fact.name: fact.value for fact in facts}
    flops, spent = values.get("gpu.flops"), values.get("gpu.duration_ns")
    if ceilings is None or not flops or not spent:
        return None
    moved = {level: values[name] for level, name in BYTES.items() if name in values}
    slopes = (Slope("hbm", ceilings.bytes_per_s, ceilings.source),)
    flats = (Flat(ceilings.dtype, ceilings.flops_per_s, ceilings.source),)
    return levels({ceilings.dtype: flops}, moved, spent, slopes, flats, "time and bytes under the profiler")
