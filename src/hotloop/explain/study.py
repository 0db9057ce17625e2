"""One kernel, studied: all its material brought together and judged by the rules, before anything is worded."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.diagnose import kinds
from hotloop.diagnose.engine import Diagnosis, diagnose
from hotloop.diagnose.rule import Rule
from hotloop.errors import HotloopError
from hotloop.explain.counts import Counted
from hotloop.explain.learned import Learned
from hotloop.explain.material import Choice, Material, report_of
from hotloop.explain.roof import Standing, standing
from hotloop.explain.traced import traced
from hotloop.isa.summary.model import KernelReport
from hotloop.model.evidence import Evidence
from hotloop.profiles.ratios import facts
from hotloop.techniques.needs import Place, place_of

_OTHERS = "foreign-kernel"
"""The rule that says that other kernels take more time."""


@dataclass(frozen=True, slots=True)
class Study:
    """Everything that is known about one kernel."""

    material: Material
    choice: Choice
    counted: Counted
    report: KernelReport | None
    """Its machine code; None: no input has it."""
    evidence: Evidence
    """Of code, counters and the whole process together."""
    process: Evidence
    """Of the whole process on the CPU alone."""
    diagnosis: Diagnosis
    standing: Standing
    place: Place
    learned: Learned
    again: str = ""
    """Command that asks for this explanation again, for commands that continue it."""

    @property
    def architecture(self) -> str:
        """Processor, ``gfx942`` for example; empty: not known."""
        return self.counted.counts.architecture


def study(material: Material, choice: Choice, counted: Counted, learned: Learned, again: str = "") -> Study:
    """Return what the material says of the chosen kernel."""
    report = report_of(material, choice.name)
    process = _process(material)
    own = counted.evidence if report is None else report.evidence.merged(counted.evidence)
    evidence = own.merged(process).merged(traced(material, choice.name))
    return Study(
        material=material,
        choice=choice,
        counted=counted,
        report=report,
        evidence=evidence,
        process=process,
        diagnosis=_about_the_kernel(diagnose(evidence, _fitting(counted, report, process))),
        standing=standing(material.profiles, counted),
        place=_place(counted, evidence),
        learned=learned,
        again=again,
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


def _fitting(counted: Counted, report: KernelReport | None, process: Evidence) -> tuple[Rule, ...]:
    """Return the rules for GPUs, or those for CPUs when there is nothing but a CPU's code or events."""
    only_cpu = report is not None and report.dialect == "x86" and not counted.counts.values
    if only_cpu or (report is None and process.facts and not counted.counts.values):
        return kinds.of_cpus()
    return kinds.of_gpus()


def _place(counted: Counted, evidence: Evidence) -> Place:
    try:
        return place_of(counted.counts.architecture, evidence)
    except HotloopError:
        return Place(counted.counts.architecture, evidence)
