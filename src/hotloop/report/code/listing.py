"""Reports about machine code: the same sections as terminal text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from hotloop.diagnose.engine import rules
from hotloop.diagnose.fitting import fitting
from hotloop.explain import words
from hotloop.isa.summary.facts import spilled
from hotloop.isa.summary.model import Blocker, Hiding, KernelReport, LoopReport, Pressure, Site, WaitPoint
from hotloop.report import plain
from hotloop.report.code import tempo
from hotloop.report.markdown import escape
from hotloop.report.section import Section
from hotloop.targets.target import Target
from hotloop.units import percent, significant, size

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

    from hotloop.isa.occupancy.cliffs import Cliff
    from hotloop.isa.occupancy.result import Occupancy
    from hotloop.isa.sourcemap import SourceLine
    from hotloop.model.finding import Finding

_WHOLE = 3
"""Kernels that are shown whole; of more only their heads."""
_WAITS = 8
_FILLS = 4
_SOURCES = 12
_GLOBAL, _LOCAL = ("global loads", "copies to LDS", "copies to shared memory"), ("LDS reads", "shared memory reads")
_ABOUT = {
    "exposed-loop-loads": _GLOBAL, "static-exposed-loads": _GLOBAL, "exposed-local-reads": _LOCAL, "static-exposed-local": _LOCAL,
}  # fmt: skip
"""Rules about latency, and the groups of operations whose pipelining says it better."""
_OPEN_SHARE = 0.05
"""A finding below this is no verdict about a kernel."""
_UNMODELLED = (
    "what limits it is not known, as nothing here models how long instructions of such code wait for each other"
)
"""Said of a CPU's code without a loop, and of loops whose iterations take several ways: a chain may be the limit, and stands in the code."""
_UNCHAINED = "what limits it is not known: no chain of dependent instructions in registers does; values kept in memory, caches and branches may"
"""Said of a CPU's loop whose iterations do not wait for one another longer than the core works on them."""
_AS_LONG = "what limits it is not known: a chain of dependent instructions ({chain} cycles an iteration) and the rest ({rest}) take about as long"
"""Said of a CPU's loop where either of the two may be the limit."""


def verdict(report: KernelReport) -> str:
    """Return the one sentence that a reader should take away."""
    where = f"{report.kernel or 'code without name'} on {report.target or report.dialect}"
    if report.outside:
        where += f", judged without {', '.join(report.outside)}, which the code calls and does not bring"
    room, best = report.room.occupancy, next(iter(report.findings), None)
    if report.hazards:
        places = f" (and {len(report.hazards) - 1} more)" if len(report.hazards) > 1 else ""
        return f"{where}: a wait seems to be missing: {report.hazards[0]}{places}"
    if report.unwritten:
        return f"{where}: miscompiled: {report.unwritten[0]}"
    if room is not None and not room.launches:
        return f"{where}: does not launch: {room.why_not}"
    if best is not None and best.share >= _OPEN_SHARE:
        return f"{where}: {_said(report, best)} (about {percent(best.share)} of the time, {best.rule})"
    if report.unnamed:
        return f"{where}: what limits it is not judged, as nothing names the processor; give --target, e.g. gfx942 or sm_90"
    if not report.instructions:
        return f"{where}: {_spilled(report)}; what limits it is not in a compiler's messages, give the code"
    full = report.loops[0].tempo.full if report.loops and report.loops[0].tempo else ""
    if full:
        return f"{where}: no finding above {percent(_OPEN_SHARE)}; {full}{_deciding(report) * (_looks_up(report) or _updates(report))}"
    waiting = next((h for h in sorted(report.hot.hiding, key=_stalling) if h.stall_cycles), None)
    if waiting and room:
        return f"{where}: no finding above {percent(_OPEN_SHARE)}; {waiting.words}, and {room.waves} resident {_resident(room)} cover most of it{_deciding(report)}"
    return f"{where}: no finding above {percent(_OPEN_SHARE)}; {_left_open(report)}{_deciding(report)}"


