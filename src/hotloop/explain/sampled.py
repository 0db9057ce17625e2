"""Samples of the program counter that belong to one kernel, as far as the files tell whose they are.

The tool samples all kernels of a program and writes the number of the launch, never the kernel's name: a trace or counters of the
same run tell which kernel a launch was of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hotloop.explain.material import Material
from hotloop.profiles.names import same
from hotloop.profiles.profile import SampledInstruction


@dataclass(frozen=True, slots=True)
class Sampled:
    """Samples by instruction and source line, most sampled first."""

    rows: tuple[SampledInstruction, ...] = ()
    doubt: str = ""
    """Why they may not all be the kernel's, as a sentence; empty where they are, or where there is one kernel only."""


def sampled(material: Material, kernel: str, source: str = "") -> Sampled:
    """Return the samples of a kernel, of one file where `source` names it; of all kernels where nothing tells them apart."""
    rows = [s for p in material.profiles if source in ("", p.source) for s in p.samples]
    launches = {s.dispatch_id for s in rows}
    names = _names(material)
    if not kernel or not launches & names.keys():
        return Sampled(_merged(rows), _doubt(material, launches))
    own = [s for s in rows if s.dispatch_id in names and same(names[s.dispatch_id], kernel)]
    return Sampled(_merged(own))


def _names(material: Material) -> dict[int | None, str]:
    """Return the kernel of each launch; a number that two files give to different kernels is left out."""
    names: dict[int | None, set[str]] = {}
    for dispatch in (d for profile in material.profiles for d in profile.dispatches if d.dispatch_id is not None):
        names.setdefault(dispatch.dispatch_id, set()).add(dispatch.kernel)
    return {number: next(iter(kernels)) for number, kernels in names.items() if len(kernels) == 1}


def _doubt(material: Material, launches: Iterable[int | None]) -> str:
    kernels = {kernel.kernel for profile in material.profiles for kernel in profile.kernels}
    count = len({number for number in launches if number is not None})
    if count < 2 or len(kernels) < 2:
        return ""
    return f"the samples are of {count} launches that no file names: they may be of all {len(kernels)} kernels"


def _merged(rows: Sequence[SampledInstruction]) -> tuple[SampledInstruction, ...]:
    places: dict[tuple[str, str], SampledInstruction] = {}
    for row in rows:
        key = (row.instruction, row.source)
        places[key] = _sum(places[key], row) if key in places else replace(row, dispatch_id=None)
    return tuple(sorted(places.values(), key=lambda row: -row.samples))


def _sum(one: SampledInstruction, other: SampledInstruction) -> SampledInstruction:
    stated = one.issued is not None and other.issued is not None
    reasons = dict.fromkeys((*one.stalls, *other.stalls))
    return replace(
        one,
        samples=one.samples + other.samples,
        issued=(one.issued or 0) + (other.issued or 0) if stated else None,
        stalls={reason: one.stalls.get(reason, 0) + other.stalls.get(reason, 0) for reason in reasons},
    )
