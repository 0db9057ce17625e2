"""The picture of a measured ladder: a bar for each rung, as long as its time, and whether the step paid."""

from __future__ import annotations

from hotloop.report.ladder.cardview import CardRungView, CardView
from hotloop.report.markup import Html, el
from hotloop.units import duration

_STYLE = """
svg { --ink: #1b1f24; --soft: #565f69; --kept: #0068a3; --no: #b04a00; background: #f7f7f5; }
@media (prefers-color-scheme: dark) {
  svg { --ink: #e7eaec; --soft: #a3adb6; --kept: #56b4e9; --no: #e69f00; background: #101316; }
}
text { font: 13px system-ui, sans-serif; fill: var(--ink); } .soft { fill: var(--soft); }
.paid { fill: var(--kept); } .left { fill: none; stroke: var(--no); stroke-width: 1.5; } .other { fill: var(--soft); }
"""
_LEFT, _WIDTH, _ROW, _BAR, _MOST = 150.0, 880.0, 26.0, 16.0, 470.0


def draw(view: CardView) -> str:
    """Return an SVG image; bars of the ladder's own problem share one scale, those of another problem have their own."""
    timed = [rung for rung in view.rungs if rung.call_ns is not None]
    parts: list[Html] = [el("style", Html(_STYLE))]
    for place, rung in enumerate(timed):
        longest = max(other.call_ns or 0.0 for other in timed if view.own(other) == view.own(rung))
        parts += _bar(rung, 14 + _ROW * place, longest)
    height = 14 + _ROW * len(timed) + 26
    legend = "filled: faster than the rung it stands on; open: not; the length is the time of a call"
    parts.append(el("text", legend, x=_LEFT, y=height - 10, class_="soft"))
    words = ", ".join(f"{rung.rung.name} {duration(rung.call_ns or 0.0)}" for rung in timed)
    return el(
        "svg", *parts, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {_WIDTH:g} {height:g}", role="img",
        aria_label=f"Times of the ladder's rungs: {words}.",
    )  # fmt: skip


def _bar(rung: CardRungView, top: float, longest: float) -> list[Html]:
    call_ns = rung.call_ns or 0.0
    length = max(2.0, _MOST * call_ns / longest)
    label = duration(call_ns)
    if rung.comparison:
        label += f"   {rung.comparison.speedup:.2f}x over {rung.over}"
    return [
        el("text", rung.rung.name, x=_LEFT - 8, y=top + 13, text_anchor="end"),
        el("rect", x=_LEFT, y=top, width=length, height=_BAR, class_="paid" if rung.paid else "left"),
        el("text", label, x=_LEFT + length + 8, y=top + 13, class_="soft"),
    ]
