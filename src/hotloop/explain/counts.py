"""One kernel's counters from several files as ``gpu.*`` facts, with the processor and the chip that they are for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar

from hotloop.explain.identity import credible, identified
from hotloop.explain.material import Material, matching
from hotloop.explain.needed import Said, needed, told
from hotloop.explain.room import room
from hotloop.explain.time import Guess, believed, estimated, guess
from hotloop.metrics.catalogue import Derived, derived
from hotloop.metrics.cause import Gap
from hotloop.metrics.counters import Counts, Launch, canonical
from hotloop.metrics.delivered import ACCUMULATED, HELD, undelivered
from hotloop.model.evidence import Evidence
from hotloop.profiles.counts import below_zero, of_chosen
from hotloop.profiles.launches import Chosen, chosen
from hotloop.profiles.profile import KernelProfile, Profile
from hotloop.targets.chips import Chip, Machine
from hotloop.targets.target import Target

_WAVES = "SQ_WAVES"
_MISCOUNTED = 0.05
"""Part by which waves counted may differ from those launched: passes are different runs."""
_HELD = "; these GPUs count most only while a profile level holds the clocks: amd-smi set --perf-level STABLE_STD"
T = TypeVar("T", Launch, Machine)


@dataclass(frozen=True, slots=True)
class Counted:
    """What the profiles say of one kernel."""

    counts: Counts
    evidence: Evidence
    chip: Chip | None
    device: str
    """The device in words, with what was assumed about it."""
    launches: int
    gaps: tuple[Gap, ...] = ()
    """Metrics that the counters do not give, with the causes."""
    guess: Guess | None = None
    """The time of a launch where no file tells it; `counts` and `evidence` have it."""
    apart: frozenset[str] = frozenset()
    """Facts that set times of different passes against each other."""
    notes: tuple[str, ...] = ()
    """Which launches stand for the kernel, and what else a reader must know of the numbers."""


def counted(
    material: Material, kernel: str, target: str = "", chip_name: str = "", said: Said | None = None
) -> Counted:
    """Return the facts of one kernel from all profiles that know it; the first file wins where two say the same.

    `said` is what a person says that one launch has to do.

    Raises:
        UnknownNameError: the target or the chip.
    """
    parts = [(profile, part, chosen(profile, part)) for profile, part in _of_one_machine(matching(material, kernel))]
    own = tuple(profile for profile, _, _ in parts) or material.profiles
    identity = identified(own, material, target, chip_name, _used(parts))
    machine = identity.machine
    counts, untimed = believed(_merged([of_chosen(*part) for part in parts], identity.target, machine))
    metrics = derived(counts) if counts.architecture else Derived()
    evidence = metrics.evidence
    time = guess(counts, evidence)
    if time is not None:
        counts, evidence = estimated(counts, evidence, time)
    evidence = evidence.merged(room(counts, [part for _, part, _ in parts]))
    evidence = evidence.merged(told(said or Said(), [profile.work for profile, _, _ in parts]))
    evidence = evidence.merged(needed(evidence, counts))
    return Counted(
        counts=counts,
        evidence=evidence,
        chip=identity.chip,
        device=identity.words,
        launches=max((part.dispatches for _, part, _ in parts), default=0),
        gaps=metrics.gaps,
        guess=time,
        apart=metrics.apart,
        notes=(
            *untimed,
            *_negative(kernel for _, kernel, _ in parts),
            *_lost(counts),
            *dict.fromkeys(note for _, _, launches in parts for note in launches.notes),
        ),
    )


def _used(parts: Iterable[tuple[Profile, KernelProfile, Chosen]]) -> frozenset[str]:
    """Return the labels of the processors that a kernel ran on."""
    return frozenset(d.device for own, part, _ in parts for d in own.dispatches if d.device and d.kernel == part.kernel)


def _of_one_machine(parts: Iterable[tuple[Profile, KernelProfile]]) -> Iterator[tuple[Profile, KernelProfile]]:
    """Yield the profiles of the processor that is named first, and those that name none: no kernel's counters are of two machines."""
    listed = tuple(parts)
    first = next((profile.architecture for profile, _ in listed if profile.architecture), None)
    yield from ((profile, part) for profile, part in listed if profile.architecture in {None, first})


