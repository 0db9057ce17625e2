"""Machine code judged: how many waves fit, and what limits the hot loop."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from hotloop.diagnose import kinds
from hotloop.diagnose.engine import diagnose
from hotloop.errors import HotloopError, UsageError
from hotloop.isa.banks import ask as banks
from hotloop.isa.occupancy import ask as occupancy
from hotloop.isa.resources import KernelResources
from hotloop.isa.summary import bounds
from hotloop.isa.summary.facts import room_evidence
from hotloop.isa.summary.model import ASSUMED_WORKGROUP, KernelReport, LoopReport, Room, Unstated
from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.targets.machine import AmdMachine
from hotloop.targets.target import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Launched:
    """What only the launch knows of a kernel; None: nobody has said."""

    workgroup: int | None = None
    """Work-items of a work-group."""
    dynamic_lds_bytes: int | None = None
    """Local memory that the launch adds."""
    lds_addresses: tuple[str, ...] = ()
    """``OP:BITS:EXPRESSION`` of local memory accesses, as `hotloop banks` takes them."""


def judged(bare: KernelReport, launched: Launched) -> KernelReport:
    """Return a report with occupancy and findings."""
    weighed = placed(bare, launched)
    diagnosis = diagnose(weighed.evidence, kinds.of_gpus() if bare.target or bare.unnamed else kinds.of_cpus())
    return replace(weighed, findings=diagnosis.findings)


def placed(bare: KernelReport, launched: Launched) -> KernelReport:
    """Return a report with occupancy, and what bounds its loops there."""
    room = occupied(bare, launched)
    evidence = bare.evidence.merged(room_evidence(room)) if bare.target else bare.evidence
    evidence = evidence.merged(_conflicts(bare, launched))
    loops = tuple(_bounded(loop, room) for loop in bare.loops)
    if bare.target:
        where = ", ".join(part for part in (bare.origin or bare.kernel, loops[0].place) if part)
        unstated = Unstated.LOCAL_MEMORY.value if Unstated.LOCAL_MEMORY in room.unstated else ""
        evidence = evidence.merged(bounds.evidence(loops[0], evidence.get("isa.memory_cycles"), where, unstated))
    return replace(bare, room=room, loops=loops, evidence=evidence)


def _bounded(loop: LoopReport, room: Room) -> LoopReport:
    """Return a loop with what bounds it at the kernel's occupancy."""
    occupancy = room.occupancy
    if loop.tempo is None or occupancy is None or not occupancy.launches:
        return loop
    waves = max(1, occupancy.waves // (occupancy.simds if occupancy.unit == "SM" else 1))
    return replace(loop, tempo=loop.tempo.at(waves))


def occupied(bare: KernelReport, launched: Launched) -> Room:
    """Return the occupancy of a kernel, as exactly as its metadata and the launch allow."""
    used = bare.resources
    if used is None or not bare.target:
        return Room(why_not=bare.why_no_resources or "the input does not name a GPU")
    if used.vgprs is None and used.total_vgprs is None:
        return Room(why_not="the metadata do not state the registers")
    if beyond := _beyond(bare.target, used, launched):
        return Room(why_not=beyond)
    try:
        answer = occupancy.ask(_question(bare.target, used, launched))
    except HotloopError as error:
        return Room(why_not=str(error).rstrip("."))
    return Room(occupancy=answer.occupancy, cliffs=answer.cliffs, unstated=_unstated(used, launched))


def _beyond(target: str, used: KernelResources, launched: Launched) -> str:
    """Return why groups of the size that the code was compiled for cannot be launched; empty where they can, or nobody knows."""
    machine = Target.of(target).machine
    if machine is None or launched.workgroup or not used.workgroup_max:
        return ""
    most = machine.workgroup_max if isinstance(machine, AmdMachine) else machine.block_max
    if used.workgroup_max <= most:
        return ""
    waves = f" ({used.workgroup_max // used.wave_size} waves of {used.wave_size})" if used.wave_size else ""
    return f"the code was compiled for groups of {used.workgroup_max} work-items{waves}, and {target} launches at most {most}: compile it with fewer waves"


def _question(target: str, used: KernelResources, launched: Launched) -> occupancy.Question:
    agprs = used.agprs or 0
    vgprs = used.vgprs if used.vgprs is not None else max(0, (used.total_vgprs or 0) - agprs)
    nvidia = Target.of(target).nvidia
    return occupancy.Question(
        target=Target.of(target).name,
        vgprs=vgprs,
        agprs=agprs,
        sgprs=None if nvidia else used.sgprs,
        lds_bytes=used.lds_bytes or 0,
        dynamic_lds_bytes=launched.dynamic_lds_bytes or 0,
        workgroup=launched.workgroup or used.workgroup_max or ASSUMED_WORKGROUP,
        wave=None if nvidia else used.wave_size,
    )


def _unstated(used: KernelResources, launched: Launched) -> tuple[Unstated, ...]:
    """Return what keeps the figure from being exact."""
    grows = used.dynamic_lds or (used.dynamic_lds is None and used.lds_bytes is None)
    reasons = (
        (Unstated.LOCAL_MEMORY, grows and launched.dynamic_lds_bytes is None),
        (Unstated.WORKGROUP, used.workgroup_max is None and launched.workgroup is None),
    )
    return tuple(reason for reason, applies in reasons if applies)


def _conflicts(bare: KernelReport, launched: Launched) -> Evidence:
    """Return what described local memory accesses cost."""
    if not launched.lds_addresses:
        return Evidence()
    if not bare.target:
        raise UsageError("--lds-address needs a GPU: the input does not name one.")
    question = banks.Question(target=Target.of(bare.target).name, addresses=launched.lds_addresses)
    accesses = banks.ask(question, solving=False).found
    ideal = sum(access.ideal_cycles for access in accesses)
    ratio = sum(access.cycles for access in accesses) / ideal if ideal else 1.0
    source = f"hotloop banks: {', '.join(launched.lds_addresses)}"
    return Evidence((Fact("isa.bank_conflict_ratio", ratio, "1", Provenance.DERIVED, source),))


def as_json(report: KernelReport) -> dict[str, Any]:
    """Return what ``hotloop isa --json`` prints of a kernel."""
    data = asdict(report)
    del data["why_no_waits"]  # each loop says so
    room = data["room"]
    data["room"] = {"occupancy": room["occupancy"], "cliffs": room["cliffs"],
                    "bound_only": report.room.bound_only, "why_not": report.room.why_not}  # fmt: skip
    if report.room.occupancy:
        room["occupancy"]["limiting"] = report.room.occupancy.limiting
        room["occupancy"]["launches"] = report.room.occupancy.launches
    return data
