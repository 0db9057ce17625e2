"""The sections of the HTML page that are tables and lists; each returns None when there is nothing to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop import units
from hotloop.report import plain, words
from hotloop.report.markup import Html, el, join

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hotloop.model.finding import Finding
    from hotloop.report.view import View
    from hotloop.report.view.page import FailureRow, PeerRow, Prediction, StepRow

LOG_LINES = 60
SIGNS = {"FASTER": "▲", "SLOWER": "▼", "SAME": "=", "UNCLEAR": "?", "LEANER": "▲", "HUNGRIER": "▼"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One table cell: content, alignment class, and whether a phone may leave it out because it says nothing."""

    content: str
    classes: str = ""
    empty: bool = False


def table(caption: str, heads: Sequence[str], rows: Iterable[Html], classes: str = "cards") -> Html:
    """Return a table that turns into a stack of cards on a phone; roles keep it a table for screen readers there."""
    head = el("tr", *(el("th", name, scope="col", role="columnheader") for name in heads), role="row")
    parts = (el("caption", caption), el("thead", head, role="rowgroup"), el("tbody", *rows, role="rowgroup"))
    return el("div", el("table", *parts, class_=classes, role="table"), class_="scroll")


def row(heads: Sequence[str], cells: Sequence[Cell], classes: str = "") -> Html:
    """Return one row; its first cell is its header, the others carry their column's name for the cards."""
    first, *others = cells
    header = el("th", first.content, scope="row", role="rowheader", class_=first.classes or None)
    rest = [_cell(name, cell) for name, cell in zip(heads[1:], others, strict=True)]
    return el("tr", header, *rest, class_=classes or None, role="row")


def _cell(name: str, cell: Cell) -> Html:
    classes = f"{cell.classes} empty".strip() if cell.empty else cell.classes
    return el("td", el("div", cell.content), data_label=name, role="cell", class_=classes or None)


def _value(text: str, classes: str = "fixed") -> Cell:
    return Cell(text, classes, empty=text in {"", words.NONE})


# --- steps -----------------------------------------------------------------------------------------------------------

STEPS = ("Step", "Why", "Predicted", "Measured", "Verdict", "Reason")


def steps(view: View) -> Html | None:
    """Return the table of steps."""
    if not view.steps:
        return None
    caption = "Each step changes one thing; measured is the speedup against the variant that stood before it."
    return table(caption, STEPS, map(_step, view.steps), "cards steps")


def _step(step: StepRow) -> Html:
    change = el("code", plain.line(step.change), class_="sub") if step.change else None
    cells = (
        Cell(join([f"{step.index} {plain.line(step.technique)}", " ★" if step.winner else None, change])),
        _value(plain.line(step.why), ""),
        _predicted(step),
        _measured(step),
        _verdict(step),
        _value(plain.line(step.reason), ""),
    )
    return row(STEPS, cells, f"{step.decision} winner" if step.winner else step.decision)


def _predicted(step: StepRow) -> Cell:
    held = {True: "held", False: "missed", None: None}[step.hit]
    below = el("span", held, class_="sub") if held else None
    return Cell(join([words.gain(step.predicted), below]), "fixed", empty=step.predicted is None)


def _measured(step: StepRow) -> Cell:
    if step.measured is None:
        return Cell(words.time(step.time_ns), "fixed", empty=step.time_ns is None)
    value, _, interval = words.speedup(step.measured).partition(" ")
    below = [el("span", text, class_="sub") for text in (interval, words.time(step.time_ns)) if text]
    return Cell(join([value, *below]), "fixed")


def _verdict(step: StepRow) -> Cell:
    return Cell(
        join([verdict(step.verdict), el("span", step.decision, class_="sub" if step.verdict else None)]), "fixed"
    )


def verdict(name: str) -> Html | None:
    """Return a verdict with a sign, so that it does not depend on colour."""
    return (
        el("span", el("span", SIGNS[name], aria_hidden="true"), f" {name}", class_=f"verdict {name}")
        if name in SIGNS
        else None
    )


# --- peers and predictions -------------------------------------------------------------------------------------------


def front(view: View) -> Html | None:
    """Return the variants that nobody beats in time and energy both."""
    if not view.front:
        return None
    rows = [row(words.FRONT, [Cell(first), *map(_value, rest)]) for first, *rest in map(words.frontier, view.front)]
    return table(words.FRONT_SAYS, words.FRONT, rows)


PEERS = ("Peer", "Time", "Rate", "Of the roofline", "Winner against it", "Verdict on the winner")
PREDICTIONS = ("Step", "Predicted", "Measured", "Held")


