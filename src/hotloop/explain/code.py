"""What code and traces add to an explanation: the hot loop, its waits with lines, and the instructions that stall."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hotloop import units
from hotloop.explain.material import Material, traces
from hotloop.explain.page import Row, Table
from hotloop.explain.sampled import sampled
from hotloop.isa.summary.facts import GLOBAL_WAITS, LOCAL_WAITS
from hotloop.isa.summary.model import KernelReport, WaitPoint
from hotloop.model.finding import Finding
from hotloop.profiles.names import same
from hotloop.profiles.profile import ON_DEVICE, UNTOLD, Calls, Profile, SampledInstruction
from hotloop.profiles.tracing.analysis import Analysis, Stalled, analyse

MOST = 8
_MOST_LINES = 4
_GLOBAL_OPS, _LOCAL_OPS = ("global_", "buffer_", "flat_", "LDG", "UTMA", "LDGSTS"), ("ds_read", "ds_load", "LDS")


def lines(
    finding: Finding, material: Material, report: KernelReport | None, kernel: str, architecture: str
) -> tuple[str, ...]:
    """Return places in code and trace that a finding is about, most telling first; empty when no input has any."""
    places = [
        *_loop_lines(finding, report),
        *waits(finding, material, kernel),
        *_trace_lines(finding, material, kernel, architecture),
    ]
    return tuple(places[:_MOST_LINES])


def tables(material: Material, report: KernelReport | None, kernel: str, architecture: str) -> tuple[Table, ...]:
    """Return what code and traces say of the kernel."""
    analyses = _analyses(material, kernel, architecture)
    made = [
        *(_code_tables(report) if report else ()),
        *(t for a in analyses for t in _trace_tables(a)),
        *_sampled(material, kernel),
        *_host(material),
    ]
    return tuple(table for table in made if table.rows)


# --- code ------------------------------------------------------------------------------------------------------------


def _loop_lines(finding: Finding, report: KernelReport | None) -> Iterator[str]:
    facts = [name for name in finding.evidence if name.startswith(("static.", "isa."))]
    if report is None or not facts:
        return
    hot = report.hot
    wide, local = (any(word in name for name in facts for word in words) for words in (("global",), ("lds", "local")))
    groups = (*GLOBAL_WAITS * wide, *LOCAL_WAITS * local)
    yield from (f"{h.words}" for h in hot.hiding if h.group in groups)
    operations = (*_GLOBAL_OPS * wide, *_LOCAL_OPS * local)
    yield from (_wait(point) for point in hot.waits if any(b.mnemonic.startswith(operations) for b in point.blockers))
    if not groups:
        yield f"{report.origin}: {hot.place}, {hot.instructions} instructions"


def _wait(point: WaitPoint) -> str:
    blocked = ", ".join(
        f"{b.count} {b.mnemonic}" + (f" of line {', '.join(map(str, b.lines))}" if b.lines else "")
        for b in point.blockers[:3]
    )
    return f"{point.site}: {point.site.mnemonic} {point.counter} waits for {blocked}"


def _code_tables(report: KernelReport) -> Iterator[Table]:
    hot = report.hot
    unit = f"per {hot.unit}" if hot.unit else ""
    rows = [
        Row((c.what, str(c.count), units.percent(c.share), f"{c.per_unit:.2f}" if c.per_unit is not None else ""))
        for c in hot.counts[:MOST]
    ]
    yield Table(f"Hot loop of {report.kernel}: {hot.place}", ("instructions", "count", "share", unit), tuple(rows))
    yield Table(
        "Latency in the hot loop, one wave alone", ("", "what"), tuple(Row((h.verdict, h.words)) for h in hot.hiding)
    )
    room = report.room.occupancy
    if room:
        limits = tuple(Row((limit.resource, limit.detail, str(limit.waves))) for limit in room.limits)
        yield Table(f"{room.waves} of {room.max_waves} {room.convention}", ("resource", "use", "waves"), limits)


# --- traces ----------------------------------------------------------------------------------------------------------


def _analyses(material: Material, kernel: str, architecture: str) -> tuple[Analysis, ...]:
    analyses: list[Analysis] = []
    for profile in traces(material):
        assert profile.trace is not None
        listed = analyse(profile.trace, profile.architecture or architecture or None)
        own = [a for a in listed if not a.kernel or same(a.kernel, kernel)]
        analyses += own or listed[:1]
    return tuple(analyses)


def _trace_lines(finding: Finding, material: Material, kernel: str, architecture: str) -> Iterator[str]:
    """Yield the instructions that stall most, for findings that are about waiting."""
    if not any("wait" in name or "stall" in name or "cover" in name for name in finding.evidence):
        return
    for analysis in _analyses(material, kernel, architecture):
        yield from (
            f"{_at(s)}: {s.instruction.text}, {units.percent(s.share)} of all stalls" for s in analysis.stalled[:3]
        )


def _trace_tables(analysis: Analysis) -> Iterator[Table]:
    classes = tuple(
        Row((c.name, units.percent(c.share), units.percent(c.stall_rate) if c.stall_rate is not None else "–"))
        for c in (analysis.loop_classes or analysis.classes)[:MOST]
    )
    where = "hot loop" if analysis.loop_classes else "kernel"
    yield Table(
        f"Time in the {where} by class of instruction ({analysis.unit} of the trace)",
        ("class", "share", "stalled"),
        classes,
    )
    stalled = tuple(Row((_at(s), s.instruction.text, units.percent(s.share), _why(s))) for s in analysis.stalled[:MOST])
    yield Table("What stalls", ("where", "instruction", "of all stalls", "waits for"), stalled)


def _at(stalled: Stalled) -> str:
    return stalled.instruction.source or f"line {stalled.instruction.line}"


def _why(stalled: Stalled) -> str:
    first = "; ".join(f"{i.source or f'line {i.line}'} {i.text}" for i in stalled.waits_for[:2])
    return first or stalled.reason


def _sampled(material: Material, kernel: str) -> Iterator[Table]:
    samples = sampled(material, kernel).rows
    total, ranked = sum(s.samples for s in samples), samples[:MOST]
    rows = tuple(
        Row((s.source or "–", s.instruction, units.percent(s.samples / total), _stall(s))) for s in ranked if total
    )
    yield Table(
        "Where waves were (samples of the program counter)", ("source", "instruction", "samples", "mostly"), rows
    )


def _host(material: Material) -> Iterator[Table]:
    """Yield what the host did, and events that were counted for a whole process."""
    calls = sorted((c for p in material.profiles for c in p.calls), key=lambda c: -c.duration_ns.total)[:MOST]
    rows = tuple(Row((c.name, c.domain, str(c.duration_ns.count), units.duration(c.duration_ns.total))) for c in calls)
    title = f"Longest {_kind(calls).partition(',')[0]}"
    yield Table(title, ("call", "domain", "count", "time"), rows)
    counted = [r for p in material.profiles for r in p.readings if r.value is not None]
    events = tuple(Row((r.event, f"{units.significant(r.value or 0.0)} {r.unit}".strip())) for r in counted)
    yield Table("Events of the whole process", ("event", "value"), events)


def headline(material: Material, kernel: str, architecture: str) -> str:
    """Return what a trace says in one clause, empty without one."""
    for analysis in _analyses(material, kernel, architecture):
        if analysis.stalled:
            top = analysis.stalled[0]
            return f"in the trace {top.instruction.text.split()[0]} at {_at(top)} has {units.percent(top.share)} of all stalls"
    return ""


_REASONS: Final = {
    "gpu.global_wait_share": ("long_sb", "long_scoreboard"), "gpu.lds_wait_share": ("short_sb", "short_scoreboard", "mio", "mio_throttle"),
    "gpu.barrier_wait_share": ("barrier",), "gpu.fetch_wait_share": ("no_inst", "no_instructions"),
}  # fmt: skip
"""Reasons of Nsight Compute's samples by the fact that they add up to."""


