"""Where a profiled kernel stands under the roofs of its device: measured ceilings first, then the tool's, then the data sheet's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hotloop import units
from hotloop.errors import UsageError
from hotloop.explain.counts import Counted
from hotloop.explain.page import Roof
from hotloop.metrics import hierarchy
from hotloop.metrics.fact import ROUNDING
from hotloop.metrics.levels import BYTES, NAMES, Flat, Levels, Slope, levels
from hotloop.model.evidence import Evidence
from hotloop.profiles.cell import real
from hotloop.profiles.profile import Profile
from hotloop.targets import chips

_AMD_MOPS = {
    f"{name} matrix": f"SQ_INSTS_VALU_MFMA_MOPS_{counter}"
    for name, counter in (
        ("fp8", "F8"),
        ("fp16", "F16"),
        ("bf16", "BF16"),
        ("fp32", "F32"),
        ("fp64", "F64"),
        ("int8", "I8"),
    )
}
FULL, NEAR = 0.85, 0.6
"""Used share of a roof from which a kernel is at its limit, and near it."""
_AMD_TICK_FLOPS = 512
_PRINTED = "peak"
"""Device of the facts that are a printed analysis' peaks."""
_NVIDIA_OPS = {
    "bf16 matrix": "sm__ops_path_tensor_src_bf16_dst_fp32.sum",
    "fp16 matrix": "sm__ops_path_tensor_src_fp16.sum",
    "tf32 matrix": "sm__ops_path_tensor_src_tf32_dst_fp32.sum",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """Roofs with what is used of them, the binding one first; empty with the reason."""

    roofs: tuple[Roof, ...]
    words: str
    """One sentence."""
    picture: Levels | None = None


def standing(profiles: Sequence[Profile], counted: Counted) -> Standing:
    """Return the position of one kernel."""
    evidence = counted.evidence
    spent = evidence.get("gpu.duration_ns") or counted.counts.launch.duration_ns
    memory, arithmetic = _roofs(profiles, counted)
    if not memory and not arithmetic and (stated := _by_the_tool(evidence)):
        return Standing(stated, _words(stated, evidence))
    if not spent:
        return Standing((), f"not known: the files tell no time of the kernel{_least(counted, memory, arithmetic)}")
    load = hierarchy.Load(_flops(counted), _moved(evidence), spent)
    if not memory and not arithmetic:
        return Standing((), "not known: no ceiling of the device is; --chip names one")
    try:
        position = hierarchy.position(load, memory, arithmetic)
    except UsageError:
        return Standing((), "not known: neither bytes nor operations of the kernel were counted")
    used = _raised((*_memory_used(position, load, memory), *_arithmetic_used(load, arithmetic)), counted.chip)
    beyond = [use for use in used if use.fraction > 1 + ROUNDING]
    ranked = tuple(sorted((use.row() for use in used if use not in beyond), key=lambda row: -row.fraction))
    if not ranked:
        return Standing((), f"not known{_beyond(beyond)}")
    words = _words(ranked, evidence) + _guessed(counted) + _beyond(beyond)
    return Standing(ranked, words, None if beyond else _picture(counted, load, memory, arithmetic))


def reached(standing: Standing, evidence: Evidence) -> float:
    """Return the largest share of a limit that is used, told by bytes, by operations or by a unit's time; 0 where no roof is known."""
    if not standing.roofs:
        return 0.0
    return max(row.fraction for row in (standing.roofs[0], *_by_share(evidence), *_busiest(evidence)))


@dataclass(frozen=True, slots=True)
class _Used:
    """A limit and what goes through it."""

    name: str
    rate: float
    roof: chips.Roof
    unit: str
    intensity: float | None = None

    @property
    def fraction(self) -> float:
        return self.rate / self.roof.per_second

    def row(self) -> Roof:
        detail = f"{units.rate(self.rate, self.unit)} of {units.rate(self.roof.per_second, self.unit)}"
        if self.intensity is not None and 0 < self.intensity < float("inf"):
            detail += f", {units.significant(self.intensity)} FLOP per byte"
        return Roof(self.name, min(1.0, self.fraction), detail, self.roof.source)


def _raised(used: Sequence[_Used], sheet: chips.Chip | None) -> list[_Used]:
    """Return the limits, those that a benchmark set below what the kernel reaches as the data sheet has them."""
    stated = {NAMES.get(r.name, r.name): r for r in (*sheet.memory, *sheet.arithmetic)} if sheet else {}
    return [replace(use, roof=stated.get(use.name, use.roof)) if use.fraction > 1 + ROUNDING else use for use in used]


def _beyond(beyond: Sequence[_Used]) -> str:
    """Return why a limit is left out, as a clause."""
    if not beyond:
        return ""
    names = ", ".join(f"{use.name} at {units.rate(use.rate, use.unit)}" for use in beyond)
    return f"; left out, as it is more than the limit: {names} (time, amount or limit are not this launch's)"


_SHARES = (
    ("gpu.hbm_utilization", "device memory"),
    ("gpu.l2_utilization", "second-level cache"),
    ("gpu.l1_utilization", "first-level cache"),
    ("gpu.matrix_utilization", "matrix units"),
    ("gpu.valu_utilization", "vector units"),
)


_PATH = "the path to memory, in its busiest part,"
"""Where a tool tells of device memory and caches together only."""


def _by_the_tool(evidence: Evidence) -> tuple[Roof, ...]:
    """Return the shares of peaks that a profiler states itself, the largest first; used where no rate of a limit is known."""
    path = evidence.fact("gpu.path_utilization")
    if "gpu.hbm_utilization" in evidence:
        rows = _by_share(evidence)
    elif path is not None and path.value >= NEAR:
        rows = [*_by_share(evidence), Roof(_PATH, path.value, "share of its peak", path.source)]
    else:
        return ()  # of units alone nobody can say that they are the nearest roof
    return tuple(sorted(rows, key=lambda row: -row.fraction))


def _by_share(evidence: Evidence) -> list[Roof]:
    shares = [(fact, name) for fact_name, name in _SHARES if (fact := evidence.fact(fact_name))]
    return [Roof(name, fact.value, "share of its peak", fact.source) for fact, name in shares]


def _guessed(counted: Counted) -> str:
    return (
        ""
        if counted.guess is None
        else "; no file tells a time, so it is the least that the clocks allow and shares are upper bounds"
    )


def _least(counted: Counted, memory: Sequence[chips.Roof], arithmetic: Sequence[chips.Roof]) -> str:
    """Return what a launch needs at least at the roof that takes longest, as a clause; empty where nothing was counted."""
    amounts = {**_moved(counted.evidence), **_flops(counted)}
    least = {roof: amounts[roof.name] / roof.per_second for roof in (*memory, *arithmetic) if amounts.get(roof.name)}
    if not least:
        return ""
    roof = max(least, key=lambda limit: least[limit])
    unit = "B/s" if roof.name in NAMES else "FLOP/s"
    amount = (
        units.size(amounts[roof.name]) if roof.name in NAMES else f"{units.significant(amounts[roof.name])} operations"
    )
    where = NAMES.get(roof.name, roof.name)
    return (
        f"; {where} alone needs {units.duration(1e9 * least[roof])} for {amount} at {units.rate(roof.per_second, unit)}"
    )


def _picture(
    counted: Counted, load: hierarchy.Load, memory: Sequence[chips.Roof], arithmetic: Sequence[chips.Roof]
) -> Levels | None:
    """Return the drawing: the roofs that use is measured against, then the data sheet's where those are others."""
    sheet = counted.chip
    more = (
        (*sheet.memory, *sheet.arithmetic)
        if sheet and (tuple(memory), tuple(arithmetic)) != (sheet.memory, sheet.arithmetic)
        else ()
    )
    taken = [
        *((roof, sheet is not None and not more) for roof in (*memory, *arithmetic)),
        *((roof, True) for roof in more),
    ]
    slopes = [
        Slope(r.name, r.per_second, r.source, stated)
        for r, stated in taken
        if r.name in NAMES and load.moved_bytes.get(r.name)
    ]
    flats = [Flat(roof.name, roof.per_second, roof.source, stated) for roof, stated in taken if roof.name not in NAMES]
    note = "the time is estimated from clocks: the points lie at most this high" if counted.guess else ""
    return levels(load.flops, load.moved_bytes, load.duration_ns, slopes, flats, note)


def _words(roofs: Sequence[Roof], evidence: Evidence) -> str:
    top = roofs[0]
    used = f"{top.name} is the nearest roof: {units.percent(top.fraction)} of it is used"
    busy = max(
        (*_by_share(evidence), *_issuing(evidence), *_busiest(evidence)), key=lambda row: row.fraction, default=top
    )
    if top.fraction < NEAR <= busy.fraction:
        works = (
            "work" if busy.name.endswith((" units", " slots")) and not busy.name.startswith("the busiest") else "works"
        )
        return f"{used}; yet {busy.name} {works} at {units.percent(busy.fraction)} of the peak, which bytes and operations do not show"
    if top.fraction >= NEAR:
        return f"{used}, so the kernel is {'at' if top.fraction >= FULL else 'near'} its limit"
    return f"{used}, so the kernel is far from any limit{_uncounted(roofs, evidence)}"


def _issuing(evidence: Evidence) -> Iterator[Roof]:
    """Yield how much of the launch's issue slots is used: no roof of bytes or operations, and yet a limit."""
    used, busy = evidence.fact("gpu.issue_utilization"), evidence.get("gpu.busy_share")
    if used is not None:
        share = used.value * (1.0 if busy is None else min(1.0, busy))
        yield Roof("the issue slots", share, "share of its peak", used.source)


def _busiest(evidence: Evidence) -> Iterator[Roof]:
    """Yield the share of the compute units' busiest unit, which a tool states without its name."""
    used = evidence.fact("gpu.unit_utilization")
    if used is not None:
        yield Roof("the busiest unit of the compute units", used.value, "share of its peak", used.source)


def _uncounted(roofs: Sequence[Roof], evidence: Evidence) -> str:
    """Return which limits may be nearer, as nothing tells how much of them is used, as a clause; empty where there is none."""
    told = {roof.name for roof in roofs} | {name for fact, name in _SHARES if fact in evidence}
    unknown = [name for _, name in _SHARES if name not in told]
    return f" that was counted ({', '.join(unknown)}: not known)" if unknown else ""


def _memory_used(position: hierarchy.Position, load: hierarchy.Load, roofs: Sequence[chips.Roof]) -> list[_Used]:
    by_name = {roof.name: roof for roof in roofs}
    return [
        _Used(NAMES[p.level], load.moved_bytes[p.level] / load.duration_ns * 1e9, by_name[p.level], "B/s", p.intensity)
        for p in position.points
    ]


def _arithmetic_used(load: hierarchy.Load, roofs: Sequence[chips.Roof]) -> list[_Used]:
    chosen = [roof for roof in roofs if load.flops.get(roof.name)]
    return [_Used(roof.name, load.flops[roof.name] / load.duration_ns * 1e9, roof, "FLOP/s") for roof in chosen]


def _flops(counted: Counted) -> dict[str, float]:
    """Return the operations by kind of arithmetic, as far as they were counted."""
    values, evidence = counted.counts.values, counted.evidence
    counted_flops = {kind: _AMD_TICK_FLOPS * values[name] for kind, name in _AMD_MOPS.items() if name in values}
    counted_flops |= {kind: values[name] for kind, name in _NVIDIA_OPS.items() if name in values}
    vector = evidence.get("gpu.vector_flops")
    if vector is not None:
        counted_flops[_vector_kind(values)] = vector
    return {kind: flops for kind, flops in counted_flops.items() if flops > 0}


def _vector_kind(values: Mapping[str, float]) -> str:
    """Return the precision that most vector operations have: the facts add them up."""
    double = sum(values.get(f"SQ_INSTS_VALU_{op}_F64", 0.0) for op in ("ADD", "MUL", "FMA"))
    single = sum(values.get(f"SQ_INSTS_VALU_{op}_F32", 0.0) for op in ("ADD", "MUL", "FMA"))
    return "fp64 vector" if double > single else "fp32 vector"


def _moved(evidence: Evidence) -> dict[str, float]:
    """Return the bytes by level of the memory; no row for local memory that the kernel does not use."""
    moved = {level: value for level, name in BYTES.items() if (value := evidence.get(name)) is not None}
    unused = {"lds"} if not moved.get("lds") or evidence.get("gpu.lds_per_wave") == 0 else set()
    return {level: value for level, value in moved.items() if level not in unused}


def _roofs(profiles: Sequence[Profile], counted: Counted) -> tuple[tuple[chips.Roof, ...], tuple[chips.Roof, ...]]:
    for profile in profiles:
        if profile.architecture not in (None, counted.counts.architecture):
            continue  # another machine's
        for device, words in (("0", "measured ceilings in"), (_PRINTED, "peaks that stand beside the rates in")):
            ceilings = hierarchy.recorded(_ceilings(profile, device), f"{words} {profile.source}")
            if ceilings[0] or ceilings[1]:
                return ceilings
    reported = hierarchy.reported(counted.counts.values)
    if reported[0] or reported[1]:
        return reported
    return (counted.chip.memory, counted.chip.arithmetic) if counted.chip else ((), ())


def _ceilings(profile: Profile, device: str) -> dict[str, float]:
    """Return what ROCm Compute Profiler's benchmark lists of a device, or what an analysis prints as peaks."""
    rows = [(f.name, real(f.value)) for f in profile.facts if f.device == device]
    return {name: value for name, value in rows if value}
