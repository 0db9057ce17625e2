"""Sentences that all media share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop import units
from hotloop.report.plain import line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.explain.page import Advice, Cited, Explanation, Judgement, KernelRow, Missing
    from hotloop.model.finding import Gain

NAME_WIDTH = 100
MOST_FACTS = 20


_TELLING = (
    *("duration_ns", "waves", "busy_share", "occupancy", "valu_utilization", "matrix_utilization", "issue_utilization"),
    *("hbm_utilization", "l2_utilization", "wait_share", "issue_wait_share", "lds_wait_ratio", "lds_active_share"),
    *("lds_conflict_share", "l1_hit_rate", "l2_hit_rate", "hbm_bytes", "flops", "valu_per_wave", "vmem_per_wave"),
    *(
        "lds_per_wave",
        "matrix_per_wave",
        "vmem_latency_cycles",
        "lines_per_vmem",
        "scratch_bytes",
        "vgprs",
        "local_bytes",
    ),
)
"""Counter facts that say most where no rule says anything."""


def telling(facts: Sequence[Cited]) -> list[Cited]:
    """Return the facts that say most, those of code as they come."""
    by_name = {fact.name: fact for fact in facts}
    counted = [by_name[name] for part in _TELLING if (name := f"gpu.{part}") in by_name]
    return [*counted, *(fact for fact in facts if fact.name.startswith(("static.", "isa.", "cpu.")))][:MOST_FACTS]


def title(page: Explanation) -> str:
    """Name the kernel, on one line of bounded length."""
    name = line(page.subject.kernel) or "no kernel is named"
    return name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH - 1]}…"


def gain(predicted: Gain) -> str:
    """Write an interval of speedups."""
    return f"{predicted.low:.2f}–{predicted.high:.2f}×"


def advice(advised: Advice) -> str:
    """Name a technique with its prediction, or why it is impossible."""
    if advised.unmet:
        return f"{advised.technique}: not possible: {line('; '.join(advised.unmet))}"
    expected = "" if advised.calibrated is None else f", {advised.calibrated.expected:.2f}× after earlier trials"
    return f"{advised.technique} {gain(advised.predicted)}{expected}"


def corrected(advised: Advice) -> str:
    """Say how earlier trials correct a prediction; empty without any."""
    calibrated = advised.calibrated
    if calibrated is None:
        return ""
    trials = f"{calibrated.trials} earlier trial{'s' if calibrated.trials != 1 else ''}"
    return f"corrected by {trials}: factor {calibrated.factor:.2f}, so {calibrated.expected:.2f}× is expected"


def confidence(judgement: Judgement) -> str:
    """Say how sure a finding is, with what speaks against it; empty where that was not judged."""
    if not judgement.confidence:
        return ""
    return f"confidence {judgement.confidence}" + (f": {line('; '.join(judgement.doubts))}" if judgement.doubts else "")


def sentence(text: str) -> str:
    """Return a clause as a sentence.

    >>> sentence("confidence low: MI300X")
    'Confidence low: MI300X.'
    """
    return f"{text[:1].upper()}{text[1:]}."


def next_step(page: Explanation) -> tuple[str, ...]:
    """Say what to try next, what it should bring, and how to see that it worked."""
    if page.next is None:
        nothing = "nothing: no finding has an answer that is possible here"
        return (nothing, f"count first: {line(page.commands[0])}") if page.commands else (nothing,)
    finding, step = page.next
    rows = [f"{step.title} [{step.technique}]", f"predicted {gain(step.predicted)}, as it answers {finding.rule}"]
    rows += [corrected(step)] if step.calibrated else []
    rows += [f"reported {line(text)}" for text in step.reported[:2]]
    rows += [f"worked when {line('; '.join(step.verify))}"] if step.verify else []
    return (*rows, f"costs: {line(step.costs)}")


def cited(fact: Cited) -> str:
    """State a fact with its origin."""
    return f"{fact.name} = {line(fact.value)} ({fact.provenance}: {line(fact.source)})"


def share(judgement: Judgement) -> str:
    """Write the share of time that a finding explains."""
    return f"{100 * judgement.share:.0f} %"


def missing(row: Missing) -> str:
    """Say what is missing, why, and what it would decide."""
    names = ", ".join(row.rules[:4]) + (f" and {len(row.rules) - 4} more" if len(row.rules) > 4 else "")
    return f"{line(row.what)}: {line(row.reason)}" + (f" (would judge {names})" if names else "")


def kernel(row: KernelRow) -> tuple[str, str, str, str]:
    """Return name, launches, time and share of a kernel as cells."""
    time = units.duration(row.total_ns) if row.total_ns is not None else "–"
    portion = units.percent(row.share) if row.share is not None else "–"
    return line(row.name), str(row.dispatches), time, portion
