"""Explaining a kernel from whatever evidence there is: counters, traces, code, in any mix; no GPU is needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hotloop import units
from hotloop.app.code.menu import meaning, place_of
from hotloop.app.explain import code as explain_code
from hotloop.app.explain import reading
from hotloop.app.explain.learned import Learned, learned
from hotloop.app.explain.missing import missing
from hotloop.diagnose.engine import Diagnosis, diagnose, rules
from hotloop.diagnose.rule import Rule
from hotloop.errors import HotloopError, UsageError
from hotloop.explain import material as stuff
from hotloop.explain import mix as explain_mix
from hotloop.explain.counts import Counted, counted
from hotloop.explain.doubt import HIGH, Confidence, confidence
from hotloop.explain.material import Choice, Material
from hotloop.explain.page import Advice, Cited, Explanation, Judgement, Moved, Shift, Subject, Table
from hotloop.explain.roof import Standing, standing
from hotloop.isa.gpumix import GPU_NAMES
from hotloop.isa.summary.model import KernelReport
from hotloop.model.evidence import Evidence, Fact
from hotloop.model.finding import Finding
from hotloop.profilers.formats.perf.ratios import facts
from hotloop.techniques.moves import answering, techniques
from hotloop.techniques.needs import Place
from hotloop.techniques.technique import Effect, Technique

_STATIC = frozenset({*GPU_NAMES, "static.calls", "static.global_load_cover", "static.local_drains_per_matrix"})
_OTHERS = "foreign-kernel"
MOST_ADVICE = 4
SAME = 0.02
"""Relative difference below which a fact has not moved: two passes of a profiler differ by more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to explain."""

    inputs: tuple[str, ...]
    kernel: str = ""
    target: str = ""
    chip: str = ""
    against: tuple[str, ...] = ()
    """Inputs about the same kernel after a change."""
    store: str | None = None
    """Store whose earlier trials correct predictions: a file or URL, empty for the user's own if there is one; None: none."""


@dataclass(frozen=True, slots=True)
class _Known:
    """Everything about one kernel, before it is worded."""

    material: Material
    choice: Choice
    counted: Counted
    report: KernelReport | None
    evidence: Evidence
    diagnosis: Diagnosis
    standing: Standing
    place: Place
    learned: Learned
    process: Evidence
    """Of whole processes on the CPU."""
    store: str
    """Store that the user named; empty: none."""


def explain(request: Request) -> Explanation:
    """Return the explanation that a request asks for.

    Raises:
        UsageError: an input cannot be read, or there is no such kernel.
        UnknownNameError: the target or the chip.
        MachineError: a tool that an input needs is not installed.
        StoreError: the store that is named cannot be read.
    """
    known = _known(request, request.inputs, request.kernel)
    page = _page(known)
    if not request.against:
        return page
    after = _known(request, request.against, "", known.choice.name)
    return replace(page, shift=_shift(known, after))


def _known(request: Request, inputs: Sequence[str], wish: str, before: str = "") -> _Known:
    material = reading.read(inputs, request.target)
    choice = _again(material, before) if before else stuff.choose(material, wish)
    found = counted(material, choice.name, request.target, request.chip)
    report = stuff.report_of(material, choice.name)
    evidence = found.evidence if report is None else report.evidence.merged(found.evidence)
    process = _process(material)
    evidence = evidence.merged(process)
    diagnosis = _about_the_kernel(diagnose(evidence, _fitting(found, report)))
    return _Known(
        material,
        choice,
        found,
        report,
        evidence,
        diagnosis,
        standing(material.profiles, found),
        _place(found, evidence),
        learned(request.store, found.counts.architecture),
        process,
        request.store or "",
    )


def _process(material: Material) -> Evidence:
    """Return what events of whole processes say."""
    gathered = Evidence()
    for profile in material.profiles:
        if profile.readings:
            gathered = gathered.merged(facts(profile.readings, f"{profile.tool}, {profile.source}"))
    return gathered


