"""Whether launches end while the program still prepares the next one: then the GPU waits for the program, and a faster kernel saves nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median

_FEWEST, _DELAYED, _MOST = 16, 4, 512
"""Launches after which something is said, timed ones among them, and after which nothing more is asked."""
_NOTICED = 0.5
"""Part of a delay of the GPU by which the next launch is later where the program waits for the GPU."""


@dataclass(slots=True)
class Overlap:
    """What was seen of launches of one kind when the next launch came, of whatever kernel.

    That the GPU had ended by then does not say who waited for whom. A timed launch stands behind a delay of the GPU (`delay_ns`), which moves
    the next launch only where the program waits for the GPU before it.
    """

    asked: int = 0
    ended: int = 0
    """After how many of those asked the GPU had nothing left to do."""
    plain_ns: list[float] = field(default_factory=list)
    """Time from a launch to the next one."""
    delayed_ns: list[float] = field(default_factory=list)
    """The same after timed launches."""

    def followed(self, gap_ns: float, *, delayed: bool, ended: bool) -> None:
        """Note that the next launch came."""
        if self.asked >= _MOST:
            return
        if delayed:
            self.delayed_ns.append(gap_ns)
        else:
            self.asked += 1
            self.ended += ended
            self.plain_ns.append(gap_ns)

    def hidden(self, delay_ns: float) -> float | None:
        """Return the share of launches whose time the program's own hides; None where too few were seen.

        >>> Overlap(100, 90, [50e3] * 100, [52e3] * 8).hidden(200e3)
        0.9
        >>> Overlap(100, 90, [50e3] * 100, [251e3] * 8).hidden(200e3)  # the program waited for each of them
        0.0
        """
        if self.asked < _FEWEST or len(self.delayed_ns) < _DELAYED:
            return None
        waits = median(self.delayed_ns) - median(self.plain_ns) > _NOTICED * delay_ns
        return 0.0 if waits else self.ended / self.asked
