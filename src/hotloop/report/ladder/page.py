"""Ladders as terminal text, Markdown and JSON: the same sections in all three."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hotloop.report import plain
from hotloop.report.ladder import card, compiled, confirmed, form, here
from hotloop.report.ladder.cardview import CardView
from hotloop.report.ladder.view import ClimbView, Confirmation, LadderView
from hotloop.report.section import Section

if TYPE_CHECKING:
    from rich.console import Group

View = LadderView | ClimbView | Confirmation | CardView


def sections(view: View) -> tuple[Section, ...]:
    """Return the parts of a page, the answer first."""
    if isinstance(view, CardView):
        return tuple(card.sections(view))
    if isinstance(view, LadderView):
        return tuple(compiled.sections(view))
    return tuple(here.sections(view) if isinstance(view, ClimbView) else confirmed.sections(view))


def render(view: View) -> Group:
    """Return the terminal form."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    parts: list[Text | Table] = []
    for place, section in enumerate(sections(view)):
        if section.title:
            parts.append(Text(section.title, style="bold" if not place else "bold cyan"))
        parts += [Text(plain.line(line)) for line in section.lines]
        if section.head:
            table = Table(box=None, pad_edge=False, header_style="dim")
            for name in section.head:
                table.add_column(name, overflow="fold")
            for row in section.rows:
                table.add_row(*(Text(plain.line(cell)) for cell in row))
            parts.append(table)
    return Group(*parts)


def markdown(view: View, command: str, picture: str = "") -> str:
    """Return the Markdown form; `command` is what wrote it, `picture` a file beside the page."""
    from hotloop.report.markdown import escape

    lines: list[str] = []
    for place, section in enumerate(sections(view)):
        if section.title:
            lines += [f"{'#' if not place else '##'} {escape(section.title)}", ""]
        if not place:
            lines += [f"Written by `{command}`.", ""]
        lines += [f"- {escape(line)}" for line in section.lines]
        lines += [""] if section.lines else []
        lines += [f"![times of the rungs]({picture})", ""] if picture and not place else []
        if section.head:
            lines += [*section.pipes(), ""]
    return "\n".join(lines).rstrip() + "\n"


def as_json(view: View) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    data = asdict(view)
    if not isinstance(view, Confirmation):
        data = form.of_card(data) if isinstance(view, CardView) else form.elsewhere(data)
    if isinstance(view, LadderView):
        data["sound"] = view.sound
        for row, rung in zip(data["rungs"], view.rungs, strict=True):
            if rung.built:
                shown = ("exposed", "matrix_share", "conflict_cycles", "resident_lanes")
                row["built"].update({name: getattr(rung.built, name) for name in shown})
    elif isinstance(view, CardView):
        data |= {"sound": view.sound, "best": view.best.rung.name if view.best else None}
    elif isinstance(view, ClimbView):
        data["best"] = view.best.rung.name if view.best else None
    else:
        data["held"] = view.held
    return {name: _plain(value) for name, value in data.items()}


def _plain(value: Any) -> Any:  # noqa: ANN401 - JSON is dynamically typed
    """Return records as what JSON knows."""
    if isinstance(value, Mapping):
        return {str(name): _plain(entry) for name, entry in value.items()}
    return [_plain(entry) for entry in value] if isinstance(value, list | tuple) else value
