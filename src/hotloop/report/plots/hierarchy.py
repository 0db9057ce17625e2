"""The hierarchical roofline: a slope for each memory level, a ceiling for each precision, the launch as a point per level."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hotloop import units
from hotloop.metrics.levels import NAMES
from hotloop.report.markup import Html, el
from hotloop.report.plain import line
from hotloop.report.plots.axes import Axes
from hotloop.report.plots.canvas import CHARACTER, NARROW, WIDE, drawing, fit, path, rule, text
from hotloop.report.plots.scale import Log, spread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hotloop.metrics.levels import Flat, LevelPoint, Levels, Slope

PITCH = 17.0
"""Least distance between two lines of text, in px."""
DROP = 24.0
"""Distance from a point to its first line of text, in px."""
PLACES = (0.58, 0.5)
"""Largest place of the rightmost point between the ends of the axis, in a wide and a narrow plot, so that its label has room."""
FAR = 60.0
"""A ceiling that many times lower than the points is not drawn."""
ALIKE = 1.03
"""Ratio of two ceilings below which they are drawn as one."""
_STEEP = (0.04, 0.36, 0.45, 0.55, 0.65, 0.2)
"""Places along a slope where its name may stand, the preferred one first."""


def draw(levels: Levels, width: float) -> Html:
    """Return the plot at a width in px."""
    axes = _axes(levels, width)
    parts = [*_grid(axes), *_slopes(levels, axes), *_flats(levels, axes), *_points(levels, axes)]
    return drawing(width, axes.height, words(levels), parts)


def figure(levels: Levels) -> Html:
    """Return the plot for wide and narrow pages, with its caption."""
    return el("figure", draw(levels, WIDE), draw(levels, NARROW), el("figcaption", caption(levels)))


def caption(levels: Levels) -> str:
    """Say how to read the drawing."""
    parts = ["One launch is a point at each memory level; the dotted line above it is the room to that level's roof"]
    if any(slope.sheet for slope in levels.slopes) or any(flat.sheet for flat in levels.flats):
        parts.append("dashed roofs are the data sheet's, full ones were measured or told by the tool")
    if any(not flat.used for flat in levels.flats):
        parts.append("dotted ceilings are arithmetic that the launch does not use")
    parts += [line(levels.note)] if levels.note else []
    return f"{'; '.join(parts)}."


def words(levels: Levels) -> str:
    """Say what the drawing shows, for those who cannot see it."""
    each = "; ".join(f"{NAMES[p.level]} {_number(p.intensity)} FLOP/B{_used(p)}" for p in levels.points)
    return f"Roofline by memory level at {units.rate(levels.points[0].flops_per_s, 'FLOP/s')}: {each}"


def _used(point: LevelPoint) -> str:
    return "" if point.used is None else f", {units.percent(point.used)} of its roof"


def _number(value: float) -> str:
    return units.significant(value, 2)


def _angle(axes: Axes) -> float:
    """Return the slope of a memory roof on the page, in degrees above the horizontal."""
    return math.degrees(math.atan2(_pixels(axes.y), _pixels(axes.x)))


def _pixels(scale: Log) -> float:
    """Return the length of one decade in px."""
    return abs(scale.end - scale.start) / math.log10(scale.high / scale.low)


# --- scales ----------------------------------------------------------------------------------------------------------


def _axes(levels: Levels, width: float) -> Axes:
    height = 470.0 if width >= WIDE else 430.0
    left = 54.0 if width >= WIDE else 46.0
    start, end = height - 42, 14.0
    y_low, y_high = _rates(levels, start - end)
    x_low, x_high = _intensities(levels, y_high, PLACES[width < WIDE])
    return Axes(Log(x_low, x_high, left, width - 8), Log(y_low, y_high, start, end), width, height)


def _rates(levels: Levels, pixels: float) -> tuple[float, float]:
    """Return the ends of the vertical axis: ceilings are inside, and below the points there is room for their text.

    Ceilings far below the points are left out: they would press everything else together.
    """
    here = levels.points[0].flops_per_s
    high = 1.6 * max((here * 2, *(flat.flops_per_s for flat in levels.flats)))
    below = min(0.6, (DROP + PITCH * len(levels.points) + 8) / pixels)
    near = [flat.flops_per_s / 1.5 for flat in levels.flats if flat.flops_per_s > here / FAR]
    return min((here / (high / here) ** (below / (1 - below)), high / 40, *near)), high


def _intensities(levels: Levels, y_high: float, place: float) -> tuple[float, float]:
    """Return the ends of the horizontal axis: points and ridges are inside, and text has room to the right of the points."""
    here = [point.intensity for point in levels.points]
    top = max((flat.flops_per_s for flat in levels.flats), default=y_high / 2)
    ridges = [top / slope.bytes_per_s for slope in levels.slopes]
    low = min((*here, *ridges)) / 4
    return low, max(*here, *(4 * ridge for ridge in ridges), low * (max(here) / low) ** (1 / place))


def _grid(axes: Axes) -> Iterator[Html]:
    yield from axes.grid(8)
    x, y = axes.x, axes.y
    yield text(
        (x.start + x.end) / 2, y.start + 34, "arithmetic intensity, FLOP per byte of the level", "axis", "middle"
    )
    yield text(x.start - 46 if axes.wide else 0, y.end - 3, "FLOP/s", "axis")


# --- roofs -----------------------------------------------------------------------------------------------------------


def _slopes(levels: Levels, axes: Axes) -> Iterator[Html]:
    """Draw each memory roof up to the highest ceiling, with its name along it where no other name stands."""
    top = max((flat.flops_per_s for flat in levels.flats), default=axes.y.high)
    named: set[str] = set()
    taken: list[tuple[float, float, float]] = []
    for slope in sorted(levels.slopes, key=lambda level: -level.bytes_per_s):
        ends = _ends(slope, top, axes)
        if ends is None:
            continue
        (x1, y1), (x2, y2) = ends
        classes = f"slope {slope.level}{' sheet' if slope.sheet else ''}"
        title = f"{NAMES[slope.level]}: {units.rate(slope.bytes_per_s, 'B/s')}, {slope.source}"
        yield el("g", el("title", line(title)), rule(x1, y1, x2, y2, classes))
        if slope.level not in named:
            named.add(slope.level)
            yield from _along(slope, ends, axes, taken)


def _ends(slope: Slope, top: float, axes: Axes) -> tuple[tuple[float, float], tuple[float, float]] | None:
    low = max(axes.x.low, axes.y.low / slope.bytes_per_s)
    high = min(axes.x.high, top / slope.bytes_per_s)
    if high <= low:
        return None
    return (axes.x(low), axes.y(low * slope.bytes_per_s)), (axes.x(high), axes.y(high * slope.bytes_per_s))


def _along(
    slope: Slope,
    ends: tuple[tuple[float, float], tuple[float, float]],
    axes: Axes,
    taken: list[tuple[float, float, float]],
) -> Iterator[Html]:
    """Write a name along a slope at the first place that is free; all slopes are parallel, so one frame serves all."""
    long, short = f"{NAMES[slope.level]} {units.rate(slope.bytes_per_s, 'B/s')}", _short(slope)
    (x1, y1), (x2, y2) = ends
    turn = math.radians(_angle(axes))
    for label, share in ((label, share) for label in ((long, short) if axes.wide else (short,)) for share in _STEEP):
        length = CHARACTER * len(label)
        x, y = x1 + share * (x2 - x1), y1 + share * (y2 - y1)
        along, across = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
        room = (1 - share) * math.hypot(x2 - x1, y2 - y1)
        if room >= length and all(abs(across - a) > 13 or along + length < b or along > c for a, b, c in taken):
            taken.append((across, along, along + length))
            x, y = x - 5 * math.sin(turn), y - 5 * math.cos(turn)
            place = f"rotate({-_angle(axes):.1f} {x:.1f} {y:.1f})"
            yield el("text", label, x=x, y=y, transform=place, class_=f"label {slope.level}")
            return


def _short(slope: Slope) -> str:
    return f"{slope.level.upper()} {units.rate(slope.bytes_per_s, 'B/s')}"


def _flats(levels: Levels, axes: Axes) -> Iterator[Html]:
    """Draw the ceilings of arithmetic; those that the launch uses are full lines, names stand at the right end."""
    shown = [flat for flat in levels.flats if axes.y.low <= flat.flops_per_s <= axes.y.high]
    groups = _alike(sorted(shown, key=lambda flat: -flat.flops_per_s))
    fastest = max((slope.bytes_per_s for slope in levels.slopes), default=None)
    top = axes.y(levels.points[0].flops_per_s) + 8
    bottom = top + DROP + PITCH * len(levels.points) - 4
    wanted = [axes.y(group[0].flops_per_s) - 4 for group in groups]
    heights = spread(wanted, PITCH - 3, axes.y.end + 8, axes.y.start)
    for group, height in zip(groups, heights, strict=True):
        rate, used = group[0].flops_per_s, any(flat.used for flat in group)
        start = axes.x.start if fastest is None else axes.x(min(max(axes.x.low, rate / fastest), axes.x.high))
        title = "; ".join(f"{f.kind}: {units.rate(f.flops_per_s, 'FLOP/s')}, {f.source}" for f in group)
        classes = "roof" if used else "ceiling"
        sheet = " sheet" if used and all(flat.sheet for flat in group) else ""
        y = axes.y(rate)
        yield el("g", el("title", line(title)), rule(start, y, axes.x.end, y, f"{classes}{sheet}"))
        room = (axes.x.end - start) if axes.wide else 200
        label = fit(f"{_kinds(group)} {units.rate(rate, 'FLOP/s')}", room)
        if used or not top <= height <= bottom:  # the points' own text goes first; hovering still tells the name
            yield text(axes.x.end, height, label, "label strong" if used else "tick", "end")


def _alike(flats: Sequence[Flat]) -> list[list[Flat]]:
    """Return ceilings, fastest first, in groups that one line stands for."""
    groups: list[list[Flat]] = []
    for flat in flats:
        if groups and groups[-1][0].flops_per_s <= ALIKE * flat.flops_per_s:
            groups[-1].append(flat)
        else:
            groups.append([flat])
    return groups


def _kinds(group: Sequence[Flat]) -> str:
    """Return the names of a group: those in use first, words that several share once.

    >>> from hotloop.metrics.levels import Flat
    >>> _kinds([Flat("fp16 matrix", 1.0, ""), Flat("bf16 matrix", 1.0, ""), Flat("fp32 vector", 1.0, "")])
    'fp16, bf16 matrix, fp32 vector'
    """
    units_of: dict[str, list[str]] = {}
    for flat in sorted(group, key=lambda flat_roof: not flat_roof.used):
        precision, _, unit = flat.kind.rpartition(" ")
        names = units_of.setdefault(unit if precision else "", [])
        names += [] if (precision or unit) in names else [precision or unit]
    return ", ".join(f"{', '.join(names)} {unit}".strip() for unit, names in units_of.items())


# --- points ----------------------------------------------------------------------------------------------------------


def _points(levels: Levels, axes: Axes) -> Iterator[Html]:
    """Mark the launch at each level, with the gap to that level's roof and text below; the rightmost has the highest text."""
    best = {slope.level: slope.bytes_per_s for slope in reversed(levels.slopes)}
    top = max((flat.flops_per_s for flat in levels.flats), default=math.inf)
    ordered = sorted(levels.points, key=lambda point: -point.intensity)
    for place, point in enumerate(ordered):
        x, y = axes.x(point.intensity), axes.y(point.flops_per_s)
        roof = best.get(point.level)
        if roof is not None and min(top, roof * point.intensity) > point.flops_per_s:
            yield rule(x, y, x, max(axes.y.end, axes.y(min(top, roof * point.intensity))), f"gap {point.level}")
        below = y + DROP + PITCH * place
        yield path([(x, y), (x, below - 4), (x + 6, below - 4)], "leader")
        label = fit(_label(point, axes), axes.x.end - x - 10)
        yield text(x + 9, below, label, f"label {point.level}")
    for point in ordered:
        yield _mark(axes.x(point.intensity), axes.y(point.flops_per_s), point)


def _label(point: LevelPoint, axes: Axes) -> str:
    share = "" if point.used is None else f", {units.percent(point.used)}"
    if axes.wide:
        return f"{NAMES[point.level]} {_number(point.intensity)} FLOP/B{share and f'{share} used'}"
    return f"{point.level.upper()} {_number(point.intensity)}{share}"


def _mark(x: float, y: float, point: LevelPoint) -> Html:
    """Return a point whose shape tells its level: triangle, square, diamond, disc from the arithmetic outwards."""
    shapes = {
        "lds": el("path", d=f"M{x:.1f} {y - 6:.1f}l6 11h-12z"),
        "l1": el("rect", x=x - 5, y=y - 5, width=10, height=10),
        "l2": el("path", d=f"M{x:.1f} {y - 7:.1f}l7 7l-7 7l-7 -7z"),
        "hbm": el("circle", cx=x, cy=y, r=5.5),
    }
    rate = units.rate(point.flops_per_s, "FLOP/s")
    title = f"{NAMES[point.level]}: {_number(point.intensity)} FLOP/B at {rate}{_used(point)}"
    return el("g", el("title", line(title)), shapes[point.level], class_=f"mark {point.level}")
