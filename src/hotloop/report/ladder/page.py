"""Ladders as terminal text, Markdown and JSON: the same sections in all three."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hotloop.isa.summary.model import Hiding
from hotloop.report import plain
from hotloop.report.ladder import card as ladder_card
from hotloop.report.ladder import form
from hotloop.report.ladder.cardview import CardView
from hotloop.report.ladder.view import Built, Climbed, ClimbView, Confirmation, LadderView, Outcome, RungView
from hotloop.report.section import Section
from hotloop.units import duration, percent, rate, size

if TYPE_CHECKING:
    from rich.console import Group

    from hotloop.model.ladder import Ladder
    from hotloop.model.verdict import Comparison

_NONE = "–"
_CLAIMS = ("rung", "figure", "reported", "here", "", "source")


View = LadderView | ClimbView | Confirmation | CardView


def sections(view: View) -> tuple[Section, ...]:
    """Return the parts of a page, the answer first."""
    if isinstance(view, CardView):
        return tuple(ladder_card.sections(view))
    if isinstance(view, LadderView):
        return tuple(_compiled(view))
    return tuple(_climbed(view) if isinstance(view, ClimbView) else _confirmed(view))


def render(view: View) -> Group:
    """Return the terminal form."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    parts: list[Text | Table] = []
    for place, section in enumerate(sections(view)):
        if section.title:
            parts.append(Text(section.title, style="bold" if not place else "bold cyan"))
        parts += [Text(plain.line(line)) for line in section.lines]
        if section.head:
            table = Table(box=None, pad_edge=False, header_style="dim")
            for name in section.head:
                table.add_column(name, overflow="fold")
            for row in section.rows:
                table.add_row(*(Text(plain.line(cell)) for cell in row))
            parts.append(table)
    return Group(*parts)


def markdown(view: View, command: str, picture: str = "") -> str:
    """Return the Markdown form; `command` is what wrote it, `picture` a file beside the page."""
    from hotloop.report.markdown import escape

    lines: list[str] = []
    for place, section in enumerate(sections(view)):
        if section.title:
            lines += [f"{'#' if not place else '##'} {escape(section.title)}", ""]
        if not place:
            lines += [f"Written by `{command}`.", ""]
        lines += [f"- {escape(line)}" for line in section.lines]
        lines += [""] if section.lines else []
        lines += [f"![times of the rungs]({picture})", ""] if picture and not place else []
        if section.head:
            lines += [*section.pipes(), ""]
    return "\n".join(lines).rstrip() + "\n"


def as_json(view: View) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    data = asdict(view)
    if not isinstance(view, Confirmation):
        data = form.of_card(data) if isinstance(view, CardView) else form.elsewhere(data)
    if isinstance(view, LadderView):
        data["sound"] = view.sound
        for row, rung in zip(data["rungs"], view.rungs, strict=True):
            if rung.built:
                shown = ("exposed", "matrix_share", "conflict_cycles", "resident_lanes")
                row["built"].update({name: getattr(rung.built, name) for name in shown})
    elif isinstance(view, CardView):
        data |= {"sound": view.sound, "best": view.best.rung.name if view.best else None}
    elif isinstance(view, ClimbView):
        data["best"] = view.best.rung.name if view.best else None
    else:
        data["held"] = view.held
    return {name: _plain(value) for name, value in data.items()}


def _plain(value: Any) -> Any:  # noqa: ANN401 - JSON is dynamically typed
    """Return records as what JSON knows."""
    if isinstance(value, Mapping):
        return {str(name): _plain(entry) for name, entry in value.items()}
    return [_plain(entry) for entry in value] if isinstance(value, list | tuple) else value


# -- compiled ---------------------------------------------------------------------------------------------------------


