"""The answer of an explanation in one line."""

from __future__ import annotations

from hotloop import units
from hotloop.explain import code, mix, waiting, words
from hotloop.explain.commands import deciding
from hotloop.explain.doubt import HIGH, Confidence, confidence, refuting
from hotloop.explain.missing import missing
from hotloop.explain.page import Missing
from hotloop.explain.roof import NEAR, reached
from hotloop.explain.study import Study
from hotloop.metrics.counters import canonical
from hotloop.model.finding import Finding
from hotloop.profiles.planning.needed import counters_of
from hotloop.profiles.ratios import IMPOSSIBLE

AT_ROOF = 0.85
"""Share of its roof from which a kernel needs no finding."""
SMALL = 0.2
"""Share of the time below which the largest finding is no limit of the kernel."""
_SOME = "No single limit takes the time; the largest finding is: "
_SLOTS = frozenset({"frontend-bound", "backend-bound", "bad-speculation"})
"""Rules about a core's issue slots, of which each is lost in one way."""
_KINDS = ("cpu.retiring_share", "cpu.speculation_share", "cpu.frontend_share", "cpu.backend_share")
"""Shares of a core's issue slots, which are the whole together."""
_NEARLY = 0.8
"""Part of the largest kind of lost slots from which another is told in the same sentence."""
_MOST_EVENTS = 4
_USEFUL = 2 / 3
"""Share of the issue slots that retire from which no kind of lost slots takes a third."""
_MOSTLY_WAITS = 1.0
"""Instructions that end in a clock, below which the cores mostly wait; they can end 4 to 6."""
_MANY_MISSES = 0.01
"""Accesses to memory per instruction from which on they are worth a look: at some 300 clocks each, three clocks an instruction."""
_MEMORY = "hbm-bound"
"""The rule whose evidence decides whether waiting is latency or the queue of a full memory."""
_TELLING = (
    "exposed-global-latency",
    "valu-bound",
    "matrix-bound",
    "hbm-bound",
    "issue-bound",
    "idle-units",
    "lds-bound",
)
"""Rules that split a kernel's time between waiting and work, the most telling first: their evidence decides."""


def verdict(study: Study) -> str:
    """Return the largest finding, or what can be said where no rule found anything."""
    if waiting.collective(study.choice.name):
        return f"{waiting.WORDS}."
    if study.diagnosis.findings:
        return _found(study, study.diagnosis.findings[0])
    if study.report is None and not study.counted.counts.values:
        seen = code.seen(study.material) or _said(study) or _events(study)
        if seen:
            what = "Counts of a whole process are known" if study.process.facts else "There are no counters"
            return f"{what} and no code of a kernel, so no rule applies: {seen}{_waiting(study)}{_slots(study) or _uncounted(study)}."
    trace = code.headline(study.material, study.choice.name, study.architecture)
    roof = study.standing.words if study.standing.roofs else ""
    tempo = study.report.loops[0].tempo if study.report and study.report.loops else None
    full = tempo.full if tempo else ""
    seen = "; ".join(
        filter(
            None,
            (_around(study), roof, full, _spilled(study), mix.summary(study.counted.evidence), trace, _deciding(study)),
        )
    )
    return f"No rule found a bottleneck, and {len(study.diagnosis.skipped)} rules lack evidence{'; ' if seen else ''}{seen}."


def _around(study: Study) -> str:
    """Return what takes more of the program's time than its kernels do, as a clause; empty where nothing is known to."""
    return code.copies(study.material) or waiting.idle(study.material)


def _spilled(study: Study) -> str:
    """Return that a compiler's messages tell of registers in memory, whose code nobody gave, as a clause; empty otherwise."""
    used = study.report.resources if study.report and not study.report.instructions else None
    if used is None or not used.vgpr_spills:
        return ""
    return f"the compiler keeps {used.vgpr_spills} vector registers in memory: the code tells whether the hot loop moves them"


def _waiting(study: Study) -> str:
    """Return that a process most likely waits for memory, as a clause; empty unless few instructions end and many miss the last cache."""
    known = {fact.name: fact.value for fact in study.process.facts}
    ended, missed = known.get("cpu.instructions_per_cycle"), known.get("cpu.cache_misses_per_instruction")
    if ended is None or missed is None or ended >= _MOSTLY_WAITS or missed < _MANY_MISSES:
        return ""
    return (
        f"; it most likely waits for memory, as {units.significant(1e3 * missed)} of 1,000 instructions go there and "
        f"only {units.significant(ended)} end in a clock"
    )


def _slots(study: Study) -> str:
    """Return what tells where a process's cores lose their time, as a clause; empty where nothing was counted by perf."""
    if not study.process.facts:
        return ""
    known = {fact.name for fact in study.process.facts}
    if known.issuperset(_KINDS):
        return "; no kind of lost issue slots takes a third: 'perf record ./program' tells the function, whose code tells more"
    if (study.process.get(_KINDS[0]) or 0.0) >= _USEFUL:
        return "; most issue slots do useful work: fewer instructions, or wider ones, are what helps, and 'perf record ./program' tells the function"
    why = study.process.why_absent(_KINDS[0])
    left_out = f"; the shares of issue slots were left out: {why}" if IMPOSSIBLE in why else ""
    return f"{left_out}; 'perf stat --topdown ./program' tells whether cores wait for data or for instructions"


