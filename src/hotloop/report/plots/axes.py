"""The frame of a drawing whose axes are both logarithmic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hotloop.report.markup import Html
from hotloop.report.plots.canvas import WIDE, rule, text
from hotloop.report.plots.scale import Log, count_tick


@dataclass(frozen=True, slots=True)
class Axes:
    """Scales and size, in px."""

    x: Log
    y: Log
    width: float
    height: float

    @property
    def wide(self) -> bool:
        """True for the desktop drawing."""
        return self.width >= WIDE

    def grid(self, most: int) -> Iterator[Html]:
        """Draw lines at round values with their labels, about so many in each direction."""
        x, y = self.x, self.y
        for tick in x.ticks(most if self.wide else 4):
            yield rule(x(tick), y.end, x(tick), y.start, "grid")
            yield text(x(tick), y.start + 16, count_tick(tick), "tick", "middle")
        for tick in y.ticks(most):
            yield rule(x.start, y(tick), x.end, y(tick), "grid")
            yield text(x.start - 6, y(tick) + 4, count_tick(tick), "tick", "end")
