"""Occupancy of a described kernel on any target that the data files know, with its cliffs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from hotloop.errors import UsageError
from hotloop.isa.occupancy import amd, nvidia
from hotloop.isa.occupancy.cliffs import Cliff, Figure, Step, cliff, last_at_least, steps
from hotloop.isa.occupancy.result import Occupancy
from hotloop.targets.data import Fact
from hotloop.targets.machine import AccumulationFile, AmdMachine, NvidiaMachine
from hotloop.targets.target import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a user says about a kernel; None: the target's default, or not known."""

    target: str
    vgprs: int
    """Registers of a thread on NVIDIA."""
    agprs: int = 0
    sgprs: int | None = None
    lds_bytes: int = 0
    dynamic_lds_bytes: int = 0
    workgroup: int = 256
    workgroup_min: int | None = None
    wave: int | None = None
    mode: str | None = None
    carveout_bytes: int | None = None
    barriers: int | None = None


@dataclass(frozen=True, slots=True)
class Together:
    """What has to hold at once for one wave more, when no single resource brings it."""

    waves: int
    bounds: tuple[tuple[str, int], ...]
    """Largest value of each resource."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Occupancy with everything that a reader may ask next."""

    question: Question
    wave: int
    mode: str
    occupancy: Occupancy
    cliffs: tuple[Cliff, ...]
    """Resource values at which the headline's number changes."""
    group_cliffs: tuple[Cliff, ...]
    """Resource values at which the number of whole work-groups changes; empty where that is the headline's number."""
    together: Together | None
    facts: tuple[Fact, ...]
    """Facts of the data files about the target, with sources."""

    def as_json(self) -> dict[str, Any]:
        """Return what `--json` prints."""
        occupancy = self.occupancy
        return {
            "question": asdict(self.question),
            "wave": self.wave,
            "mode": self.mode,
            **asdict(occupancy),
            "launches": occupancy.launches,
            "limiting": occupancy.limiting,
            "limiting_groups": occupancy.limiting_groups,
            "resident_waves": occupancy.resident_waves,
            "fraction": occupancy.fraction,
            "cliffs": [_cliff_json(c) for c in self.cliffs],
            "group_cliffs": [_cliff_json(c) for c in self.group_cliffs],
            "together": asdict(self.together) if self.together else None,
            "facts": [asdict(fact) for fact in self.facts],
        }


def ask(question: Question) -> Answer:
    """Return the occupancy of a described kernel.

    Raises:
        UnknownNameError: the target.
        UsageError: a value that the target cannot have.
    """
    evaluated, wave, mode = _evaluate(question)
    cliffs = tuple(_cliff(question, name, lambda o: o.waves) for name in _adjustable(question))
    groups: tuple[Cliff, ...] = ()
    if isinstance(Target.of(question.target).machine, AmdMachine):
        groups = tuple(_cliff(question, name, lambda o: o.groups) for name in _adjustable(question))
    return Answer(
        question=question,
        wave=wave,
        mode=mode,
        occupancy=evaluated,
        cliffs=cliffs,
        group_cliffs=groups,
        together=_together(question, evaluated, cliffs),
        facts=Target.named(question.target).facts,
    )


def staircase(question: Question, resource: str) -> tuple[Step, ...]:
    """Return the headline for every value of one resource, everything else as asked.

    Raises:
        UsageError: the target does not have the resource.
    """
    if resource not in _adjustable(replace(question, sgprs=question.sgprs or 0)):
        raise UsageError(f"{resource} never limits on {question.target}; choose another resource.")
    low, high = _range(question, resource)
    return tuple(steps(_figure(question, resource, lambda o: o.waves), low, high))


def value_of(question: Question, resource: str) -> int:
    """Return how much of a resource is asked for."""
    lds = question.lds_bytes + question.dynamic_lds_bytes
    return {"vgpr": question.vgprs, "agpr": question.agprs, "sgpr": question.sgprs or 0, "lds": lds}[resource]


def unit_of(resource: str) -> str:
    """Return the unit that a resource is counted in."""
    return "B" if resource == "lds" else "registers"


