"""The view as rich renderables: fits 80 columns and says everything in words, so it reads without colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Group
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from hotloop import units
from hotloop.report import plain, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from hotloop.model.finding import Finding
    from hotloop.report.view import View
    from hotloop.report.view.page import StepRow

BAR_CELLS = 20
LOG_LINES = 6
MOST_FINDINGS = 2
"""Findings of a summary; they are in the order of their share of the time."""
NEAR, MOST_REFUTED = 0.95, 3
"""Part of the winner's time below which a reverted step is explained in a summary, and how many are."""
FURTHER = "{} shows all of this run: steps with reasons, evidence, conditions; --html FILE makes it a page."
"""Last line of a summary, with the command that shows the run again."""
COLOURS = {
    "FASTER": "green",
    "SLOWER": "red",
    "SAME": "cyan",
    "UNCLEAR": "yellow",
    "LEANER": "green",
    "HUNGRIER": "red",
}


def render(view: View) -> Group:
    """Return the report; print it with any rich console."""
    parts = (
        _head(view),
        _trajectory(view),
        _steps(view),
        _peers(view),
        _front(view),
        _predictions(view),
        _evidence(view),
        _findings(view),
        _failures(view),
        _search(view),
        _conditions(view),
        _command(view),
    )
    return Group(*(part for part in parts if part is not None))


def summary(view: View, again: str = "hotloop report") -> Group:
    """Return the report's essence, as a run ends with it: result, trajectory, what was kept, and what limits the winner now.

    `again` is the command that shows the rest.
    """
    kept = tuple(row for row in view.steps if row.decision == "keep" or row.winner)
    parts = (
        _head(view),
        _trajectory(view),
        _table("Kept steps", kept) if kept else None,
        _table("Shorter, and not kept", refuted) if (refuted := _refuted(view)) else None,
        _peers(view),
        _front(view),
        _limiting(view.findings[:MOST_FINDINGS]),
        None if kept else _failures(view),
        Group(Text(), Text(plain.line(FURTHER.format(again)), style="dim")),
    )
    return Group(*(part for part in parts if part is not None))


def _refuted(view: View) -> tuple[StepRow, ...]:
    """Return the steps that took less time than the winner and were reverted all the same, the shortest first: whoever sees them asks why."""
    ends_ns = min((row.time_ns for row in view.steps if row.winner and row.time_ns), default=0.0)
    shorter = [row for row in view.steps if row.decision == "revert" and row.time_ns and row.time_ns < NEAR * ends_ns]
    return tuple(sorted(shorter, key=lambda row: row.time_ns or 0.0)[:MOST_REFUTED])


def _text(content: str, style: str = "") -> Text:
    """Return untrusted content as literal text: neither rich markup nor terminal escapes act."""
    return Text(plain.line(content), style=style)


def _section(title: str, *body: RenderableType) -> Group:
    return Group(Text(), Rule(Text(title, style="bold"), align="left", style="dim"), *body)


