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
from hotloop.explain.waiting import collective
from hotloop.isa.dialect import of_cpus
from hotloop.isa.summary.model import KernelReport
from hotloop.model.evidence import Evidence
from hotloop.profiles.ratios import facts
from hotloop.techniques.needs import Place, place_of

_OTHERS = "foreign-kernel"
"""The rule that says that other kernels take more time."""
_OF_TIME = frozenset({"gpu.hbm_utilization"})
"""Shares of a peak that a time gives."""
_LONG_NS = 1e5
"""Least time from which it is near the true one: recorded launches of 20 µs took two to six times as long, of 0.6 ms a tenth longer."""
_CERTAIN = 0.9
"""Share of a peak, at the peak clock, that is still most of it at the clocks that launches have."""


@dataclass(frozen=True, slots=True)
class Study:
    """Everything that is known about one kernel."""

    material: Material
    choice: Choice
    counted: Counted
    report: KernelReport | None
    """Analysis of the kernel's machine code; None: no input has any."""
    evidence: Evidence
    """Evidence from code, counters and the whole process together."""
    process: Evidence
    """Evidence about the whole process, on a CPU alone."""
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

    @property
    def on_cpu(self) -> bool:
        """True when there is nothing but a CPU's code or events, so that no counter of a GPU can show what a change did."""
        return _on_cpu(self.counted, self.report, self.process)


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
        diagnosis=_about_the_kernel(
            _founded(diagnose(evidence, _fitting(counted, report, process)), counted), choice.name
        ),
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


def _founded(diagnosis: Diagnosis, counted: Counted) -> Diagnosis:
    """Leave out limits that only a least time shows to be reached: what is used of them is at most so much, and may be little."""
    if counted.guess is None or (counted.guess.duration_ns >= _LONG_NS and not _doubtful(counted.evidence)):
        return diagnosis
    kept = (finding for finding in diagnosis.findings if not set(finding.evidence[:1]) & _OF_TIME)
    return Diagnosis(tuple(kept), diagnosis.skipped)


def _doubtful(evidence: Evidence) -> bool:
    """Tell whether a limit might not be reached at a usual clock."""
    return max((evidence.get(name) or 0.0 for name in _OF_TIME), default=0.0) < _CERTAIN


def _about_the_kernel(diagnosis: Diagnosis, name: str) -> Diagnosis:
    """Put the remark that other kernels take more time last: it is about the profile, and the kernel is chosen already.

    Of a collective nothing else is kept: no rule is about work that other processes do.
    """
    others = collective(name)
    kept = (finding for finding in diagnosis.findings if not others or finding.rule == _OTHERS)
    return Diagnosis(tuple(sorted(kept, key=lambda finding: finding.rule == _OTHERS)), diagnosis.skipped)


def _fitting(counted: Counted, report: KernelReport | None, process: Evidence) -> tuple[Rule, ...]:
    """Return the rules for GPUs, or those for CPUs when there is nothing but a CPU's code or events."""
    return kinds.of_cpus() if _on_cpu(counted, report, process) else kinds.of_gpus()


def _on_cpu(counted: Counted, report: KernelReport | None, process: Evidence) -> bool:
    """Tell whether there is nothing but a CPU's code or events."""
    if counted.counts.values:
        return False
    return bool(process.facts) if report is None else report.dialect in of_cpus()


def _place(counted: Counted, evidence: Evidence) -> Place:
    try:
        return place_of(counted.counts.architecture, evidence)
    except HotloopError:
        return Place(counted.counts.architecture, evidence)
