"""One kernel's counters from several files as ``gpu.*`` facts, with the processor and the chip that they are for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar

from hotloop.explain.material import Material, matching
from hotloop.explain.room import room
from hotloop.explain.time import Guess, estimated, guess
from hotloop.metrics.catalogue import Derived, derived
from hotloop.metrics.cause import Gap
from hotloop.metrics.counters import Counts, Launch
from hotloop.metrics.fact import fact
from hotloop.model.evidence import Evidence, Provenance
from hotloop.profiles.counts import of_kernel, told
from hotloop.profiles.profile import Profile
from hotloop.targets import chips, data
from hotloop.targets.chips import Chip, Machine
from hotloop.targets.target import COMPUTE, Target

T = TypeVar("T", Launch, Machine)
_AMD_TOOLS = ("rocprof", "rocpd", "att")
_KILO = 1024
_TRAFFIC = (("gpu.hbm_read_bytes", "FETCH_SIZE"), ("gpu.hbm_write_bytes", "WRITE_SIZE"))
"""Metrics that rocprof derives itself, in KiB."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What the profiles say of one kernel."""

    counts: Counts
    evidence: Evidence
    chip: Chip | None
    device: str
    """In words, with what was assumed."""
    launches: int
    gaps: tuple[Gap, ...] = ()
    """Metrics that the counters do not give, with the causes."""
    guess: Guess | None = None
    """The time of a launch where no file tells it; `counts` and `evidence` have it."""


@dataclass(frozen=True, slots=True)
class Processor:
    """Which processor counters belong to."""

    target: str
    why: str
    """Where that is from; empty: the files say so."""


def counted(material: Material, kernel: str, target: str = "", chip_name: str = "") -> Counted:
    """Return the facts of one kernel from all profiles that know it; the first file wins where two say the same.

    Raises:
        UnknownNameError: the target or the chip.
    """
    parts = tuple(matching(material, kernel))
    own = tuple(profile for profile, _ in parts) or material.profiles
    asked = chips.chip(chip_name) if chip_name else None
    processor = _processor(own, material, asked.target if asked else target)
    chip = asked or _chip(own, processor)
    counts = _merged([of_kernel(*part) for part in parts], processor.target, chip.machine if chip else Machine())
    metrics = derived(counts) if counts.architecture else Derived()
    evidence = metrics.evidence
    time = guess(counts, evidence)
    if time is not None:
        counts, evidence = estimated(counts, evidence, time)
    evidence = _totals(evidence, counts).merged(room(counts, [part for _, part in parts]))
    return Counted(
        counts=counts,
        evidence=evidence,
        chip=chip,
        device=_device(own, processor, chip, asked=asked is not None),
        launches=max((part.dispatches for _, part in parts), default=0),
        gaps=metrics.gaps,
        guess=time,
    )


def _processor(own: Sequence[Profile], material: Material, asked: str) -> Processor:
    """Return the processor of the profiles that know the kernel; other inputs may be about another machine."""
    if asked:
        return Processor(Target.named(asked).name, "as you said")
    stated = [p.architecture for p in own if p.architecture] + [r.target for r in material.reports if r.target]
    if stated:
        return Processor(Target.of(stated[0]).name, "")
    names = {name for profile in own for kernel in profile.kernels for name in kernel.counters}
    for target in reversed(data.names("cdna")):
        seen = next((n for n in sorted(names) if n.startswith(Target(target).names("new_counters"))), None)
        if seen:
            return Processor(target, f"taken from the counter {seen}, which no older chip has: --target says otherwise")
    if any(profile.tool.startswith(_AMD_TOOLS) for profile in own):
        return Processor(COMPUTE, "the files do not name the chip: give --target, e.g. gfx942")
    return Processor("", "")


def _chip(own: Sequence[Profile], processor: Processor) -> Chip | None:
    stated = (chips.named(p.device_name) for p in own if p.device_name)
    named = next((chip for chip in stated if chip), None)
    if named or not own or not Target.of(processor.target).amd or any(told(p).compute_units for p in own):
        return named
    return chips.of_target(processor.target)


def _device(own: Sequence[Profile], processor: Processor, chip: Chip | None, *, asked: bool) -> str:
    name = next((p.device_name for p in own if p.device_name), None)
    if name:
        return f"{name} ({processor.target})" if processor.target else name
    if chip and not asked:
        words = f"taken to be an {chip.name} ({chip.target}): --chip says otherwise"
        return f"{words}; {processor.why}" if processor.why else words
    if chip:
        return f"{chip.name} ({chip.target}), as you said"
    if processor.target == COMPUTE:
        return f"an AMD chip; {processor.why}"
    return " ".join(
        filter(
            None,
            (
                processor.target or "a processor that the inputs do not name",
                f"({processor.why})" if processor.why else "",
            ),
        )
    )


def _merged(parts: Sequence[Counts], target: str, machine: Machine) -> Counts:
    """Return the counters of all files together; what two files have is the first one's. The chip fills what no file tells."""
    values: dict[str, float] = {}
    for part in parts:
        values = {**part.values, **values}
    launch = _filled(Launch, [part.launch for part in parts])
    facts = _filled(Machine, [*(part.machine for part in parts), machine])
    source = "; ".join(dict.fromkeys(part.source for part in parts))
    return Counts(architecture=target, values=values, launch=launch, machine=facts, source=source)


def _filled(kind: type[T], parts: Iterable[T]) -> T:
    """Return one object put together from several: each field from the first that knows it."""
    listed = tuple(parts)
    chosen = {f.name: next((v for p in listed if (v := getattr(p, f.name)) is not None), None) for f in fields(kind)}
    return replace(kind(), **chosen)


def _totals(evidence: Evidence, counts: Counts) -> Evidence:
    """Add the bytes that rocprof itself worked out (FETCH_SIZE, WRITE_SIZE), where the counters for them are missing."""
    rows = [
        fact(name, counts.values[column] * _KILO, Provenance.DERIVED, f"{column} of {counts.source}, in KiB")
        for name, column in _TRAFFIC
        if name not in evidence and column in counts.values
    ]
    more = Evidence(tuple(rows))
    read, written = (more.get(name) for name, _ in _TRAFFIC)
    if read is None or written is None:
        return evidence.merged(more)
    total = fact("gpu.hbm_bytes", read + written, Provenance.DERIVED, "gpu.hbm_read_bytes + gpu.hbm_write_bytes")
    return _rates(evidence.merged(more).merged(Evidence((total,))), total.value, counts)


def _rates(evidence: Evidence, hbm_bytes: float, counts: Counts) -> Evidence:
    """Add the bytes per second of device memory, and the share of its peak, where the time of a launch is known."""
    spent, peak = counts.launch.duration_ns, counts.machine.hbm_bytes_per_s
    if not spent:
        return evidence
    rate, time = 1e9 * hbm_bytes / spent, evidence.fact("gpu.duration_ns")
    provenance = Provenance.ESTIMATED if time and time.provenance is Provenance.ESTIMATED else Provenance.DERIVED
    rows = [fact("gpu.hbm_bytes_per_s", rate, provenance, "gpu.hbm_bytes / gpu.duration_ns")]
    if peak:
        rows.append(fact("gpu.hbm_utilization", rate / peak, provenance, "gpu.hbm_bytes_per_s / the data sheet's peak"))
    return evidence.merged(Evidence(tuple(rows)))
