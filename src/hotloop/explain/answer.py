"""From a study to the explanation that a reader sees: every text and number, ranked and worded."""

from __future__ import annotations

from collections.abc import Sequence

from hotloop.explain import code, mix, words
from hotloop.explain.advice import advice
from hotloop.explain.material import kernels
from hotloop.explain.missing import missing
from hotloop.explain.page import Explanation, Judgement, Subject, Table
from hotloop.explain.sampled import sampled
from hotloop.explain.study import Study
from hotloop.explain.verdict import sure, verdict
from hotloop.metrics.catalogue import counted_on
from hotloop.metrics.vocabulary import meaning
from hotloop.model.finding import Finding


def explanation(study: Study) -> Explanation:
    """Return the explanation of one kernel."""
    findings = tuple(_judgement(study, finding) for finding in study.diagnosis.findings)
    lacking = missing(study)
    return Explanation(
        subject=_subject(study),
        verdict=verdict(study),
        kernels=kernels(study.material),
        roofline=study.standing.roofs,
        roofline_words=study.standing.words,
        picture=study.standing.picture,
        findings=findings,
        missing=lacking.rows,
        collect=lacking.collect,
        commands=lacking.commands,
        calibration=_calibration(study, findings),
        tables=_tables(study),
        facts=tuple(words.cited(fact) for fact in study.evidence.facts),
        notes=_notes(study),
    )


def _subject(study: Study) -> Subject:
    return Subject(
        kernel=study.choice.name,
        choice=study.choice.why,
        device=study.counted.device,
        target=study.architecture,
        inputs=study.material.inputs,
    )


def _tables(study: Study) -> tuple[Table, ...]:
    """Return what code and traces say, then what the counters say."""
    own = code.tables(study.material, study.report, study.choice.name, study.architecture)
    facts = study.counted.evidence.facts
    values = {fact.name: words.value(fact) for fact in facts}
    meanings = {fact.name: meaning(fact.name) for fact in facts}
    counted = mix.tables(study.counted.evidence, values, meanings)
    return (*own, *(table for table in counted if table.rows))


def _calibration(study: Study, findings: Sequence[Judgement]) -> str:
    """Say which predictions earlier trials correct, where they correct any."""
    corrected = {answer.technique for finding in findings for answer in finding.advice if answer.calibrated}
    if not corrected:
        return ""
    which = "one prediction is" if len(corrected) == 1 else f"{len(corrected)} predictions are"
    return f"{which} corrected by earlier trials on {study.learned.target}, from {study.learned.source}"


def _judgement(study: Study, finding: Finding) -> Judgement:
    cited = (fact for name in finding.evidence if (fact := study.evidence.fact(name)))
    certainty = sure(study, finding)
    return Judgement(
        rule=finding.rule,
        title=words.rule_of(finding).title,
        message=finding.message,
        share=finding.share,
        cited=tuple(words.cited(fact) for fact in cited),
        lines=code.lines(finding, study.material, study.report, study.choice.name, study.architecture),
        misleads=finding.misleads,
        advice=advice(study, finding),
        confidence=certainty.word,
        doubts=certainty.doubts,
    )


def _notes(study: Study) -> tuple[str, ...]:
    profiles = study.material.profiles
    notes = [note for profile in profiles for note in profile.notes]
    machines = dict.fromkeys(profile.architecture for profile in profiles if profile.architecture)
    if len(machines) > 1:
        notes.append(
            f"the inputs are of several processors ({', '.join(machines)}): only those of the kernel's are used"
        )
    notes += study.counted.notes
    notes += filter(None, [sampled(study.material, study.choice.name).doubt])
    if study.counted.counts.values and not counted_on(study.architecture):
        which = f" of {study.architecture}" if study.architecture else ", as its processor is not known"
        notes.append(
            f"{len(study.counted.counts.values)} counters are in the files; no formula here reads those{which}: times only are used"
        )
    if study.report is not None:
        notes += [*study.report.notes, *study.report.hazards, *study.report.unwritten]
    return tuple(dict.fromkeys(notes))
