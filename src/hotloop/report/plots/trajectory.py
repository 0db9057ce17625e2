"""The trajectory: one row a step from top to bottom, time on a logarithmic axis, the incumbent as a staircase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.report import words
from hotloop.report.markup import Html
from hotloop.report.plots.canvas import WIDE, drawing, fit, mark, path, rule, text
from hotloop.report.plots.scale import Log, padded, time_tick

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hotloop.report.view import View
    from hotloop.report.view.page import StepRow

LANE = 17.0
"""Height of one label above the rows, in px."""
TICK = 56.0
"""Least distance between two labels of the axis, in px."""
ROLES = {"keep": "kept", "revert": "rejected", "refuse": "refused", "baseline": "baseline"}


@dataclass(frozen=True, slots=True)
class Frame:
    """Where things lie, in px."""

    width: float
    left: float
    right: float
    top: float
    pitch: float
    """Height of a row."""
    drop: float
    """Distance from the top of a row to its marks."""
    wide: bool
    rows: int

    @property
    def bottom(self) -> float:
        """Lower end of the rows."""
        return self.top + self.pitch * self.rows

    def y(self, row: int) -> float:
        """Return the height of the marks of a row."""
        return self.top + self.pitch * row + self.drop


def draw(view: View, width: float) -> Html | None:
    """Return the plot at a width in px, or None when no step was timed."""
    times = [row.time_ns for row in view.steps if row.time_ns]
    if not times:
        return None
    lines = _levels(view)
    frame = _frame(width, len(view.steps), len(lines))
    low, high = padded([*times, *(ns for _, _, ns in lines)], 1.15)
    x = Log(low, high, frame.left, frame.right)
    parts = [*_axis(x, frame), *_lines(lines, x, frame), *_staircase(view.steps, x, frame)]
    for index, row in enumerate(view.steps):
        parts += _row(row, index, x, frame)
    return drawing(width, frame.bottom + 40, _words(view), parts)


def _frame(width: float, rows: int, lanes: int) -> Frame:
    wide = width >= WIDE
    top = 8 + LANE * lanes
    if wide:
        return Frame(width, 190, width - 170, top, 30, 15, wide=True, rows=rows)
    return Frame(width, 10, width - 10, top, 44, 31, wide=False, rows=rows)


def _levels(view: View) -> list[tuple[str, str, float]]:
    """Return (classes, label, time) of the lines that steps are seen against, fastest first."""
    levels = [("peer", peer.name, peer.time_ns) for peer in view.peers if peer.time_ns]
    if view.floor_ns:
        levels.append(("floor", "roofline floor", view.floor_ns))
    return sorted(levels, key=lambda level: level[2])


def _axis(x: Log, frame: Frame) -> Iterator[Html]:
    named = x.start - TICK
    for tick in x.ticks(8 if frame.wide else 4):
        yield rule(x(tick), frame.top, x(tick), frame.bottom, "grid")
        if x(tick) - named >= TICK:
            yield text(x(tick), frame.bottom + 16, time_tick(tick), "tick", "middle")
            named = x(tick)
    yield text(
        (frame.left + frame.right) / 2,
        frame.bottom + 34,
        "time of one call, logarithmic · left is faster",
        "axis",
        "middle",
    )


def _lines(levels: list[tuple[str, str, float]], x: Log, frame: Frame) -> Iterator[Html]:
    """Draw each level as a vertical line with its label in a lane of its own, so that labels never collide."""
    for lane, (role, name, time_ns) in enumerate(levels):
        at, y = x(time_ns), 13 + LANE * lane
        yield rule(at, y - 9, at, frame.bottom, f"level {role}")
        left = at > frame.left + 0.55 * (frame.right - frame.left)
        room = (at if left else frame.width - at) - 75
        label = f"{fit(name, room)} {words.time(time_ns)}"
        yield text(at + (-5 if left else 5), y, label, f"label {role}", "end" if left else "start")


def _staircase(steps: tuple[StepRow, ...], x: Log, frame: Frame) -> Iterator[Html]:
    """Draw the incumbent: down through the steps it survives, sideways where a step replaces it."""
    points: list[tuple[float, float]] = []
    for index, row in enumerate(steps):
        if row.incumbent_ns is None:
            continue
        at, y = x(row.incumbent_ns), frame.y(index)
        if points and points[-1][0] != at:
            points.append((points[-1][0], y))
        points.append((at, y))
    if len(points) > 1:
        yield path(points, "stairs")


def _row(row: StepRow, index: int, x: Log, frame: Frame) -> Iterator[Html]:
    y = frame.y(index)
    role = "winner" if row.winner else ROLES[row.decision]
    dim = " winner" if row.winner else "" if row.decision in {"keep", "baseline"} else " dim"
    outcome = _outcome(row)
    if frame.wide:
        yield text(0, y + 4, str(row.index), f"number{dim}")
        yield text(24, y + 4, fit(row.technique, frame.left - 40), f"name{dim}")
        yield text(frame.width - 78, y + 4, words.time(row.time_ns), f"value{dim}", "end")
        yield text(frame.width - 68, y + 4, outcome, f"note{dim}")
    else:
        yield text(10, y - 13, f"{row.index} {fit(row.technique, 140)}", f"name{dim}")
        yield text(frame.width - 90, y - 13, words.time(row.time_ns), f"value{dim}", "end")
        yield text(frame.width - 10, y - 13, outcome, f"note{dim}", "end")
    at = row.time_ns or row.incumbent_ns
    if at is not None:
        yield mark(x(at), y, role, _title(row))


def _outcome(row: StepRow) -> str:
    if row.decision == "baseline":
        return "baseline"
    if row.measured is None:
        return "refused" if row.decision == "refuse" else row.decision
    return f"{words.factor(row.measured.value)}×" if row.decision == "keep" else row.verdict.lower()


def _title(row: StepRow) -> str:
    head = f"{row.index} {row.technique}: {row.change}" if row.change else f"{row.index} {row.technique}"
    measured = f", {words.speedup(row.measured)} {row.verdict}" if row.measured else ""
    return f"{head} — {row.failure or words.time(row.time_ns)}{measured}, {row.decision}"


def _words(view: View) -> str:
    return f"Trajectory: time of one call after each of {len(view.steps)} steps. {words.headline(view.headline)}"