def _uncounted(study: Study) -> str:
    """Return what would decide where only calls were timed, as a clause; empty where something was counted or sampled."""
    none = next((row for row in missing(study).rows if row.what == "counters"), None)
    return f"; counters of a kernel would decide what limits it: {none.reason}" if none else ""


def _deciding(study: Study) -> str:
    """Return which evidence would decide, and the command that brings it; empty for a kernel at its roof."""
    top = study.standing.roofs[0].fraction if study.standing.roofs else 0.0
    if top >= AT_ROOF:
        return ""
    left = f"where the other {100 * (1 - top):.0f} % go" if top else "what limits it"
    lacking = missing(study)
    if not study.counted.counts.values:
        none = next((row for row in lacking.rows if row.what == "counters"), None)
        return f"counters would decide {left}: {none.reason}" if none else ""
    judging = lacking.judging
    if not judging:
        return ""
    first = min(judging, key=_rank)
    wanted = (first, *(row for row in judging if row is not first and _MEMORY in row.rules))
    command = deciding(study.architecture, study.choice.name, tuple(name for row in wanted for name in row.counters))
    what, why = " and ".join(row.what.partition(", ")[0] for row in wanted), "; ".join(row.reason for row in wanted)
    return f"{what} would decide {left}: {why}{'; run ' if command else ''}{command}"


def _rank(row: Missing) -> int:
    """Return the place of the most telling rule that waits for a piece of evidence."""
    return min((_TELLING.index(rule) for rule in row.rules if rule in _TELLING), default=len(_TELLING))


def sure(study: Study, finding: Finding) -> Confidence:
    """Return how sure a finding is."""
    return confidence(finding, words.rule_of(finding), study.evidence, study.architecture, study.counted.apart)


def _found(study: Study, top: Finding) -> str:
    word, small = sure(study, top).word, top.share < SMALL and bool(study.counted.counts.values)
    doubt = "" if word == HIGH else f" ({word} confidence)"
    head = f"{_SOME if small else ''}{words.head(words.rule_of(top))}, {100 * top.share:.0f} % of the time{doubt}"
    clauses = (
        f"{top.message[:1].upper()}{top.message[1:]}",
        *code.waits(top, study.material, study.choice.name)[:1],
        _beside(study, top),
        _nearer(study, top),
        _around(study),
        _settling(study, top) or (_deciding(study) if small else ""),
    )
    return f"{head}: {'; '.join(filter(None, clauses))}."


def _beside(study: Study, top: Finding) -> str:
    """Return another kind of issue slots that is lost nearly as often, as a clause; empty where one kind stands alone."""
    other = next((f for f in study.diagnosis.findings if f.rule != top.rule and f.rule in _SLOTS), None)
    if top.rule not in _SLOTS or other is None or other.share < _NEARLY * top.share:
        return ""
    return f"nearly as much: {other.message}"


def _nearer(study: Study, top: Finding) -> str:
    """Return the limit that the kernel is near, where that is more of its time than the finding is; else empty."""
    used = reached(study.standing, study.evidence)
    return study.standing.words if used >= NEAR and used > top.share else ""


def _settling(study: Study, top: Finding) -> str:
    """Return what would tell whether another limit is behind a finding, with the command that gets it; empty where nothing of it is lacking."""
    groups = refuting(words.rule_of(top), study.architecture)
    unknown = (name for group in groups if not any(name in study.evidence for name in group) for name in group)
    lacking = tuple(dict.fromkeys(unknown))
    if not lacking:
        return ""
    have = canonical(study.counted.counts.values, study.architecture)
    parts = (counter for name in lacking for counter in counters_of(name, study.architecture))
    command = deciding(study.architecture, study.choice.name, tuple(dict.fromkeys(n for n in parts if n not in have)))
    return f"{', '.join(lacking)} would tell whether it is the symptom of another limit{'; run ' if command else ''}{command}"


def _said(study: Study) -> str:
    """Return what events of a whole process say, empty when there are none."""
    return ", ".join(f"{fact.name} {words.value(fact)}" for fact in study.process.facts)


def _events(study: Study) -> str:
    """Return which events of a whole process were counted where they tell nothing, and which were not; empty without any."""
    readings = [reading for profile in study.material.profiles for reading in profile.readings]
    counted = [r.event for r in readings if r.value is not None][:_MOST_EVENTS]
    missed = [r.event for r in readings if r.value is None][:_MOST_EVENTS]
    parts = [f"{', '.join(counted)} of a whole process say nothing of a bottleneck"] if counted else []
    parts += [f"{', '.join(missed)} were not counted"] if missed else []
    return "; ".join(parts) + ("; 'perf stat -e cycles,instructions ./program' counts what would" if parts else "")