def _evaluate(question: Question) -> tuple[Occupancy, int, str]:
    target = Target.of(question.target).machine
    if isinstance(target, NvidiaMachine):
        return nvidia.evaluate(target, _nvidia(target, question)), target.warp, "sm"
    wave, mode = question.wave or target.files[0].wave_size, question.mode or target.units[0].mode
    if question.carveout_bytes is not None or question.barriers is not None:
        raise UsageError(f"--carveout and --barriers are for NVIDIA targets; {target.name} has neither.")
    request = amd.AmdRequest(
        vgprs=question.vgprs,
        agprs=question.agprs,
        sgprs=question.sgprs,
        lds_bytes=question.lds_bytes,
        dynamic_lds_bytes=question.dynamic_lds_bytes,
        workgroup=question.workgroup,
        workgroup_min=question.workgroup_min,
        wave_size=wave,
        mode=mode,
    )
    return amd.evaluate(target, request), wave, mode


def _nvidia(target: NvidiaMachine, question: Question) -> nvidia.NvidiaRequest:
    if question.agprs or question.sgprs is not None or question.mode is not None:
        raise UsageError(f"--agpr, --sgpr and --mode are for AMD targets; leave them away for {target.name}.")
    if question.wave not in (None, target.warp):
        raise UsageError(f"{target.name} has warps of {target.warp} threads, not of {question.wave}; change --wave.")
    if question.workgroup_min is not None:
        raise UsageError("a range of work-group sizes is LLVM's convention for AMD; give --workgroup one number.")
    return nvidia.NvidiaRequest(
        registers=question.vgprs,
        shared_bytes=question.lds_bytes,
        dynamic_shared_bytes=question.dynamic_lds_bytes,
        block=question.workgroup,
        carveout_bytes=question.carveout_bytes,
        barriers=1 if question.barriers is None else question.barriers,
    )


def _adjustable(question: Question) -> tuple[str, ...]:
    target = Target.of(question.target).machine
    if isinstance(target, NvidiaMachine):
        return ("vgpr", "lds")
    names = ["vgpr"]
    names += ["agpr"] * (target.agprs is not AccumulationFile.NONE)
    names += ["sgpr"] * (target.scalars is not None and question.sgprs is not None)
    return (*names, "lds")


def _range(question: Question, resource: str) -> tuple[int, int]:
    target = Target.of(question.target).machine
    if isinstance(target, NvidiaMachine):
        return (1, target.registers_thread) if resource == "vgpr" else (0, target.shared_block_bytes)
    most = {
        "vgpr": target.vgpr_addressable,
        "agpr": target.vgpr_addressable,
        "sgpr": target.sgpr_addressable + 10,
        "lds": target.lds_workgroup_bytes,
    }
    return (1 if resource == "vgpr" else 0), most[resource]


def _with(question: Question, resource: str, value: int) -> Question:
    match resource:
        case "vgpr":
            return replace(question, vgprs=value)
        case "agpr":
            return replace(question, agprs=value)
        case "sgpr":
            return replace(question, sgprs=value)
        case _:
            return replace(question, lds_bytes=value, dynamic_lds_bytes=0)


def _figure(question: Question, resource: str, read: Callable[[Occupancy], int]) -> Figure:
    return lambda value: read(_evaluate(_with(question, resource, value))[0])


def _cliff(question: Question, resource: str, read: Callable[[Occupancy], int]) -> Cliff:
    low, high = _range(question, resource)
    value = value_of(question, resource)
    # Beyond the largest possible value nothing launches, and beyond it there is nothing to search either.
    return cliff(
        resource, unit_of(resource), value, _figure(question, resource, read), min(low, value), max(high, value)
    )


def _together(question: Question, found: Occupancy, cliffs: tuple[Cliff, ...]) -> Together | None:
    """Return bounds for the next level when several resources tie."""
    if found.waves >= found.max_waves or any(c.better for c in cliffs) or not found.launches:
        return None
    names = {"vgprs": "vgpr", "registers": "vgpr", "agprs": "agpr", "sgprs": "sgpr", "lds": "lds", "shared": "lds"}
    tied = [names[r] for r in found.limiting if r in names]
    if len(tied) != len(found.limiting):
        return None
    bounds, level = [], found.waves + 1
    for name in tied:
        alone = _own(question, name)
        low, high = _range(question, name)
        if alone(low) < level:
            return None
        bounds.append((name, last_at_least(alone, level, low, high)))
    return Together(level, tuple(bounds))


def _own(question: Question, resource: str) -> Figure:
    """Return what a resource alone allows, as a function of its value."""
    limits = {"vgpr": ("vgprs", "registers"), "agpr": ("agprs",), "sgpr": ("sgprs",), "lds": ("lds", "shared")}[
        resource
    ]
    return _figure(question, resource, lambda o: next(limit.waves for limit in o.limits if limit.resource in limits))


def _cliff_json(found: Cliff) -> dict[str, Any]:
    return {**asdict(found), "fewer": found.fewer, "room": found.room}