def _left_open(report: KernelReport) -> str:
    """Return what can be said where no rule found anything."""
    if any(loop.tempo for loop in report.loops):
        return "what limits it is not in the code"
    chain, rest = (report.evidence.get(f"static.{name}_cycles") for name in ("chain", "chain_rest"))
    if chain is None or rest is None:
        return _UNMODELLED
    return _AS_LONG.format(chain=significant(chain, 2), rest=significant(rest, 2)) if chain > rest else _UNCHAINED


def _looks_up(report: KernelReport) -> bool:
    return bool(report.evidence.get("isa.gathered_bytes"))


def _updates(report: KernelReport) -> bool:
    return bool(report.evidence.get("isa.atomic_bytes"))


def _deciding(report: KernelReport) -> str:
    """Return which evidence would decide, and the command that brings it."""
    looked_up = "whether caches hold the table of the lookups decides, which counters tell"
    if _updates(report):
        looked_up = "whether atomic updates meet in few places decides, which counters tell"
    kernel = f" --kernel {quote(report.kernel)}" if report.kernel else ""
    return f"; {looked_up if _looks_up(report) or _updates(report) else 'counters tell'}: hotloop profile{kernel} -- ./program"


def _spilled(report: KernelReport) -> str:
    """Return the one thing that resources alone may show to be wrong."""
    spills = spilled(report.resources) if report.resources else None
    number = "how many" if spills is None else spills or "no"
    return f"{number} vector registers are spilled{' is not known' if spills is None else ''}"


def _resident(room: Occupancy) -> str:
    return "warps per SM" if room.unit == "SM" else "waves per SIMD"


def _said(report: KernelReport, finding: Finding) -> str:
    """Return a finding's message, or what the pipelining says where that is what it is about."""
    groups = _ABOUT.get(finding.rule, ())
    stalling = [h for h in sorted(report.hot.hiding, key=_stalling) if h.group in groups and h.verdict != "hidden"]
    return stalling[0].words if stalling else finding.message


def sections(report: KernelReport, loop: int = 0) -> tuple[Section, ...]:
    """Return the parts of a report about one kernel; `loop` chooses the loop that is shown."""
    chosen = report.loops[loop]
    head = (*_resources(report), *_occupancy(report))
    if not report.instructions:
        return Section("", head), Section("notes", tuple(_notes(report, chosen)))
    made = [
        Section("", (*head, f"{_called(chosen)}: {_loop(chosen)}")),
        Section("findings", tuple(_findings(report))),
        Section("pipelining", tuple(_pipelining(chosen))),
        Section("waits", tuple(_waits(chosen))),
        *tempo.sections(chosen),
        _mix(chosen),
        Section("memory", tuple(_widths(chosen))),
        Section("registers", tuple(_registers(report, chosen))),
        _source(chosen.sources),
        Section("other loops", tuple(f"--loop {o.number}: {_loop(o)}" for o in report.loops if o is not chosen)),
        Section("notes", tuple(_notes(report, chosen))),
    ]
    return tuple(section for section in made if section.lines or section.rows)


def _shown(report: KernelReport, loop: int, every: Sequence[KernelReport]) -> tuple[Section, ...]:
    shown = sections(report, loop)
    if len(every) <= _WHOLE:
        return shown
    return (*shown[:1], Section("", (f"whole report: --kernel {report.kernel}",)))


def render(reports: Sequence[KernelReport], loop: int = 0) -> Group:
    """Return the terminal form; the first line is the verdict."""
    from rich.console import Group
    from rich.text import Text

    parts: list[Text | Table] = []
    for report in reports:
        parts.append(Text(plain.line(verdict(report)), style="bold"))
        for section in _shown(report, loop, reports):
            if section.title:
                parts.append(Text(section.title, style="bold cyan"))
            if section.head:
                parts.append(section.grid())
            parts += [Text(f"  {plain.line(line)}" if section.title else plain.line(line)) for line in section.lines]
        if report is not reports[-1]:
            parts.append(Text())
    return Group(*parts)


def markdown(reports: Sequence[KernelReport], loop: int = 0) -> str:
    """Return the Markdown form."""
    lines: list[str] = []
    for report in reports:
        lines += [f"## {escape(verdict(report))}", ""]
        for section in _shown(report, loop, reports):
            lines += [f"### {section.title}", ""] if section.title else []
            lines += section.pipes() if section.head else []
            lines += [f"- {escape(line)}" for line in section.lines]
            lines.append("")
    return "\n".join(lines)


