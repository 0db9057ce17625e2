"""Which targets are alike, so that what was tuned on one is a first guess on another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import log2

from hotloop.targets import chips, data
from hotloop.targets.target import Target

_UNKNOWN = 0.5
"""Distance of a fact that only one of two processors has: more than an equal fact, less than another wave size or twice the memory."""


@cache
def lines() -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return the lines of processors, each as architecture families from the oldest on, each as names of targets."""
    listed = data.table("lines")["line"]
    return tuple(tuple(tuple(names) for names in line["families"]) for line in listed)


@dataclass(frozen=True, slots=True)
class Relative:
    """A target, and how many compute units the device has; None where nobody says."""

    target: str
    compute_units: int | None = None


def ranked(wanted: Relative, relatives: Iterable[Relative]) -> tuple[Relative, ...]:
    """Return the relatives on the same line, nearest first.

    What counts, the first difference deciding: generations between the architecture families, size of the waves, local memory of
    a unit, number of compute units, generations between the targets; then the older one.

    >>> [r.compute_units for r in ranked(Relative("gfx1012", 22), [Relative("gfx1010", 40), Relative("gfx1010", 24)])]
    [24, 40]
    """
    place = _place(wanted.target)
    if place is None:
        return ()
    rows = ((_place(other.target), other) for other in relatives)
    same = [(_distance(wanted, place, other, there), other) for there, other in rows if there and there[0] == place[0]]
    return tuple(other for _, other in sorted(same, key=lambda row: row[0]))


def of_key(key: str) -> Relative:
    """Return target and compute units of a device's key, ``runtime:name:target:units``, whose name may hold the target.

    >>> of_key("amd:gfx1010:xnack-::22"), of_key("intel:AMD EPYC:x86-64-avx2:2").target
    (Relative(target='gfx1010', compute_units=22), 'x86-64-avx2')
    """
    *words, units = key.split(":")
    target = next((word for word in reversed(words) if _place(word)), "")
    return Relative(target, int(units) if units.isdecimal() else None)


def _place(target: str) -> tuple[int, int, int] | None:
    """Return line, family and number of a target."""
    name = Target.of(target).name
    for line, families in enumerate(lines()):
        for family, names in enumerate(families):
            if name in names:
                return line, family, [member for group in families for member in group].index(name)
    return None


def _distance(
    wanted: Relative, place: tuple[int, int, int], other: Relative, there: tuple[int, int, int]
) -> tuple[float, ...]:
    ours, theirs = Target.of(wanted.target), Target.of(other.target)
    wave = _step(_wave(ours), _wave(theirs))
    return (
        abs(place[1] - there[1]),
        min(wave, 1.0),
        _step(_local_bytes(ours), _local_bytes(theirs)),
        _step(_units(wanted), _units(other)),
        abs(place[2] - there[2]),
        there[2],
    )


def _step(ours: int | None, theirs: int | None) -> float:
    """Return the factor between two numbers as a power of two."""
    if ours is None or theirs is None:
        return 0.0 if ours is theirs else _UNKNOWN
    return abs(log2(ours / theirs))


def _wave(target: Target) -> int | None:
    """Return the lanes of a wave that the compiler takes where it may choose: the first of its sizes."""
    return target.wave_sizes[0] if target.listed else None


def _local_bytes(target: Target) -> int | None:
    """Return the local memory of what groups share: a WGP or CU, or a multiprocessor at its largest carve-out."""
    pool = target.number("lds_pool_wgp") or target.number("lds_pool_cu")
    return pool or max(target.numbers("carveouts"), default=None)


def _units(relative: Relative) -> int | None:
    """Return the compute units, of the chip that the target is taken to be where the device is not told."""
    chip = chips.of_target(relative.target)
    return relative.compute_units or (chip.machine.compute_units if chip else None)
