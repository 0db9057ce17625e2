"""Ladders compiled for a GPU that is not here, as sections of a page: decisions, resources, hot loops, limits, predictions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hotloop.isa.summary.model import Hiding
from hotloop.report.ladder import cells, clocked
from hotloop.report.ladder.view import Built, LadderView, RungView
from hotloop.report.section import Section
from hotloop.report.words import NONE
from hotloop.units import percent, size

_CLAIMS = ("rung", "figure", "reported", "here", "", "source")


def sections(view: LadderView) -> Iterator[Section]:
    """Return the parts of a page, the answer first."""
    built = [rung for rung in view.rungs if rung.built]
    compilers = sorted({rung.built.compiler for rung in built if rung.built})
    yield Section(
        cells.title(view.ladder, view.target),
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
        rows = tuple((m.item, m.name, m.reason, m.reported or NONE) for m in view.ladder.missing)
        yield Section("not expressible yet", (), head, rows)
    kept = sum(rung.limited and not rung.violations for rung in view.rungs)
    yield Section(
        "limits", cells.broken(view.rungs) or (f"{kept} of {len(view.rungs)} rungs have committed limits, all kept",)
    )
    if view.times:
        yield clocked.section(view.times)
    if view.forecast:
        yield _forecast(view)
    yield from cells.notes(view.ladder)


def _decision(view: RungView) -> tuple[str, ...]:
    number = f"{view.rung.item} " if view.rung.item else ""
    return f"{number}{view.rung.name}", view.rung.change, view.decision.value, view.reason


def _resources(rungs: Sequence[RungView]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    head = ("rung", "registers", "spilled", "LDS", "waves per SIMD", "work-groups", "limits, waves", "numerics")
    return head, tuple(_resource(rung.rung.name, rung.built, rung) for rung in rungs if rung.built)


def _resource(name: str, built: Built, view: RungView) -> tuple[str, ...]:
    registers = f"{built.vgprs}" + (f" + {built.agprs} acc" if built.agprs else "")
    limits = ", ".join(f"{resource} {waves}" for resource, waves in built.limits if waves < built.max_waves)
    checked = f"{view.numerics.cases} shapes" if view.numerics and view.numerics.passed else NONE
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
        rows = [h for h in built.hiding if h.group in groups]
        return ", ".join(map(_hidden, rows)) or NONE

    exposed = NONE if built.exposed is None else f"{built.exposed:.3g} cycles"
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
        built.estimate.text if built.estimate else NONE,
        each,
        _waits(built),
    )


_MAKE = "unpacking: conversions, and shifts and masks that move a half of a word to where a float has it; nops: waits of the hardware's own"


def _makeup(rungs: Sequence[RungView]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    names = tuple(dict.fromkeys(gate.name for rung in rungs if rung.built for gate in rung.built.gates))
    head = ("rung", "LDS reads, bits per lane", "unpacking", "nops", "multiply-adds of the kernel", *names)
    return head, tuple(_made(rung.rung.name, rung.built, names) for rung in rungs if rung.built)


def _made(name: str, built: Built, gates: Sequence[str]) -> tuple[str, ...]:
    reads = ", ".join(f"{count} x {bits}" for bits, count in built.local_reads) or NONE
    share = percent(built.conversions / built.instructions) if built.instructions else NONE
    by_name = {gate.name: gate for gate in built.gates}
    words = (f"{'' if by_name[g].passed else 'FAILED: '}{by_name[g].words}" if g in by_name else NONE for g in gates)
    return name, reads, f"{built.conversions}, {share}", str(built.idle), str(built.multiplies), *words


def _claims(view: LadderView) -> Iterator[tuple[str, ...]]:
    for rung in view.rungs:
        for claim in rung.claims:
            verdict = "confirmed" if claim.confirmed else "differs"
            here = NONE if claim.here is None else f"{claim.here}"
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
        by_access = {c.what: c for c in rung.built.conflicts} if rung.built else {}
        costs = (f"{by_access[n].cycles} of {by_access[n].ideal_cycles}" if n in by_access else NONE for n in names)
        rows.append((rung.rung.name, *costs))
    return ("cycles of one access of the first wave, and without conflicts",), ("rung", *names), tuple(rows)


def _reported(view: LadderView) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    rows = []
    for rung in view.rungs:
        reported = [r for r in rung.rung.reported if r.target in ("", view.target)]
        below = next((r for r in view.rungs if r.rung.name == rung.rung.after), None)
        text = cells.reported(reported)
        gain = _gain(rung.built, below.built if below else None) if rung.built or rung.failure else "left out"
        rows.append((rung.rung.name, text, gain))
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
