"""Which lines of a tally to tune, in the order of what the whole could gain: pure.

At most, a line gains what it takes beyond the roofline's floor of its work. That bound decides the order and what is left out; the
prediction is made of measured times afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hotloop import registry
from hotloop.dispatch.observed import PACKAGE
from hotloop.model.kernel import Kernel
from hotloop.model.problem import Problem
from hotloop.model.tally import Line, Tally

LEAST = 0.01
"""Part of the whole below which a shape is not worth tuning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One problem of the workload, with all lines that are it."""

    kernel: Kernel
    problem: Problem
    lines: tuple[Line, ...]
    floor_ns: float | None
    """The roofline's floor of one call; None where the device's limits were not measured, or the shape cannot run there."""
    obstacle: str = ""
    """Why it cannot be tuned here; empty when it can."""

    @property
    def count(self) -> int | None:
        """How often it is called; None where the source does not tell."""
        counts = [line.count for line in self.lines if line.count is not None]
        return sum(counts) if len(counts) == len(self.lines) else None

    @property
    def total_ns(self) -> float | None:
        """Time of all calls; None where the source does not tell."""
        times = [line.total_ns for line in self.lines if line.total_ns is not None]
        return sum(times) if len(times) == len(self.lines) else None

    @property
    def most_ns(self) -> float | None:
        """What the whole could gain at most; None where that is not known."""
        if self.total_ns is None or self.floor_ns is None or self.count is None:
            return None
        return max(0.0, self.total_ns - self.count * self.floor_ns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A workload's shapes as they should be tuned."""

    tally: Tally
    worth: tuple[Shape, ...]
    """Calls to tune, those with the largest possible gain first."""
    left: tuple[tuple[Shape, str], ...]
    """Calls that are not tuned, with the reason."""

    @property
    def most(self) -> float | None:
        """Part of the whole that all shapes worth it could gain at most; None where times are not known."""
        gains = [shape.most_ns for shape in self.worth]
        total = self.tally.total_ns
        if not total or any(gain is None for gain in gains):
            return None
        return sum(gain for gain in gains if gain is not None) / total


Floor = Callable[[Kernel, Problem], tuple[float | None, str]]
"""Returns the roofline's floor of a call in ns, and why the shape cannot be tuned here; one of them says nothing."""


def shapes(tally: Tally, floor: Floor) -> tuple[Shape, ...]:
    """Return the problems of a tally, lines of the same problem together."""
    groups: dict[Problem, list[Line]] = {}
    for line in tally.lines:
        if line.problem is not None:
            groups.setdefault(line.problem, []).append(line)
    return tuple(_shape(problem, lines, floor) for problem, lines in groups.items())


def _shape(problem: Problem, lines: Iterable[Line], floor: Floor) -> Shape:
    kernel: Kernel = registry.load(PACKAGE, problem.family, "KERNEL")
    floor_ns, obstacle = floor(kernel, problem)
    return Shape(kernel=kernel, problem=problem, lines=tuple(lines), floor_ns=floor_ns, obstacle=obstacle)


def order(tally: Tally, shapes: Iterable[Shape], least: float = LEAST) -> Order:
    """Return shapes in the order of what the whole could gain; those that could gain less than `least` of it are left out."""
    worth, left = [], []
    for shape in shapes:
        reason = _reason(tally, shape, least)
        if reason:
            left.append((shape, reason))
        else:
            worth.append(shape)
    return Order(
        tally=tally, worth=tuple(sorted(worth, key=_rank)), left=tuple(sorted(left, key=lambda row: _rank(row[0])))
    )


def _reason(tally: Tally, shape: Shape, least: float) -> str:
    if shape.obstacle:
        return shape.obstacle
    most = shape.most_ns
    if most is None or not tally.total_ns or most / tally.total_ns >= least:
        return ""
    return f"not worth it: even at the roofline the whole would gain {100 * most / tally.total_ns:.2g} %"


def _rank(shape: Shape) -> tuple[float, float, str]:
    return -(shape.most_ns or 0.0), -(shape.floor_ns or 0.0) * (shape.count or 1), shape.problem.key