def waits(finding: Finding, material: Material, kernel: str) -> tuple[str, ...]:
    """Return the instructions at which samples wait for what a finding is about, most samples first; empty without any."""
    reasons = [reason for fact in finding.evidence for reason in _REASONS.get(fact, ())]
    rows = sampled(material, kernel).rows
    counts = [(sum(row.stalls.get(reason, 0) for reason in reasons), row) for row in rows]
    total = sum(count for count, _ in counts)
    ranked = sorted((pair for pair in counts if pair[0]), key=lambda pair: -pair[0])[:_MOST_LINES]
    return tuple(f"{units.percent(count / total)} of these waits at {_spot(row)}" for count, row in ranked)


def _spot(row: SampledInstruction) -> str:
    return f"{row.instruction} ({row.source})" if row.source else row.instruction


def seen(material: Material) -> str:
    """Return what samples of the program counter say in one clause, or calls of the host where no kernel has a time; empty without either."""
    samples = sampled(material, "").rows
    total = sum(s.samples for s in samples)
    if total:
        top = samples[0]
        why = f", mostly {_stall(top)}" if _stall(top) else ""
        where = f" ({top.source})" if top.source else ""
        return f"of {total} samples {units.percent(top.samples / total)} stand at {top.instruction}{where}{why}"
    timed = any(kernel.duration_ns is not None for profile in material.profiles for kernel in profile.kernels)
    calls = [call for profile in material.profiles for call in profile.calls if not timed]
    spent = sum(_spent(profile) for profile in material.profiles if not timed)
    if spent:
        longest = max(calls, key=lambda call: call.duration_ns.total)
        share = units.percent(longest.duration_ns.total / spent)
        what = "copies" if all(_COPY.match(call.name) for call in calls) else _kind(calls)
        return f"of {units.duration(spent)} in {what} {longest.name} takes {share}"
    return ""