def _compiled(view: LadderView) -> Iterator[Section]:
    built = [rung for rung in view.rungs if rung.built]
    compilers = sorted({rung.built.compiler for rung in built if rung.built})
    yield Section(
        f"ladder {view.ladder.family} for {view.target}: {view.ladder.title}",
        ("compiled here, run nowhere: nothing below is a measurement", *(f"compiler: {name}" for name in compilers)),
    )
    yield Section("decisions", (), ("rung", "changes", "decision", "why"), tuple(_decision(r) for r in view.rungs))
    yield Section("resources", (), *_resources(built))
    yield Section("hot loop", _legend(built), *_loops(built))
    yield Section("what the hot loop is made of", (_MAKE,), *_makeup(built))
    if any(rung.built and rung.built.conflicts for rung in built):
        yield Section("bank conflicts of the source's accesses", *_conflicts(built))
    yield Section("reported elsewhere, compiled here", (), *_reported(view))
    if claims := tuple(_claims(view)):
        yield Section("reported figures of a compiler", (_agreed(view),), _CLAIMS, claims)
    if view.ladder.missing:
        head = ("item", "technique", "why it is not there", "reported elsewhere")
        rows = tuple((m.item, m.name, m.reason, m.reported or _NONE) for m in view.ladder.missing)
        yield Section("not expressible yet", (), head, rows)
    broken = tuple(f"{rung.rung.name}: {text}" for rung in view.rungs for text in rung.violations)
    kept = sum(rung.limited and not rung.violations for rung in view.rungs)
    yield Section("limits", broken or (f"{kept} of {len(view.rungs)} rungs have committed limits, all kept",))
    if view.forecast:
        yield _forecast(view)
    yield from _notes(view.ladder)


def _decision(view: RungView) -> tuple[str, ...]:
    number = f"{view.rung.item} " if view.rung.item else ""
    return f"{number}{view.rung.name}", view.rung.change, view.decision.value, view.reason


