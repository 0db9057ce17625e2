"""The frame of a drawing whose axes are both logarithmic."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.report.plots.canvas import WIDE
from hotloop.report.plots.scale import Log


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
