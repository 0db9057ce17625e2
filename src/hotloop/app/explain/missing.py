"""What evidence would make an explanation surer, and how to get it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hotloop.app.explain import commands as explain_commands
from hotloop.diagnose.engine import Diagnosis
from hotloop.errors import UsageError
from hotloop.explain.counts import Counted
from hotloop.explain.material import Material, traces
from hotloop.explain.page import Missing
from hotloop.metrics.catalogue import metrics
from hotloop.model.evidence import Evidence
from hotloop.profilers.planning import plan
from hotloop.targets.target import Target

MOST = 8
_COUNTER = re.compile(r"\b((?:SQ|SQC|TCP|TCC|TA|TD|GRBM|SPI|CPC|CPF)_[A-Z0-9_]+(?:_sum|_ACCUM)?|(?:GRBM)_[A-Z_]+)\b")
_CHAINED = re.compile(r"(\S+) is not known")
_NO_TIME = "no file tells how long a launch took: add a kernel trace or the tool's time stamps"
_TIMED = ("gpu.duration_ns", "gpu.kernel_share", "gpu.hbm_utilization", "gpu.hbm_bytes_per_s")
_TIMELESS = {"dispatch.duration_ns is not known": _NO_TIME, "dispatch.kernel_share is not known": _NO_TIME}


@dataclass(frozen=True, slots=True)
class Lacking:
    """Rows for the reader, and lines for a profiler's input file."""

    rows: tuple[Missing, ...]
    collect: tuple[str, ...]
    commands: tuple[str, ...]


def missing(
    material: Material, found: Counted, evidence: Evidence, diagnosis: Diagnosis, kernel: str, store: str = ""
) -> Lacking:
    """Return what rules lacked, what most of them wait for first, then whole kinds of input that are not there.

    `store` is the one that the user named, for the commands.
    """
    facts: dict[str, list[str]] = {}
    rules: dict[str, list[str]] = {}
    static: list[str] = []
    for skipped in diagnosis.skipped:
        if not all(
            absent.name.startswith(("isa.", "static.")) or _can_be_had(absent.name, found) for absent in skipped.missing
        ):
            continue  # a fact that this processor, or any profile, lacks
        for absent in skipped.missing:
            if absent.name.startswith(("isa.", "static.")):
                static.append(skipped.rule)
            elif (reason := _root(absent.name, evidence)) and reason != _NO_TIME:
                facts.setdefault(reason, []).append(absent.name)
                rules.setdefault(reason, []).append(skipped.rule)
    order = sorted(rules, key=lambda reason: (-len(set(rules[reason])), reason))
    rows = [Missing(", ".join(_once(facts[reason])), reason, _once(rules[reason])) for reason in order]
    if not found.counts.values:
        rows = []  # one line says that there are no counters at all
    timeless = found.counts.values and (found.guess is not None or not found.counts.launch.duration_ns)
    rows = [_time(found, diagnosis)] * bool(timeless) + rows[:MOST] + _inputs(material, found, static)
    fresh = _fresh(found, order)
    wanted = explain_commands.Wanted(found, material, kernel, fresh, time=bool(timeless), store=store)
    return Lacking(tuple(rows), _collect(found, fresh), explain_commands.commands(wanted))


def _time(found: Counted, diagnosis: Diagnosis) -> Missing:
    """Return the row about the time of a launch."""
    how = "not known" if found.guess is None else f"estimated ({found.guess.source})"
    rules = [skipped.rule for skipped in diagnosis.skipped if any(a.name in _TIMED for a in skipped.missing)]
    return Missing("time of a launch", f"{how}: {_NO_TIME}", _once(rules))


def _once(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _root(name: str, evidence: Evidence) -> str:
    """Return why a fact is absent, in terms of what a profiler collects; empty when it is meaningless rather than missing."""
    reason, seen = evidence.why_absent(name), {name}
    while (chained := _CHAINED.fullmatch(reason)) and chained[1] not in seen and chained[1].startswith("gpu."):
        seen.add(chained[1])
        reason = evidence.why_absent(chained[1])
    if reason.startswith("division by zero"):
        return ""
    return "no counters of a known processor" if reason == "not collected" else _TIMELESS.get(reason, reason)


def _can_be_had(name: str, found: Counted) -> bool:
    """Tell whether a fact exists for the processor at all."""
    if not name.startswith("gpu."):
        return name.startswith(("isa.", "static."))
    return (
        any(metric.name == name for metric in metrics(found.counts.architecture)) if found.counts.architecture else True
    )


def _inputs(material: Material, found: Counted, static: Sequence[str]) -> list[Missing]:
    rows = []
    if not found.counts.values and not any(profile.readings for profile in material.profiles):
        rows.append(Missing("counters", f"no profile has any: collect them with {_tool(found)}", ()))
    if not material.reports:
        rules = tuple(dict.fromkeys(static))
        rows.append(
            Missing("machine code", "give the listing, the code object or the source as a further input", rules)
        )
    if not traces(material) and Target.of(found.counts.architecture).amd:
        reason = "a thread trace (rocprofv3 --att) splits the waiting by instruction and source line"
        rows.append(Missing("thread trace", reason, ()))
    return rows


def _tool(found: Counted) -> str:
    nvidia, amd = "ncu --set full --csv --page raw", "rocprofv3 --pmc"
    if not found.counts.architecture:
        return f"{amd} on AMD, {nvidia} on NVIDIA, or hotloop profile"
    return nvidia if Target.of(found.counts.architecture).nvidia else amd


def _fresh(found: Counted, reasons: Sequence[str]) -> tuple[str, ...]:
    """Return the counters that the reasons name and no file has, in their order."""
    wanted = [name for reason in reasons for name in _COUNTER.findall(reason)]
    return tuple(name for name in dict.fromkeys(wanted) if name not in found.counts.values)


def _collect(found: Counted, fresh: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of rocprof input files that bring the counters, in the fewest passes."""
    architecture = found.counts.architecture
    if not fresh or not Target.of(architecture).amd:
        return ()
    try:
        passes = plan.plan(fresh, architecture)
    except UsageError:
        return ()
    return tuple(line.strip() for line in plan.rocprof_files(passes))
