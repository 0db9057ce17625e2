"""What all pages of ours share: no script, no network, their own style sheet, sections with links to them, and figures."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hotloop.report.markup import Html, el
from hotloop.report.style import SHEET

_DIGEST = base64.b64encode(hashlib.sha256(SHEET.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_DIGEST}'; img-src data:"
"""Content security policy: even markup that slipped through could load, run and restyle nothing."""


class Section(NamedTuple):
    """A part of a page; one without a body is left out."""

    anchor: str
    title: str
    body: Html | None

    @property
    def written(self) -> Html:
        """The part under its title."""
        heading = el("h2", self.title, id=f"{self.anchor}-title")
        return el("section", heading, self.body, id=self.anchor, aria_labelledby=f"{self.anchor}-title")


def filled(sections: Iterable[Section]) -> list[Section]:
    """Return the sections that have a body."""
    return [section for section in sections if section.body]


def links(sections: Sequence[Section]) -> Html:
    """Return the list of links to sections."""
    rows = [el("li", el("a", section.title, href=f"#{section.anchor}")) for section in sections]
    return el("nav", el("ul", *rows), aria_label="Sections")


def tile(name: str, value: str, *below: str) -> Html:
    """Return a figure with its name; the style sheet puts the figure on top."""
    notes = (el("dd", note, class_="sub") for note in below if note)
    return el("div", el("dt", name), el("dd", value, class_="big"), *notes, class_="tile")


def document(title: str, *parts: Html) -> str:
    """Return a whole page."""
    return "<!doctype html>\n" + el("html", _head(title), el("body", *parts), lang="en") + "\n"


def _head(title: str) -> Html:
    """Return the head of a page with its security policy and style."""
    return el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="color-scheme", content="light dark"),
        el("title", f"{title} · hotloop"),
        el("link", rel="icon", href="data:,"),
        el("style", Html(SHEET)),
    )
