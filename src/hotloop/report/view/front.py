"""The Pareto front of time and energy over all variants of a run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hotloop.model.energy import Joules, Point
from hotloop.model.outcome import Measured, Outcome
from hotloop.report.view.page import FrontRow
from hotloop.stats.energy import per_call

if TYPE_CHECKING:
    from hotloop.report.view.record import RunRecord


def joules(outcome: Outcome) -> Joules | None:
    """Return the energy of one call, None where it was not measured."""
    return per_call(outcome.samples) if isinstance(outcome, Measured) else None


def of(record: RunRecord) -> tuple[FrontRow, ...]:
    """Return the variants that no other one beats in time and energy both, fastest first.

    A configuration that several steps or looks measured is in it with its latest measurement, which has the most rounds.
    """
    points = {point.label: point for point in record.search.points} if record.search else {}
    winner = ""
    for step in record.steps:
        spent = joules(step.outcome)
        if spent is not None and isinstance(step.outcome, Measured):
            label = str(step.config) or step.technique
            points[label] = Point(label=label, call_ns=step.outcome.call_ns, joules=spent)
            winner = label if step.index == record.winner else winner
    return tuple(_row(point, winner) for point in unbeaten(points.values()))


def unbeaten(points: Iterable[Point]) -> list[Point]:
    """Return the points of the front by time: each takes less energy than all faster ones.

    >>> spent = lambda value: Joules(value=value, low=value, high=value, windows=1)
    >>> rows = [("a", 1.0, 9.0), ("b", 2.0, 9.5), ("c", 3.0, 4.0), ("d", 3.0, 5.0)]
    >>> [point.label for point in unbeaten(Point(label=n, call_ns=t, joules=spent(j)) for n, t, j in rows)]
    ['a', 'c']
    """
    front: list[Point] = []
    for point in sorted(points, key=lambda candidate: (candidate.call_ns, candidate.joules.value)):
        if not front or point.joules.value < front[-1].joules.value:
            front.append(point)
    return front


def _row(point: Point, winner: str) -> FrontRow:
    return FrontRow(
        label=point.label,
        time_ns=point.call_ns,
        joules=point.joules,
        power_w=point.joules.value / (1e-9 * point.call_ns),
        winner=point.label == winner,
    )
