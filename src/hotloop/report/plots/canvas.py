"""What the plots share: the drawing's frame, text, and marks whose shape says as much as their colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.report.markup import Html, el, join
from hotloop.report.plain import line as one_line
from hotloop.report.plain import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

CHARACTER = 6.6
"""Estimated mean width of a character at the plots' 12 px text, in px; system fonts differ, so labels keep slack."""
WIDE = 760.0
NARROW = 340.0


def drawing(width: float, height: float, label: str, parts: Iterable[Html]) -> Html:
    """Return an SVG image of a size in px, with what it shows in words for those who cannot see it."""
    return el(
        "svg",
        *parts,
        class_="plot narrow" if width < WIDE else "plot wide",
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=one_line(label),
    )


def text(x: float, y: float, content: str, classes: str = "", anchor: str = "start") -> Html:
    """Return text at a baseline position."""
    return el("text", one_line(content), x=x, y=y, text_anchor=anchor, class_=classes or None)


def rule(x1: float, y1: float, x2: float, y2: float, classes: str) -> Html:
    """Return a straight line."""
    return el("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=classes)


def path(points: Iterable[tuple[float, float]], classes: str) -> Html:
    """Return an open polygon."""
    return el("path", d="M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points), class_=classes)


def mark(x: float, y: float, role: str, title: str) -> Html:
    """Return a point with a hover title: disc, ring, square, diamond or cross, by role."""
    shapes = {
        "winner": join([el("circle", cx=x, cy=y, r=8, class_="ring"), _disc(x, y, 4.5)]),
        "kept": _disc(x, y, 5.0),
        "baseline": el("rect", x=x - 5, y=y - 5, width=10, height=10),
        "rejected": _disc(x, y, 4.5),
        "refused": el("path", d=f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"),
        "peer": el("path", d=f"M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z"),
    }
    return el("g", el("title", one_line(title)), shapes[role], class_=f"mark {role}")


def _disc(x: float, y: float, radius: float) -> Html:
    return el("circle", cx=x, cy=y, r=radius)


def fit(content: str, width: float) -> str:
    """Return text cut to what fits a width in px, by estimate."""
    return shorten(one_line(content), max(3, int(width / CHARACTER)))