def _about_the_kernel(diagnosis: Diagnosis) -> Diagnosis:
    """Put the remark that other kernels take more time last: it is about the profile, and the kernel is chosen already."""
    own = sorted(diagnosis.findings, key=lambda finding: finding.rule == _OTHERS)
    return Diagnosis(tuple(own), diagnosis.skipped)


def _again(material: Material, before: str) -> Choice:
    """Return the kernel of the first inputs in those after the change, or their longest when a rewrite renamed it."""
    try:
        return stuff.choose(material, before)
    except UsageError:
        found = stuff.choose(material)
        return replace(found, why=f"no kernel is named like the first one; {found.why}")


def _fitting(found: Counted, report: KernelReport | None) -> tuple[Rule, ...]:
    """Return the rules for GPUs, or those for CPUs when there is nothing but a CPU's code."""
    gpu = [rule for rule in rules() if any(name in _STATIC or name.startswith(("gpu.", "isa.")) for name in rule.needs)]
    only_cpu = report is not None and not report.target and not found.counts.values
    return tuple([rule for rule in rules() if rule not in gpu] if only_cpu else gpu)


def _place(found: Counted, evidence: Evidence) -> Place:
    try:
        return place_of(found.counts.architecture, evidence)
    except HotloopError:
        return Place(found.counts.architecture, evidence)


# --- wording ---------------------------------------------------------------------------------------------------------


def _page(known: _Known) -> Explanation:
    findings = tuple(_judgement(known, finding) for finding in known.diagnosis.findings)
    lacking = missing(known.material, known.counted, known.evidence, known.diagnosis, known.choice.name, known.store)
    return Explanation(
        subject=Subject(
            kernel=known.choice.name,
            choice=known.choice.why,
            device=known.counted.device,
            target=known.counted.counts.architecture,
            inputs=known.material.inputs,
        ),
        verdict=_verdict(known),
        kernels=stuff.kernels(known.material),
        roofline=known.standing.roofs,
        roofline_words=known.standing.words,
        picture=known.standing.picture,
        findings=findings,
        missing=lacking.rows,
        collect=lacking.collect,
        commands=lacking.commands,
        calibration=_calibration(known, findings),
        tables=_tables(known),
        facts=tuple(_cited(fact) for fact in known.evidence.facts),
        notes=_notes(known),
    )


def _tables(known: _Known) -> tuple[Table, ...]:
    """Return what code and traces say, then what the counters say."""
    arch = known.counted.counts.architecture
    own = explain_code.tables(known.material, known.report, known.choice.name, arch)
    listed = known.counted.evidence.facts
    values = {fact.name: _value(fact) for fact in listed}
    meanings = {fact.name: meaning(fact.name) for fact in listed}
    counted = explain_mix.tables(known.counted.evidence, values, meanings)
    return (*own, *(table for table in counted if table.rows))


def _calibration(known: _Known, findings: Sequence[Judgement]) -> str:
    """Say which predictions earlier trials correct, where they correct any."""
    corrected = {a.technique for f in findings for a in f.advice if a.calibrated}
    if not corrected:
        return ""
    words = "one prediction is" if len(corrected) == 1 else f"{len(corrected)} predictions are"
    return f"{words} corrected by earlier trials on {known.learned.target}, from {known.learned.source}"


def _verdict(known: _Known) -> str:
    """Return the answer in one line."""
    if not known.diagnosis.findings and known.report is None and not known.counted.counts.values:
        seen = explain_code.seen(known.material) or _said(known.process)
        if seen:
            return f"There are no counters and no code of a kernel, so no rule applies: {seen}."
    if not known.diagnosis.findings:
        trace = explain_code.headline(known.material, known.choice.name, known.counted.counts.architecture)
        roof = known.standing.words if known.standing.roofs else ""
        seen = "; ".join(filter(None, (roof, explain_mix.summary(known.counted.evidence), trace)))
        return f"No rule found a bottleneck, and {len(known.diagnosis.skipped)} rules lack evidence{'; ' if seen else ''}{seen}."
    top = known.diagnosis.findings[0]
    sure = _sure(known, top)
    words = "" if sure.word == HIGH else f" ({sure.word} confidence)"
    message = f"{top.message[:1].upper()}{top.message[1:]}"
    return f"{_head(_rule(top).title)}, {100 * top.share:.0f} % of the time{words}: {message}."