# -- head -------------------------------------------------------------------------------------------------------------


def _resources(report: KernelReport) -> Iterator[str]:
    used = report.resources
    if used is None:
        yield f"resources: not known: {report.why_no_resources}"
        return
    spills = spilled(used)
    parts = [
        _number(
            used.vgprs if used.vgprs is not None else used.total_vgprs,
            Target.of(report.target).words.register,
        ),
        _number(used.agprs, "AGPR") if used.agprs else "",
        _number(used.sgprs, "SGPR"),
        _local(report),
        f"{used.vgpr_spills} vector registers spilled" if used.vgpr_spills else "no spills" if spills == 0 else "",
        f"{used.scratch_bytes} B of private memory per work-item" if used.scratch_bytes else "",
        f"code {size(report.code_bytes)}" if report.code_bytes else "",
    ]
    yield f"resources: {', '.join(part for part in parts if part)}"


def _number(value: int | None, unit: str) -> str:
    return "" if value is None else f"{value} {unit}"


def _local(report: KernelReport) -> str:
    used = report.resources
    if used is None or used.lds_bytes is None:
        return ""
    word = Target.of(report.target).words.local
    more = ", and what the launch adds" if used.dynamic_lds else ""
    return (
        f"{word} {size(used.lds_bytes)}{more}"
        if used.lds_bytes or not used.dynamic_lds
        else f"{word}: what the launch brings"
    )


def _occupancy(report: KernelReport) -> Iterator[str]:
    room, occupancy = report.room, report.room.occupancy
    if occupancy is None:
        yield f"occupancy: not known: {room.why_not}"
        return
    if not occupancy.launches:
        yield f"occupancy: does not launch: {occupancy.why_not}"
        return
    limit = f", limited by {' and '.join(occupancy.limiting)}" if occupancy.limiting else ", the machine is full"
    unit = _resident(occupancy)
    bound = f" at most ({room.bound_only})" if room.bound_only else ""
    groups = f"{occupancy.groups} work-group{'s' if occupancy.groups != 1 else ''} of {occupancy.group_waves} on each {occupancy.unit}"
    yield f"occupancy: {occupancy.waves} of {occupancy.max_waves} {unit}{bound}{limit}; {groups}"
    cliffs = [line for cliff in room.cliffs if (line := _cliff(cliff, nvidia=occupancy.unit == "SM"))]
    if cliffs:
        yield f"cliffs: {'; '.join(cliffs)}"


def _cliff(cliff: Cliff, *, nvidia: bool) -> str:
    if cliff.better is None:
        return ""
    room = f", {cliff.room} more cost nothing" if cliff.room else ""
    what = "B of local memory" if cliff.unit == "B" else "registers" if nvidia else cliff.resource.upper()
    return f"{cliff.fewer} {what} fewer give {cliff.better.figure}{room}"


def _called(loop: LoopReport) -> str:
    return "hot loop" if loop.number == 0 and loop.depth else "hot code" if loop.number == 0 else f"loop {loop.number}"


def _loop(loop: LoopReport) -> str:
    parts = [f"{loop.place}: {loop.instructions} instructions"]
    if loop.units:
        parts.append(f"{loop.units} {loop.unit}, {loop.instructions / loop.units:.3g} instructions for each")
    if loop.trips:
        parts.append(f"{loop.trips} iterations")
    if loop.cycles:
        parts.append(f"about {loop.cycles} cycles{' an iteration' if loop.depth else ''} for one wave alone")
    return ", ".join(parts)


# -- body -------------------------------------------------------------------------------------------------------------


def _findings(report: KernelReport) -> Iterator[str]:
    by_name = {rule.name: rule for rule in rules()}
    for number, finding in enumerate(report.findings, 1):
        yield f"{number}. {percent(finding.share)} {finding.rule}: {finding.message}"
        values = (f"{name} = {_value(report, name)}" for name in finding.evidence if name in report.evidence)
        yield f"   evidence: {', '.join(values)}"
        if finding.rule in by_name:
            yield f"   try: {fitting(by_name[finding.rule].doc.sentence('What to try'), report.target)}"
        if finding.misleads:
            yield f"   misleads when: {finding.misleads}"
    if not report.findings:
        yield "none: no rule has anything to say about this code"


