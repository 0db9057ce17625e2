"""How long something took, and how long without what others do on the machine: by that alone it is decided which cases are tried."""

from __future__ import annotations

from dataclasses import dataclass, field

from hotloop.host.clock import SystemClock


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Runs from when it is made."""

    _began_s: float = field(default_factory=lambda: SystemClock().monotonic_s())
    _computed_s: float = field(default_factory=lambda: SystemClock().computing_s())

    @property
    def took_s(self) -> float:
        """Time in s that has gone by."""
        return SystemClock().monotonic_s() - self._began_s

    def alone_s(self, device: str, took_s: float | None = None) -> float:
        """Return the time in s that an idle machine would take, about: `took_s`, or all that has gone by, of which this process computed no more.

        `device`: kind of the device that may compute, too. Whoever waits for another one than a CPU does not compute meanwhile.
        """
        took_s = self.took_s if took_s is None else took_s
        return min(took_s, SystemClock().computing_s() - self._computed_s) if device == "cpu" else took_s