def _said(process: Evidence) -> str:
    """Return what events of a whole process say, empty when there are none."""
    return ", ".join(f"{fact.name} {_value(fact)}" for fact in process.facts)


def _sure(known: _Known, finding: Finding) -> Confidence:
    return confidence(finding, _rule(finding), known.evidence, known.counted.counts.architecture)


def _head(title: str) -> str:
    return title.partition(":")[0]


def _rule(finding: Finding) -> Rule:
    return next(rule for rule in rules() if rule.name == finding.rule)


def _judgement(known: _Known, finding: Finding) -> Judgement:
    cited = (fact for name in finding.evidence if (fact := known.evidence.fact(name)))
    arch = known.counted.counts.architecture
    sure = _sure(known, finding)
    return Judgement(
        rule=finding.rule,
        title=_rule(finding).title,
        message=finding.message,
        share=finding.share,
        cited=tuple(_cited(fact) for fact in cited),
        lines=explain_code.lines(finding, known.material, known.report, known.choice.name, arch),
        misleads=finding.misleads,
        advice=_advice(known, finding),
        confidence=sure.word,
        doubts=sure.doubts,
    )


def _advice(known: _Known, finding: Finding) -> tuple[Advice, ...]:
    """Return the answers to a finding that are possible here first, then the impossible ones, each group best first.

    Best is the rule's own order, or the largest corrected expectation where earlier trials correct one of them.
    """
    menu = techniques()
    listed = [
        _advised(menu[name], finding.share, standing, known)
        for standing, name in enumerate(answering(finding))
        if name in menu
    ]
    if any(advice.calibrated for advice in listed):
        listed.sort(key=lambda one: -(one.calibrated.expected if one.calibrated else one.predicted.expected))
    return tuple(sorted(listed, key=lambda advice: bool(advice.unmet)))[:MOST_ADVICE]


def _advised(technique: Technique, share: float, standing: int, known: _Known) -> Advice:
    kind = "gpu" if known.counted.counts.architecture else "cpu"
    predicted = technique.predicted(share, standing)
    return Advice(
        technique=technique.name,
        title=technique.title,
        predicted=predicted,
        calibrated=known.learned.calibrated(technique.name, predicted),
        reported=tuple(_effect(effect) for effect in technique.effects if effect.device == kind),
        verify=tuple(_signal(str(signal), known.evidence.fact(signal.fact)) for signal in technique.signals),
        costs=technique.doc.sentence("What it costs"),
        unmet=technique.unmet(known.place),
    )


def _effect(effect: Effect) -> str:
    size = f"{effect.low:g}×" if effect.low == effect.high else f"{effect.low:g}–{effect.high:g}×"
    return f"{size}: {effect.source}"


def _signal(words: str, now: Fact | None) -> str:
    return f"{words} (now {_value(now)})" if now else words


def _cited(fact: Fact) -> Cited:
    return Cited(fact.name, _value(fact), fact.provenance.value, fact.source, meaning(fact.name))


def _value(fact: Fact) -> str:
    if fact.unit == "ns":
        return units.duration(fact.value)
    if fact.unit == "B":
        return units.size(fact.value)
    if fact.unit in ("B/s", "flop/s", "hz"):
        return units.rate(fact.value, {"flop/s": "FLOP/s", "hz": "Hz"}.get(fact.unit, fact.unit))
    number = units.significant(fact.value)
    return number if fact.unit == "1" else f"{number} {fact.unit}"


