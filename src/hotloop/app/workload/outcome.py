"""What tuning a workload brought, shape by shape, and what the whole should gain: pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotloop.app.workload.order import Order, Shape
from hotloop.model.energy import Objective
from hotloop.model.outcome import Measured
from hotloop.model.step import PeerResult
from hotloop.report.view import RunRecord

OWN = "hotloop"
"""How calls of hotloop's own functions begin: what they take now is what hotloop takes now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """One shape of a workload after tuning, with its times."""

    shape: Shape
    run: str
    """Identifier of the run, or how it was known before."""
    winner_ns: float | None
    """One call of the best known configuration; None where none works."""
    rival: str = ""
    """The fastest peer that was compared in the same run; empty for none."""
    ratio: float | None = None
    """The rival's time over the winner's."""
    low: float | None = None
    high: float | None = None
    tried: bool = True
    """False where the budget ended before anything but the start was tried."""

    @property
    def speedup(self) -> float | None:
        """How many times faster the program's calls become; 1 where they should stay as they are; None where that is not known.

        Calls of another library are compared with it in one run where it was there as a peer; else with their time in the record,
        which was taken under other conditions.
        """
        return self._from(self.ratio)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The speedup's interval, where a peer was compared."""
        low, high = self._from(self.low), self._from(self.high)
        return None if self.ratio is None or low is None or high is None else (low, high)

    def _from(self, ratio: float | None) -> float | None:
        if self.winner_ns is None:
            return 1.0
        foreign = all(not line.call.startswith(OWN) for line in self.shape.lines)
        if foreign and ratio is not None:
            return max(1.0, ratio)
        count = self.shape.count or 0
        if self.shape.total_ns is None or count <= 1:
            return None  # a single call may be a first one, whose time is not the kernel's
        return max(1.0, self.shape.total_ns / count / self.winner_ns)

    @property
    def gain_ns(self) -> float | None:
        """What the whole gains by it; None where that is not known."""
        return _gain(self.shape, self.speedup)

    @property
    def worth_it(self) -> bool:
        """True where the program's calls become faster at all."""
        return (self.speedup or 0.0) > 1.0


def _gain(shape: Shape, speedup: float | None) -> float | None:
    if speedup is None or shape.total_ns is None:
        return None
    return shape.total_ns * (1.0 - 1.0 / speedup)


def of_record(shape: Shape, record: RunRecord, run: str) -> Tuned:
    """Return what a run found for a shape."""
    winner = next((step.outcome for step in record.steps if step.index == record.winner), None)
    winner_ns = winner.call_ns if isinstance(winner, Measured) else None
    rival, tried = _rival(record.peers), len(record.steps) > 1
    if rival is None or rival.comparison is None:
        return Tuned(shape=shape, run=run, winner_ns=winner_ns, tried=tried)
    comparison = rival.comparison
    return Tuned(
        shape=shape, run=run, winner_ns=winner_ns, rival=rival.name, ratio=comparison.speedup, low=comparison.low, high=comparison.high,
        tried=tried,
    )  # fmt: skip


def _rival(peers: Sequence[PeerResult]) -> PeerResult | None:
    """Return the fastest peer whose time was compared: less energy makes no program faster."""
    compared = [
        (peer.comparison.speedup, place)
        for place, peer in enumerate(peers)
        if peer.comparison is not None and peer.comparison.objective is Objective.TIME
    ]
    return peers[min(compared)[1]] if compared else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """The prediction for the program."""

    total_ns: float
    after_ns: float
    low_ns: float
    """Total time afterwards in ns if every kernel reaches the favourable end of its interval."""
    high_ns: float

    @property
    def speedup(self) -> float:
        """How many times faster the whole should be."""
        return self.total_ns / self.after_ns


def whole(order: Order, tuned: Sequence[Tuned]) -> Whole | None:
    """Return the prediction for the program; None where times are not known."""
    total = order.tally.total_ns
    if not total:
        return None
    gains = [row.gain_ns or 0.0 for row in tuned]
    best = [_side(row, 1) for row in tuned]
    worst = [_side(row, 0) for row in tuned]
    return Whole(
        total_ns=total, after_ns=total - sum(gains), low_ns=total - sum(best), high_ns=total - sum(worst)
    )  # fmt: skip


def _side(tuned: Tuned, side: int) -> float:
    speedup = tuned.interval[side] if tuned.interval else tuned.speedup
    return _gain(tuned.shape, speedup) or 0.0
