"""The roofline: ceilings over arithmetic intensity, with variants and peers at the problem's own intensity."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hotloop import units
from hotloop.report import words
from hotloop.report.markup import Html, el
from hotloop.report.plots.axes import Axes
from hotloop.report.plots.canvas import CHARACTER, WIDE, drawing, fit, mark, path, rule, text
from hotloop.report.plots.scale import Log, count_tick, spread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hotloop.report.view.page import Roofline, RoofPoint

PITCH = 17.0
"""Least distance between labels, in px."""
PLACE = 0.56
"""Place of the problem's intensity between the ends of the axis when arithmetic limits; mirrored when memory does."""


def draw(roofline: Roofline, width: float) -> Html:
    """Return the plot at a width in px."""
    axes = _axes(roofline, width)
    peers = _placed([point for point in roofline.points if point.role == "peer"], roofline, axes)
    ours = _placed([point for point in roofline.points if point.role != "peer"], roofline, axes)
    left, right = (peers, ours) if roofline.memory_bound else (ours, peers)  # the longer list away from the slope
    parts = [
        *_grid(axes),
        *_widths(roofline, axes, [y + 4 for _, y in right]),
        *_roof(roofline, axes),
        *_labels(left, roofline, axes, side=-1),
        *_labels(right, roofline, axes, side=1),
        *_marks(roofline, axes),
    ]
    return drawing(width, axes.height, f"Roofline. {words.limits(roofline)}", parts)


def _axes(roofline: Roofline, width: float) -> Axes:
    height = 430.0 if width >= WIDE else 400.0
    rates = [point.flops_per_s for point in roofline.points] + [rate for _, rate in roofline.widths]
    low, high = min(rates) / 2, max(roofline.flops_per_s, *rates) * 1.5
    left = 54.0 if width >= WIDE else 46.0
    x_low, x_high = _span(roofline)
    return Axes(Log(x_low, x_high, left, width - 8), Log(low, high, height - 42, 12), width, height)


def _span(roofline: Roofline) -> tuple[float, float]:
    """Return the ends of the intensity axis: the ridge is inside, and labels have room on both sides of the points."""
    here, ridge = roofline.intensity, roofline.ridge
    if roofline.memory_bound:
        high = ridge * 4
        return here / (high / here) ** ((1 - PLACE) / PLACE), high
    low = ridge / 4
    return low, here * (here / low) ** ((1 - PLACE) / PLACE)


def _grid(axes: Axes) -> Iterator[Html]:
    yield from axes.grid(7)
    x, y = axes.x, axes.y
    yield text((x.start + x.end) / 2, y.start + 34, "arithmetic intensity, flop/B", "axis", "middle")


def _roof(roofline: Roofline, axes: Axes) -> Iterator[Html]:
    """Draw the roof, its two labels, and the vertical line on which this problem's variants lie."""
    x, y = axes.x, axes.y
    start = max(x.low, y.low / roofline.bytes_per_s)
    corners = (
        (start, start * roofline.bytes_per_s),
        (roofline.ridge, roofline.flops_per_s),
        (x.high, roofline.flops_per_s),
    )
    yield path([(x(i), y(f)) for i, f in corners], "roof")
    yield rule(x(roofline.intensity), y(roofline.attainable), x(roofline.intensity), y.start, "level floor")
    top = y(roofline.flops_per_s) - 7
    yield text(x.end, top, f"{units.rate(roofline.flops_per_s, 'FLOP/s')} {roofline.dtype}", "label strong", "end")
    yield _bandwidth(roofline, axes, top)


def _bandwidth(roofline: Roofline, axes: Axes, top: float) -> Html:
    """Label the slope where no point's label can be: above the highest of them, or else left of the roof's own label."""
    label = f"{units.rate(roofline.bytes_per_s, 'B/s')} copy"
    middle = (roofline.intensity * roofline.ridge) ** 0.5
    if axes.y(roofline.attainable) - axes.y(roofline.flops_per_s) > 40:
        return text(axes.x(middle) - 8, axes.y(middle * roofline.bytes_per_s) - 4, label, "label strong", "end")
    return text(axes.x.start + 4, top, label, "label strong")


def _widths(roofline: Roofline, axes: Axes, taken: list[float]) -> Iterator[Html]:
    """Draw what narrower vectors can reach, as lower ceilings; a name that would lie on a label is left to hovering."""
    for elements, rate in roofline.widths:
        start, y = max(axes.x.low, rate / roofline.bytes_per_s), axes.y(rate)
        name = "scalar" if elements == 1 else f"vectors of {elements}"
        title = el("title", f"{name}: {words.rate(rate, 'FLOP/s')}")
        yield el("g", title, rule(axes.x(start), y, axes.x.end, y, "ceiling"))
        if all(abs(y - 4 - other) > 14 for other in taken):
            yield text(axes.x.end, y - 4, name, "tick", "end")
            taken = [*taken, y - 4]


def _marks(roofline: Roofline, axes: Axes) -> Iterator[Html]:
    at = axes.x(roofline.intensity)
    for point in sorted(roofline.points, key=lambda p: p.role == "winner"):
        share = words.roof(point.flops_per_s / roofline.attainable)
        rate = words.rate(point.flops_per_s, "FLOP/s")
        title = f"{point.label}: {rate}, {words.time(point.time_ns)}, {share} of the roof"
        yield mark(at, axes.y(point.flops_per_s), point.role, title)


def _placed(points: list[RoofPoint], roofline: Roofline, axes: Axes) -> list[tuple[RoofPoint, float]]:
    """Return the points to label with the heights of their labels, below the roof and apart."""
    top, bottom = axes.y(roofline.attainable) + 10, axes.y.start - 8
    ordered = sorted(legible(points, int((bottom - top) / PITCH)), key=lambda point: -point.flops_per_s)
    wanted = [axes.y(point.flops_per_s) for point in ordered]
    return list(zip(ordered, spread(wanted, PITCH, top, bottom), strict=True))


def _labels(placed: list[tuple[RoofPoint, float]], roofline: Roofline, axes: Axes, side: int) -> Iterator[Html]:
    """Write labels beside the points (side -1: left, 1: right), tied to them by thin lines."""
    at = axes.x(roofline.intensity)
    room = (axes.x.end - at if side > 0 else at - axes.x.start) - 30
    for point, y in placed:
        yield path([(at, axes.y(point.flops_per_s)), (at + side * 20, y)], "leader")
        rate = words.rate(point.flops_per_s, "FLOP/s") if axes.wide else count_tick(point.flops_per_s)
        label = f"{fit(point.label, room - CHARACTER * (len(rate) + 1))} {rate}"
        yield text(at + side * 24, y + 4, label, f"label {point.role}", "start" if side > 0 else "end")


def legible(points: list[RoofPoint], most: int) -> list[RoofPoint]:
    """Return the points to label when there is room for `most`: the ends of the story, then the largest gains.

    The others keep their marks and hover titles, and the table of steps has them all.
    """
    if len(points) <= most:
        return points
    gains = {id(after): after.flops_per_s / before.flops_per_s for before, after in pairwise(points)}
    ends = [point for point in points if point.role in {"winner", "baseline"}]
    others = [point for point in points if point.role not in {"winner", "baseline"}]
    others.sort(key=lambda point: -gains.get(id(point), 0.0))
    return ends + others[: max(0, most - len(ends))]