def _notes(known: _Known) -> tuple[str, ...]:
    notes = [note for profile in known.material.profiles for note in profile.notes]
    machines = dict.fromkeys(p.architecture for p in known.material.profiles if p.architecture)
    if len(machines) > 1:
        notes.append(
            f"the inputs are of several processors ({', '.join(machines)}): only those of the kernel's are used"
        )
    parts = [part for _, part in stuff.matching(known.material, known.choice.name)]
    notes += [
        f"the kernel's {part.dispatches} launches differ in {', '.join(part.varies)}: values are means"
        for part in parts
        if part.varies
    ]
    if known.report is not None:
        notes += [*known.report.notes, *known.report.hazards]
    return tuple(dict.fromkeys(notes))


# --- before and after ------------------------------------------------------------------------------------------------


def _shift(before: _Known, after: _Known) -> Shift:
    shares = [{f.rule: f.share for f in known.diagnosis.findings} for known in (before, after)]
    names = sorted({*shares[0], *shares[1]}, key=lambda name: -max(s.get(name, 0.0) for s in shares))
    return Shift(
        verdict=_shifted(before, after),
        kernel=after.choice.name,
        findings=tuple(_share_moved(name, shares[0].get(name), shares[1].get(name), after) for name in names),
        signals=tuple(_fact_moved(name, before.evidence, after.evidence) for name in _watched(before)),
        after=_verdict(after),
    )


def _shifted(before: _Known, after: _Known) -> str:
    old, new = (known.diagnosis.findings[:1] for known in (before, after))
    spent = [
        known.evidence.get("gpu.duration_ns") or known.counted.counts.launch.duration_ns for known in (before, after)
    ]
    time = ""
    if spent[0] and spent[1]:
        time = f"; profiled time {units.duration(spent[0])} → {units.duration(spent[1])}, which is no benchmark: hotloop compare decides"
    if not old and not new:
        return f"no bottleneck was found before or after{time}."
    if old and new and old[0].rule == new[0].rule:
        return f"the bottleneck stays {old[0].rule}: {100 * old[0].share:.0f} % → {100 * new[0].share:.0f} % of the time{time}."
    first = f"{old[0].rule} ({100 * old[0].share:.0f} %)" if old else "no finding"
    second = f"{new[0].rule} ({100 * new[0].share:.0f} %)" if new else "no finding"
    return f"the bottleneck shifted from {first} to {second}{time}."


def _share_moved(rule: str, before: float | None, after: float | None, later: _Known) -> Moved:
    skipped = {s.rule for s in later.diagnosis.skipped}
    now = "could not be judged" if after is None and rule in skipped else units.percent(after or 0.0)
    direction = "" if after is None and rule in skipped else _direction(before or 0.0, after or 0.0)
    title = next(_head(r.title) for r in rules() if r.name == rule)
    return Moved(rule, units.percent(before or 0.0), now, direction, title)


def _watched(before: _Known) -> Iterable[str]:
    menu = techniques()
    chosen = [name for f in before.diagnosis.findings[:3] for name in answering(f) if name in menu]
    cited = [name for f in before.diagnosis.findings[:3] for name in f.evidence]
    signals = [signal.fact for name in chosen for signal in menu[name].signals]
    return (name for name in dict.fromkeys(("gpu.duration_ns", *cited, *signals)) if name in before.evidence)


def _fact_moved(name: str, before: Evidence, after: Evidence) -> Moved:
    old, new = before.fact(name), after.fact(name)
    direction = _direction(old.value, new.value) if old and new else ""
    return Moved(
        name, _value(old) if old else "–", _value(new) if new else after.why_absent(name), direction, meaning(name)
    )


def _direction(before: float, after: float) -> str:
    if abs(after - before) <= SAME * max(abs(before), abs(after)):
        return "same"
    return "rises" if after > before else "falls"