def _resources(rungs: Sequence[RungView]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    head = ("rung", "registers", "spilled", "LDS", "waves per SIMD", "work-groups", "limits, waves", "numerics")
    return head, tuple(_resource(rung.rung.name, rung.built, rung) for rung in rungs if rung.built)


def _resource(name: str, built: Built, view: RungView) -> tuple[str, ...]:
    registers = f"{built.vgprs}" + (f" + {built.agprs} acc" if built.agprs else "")
    limits = ", ".join(f"{resource} {waves}" for resource, waves in built.limits if waves < built.max_waves)
    checked = f"{view.numerics.cases} shapes" if view.numerics and view.numerics.passed else _NONE
    wrong = f"WRONG, {view.numerics.worst_ratio:.3g} x bound" if view.numerics and not view.numerics.passed else checked
    waves = f"{built.waves} of {built.max_waves}" + (
        f" (wave{built.wave})" if built.wave != 64 or built.unit != "CU" else ""
    )
    return (
        name,
        registers,
        str(built.spills) + (f", {size(built.scratch_bytes)} of scratch" if built.scratch_bytes else ""),
        size(built.lds_bytes),
        waves,
        f"{built.groups} per {built.unit}",
        limits,
        wrong,
    )


def _legend(rungs: Sequence[RungView]) -> tuple[str, ...]:
    work = next((r.built.work for r in rungs if r.built and r.built.work), "unit of work")
    return (
        f"hidden is the share of a latency that passes before the wait; exposed is what one wave stands still per {work}",
        *(
            (
                f"estimate: cycles of a SIMD per {work} with all resident waves, from full overlap between waves to stalls only",
            )
            if any(r.built and r.built.estimate for r in rungs)
            else ()
        ),
    )


def _loops(rungs: Sequence[RungView]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    head = ("rung", "global to LDS", "LDS to registers", "exposed", "estimate", "instructions", "waits per iteration")
    return head, tuple(_loop(rung.rung.name, rung.built) for rung in rungs if rung.built)


def _loop(name: str, built: Built) -> tuple[str, ...]:
    def hiding(*groups: str) -> str:
        found = [h for h in built.hiding if h.group in groups]
        return ", ".join(map(_hidden, found)) or _NONE

    exposed = _NONE if built.exposed is None else f"{built.exposed:.3g} cycles"
    each = (
        f"{built.instructions / built.works:.3g} per {built.work} of {built.works}"
        if built.works
        else str(built.instructions)
    )
    return (
        name,
        hiding("global loads", "copies to LDS"),
        hiding("LDS reads"),
        exposed,
        built.estimate.text if built.estimate else _NONE,
        each,
        _waits(built),
    )


_MAKE = "unpacking: conversions, and shifts and masks that move a half of a word to where a float has it; nops: waits of the hardware's own"


def _makeup(rungs: Sequence[RungView]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    names = tuple(dict.fromkeys(gate.name for rung in rungs if rung.built for gate in rung.built.gates))
    head = ("rung", "LDS reads, bits per lane", "unpacking", "nops", "multiply-adds of the kernel", *names)
    return head, tuple(_made(rung.rung.name, rung.built, names) for rung in rungs if rung.built)


def _made(name: str, built: Built, gates: Sequence[str]) -> tuple[str, ...]:
    reads = ", ".join(f"{count} x {bits}" for bits, count in built.local_reads) or _NONE
    share = percent(built.conversions / built.instructions) if built.instructions else _NONE
    known = {gate.name: gate for gate in built.gates}
    words = (f"{'' if known[g].passed else 'FAILED: '}{known[g].words}" if g in known else _NONE for g in gates)
    return name, reads, f"{built.conversions}, {share}", str(built.idle), str(built.multiplies), *words


def _claims(view: LadderView) -> Iterator[tuple[str, ...]]:
    for rung in view.rungs:
        for claim in rung.claims:
            verdict = "confirmed" if claim.confirmed else "differs"
            here = _NONE if claim.here is None else f"{claim.here}"
            yield rung.rung.name, claim.what, f"{claim.reported}", here, verdict, claim.source


def _agreed(view: LadderView) -> str:
    claims = [claim for rung in view.rungs for claim in rung.claims]
    return f"{sum(c.confirmed for c in claims)} of {len(claims)} are what this compiler gives, too"


def _hidden(hiding: Hiding) -> str:
    return f"{hiding.verdict}, {percent(hiding.covered)}"


def _waits(built: Built) -> str:
    """Return all waits of the vector memory counter, and how many drain local memory."""
    memory = [f"{name} x{n}" if n > 1 else name for name, n in built.waits if name.startswith(("vmcnt", "loadcnt"))]
    drains = sum(n for name, n in built.waits if name in ("lgkmcnt(0)", "dscnt(0)"))
    others = sum(n for name, n in built.waits if name.startswith(("lgkmcnt", "dscnt"))) - drains
    return ", ".join([*memory, f"lgkmcnt(0) x{drains}", f"other lgkmcnt x{others}"])


def _conflicts(
    rungs: Sequence[RungView],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, ...], ...]]:
    names = list(dict.fromkeys(c.what for r in rungs if r.built for c in r.built.conflicts))
    rows = []
    for rung in rungs:
        known = {c.what: c for c in rung.built.conflicts} if rung.built else {}
        cells = (f"{known[n].cycles} of {known[n].ideal_cycles}" if n in known else _NONE for n in names)
        rows.append((rung.rung.name, *cells))
    return ("cycles of one access of the first wave, and without conflicts",), ("rung", *names), tuple(rows)


def _reported(view: LadderView) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    rows = []
    for rung in view.rungs:
        told = [r for r in rung.rung.reported if r.target in ("", view.target)]
        below = next((r for r in view.rungs if r.rung.name == rung.rung.after), None)
        said = "; ".join(f"{r.text} ({r.source})" for r in told) or _NONE
        gain = _gain(rung.built, below.built if below else None) if rung.built or rung.failure else "left out"
        rows.append((rung.rung.name, said, gain))
    return ("rung", "reported elsewhere", "compiled here, over the rung below"), tuple(rows)


def _gain(built: Built | None, below: Built | None) -> str:
    if built is None:
        return "does not compile"
    facts = f"{built.total_vgprs} registers, {size(built.lds_bytes)}, {built.groups} groups"
    if below is None or built.estimate is None or below.estimate is None or built.work != below.work:
        return facts
    more = built.macs_per_work / below.macs_per_work
    ratios = sorted((more * below.estimate.low / built.estimate.low, more * below.estimate.high / built.estimate.high))
    return f"{facts}; estimate {ratios[0]:.2f} to {ratios[1]:.2f} times the speed"


def _forecast(view: LadderView) -> Section:
    assert view.forecast is not None
    made = view.forecast
    head = ("rung", "over", "speedup", "evidence")
    rows = tuple((s.rung, s.over, f"{s.low:.2f} to {s.high:.2f}", s.evidence) for s in made.steps)
    lines = (
        f"{made.winner} wins at {made.problem}; made {made.made} with {made.compiler}, before anybody ran it",
        f"to check on a {view.target}: hotloop ladder {view.ladder.family} --target {view.target} --confirm",
    )
    return Section("prediction", lines, head, rows)


def _notes(ladder: Ladder) -> Iterator[Section]:
    if ladder.notes:
        yield Section("notes", ladder.notes)


# -- run here ---------------------------------------------------------------------------------------------------------


def _climbed(view: ClimbView) -> Iterator[Section]:
    best = view.best
    answer = f"{best.rung.name} is the last rung that paid" if best else "no rung could be timed"
    if best and view.total:
        answer += f": {_speedup(view.total)} over {view.rungs[0].rung.name}"
    noise = () if view.noise is None else (f"noise floor {percent(view.noise)}",)
    lines = (answer, f"{view.problem} on {view.device} ({view.runtime})", *noise)
    yield Section(f"ladder {view.ladder.family}: {view.ladder.title}", lines)
    head = ("rung", "time", "rate", "verdict", "speedup", "over", "")
    yield Section("rungs", (), head, tuple(map(_climb, view.rungs)))
    yield Section("changes", tuple(f"{rung.rung.name}: {rung.rung.change}" for rung in view.rungs))
    yield from _notes(view.ladder)


def _climb(rung: Climbed) -> tuple[str, ...]:
    found = rung.comparison
    return (
        rung.rung.name,
        duration(rung.call_ns) if rung.call_ns is not None else _NONE,
        rate(rung.flops_per_s, "FLOP/s") if rung.flops_per_s is not None else _NONE,
        found.verdict.value if found else _NONE,
        _speedup(found) if found else _NONE,
        rung.over or _NONE,
        ("kept" if rung.kept else "left out") + (f": {rung.reason}" if rung.reason else ""),
    )


def _speedup(found: Comparison) -> str:
    return f"{found.speedup:.2f}x [{found.low:.2f}, {found.high:.2f}]"


# -- confirmed --------------------------------------------------------------------------------------------------------


def _confirmed(view: Confirmation) -> Iterator[Section]:
    held = sum(o.held for o in view.outcomes)
    made = view.forecast
    right = "as predicted" if view.winner == made.winner else f"predicted was {made.winner}"
    lines = (
        f"{held} of {len(view.outcomes)} predictions of {made.made} held; the fastest rung is {view.winner}, {right}",
        f"{made.problem} on {view.device}",
    )
    yield Section(f"predictions for {made.target} ({made.file})", lines)
    head = ("rung", "over", "predicted", "measured", "verdict", "", "why")
    yield Section("steps", (), head, tuple(map(_outcome, view.outcomes)))


def _outcome(found: Outcome) -> tuple[str, ...]:
    want, got = found.expected, found.comparison
    return (
        want.rung,
        want.over,
        f"{want.low:.2f} to {want.high:.2f}",
        _speedup(got) if got else _NONE,
        got.verdict.value if got else _NONE,
        "held" if found.held else "did not hold",
        found.reason,
    )