def _negative(kernels: Iterable[KernelProfile]) -> tuple[str, ...]:
    """Say which counters are below 0, as a sentence; empty where none is."""
    names = sorted({name for kernel in kernels for name in below_zero(kernel)})
    return (f"{', '.join(names)} cannot be below 0: left out",) if names else ()


def _lost(counts: Counts) -> tuple[str, ...]:
    """Say which counters read 0 that no kernel leaves at 0, as a sentence; empty where none does or no instruction of it was issued."""
    used = {name for name in undelivered(counts.values, counts.architecture) if not _unused(name, counts.values)}
    held = _HELD if Target.of(counts.architecture).has(HELD) else ""
    return (f"{', '.join(sorted(used))} read 0 for a kernel that ran: taken as not counted{held}",) if used else ()


def _unused(name: str, values: Mapping[str, float]) -> bool:
    """Tell whether a level's instructions are known not to occur: then its sum is rightly 0."""
    kind = name.removesuffix(ACCUMULATED).removeprefix("SQ_INST_LEVEL_")
    return values.get(f"SQ_INSTS_{kind}") == 0


def _merged(parts: Sequence[Counts], target: str, machine: Machine) -> Counts:
    """Return the counters of all files together; what two files have is the first one's. What no file tells, `machine` fills."""
    values: dict[str, float] = {}
    for part in parts:
        levels = {n: v for run in part.runs for n, v in canonical(run, target).items() if n.endswith(ACCUMULATED)}
        values = {**part.values, **levels, **values}
    runs = tuple(run for part in parts for run in part.runs if run)
    facts = credible(_filled(Machine, [*(part.machine for part in parts), machine]), machine)
    launch = _waved(_filled(Launch, [part.launch for part in parts]), target, facts, values)
    source = "; ".join(dict.fromkeys(part.source for part in parts))
    return Counts(
        architecture=target,
        values=values,
        passes=runs if len(runs) > 1 else (),
        launch=launch,
        machine=facts,
        source=source,
    )


def _waved(launch: Launch, target: str, machine: Machine, values: Mapping[str, float]) -> Launch:
    """Return a launch with the size of its waves, which rocprofv3 does not tell: the only one, or the one that makes up the counted waves."""
    sizes = Target.of(target).wave_sizes if Target.of(target).listed else ()
    if len(sizes) == 1:
        return launch if launch.wave_size else replace(launch, wave_size=sizes[0])
    made = [size for size in sizes if replace(launch, wave_size=size).waves == values.get(_WAVES)]
    halves = machine.shader_engines == len(sizes)  # waves of one of two engines look like waves twice as large
    if made:
        return replace(launch, wave_size=made[0]) if len(made) == 1 and not halves else launch
    impossible = _impossible(launch, sizes, values.get(_WAVES))
    return replace(launch, wave_size=impossible) if impossible else launch


def _impossible(launch: Launch, sizes: Sequence[int], counted: float | None) -> int | None:
    """Return the size of waves that is nearest to a count which none of them makes up: the smallest for too many waves, the largest for too few."""
    most, fewest = (replace(launch, wave_size=pick(sizes)).waves if sizes else None for pick in (min, max))
    if counted is None or not most or not fewest:
        return None
    if counted > most * (1 + _MISCOUNTED):
        return min(sizes)
    return max(sizes) if counted < fewest * (1 - _MISCOUNTED) else None


def _filled(kind: type[T], parts: Iterable[T]) -> T:
    """Return one object put together from several: each field from the first that knows it."""
    listed = tuple(parts)
    values = {f.name: next((v for p in listed if (v := getattr(p, f.name)) is not None), None) for f in fields(kind)}
    return replace(kind(), **values)