def peers(view: View) -> Html | None:
    """Return the table of peers."""
    if not view.peers:
        return None
    unit = view.headline.rate_unit
    rows = [_peer(peer, unit) for peer in view.peers]
    return table("What would otherwise be called, timed in the same run; above 1 the winner is better.", PEERS, rows)


def _peer(peer: PeerRow, unit: str) -> Html:
    cells = (
        Cell(plain.line(peer.name)),
        _value(words.time(peer.time_ns)),
        _value(words.rate(peer.rate, unit)),
        _value(words.roof(peer.roof_fraction)),
        _value(words.speedup(peer.ratio)),
        Cell(verdict(peer.verdict) or plain.line(peer.failure) or words.NONE),
    )
    return row(PEERS, cells)


def predictions(view: View) -> Html | None:
    """Return predicted beside measured gains, with the score."""
    if view.calibration is None:
        return None
    rows = map(_prediction, view.calibration.rows)
    return table(words.calibration(view.calibration), PREDICTIONS, rows)


def _prediction(prediction: Prediction) -> Html:
    cells = (
        Cell(f"{prediction.index} {plain.line(prediction.technique)}"),
        _value(words.gain(prediction.predicted)),
        _value(words.speedup(prediction.measured)),
        Cell("✓ yes" if prediction.hit else "✗ no"),
    )
    return row(PREDICTIONS, cells)


# --- findings, evidence, failures ------------------------------------------------------------------------------------


def findings(view: View) -> Html | None:
    """Return what still limits the winner, largest share first."""
    return join(map(_finding, view.findings)) if view.findings else None


def _finding(finding: Finding) -> Html:
    share = el("span", f" {units.percent(finding.share)} of the time", class_="soft")
    return el(
        "div",
        el("h3", plain.line(finding.rule), share),
        el("p", plain.line(finding.message)),
        _tags("Suggests", finding.suggests),
        _tags("Evidence", finding.evidence),
        el("p", f"When it misleads: {plain.line(finding.misleads)}", class_="soft small") if finding.misleads else None,
        class_="finding",
    )


def _tags(name: str, values: Sequence[str]) -> Html | None:
    if not values:
        return None
    items = [el("li", el("code", plain.line(value))) for value in values]
    return el("ul", el("li", name, class_="soft"), *items, class_="tags")


FACTS = ("Fact", "Value", "Provenance", "Source")


def evidence(view: View) -> Html | None:
    """Return, per step, configuration, check and every fact, folded up."""
    blocks = [_evidence(step) for step in view.steps]
    return join(blocks) if blocks else None


def _evidence(step: StepRow) -> Html:
    missing = f", {len(step.absent)} absent" if step.absent else ""
    count = el("span", f"{len(step.facts) or 'no'} facts{missing}", class_="soft")
    title = el("summary", f"{step.index} {plain.line(step.technique)}", count)
    return el("details", title, el("div", pairs(_about(step)), _facts(step), class_="inside"))


def _about(step: StepRow) -> tuple[tuple[str, str], ...]:
    rows = (
        ("implementation", step.implementation),
        ("configuration", " ".join(f"{name}={value}" for name, value in step.config)),
        ("check", step.check),
        ("rule", step.rule),
        ("comparison", words.trust(step)),
        ("step took", f"{step.elapsed_s:.1f} s" if step.elapsed_s else ""),
    )
    return tuple((name, text) for name, text in rows if text)


def _facts(step: StepRow) -> Html | None:
    if not (step.facts or step.absent):
        return None
    rows = [
        row(
            FACTS,
            (
                Cell(el("code", plain.line(f.name))),
                _value(words.fact(f)),
                Cell(f.provenance),
                _value(plain.line(f.source), ""),
            ),
        )
        for f in step.facts
    ]
    rows += [
        row(
            FACTS,
            (Cell(el("code", plain.line(a.name))), Cell("absent"), _value(words.NONE), Cell(plain.line(a.reason))),
        )
        for a in step.absent
    ]
    return table(f"Facts known about step {step.index}.", FACTS, rows, "cards facts")


def failures(view: View) -> Html | None:
    """Return what could not be measured, with compiler messages."""
    return join(map(_failure, view.failures)) if view.failures else None


def _failure(failure: FailureRow) -> Html:
    log = (
        el("pre", el("code", plain.clip(failure.detail, LOG_LINES)), tabindex=0, aria_label="Details")
        if failure.detail
        else None
    )
    head = el("strong", plain.line(failure.where))
    return el("div", head, el("div", plain.line(failure.what)), log, class_="failure")


def pairs(rows: Sequence[tuple[str, str]]) -> Html | None:
    """Return a list of names with values."""
    cells = [join([el("dt", plain.line(name)), el("dd", plain.line(text))]) for name, text in rows]
    return el("dl", *cells, class_="pairs") if cells else None
