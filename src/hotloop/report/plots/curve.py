"""Best time so far over the evaluations of a search."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hotloop.model.energy import WORDS, Objective
from hotloop.report import words
from hotloop.report.markup import Html
from hotloop.report.plots.canvas import WIDE, drawing, mark, path, rule, text
from hotloop.report.plots.scale import Log, padded, time_tick

if TYPE_CHECKING:
    from hotloop.report.view.record import SearchSummary


def draw(search: SearchSummary, width: float, about: Objective = Objective.TIME) -> Html | None:
    """Return the plot at a width in px, or None when there are fewer than two improvements."""
    curve = [(index, best) for index, best in search.curve if best > 0]
    if len(curve) < 2:
        return None
    bottom, last = 190.0, max(search.evaluated, curve[-1][0], 1)
    y = Log(*padded([best for _, best in curve], 1.15), bottom, 14.0)
    left, right = 60.0, width - 70
    at = [(left + (right - left) * index / last, y(best)) for index, best in curve]
    tick_text = time_tick if about is Objective.TIME else partial(words.amount, objective=about)
    parts = [text(left - 8, y(tick) + 4, tick_text(tick), "tick", "end") for tick in y.ticks(5)]
    parts += [rule(left, y(tick), right, y(tick), "grid") for tick in y.ticks(5)]
    parts.append(path(_stairs(at, right), "stairs"))
    parts += [
        mark(x, h, "kept", f"evaluation {i}: {words.amount(b, about)}")
        for (x, h), (i, b) in zip(at, curve, strict=True)
    ]
    parts.append(text(right + 6, at[-1][1] + 4, words.amount(curve[-1][1], about), "value"))
    parts += [text(left, bottom + 16, "0", "tick", "middle"), text(right, bottom + 16, f"{last:,}", "tick", "middle")]
    caption = (
        f"configurations evaluated · {WORDS[about].short} of the best so far"
        if width >= WIDE
        else "configurations evaluated"
    )
    parts.append(text((left + right) / 2, bottom + 34, caption, "axis", "middle"))
    label = f"Search: best {WORDS[about].short} {words.amount(curve[0][1], about)} at first, {words.amount(curve[-1][1], about)} after {search.evaluated}."
    return drawing(width, bottom + 42, label, parts)


def _stairs(points: list[tuple[float, float]], right: float) -> list[tuple[float, float]]:
    """Return the corners: a best time stands until the next improvement, the last one to the end."""
    corners = [points[0]]
    for x, y in points[1:]:
        corners += [(x, corners[-1][1]), (x, y)]
    return [*corners, (right, corners[-1][1])]
