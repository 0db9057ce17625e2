"""Analysing machine code: from what a person names to reports with occupancy and findings."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from hotloop.app.code import compiled as isa_compiled
from hotloop.app.code import content as isa_content
from hotloop.app.code import source as isa_input
from hotloop.diagnose.engine import diagnose, rules
from hotloop.diagnose.rule import Rule
from hotloop.errors import HotloopError, UsageError
from hotloop.isa.gpumix import GPU_NAMES
from hotloop.isa.occupancy import ask as occupancy
from hotloop.isa.resources import KernelResources
from hotloop.isa.summary.build import report
from hotloop.isa.summary.facts import room_evidence
from hotloop.isa.summary.model import KernelReport, Room
from hotloop.isa.summary.nvidia import NvidiaTiming
from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.targets.target import Target

_GPU_FACTS = frozenset({*GPU_NAMES, "static.calls", "static.global_load_cover", "static.local_drains_per_matrix"})
_ASSUMED_WORKGROUP = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(isa_compiled.Request):
    """What to read and analyse, and what only the launch knows."""

    workgroup: int | None = None
    dynamic_lds_bytes: int | None = None
    lds_addresses: tuple[str, ...] = ()
    """``OP:BITS:EXPRESSION`` of local memory accesses, as `hotloop banks` takes them."""


def analyse(request: Request) -> tuple[KernelReport, ...]:
    """Return a report for every kernel that a request names.

    Raises:
        UsageError: nothing that can be read; the message is one sentence.
        MachineError: a tool that is needed is not installed.
    """
    return tuple(judged(_bare(item, sources=request.sources), request) for item in isa_input.read(request))


def _bare(item: isa_content.Listed, *, sources: bool) -> KernelReport:
    timing = NvidiaTiming(item.scheduled) if item.scheduled else None
    return report(item.function, item.source, timing, item.listing if sources else "")


def judged(bare: KernelReport, request: Request) -> KernelReport:
    """Return a report with occupancy and findings."""
    room = occupied(bare, request)
    evidence = bare.evidence.merged(room_evidence(room)) if bare.target else bare.evidence
    evidence = evidence.merged(_conflicts(bare, request))
    diagnosis = diagnose(evidence, _fitting(bare))
    return replace(bare, room=room, evidence=evidence, findings=diagnosis.findings)


def _fitting(bare: KernelReport) -> tuple[Rule, ...]:
    """Return the rules for this kind of processor: those of CPUs weigh their facts against a CPU's caches and vectors."""
    ours = [rule for rule in rules() if any(name in _GPU_FACTS or name.startswith("isa.") for name in rule.needs)]
    return tuple(ours if bare.target else [rule for rule in rules() if rule not in ours])


def occupied(bare: KernelReport, request: Request) -> Room:
    """Return the occupancy of a kernel, as exactly as its metadata and the request allow."""
    known = bare.resources
    if known is None or not bare.target:
        return Room(why_not=bare.why_no_resources or "the input does not name a GPU")
    if known.vgprs is None and known.total_vgprs is None:
        return Room(why_not="the metadata do not state the registers")
    try:
        answer = occupancy.ask(_question(bare.target, known, request))
    except HotloopError as error:
        return Room(why_not=str(error).rstrip("."))
    return Room(occupancy=answer.occupancy, cliffs=answer.cliffs, bound_only=_bound(known, request))


def _question(target: str, known: KernelResources, request: Request) -> occupancy.Question:
    agprs = known.agprs or 0
    vgprs = known.vgprs if known.vgprs is not None else max(0, (known.total_vgprs or 0) - agprs)
    nvidia = Target.of(target).nvidia
    return occupancy.Question(
        target=Target.of(target).name,
        vgprs=vgprs,
        agprs=agprs,
        sgprs=None if nvidia else known.sgprs,
        lds_bytes=known.lds_bytes or 0,
        dynamic_lds_bytes=request.dynamic_lds_bytes or 0,
        workgroup=request.workgroup or known.workgroup_max or _ASSUMED_WORKGROUP,
        wave=None if nvidia else known.wave_size,
    )


def _bound(known: KernelResources, request: Request) -> str:
    """Return what keeps the figure from being exact."""
    reasons = []
    if (
        known.dynamic_lds is not False
        and request.dynamic_lds_bytes is None
        and (known.dynamic_lds or known.lds_bytes is None)
    ):
        reasons.append("the launch adds local memory that the code does not state: give --dynamic-lds")
    if known.workgroup_max is None and request.workgroup is None:
        reasons.append(f"the work-group size is not stated, {_ASSUMED_WORKGROUP} is assumed: give --workgroup")
    return "; ".join(reasons)


def _conflicts(bare: KernelReport, request: Request) -> Evidence:
    """Return what described local memory accesses cost."""
    if not request.lds_addresses:
        return Evidence()
    if not bare.target:
        raise UsageError("--lds-address needs a GPU: the input does not name one.")
    from hotloop.isa.banks import ask as banks

    answer = banks.ask(
        banks.Question(target=Target.of(bare.target).name, addresses=request.lds_addresses), solving=False
    )
    ideal = sum(found.ideal_cycles for found in answer.found)
    ratio = sum(found.cycles for found in answer.found) / ideal if ideal else 1.0
    source = f"hotloop banks: {', '.join(request.lds_addresses)}"
    return Evidence((Fact("isa.bank_conflict_ratio", ratio, "1", Provenance.DERIVED, source),))


def as_json(found: KernelReport) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    data = asdict(found)
    room = data["room"]
    if found.room.occupancy:
        room["occupancy"]["limiting"] = found.room.occupancy.limiting
        room["occupancy"]["launches"] = found.room.occupancy.launches
    return data
