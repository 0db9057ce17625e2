"""The view as GitHub-flavoured Markdown, for issues, pull requests and files beside results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop import units
from hotloop.report import plain, words
from hotloop.report.markdown import block, code, escape, table

if TYPE_CHECKING:
    from hotloop.report.view import View
    from hotloop.report.view.page import FailureRow, StepRow

LOG_LINES = 40


def render(view: View) -> str:
    """Return the whole report as one Markdown document."""
    parts = (
        _head(view),
        _steps(view),
        _roofline(view),
        _peers(view),
        _front(view),
        _predictions(view),
        _findings(view),
        _evidence(view),
        _failures(view),
        _search(view),
        _conditions(view),
        _command(view),
    )
    return "\n\n".join(part for part in parts if part) + "\n"


# --- parts -----------------------------------------------------------------------------------------------------------


def _head(view: View) -> str:
    head = view.headline
    lines = [f"# {escape(view.title)}", f"**{words.headline(head)}**"]
    points = [words.position(view)]
    points += [escape(words.against(peer)) for peer in view.peers]
    points.append(words.counts(head))
    if head.speedup:
        points.append(f"overall speedup: {words.BASES[head.speedup.basis]}")
    points.append(f"{escape(view.kind)} of {code(view.problem)}, {escape(view.state)}: {escape(view.stop_reason)}")
    points.append(f"{escape(view.started)} to {escape(view.finished) or 'now'}")
    return "\n\n".join([*lines, "\n".join(f"- {point}" for point in points if point)])


def _steps(view: View) -> str:
    if not view.steps:
        return ""
    heads = (
        "#",
        "Technique",
        "Change",
        "Why",
        "Time",
        "Roofline",
        "Predicted",
        "Measured",
        "Verdict",
        "Decision",
        "Reason",
    )
    return "## Steps\n\n" + table(heads, (_step(row) for row in view.steps))


def _step(row: StepRow) -> tuple[str, ...]:
    star = " ★" if row.winner else ""
    return (
        f"{row.index}{star}",
        escape(row.technique),
        code(row.change),
        escape(row.why),
        words.time(row.time_ns),
        words.roof(row.roof_fraction),
        words.gain(row.predicted),
        words.speedup(row.measured),
        row.verdict or words.NONE,
        row.decision,
        escape(row.reason),
    )


def _roofline(view: View) -> str:
    if view.roofline is None:
        return f"## Roofline\n\nNot shown: {escape(view.roofline_absent)}."
    points = sorted(view.roofline.points, key=lambda point: point.flops_per_s)
    rows = (
        (
            escape(p.label),
            p.role,
            words.rate(p.flops_per_s, "FLOP/s"),
            words.roof(p.flops_per_s / view.roofline.attainable),
        )
        for p in points
    )
    limits = escape(words.limits(view.roofline))
    return f"## Roofline\n\n{limits}\n\n" + table(("Point", "Role", "Rate", "Of the roof"), rows)


def _peers(view: View) -> str:
    if not view.peers:
        return ""
    unit = view.headline.rate_unit
    rows = (
        (
            escape(p.name),
            words.time(p.time_ns),
            words.rate(p.rate, unit),
            words.roof(p.roof_fraction),
            words.speedup(p.ratio),
            p.verdict or escape(p.failure) or words.NONE,
        )
        for p in view.peers
    )
    heads = ("Peer", "Time", "Rate", "Roofline", "Winner against it", "Verdict on the winner")
    return "## Peers\n\n" + table(heads, rows)


def _front(view: View) -> str:
    if not view.front:
        return ""
    rows = ((code(first), *rest) for first, *rest in map(words.frontier, view.front))
    return f"## Time and energy\n\n{words.FRONT_SAYS}\n\n" + table(words.FRONT, rows)


def _predictions(view: View) -> str:
    if view.calibration is None:
        return ""
    rows = (
        (
            str(p.index),
            escape(p.technique),
            words.gain(p.predicted),
            words.speedup(p.measured),
            "yes" if p.hit else "no",
        )
        for p in view.calibration.rows
    )
    heads = ("#", "Technique", "Predicted", "Measured", "Held")
    return f"## Predicted against measured\n\n{words.calibration(view.calibration)}\n\n" + table(heads, rows)


def _findings(view: View) -> str:
    if not view.findings:
        return ""
    lines = []
    for finding in view.findings:
        lines.append(
            f"- **{escape(finding.rule)}** ({units.percent(finding.share)} of the time): {escape(finding.message)}"
        )
        lines += [f"  - suggests: {', '.join(code(name) for name in finding.suggests)}"] if finding.suggests else []
        lines += [f"  - evidence: {', '.join(code(name) for name in finding.evidence)}"] if finding.evidence else []
        lines += [f"  - when it misleads: {escape(finding.misleads)}"] if finding.misleads else []
    return "## What still limits it\n\n" + "\n".join(lines)


def _evidence(view: View) -> str:
    parts = [part for row in view.steps if (part := _facts(row))]
    return "## Evidence\n\n" + "\n\n".join(parts) if parts else ""


def _facts(row: StepRow) -> str:
    if not (row.facts or row.absent):
        return ""
    rows = [(code(f.name), escape(words.fact(f)), str(f.provenance), escape(f.source)) for f in row.facts]
    rows += [(code(a.name), "absent", words.NONE, escape(a.reason)) for a in row.absent]
    return f"### Step {row.index}: {escape(row.technique)}\n\n" + table(("Fact", "Value", "Provenance", "Source"), rows)


def _failures(view: View) -> str:
    return "## Failures\n\n" + "\n\n".join(_failure(row) for row in view.failures) if view.failures else ""


def _failure(row: FailureRow) -> str:
    text = f"**{escape(row.where)}** — {escape(row.what)}"
    return f"{text}\n\n{block(plain.clip(row.detail, LOG_LINES))}" if row.detail else text


def _search(view: View) -> str:
    if view.search is None:
        return ""
    text = words.searched(view.search.evaluated, view.search.invalid)
    if not view.search.curve:
        return f"## Search\n\n{text}"
    rows = ((str(index), words.amount(best, view.headline.objective)) for index, best in view.search.curve)
    return f"## Search\n\n{text}\n\n" + table(("Evaluation", "Best so far"), rows)


def _conditions(view: View) -> str:
    rows = ((escape(name), escape(text)) for name, text in view.conditions)
    return "## Conditions\n\n" + table(("Condition", "Value"), rows) if view.conditions else ""


def _command(view: View) -> str:
    return "## Reproduce\n\n" + block("\n".join(view.command), "sh") if view.command else ""