def _grid(*columns: dict[str, object], head: bool = True) -> Table:
    grid = Table(box=box.SIMPLE_HEAD if head else None, show_header=head, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        grid.add_column(**column)  # type: ignore[arg-type]
    return grid


# --- result ----------------------------------------------------------------------------------------------------------


def _head(view: View) -> Panel:
    head = view.headline
    lines = [Text(words.headline(head), style="bold")]
    lines += [Text(line) for line in (words.position(view),) if line]
    lines += [_text(words.against(peer)) for peer in view.peers]
    lines.append(Text(words.counts(head)))
    if head.speedup:
        lines.append(Text(f"Overall speedup: {words.BASES[head.speedup.basis]}.", style="dim"))
    lines.append(_text(f"{view.state}: {view.stop_reason}" if view.stop_reason else view.state, style="dim"))
    return Panel(Group(*lines), title=_text(view.title, "bold"), title_align="left", subtitle=_text(view.problem))


def _trajectory(view: View) -> Group | None:
    """Bars of speed: the full bar is the roofline, or the fastest step where no roofline is known."""
    times = [row.time_ns for row in view.steps if row.time_ns]
    if not times:
        return None
    best = view.floor_ns or min(times)
    limits = words.limits(view.roofline) if view.roofline else f"No roofline plot: {plain.line(view.roofline_absent)}."
    grid = _grid({"justify": "right"}, {"ratio": 1, "no_wrap": True}, {"justify": "right"}, {}, {}, head=False)
    grid.expand = True
    for row in view.steps:
        grid.add_row(*_bar(row, best))
    scale = "full bar = roofline" if view.floor_ns else "full bar = fastest step"
    return _section(f"Trajectory ({scale})", grid, Text(limits, style="dim"))


def _bar(row: StepRow, best_ns: float) -> tuple[Text, ...]:
    share = min(1.0, best_ns / row.time_ns) if row.time_ns else 0.0
    full = max(1, round(BAR_CELLS * share)) if row.time_ns else 0
    style = "green" if row.decision in {"keep", "baseline"} else "dim"
    mark = "█" if row.decision in {"keep", "baseline"} else "░"
    bar = Text(mark * full + "·" * (BAR_CELLS - full), style=style)
    note = "winner" if row.winner else row.decision
    return Text(str(row.index)), _text(row.technique), Text(words.time(row.time_ns)), bar, Text(note)


# --- steps -----------------------------------------------------------------------------------------------------------


def _steps(view: View) -> Group | None:
    return _table("Steps", view.steps) if view.steps else None


def _table(title: str, steps: Sequence[StepRow]) -> Group:
    grid = _grid(
        {"header": "#", "justify": "right"},
        {"header": "Move", "ratio": 1, "overflow": "fold"},
        {"header": "Speedup", "no_wrap": True},
        {"header": "Verdict", "no_wrap": True},
    )
    grid.expand = True
    for row in steps:
        grid.add_row(
            Text(str(row.index)),
            _move(row),
            _speedup(row),
            Group(
                Text(row.verdict or words.NONE, style=COLOURS.get(row.verdict, "")), Text(row.decision, style="bold")
            ),
        )
    return _section(title, grid)


def _move(row: StepRow) -> Group:
    lines = [Text.assemble((plain.line(row.technique), "bold"), ("  " if row.change else ""), plain.line(row.change))]
    lines += [_text(f"why: {row.why}", "dim")] if row.why else []
    lines += [_text(f"→ {row.reason}")] if row.reason else []
    return Group(*lines)


def _speedup(row: StepRow) -> Group:
    lines = [Text(words.speedup(row.measured))]
    lines += [Text(f"predicted {words.gain(row.predicted)}", style="dim")] if row.predicted else []
    if row.hit is not None:
        lines.append(Text("prediction held" if row.hit else "prediction missed", style="dim"))
    return Group(*lines)


def _peers(view: View) -> Group | None:
    if not view.peers:
        return None
    grid = _grid(
        {"header": "Peer", "ratio": 1, "overflow": "fold"},
        {"header": "Time", "justify": "right"},
        {"header": "Rate", "justify": "right"},
        {"header": "Winner against it", "no_wrap": True},
        {"header": "Verdict"},
    )
    grid.expand = True
    for peer in view.peers:
        name = _text(peer.name)
        if peer.failure:
            name = Text("\n").join([name, _text(peer.failure, "dim")])
        speed = words.rate(peer.rate, view.headline.rate_unit)
        cells = (words.time(peer.time_ns), speed, words.speedup(peer.ratio), peer.verdict or words.NONE)
        grid.add_row(name, *(Text(cell) for cell in cells))
    return _section("Peers", grid)


def _front(view: View) -> Group | None:
    if not view.front:
        return None
    first, *rest = words.FRONT
    wide: dict[str, object] = {"header": first, "ratio": 1, "overflow": "fold"}
    others: list[dict[str, object]] = [{"header": name, "justify": "right"} for name in rest]
    grid = _grid(wide, *others)
    grid.expand = True
    for row in view.front:
        grid.add_row(*map(_text, words.frontier(row)))
    return _section("Time and energy", grid, Text(words.FRONT_SAYS, style="dim"))


def _predictions(view: View) -> Group | None:
    if view.calibration is None:
        return None
    return _section("Predicted against measured", Text(words.calibration(view.calibration)))


def _evidence(view: View) -> Group | None:
    """Facts about the winner; those of every step are in the Markdown, HTML and JSON forms."""
    row = next((row for row in view.steps if row.winner), None)
    if row is None or not (row.facts or row.absent):
        return None
    grid = _grid({"overflow": "fold"}, {"justify": "right"}, {"style": "dim"}, {"ratio": 1, "style": "dim"}, head=False)
    grid.expand = True
    for fact in row.facts:
        grid.add_row(_text(fact.name), Text(words.fact(fact)), Text(fact.provenance), _text(fact.source))
    for absent in row.absent:
        grid.add_row(_text(absent.name), Text(words.NONE), Text("absent"), _text(absent.reason))
    return _section("Evidence about the winner", grid)


# --- what remains ----------------------------------------------------------------------------------------------------


def _findings(view: View) -> Group | None:
    return _limiting(view.findings)


def _limiting(findings: Sequence[Finding]) -> Group | None:
    if not findings:
        return None
    return _section("What still limits it", *(_finding(finding) for finding in findings))


def _finding(finding: Finding) -> Group:
    lines = [_text(finding.message)]
    lines += [_text(f"suggests: {', '.join(finding.suggests)}")] if finding.suggests else []
    lines += [_text(f"evidence: {', '.join(finding.evidence)}", "dim")] if finding.evidence else []
    lines += [_text(f"misleads when: {finding.misleads}", "dim")] if finding.misleads else []
    head = Text.assemble((plain.line(finding.rule), "bold"), f"  {units.percent(finding.share)} of the time")
    return Group(head, Padding(Group(*lines), (0, 0, 0, 2)))


def _failures(view: View) -> Group | None:
    if not view.failures:
        return None
    lines: list[RenderableType] = []
    for failure in view.failures:
        lines.append(Text.assemble((plain.line(failure.where), "bold"), f" — {plain.line(failure.what)}"))
        if failure.detail:
            lines.append(Padding(Text(plain.clip(failure.detail, LOG_LINES), style="dim"), (0, 0, 0, 2)))
    return _section("Failures", *lines)


def _search(view: View) -> Group | None:
    if view.search is None:
        return None
    text = words.searched(view.search.evaluated, view.search.invalid)
    curve = [f"{words.amount(best, view.headline.objective)} after {index}" for index, best in view.search.curve]
    return _section("Search", Text(text), *([Text(f"Best so far: {', '.join(curve)}.")] if curve else []))


def _conditions(view: View) -> Group | None:
    if not view.conditions:
        return None
    grid = _grid({"style": "dim"}, {"ratio": 1, "overflow": "fold"}, head=False)
    grid.expand = True
    for name, value in view.conditions:
        grid.add_row(_text(name), _text(value))
    return _section("Conditions", grid)


def _command(view: View) -> Group | None:
    if not view.command:
        return None
    lines = (Text(plain.visible(line), overflow="fold") for line in view.command)
    return _section("Reproduce", *lines)
