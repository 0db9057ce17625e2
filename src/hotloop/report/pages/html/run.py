"""The view as one self-contained HTML page: no script, no network, readable on a phone, in light, dark and on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.model.energy import WORDS, Objective
from hotloop.report import plain, words
from hotloop.report.frame import Section, document, filled, links, tile
from hotloop.report.markup import Html, el, join
from hotloop.report.pages.html.sections import evidence, failures, findings, front, pairs, peers, predictions, steps
from hotloop.report.plots import curve, hierarchy, roofline, trajectory
from hotloop.report.plots.canvas import NARROW, WIDE, mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hotloop.report.view import View
    from hotloop.report.view.page import Headline, PeerRow


def render(view: View) -> str:
    """Return the whole page."""
    sections = filled(_sections(view))
    main = el("main", *(section.written for section in sections))
    return document(plain.line(view.title), _header(view, sections), main, _footer(view))


# --- top of the page -------------------------------------------------------------------------------------------------


def _header(view: View, sections: list[Section]) -> Html:
    tiles = tuple(_tiles(view))
    return el(
        "header",
        el("p", f"hotloop {plain.line(view.kind)} · ", el("code", plain.line(view.problem)), class_="kicker"),
        el("h1", plain.line(view.title)),
        el("p", words.headline(view.headline), class_="lead"),
        el("p", _stopped(view), class_="soft"),
        el("dl", *tiles, class_=f"tiles of-{_columns(len(tiles))}"),
        links(sections),
    )


def _stopped(view: View) -> str:
    reason = f": {plain.line(view.stop_reason)}" if view.stop_reason else ""
    return f"{plain.line(view.state).capitalize()}{reason} · {words.counts(view.headline)}"


def _tiles(view: View) -> Iterator[Html]:
    head = view.headline
    if head.speedup:
        value, _, interval = words.speedup(head.speedup).partition(" ")
        yield tile(_gain(head), value, interval, words.BASES[head.speedup.basis])
    if head.winner_ns is not None:
        before = f"from {words.time(head.baseline_ns)}" if head.speedup else "baseline"
        yield tile("time of one call", words.time(head.winner_ns), before, words.rate(head.rate, head.rate_unit))
    if head.winner_joules is not None:
        before = f"from {words.joules(head.baseline_joules)}" if head.speedup else "baseline"
        value, _, interval = words.joules(head.winner_joules).partition(" (")
        yield tile("energy of one call", value, f"({interval}", before)
    if head.roof_fraction is not None:
        floor = f"floor {words.time(view.floor_ns)}"
        yield tile("of the roofline", words.roof(head.roof_fraction), floor, _meter(head.roof_fraction))
    for peer in view.peers:
        if peer.ratio:
            value, _, interval = words.speedup(peer.ratio).partition(" ")
            yield tile(f"{_against(peer)} {plain.line(peer.name)}", value, f"{interval} {peer.verdict.lower()}".strip())


def _gain(head: Headline) -> str:
    """Return the name of the result's figure."""
    timed = head.objective is Objective.TIME
    return "speedup over the baseline" if timed else f"less {WORDS[head.objective].quantity} than the baseline"


def _against(peer: PeerRow) -> str:
    return "the speed of" if peer.objective is Objective.TIME else f"less {WORDS[peer.objective].quantity} than"


def _columns(tiles: int) -> int:
    """Return how many tiles stand side by side on a desktop, so that no row is nearly empty."""
    return tiles if tiles <= 5 else 3 if tiles % 3 == 0 else 4


def _meter(fraction: float) -> Html:
    """Return a bar for a share; an SVG, because the policy forbids a length in a style attribute."""
    bar = el("rect", x=0, y=0, width=100 * min(1.0, fraction), height=6)
    return el(
        "div", el("svg", bar, viewBox="0 0 100 6", preserveAspectRatio="none", aria_hidden="true"), class_="meter"
    )


def _footer(view: View) -> Html:
    until = f" to {plain.line(view.finished)}" if view.finished else ""
    return el("footer", f"Measured {plain.line(view.started)}{until} by hotloop. All values are of this run.")


# --- sections --------------------------------------------------------------------------------------------------------


def _sections(view: View) -> tuple[Section, ...]:
    return (
        Section("trajectory", "Trajectory", _trajectory(view)),
        Section("roofline", "Roofline", _roofline(view)),
        Section("steps", "Steps", steps(view)),
        Section("peers", "Peers", peers(view)),
        Section("energy", "Time and energy", front(view)),
        Section("predictions", "Predicted against measured", predictions(view)),
        Section("findings", "What still limits it", findings(view)),
        Section("evidence", "Evidence", evidence(view)),
        Section("failures", "Failures", failures(view)),
        Section("search", "Search", _search(view)),
        Section("conditions", "Conditions", pairs(view.conditions)),
        Section("reproduce", "Reproduce", _command(view)),
    )


def _trajectory(view: View) -> Html | None:
    wide, narrow = trajectory.draw(view, WIDE), trajectory.draw(view, NARROW)
    if wide is None or narrow is None:
        return None
    names = {"kept": "kept", "rejected": "reverted", "refused": "refused, never timed"}
    shown = {"kept"} | {"rejected" for s in view.steps if s.decision == "revert"}
    shown |= {"refused" for s in view.steps if s.decision == "refuse"}
    items = [_legend(role, name) for role, name in names.items() if role in shown]
    return el("figure", wide, narrow, el("ul", *items, class_="legend", aria_label="Legend"))


def _legend(role: str, name: str) -> Html:
    return el("li", el("svg", mark(8, 8, role, name), viewBox="0 0 16 16", aria_hidden="true"), name)


def _roofline(view: View) -> Html:
    levels = hierarchy.figure(view.levels) if view.levels else None
    if view.roofline is None:
        return join([el("p", f"Not shown: {plain.line(view.roofline_absent)}.", class_="soft"), levels])
    caption = el("figcaption", words.limits(view.roofline))
    drawn = el("figure", roofline.draw(view.roofline, WIDE), roofline.draw(view.roofline, NARROW), caption)
    return join([drawn, levels])


def _search(view: View) -> Html | None:
    if view.search is None:
        return None
    text = words.searched(view.search.evaluated, view.search.invalid)
    plots = [plot for width in (WIDE, NARROW) if (plot := curve.draw(view.search, width, view.headline.objective))]
    return join([el("p", text), el("figure", *plots) if plots else None])


def _command(view: View) -> Html | None:
    if not view.command:
        return None
    return el("pre", el("code", "\n".join(view.command)), tabindex=0, aria_label="Commands that repeat this run")