def _kind(calls: Sequence[Calls]) -> str:
    """Return what was timed: tables of times by name alone do not say whether a name is a kernel's."""
    untold = any(call.domain == UNTOLD for call in calls)
    if all(call.domain == ON_DEVICE for call in calls):
        return "operators' work on the device"
    return "functions, kernels or not as the table does not say," if untold else "calls of the host and the runtime"


def _spent(profile: Profile) -> float:
    """Return the time of all calls, those that a table leaves out included."""
    return max(profile.calls_ns or 0.0, sum(call.duration_ns.total for call in profile.calls))


_COPIED = "copy"
"""Domain of copies in databases of nsys."""
_COPY = re.compile(r"\[CUDA (?:Unified Memory )?memcpy|Memcpy \w|Copy(?:Host|Device)To|MEMORY_COPY_")
"""Copies that the device made, by the names of nvprof, nsys, PyTorch, rocprof and rocprofv3; calls that asked for them wait, too."""


def is_copy(call: Calls) -> bool:
    """Tell whether the device copied in these calls; those of the host that asked for it have other names."""
    return call.domain == _COPIED or _COPY.match(call.name) is not None


def copies(material: Material) -> str:
    """Return that copies take more of the device's time than kernels do, as a clause; empty where they do not."""
    rows = [call for profile in material.profiles for call in profile.calls if is_copy(call)]
    spent = sum(call.duration_ns.total for call in rows)
    tallies = [kernel.duration_ns for profile in material.profiles for kernel in profile.kernels]
    kernels = sum(tally.total for tally in tallies if tally)
    if not rows or kernels <= 0 or spent <= kernels:
        return ""
    longest = max(rows, key=lambda call: call.duration_ns.total)
    count, mean = longest.duration_ns.count, units.duration(longest.duration_ns.total / longest.duration_ns.count)
    return (
        f"copies take {units.percent(spent / (spent + kernels))} of the time of copies and kernels, "
        f"most of it {longest.name}, {count} times {mean}: a faster kernel changes little"
    )


def _stall(sample: SampledInstruction) -> str:
    if not sample.stalls:
        return ""
    name = max(sample.stalls, key=lambda reason: sample.stalls[reason])
    return name if sample.stalls[name] else ""