def _value(report: KernelReport, name: str) -> str:
    fact = report.evidence.fact(name)
    return "unknown" if fact is None else words.value(fact)


def _pipelining(loop: LoopReport) -> Iterator[str]:
    if loop.why_no_hiding and not loop.hiding:
        yield f"not known: {loop.why_no_hiding}"
    yield from (f"{h.words} [{percent(h.covered)} of the latency covered]" for h in sorted(loop.hiding, key=_stalling))


def _stalling(hiding: Hiding) -> int:
    return -hiding.stall_cycles


def _waits(loop: LoopReport) -> Iterator[str]:
    busy = [wait for wait in loop.waits if wait.blockers]
    for wait in busy[:_WAITS]:
        yield f"{_place(wait.site)} {wait.counter} waits for {_blockers(wait)}"
    if len(busy) > _WAITS:
        yield f"... and {len(busy) - _WAITS} more"
    idle = len(loop.waits) - len(busy)
    if idle:
        yield f"{idle} wait{'s' if idle != 1 else ''} for nothing that can be in flight"


def _place(site: Site) -> str:
    return f"{site} {site.mnemonic}"


def _blockers(wait: WaitPoint) -> str:
    return ", ".join(map(_blocker, wait.blockers))


def _blocker(blocker: Blocker) -> str:
    number, word = (
        (blocker.matrices, "matrix instruction") if blocker.matrices else (blocker.instructions, "instruction")
    )
    between = f"{number} {word}{'s' if number != 1 else ''}"
    lines = (
        f" (line {', '.join(map(str, blocker.lines))}{', ...' if blocker.count > len(blocker.lines) else ''})"
        if blocker.lines
        else ""
    )
    return f"{blocker.count} × {blocker.mnemonic}{lines}, {between} earlier"


def _mix(loop: LoopReport) -> Section:
    per = f"per {loop.unit}" if loop.units else ""
    head = ("instructions", "count", "share", *([per] if per else []))
    rows = tuple(
        (c.what, str(c.count), percent(c.share), *([f"{c.per_unit:.3g}"] if c.per_unit is not None else []))
        for c in loop.counts
    )
    return Section("instruction mix of one iteration" if loop.depth else "instruction mix", (), head, rows)


def _widths(loop: LoopReport) -> Iterator[str]:
    by_kind: dict[str, list[str]] = {}
    for width in loop.widths:
        by_kind.setdefault(width.what, []).append(
            f"{width.count} × {f'{width.bits} bit' if width.bits else 'unknown width'}"
        )
    yield from (f"{kind}: {', '.join(parts)}" for kind, parts in by_kind.items())


def _registers(report: KernelReport, loop: LoopReport) -> Iterator[str]:
    yield from (f"kernel: {_pressure(peak)}" for peak in report.pressure)
    if loop.depth:
        yield from (f"loop: {_pressure(peak)}" for peak in loop.pressure)


def _pressure(peak: Pressure) -> str:
    fills = ", ".join(f"{fill.count} {fill.source}" for fill in peak.fills[:_FILLS])
    return f"{peak.live} {peak.file} live at {_place(peak.site)}{': ' if fills else ''}{fills}"


def _source(sources: Sequence[SourceLine]) -> Section:
    rows = tuple((f"{line.file}:{line.line}", str(line.instructions)) for line in sources[:_SOURCES])
    return Section("source lines of the loop", (), ("line", "instructions"), rows) if rows else Section("")


def _notes(report: KernelReport, loop: LoopReport) -> Iterator[str]:
    yield from report.notes
    yield from loop.notes
    if report.compiler:
        yield f"compiled by {report.compiler}"
    if report.room.occupancy:
        yield from report.room.occupancy.notes
    yield from (f"hazard: {hazard}" for hazard in (*report.hazards, *report.unwritten))
    if loop.unknown:
        yield f"unknown instructions: {', '.join(loop.unknown)}"
