"""Several launches one after another, as one call of an operation makes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from hotloop.predict.answer import Prediction
from hotloop.predict.card import Card
from hotloop.targets.span import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequel:
    """The time of one call; a call may be several launches."""

    label: str
    chip: str
    target: str
    time_ns: float
    low_ns: float
    high_ns: float
    choice_ns: Span
    """Time with the best and the worst replacement of private memory in the caches."""
    bound: str
    """Bound of the launch that takes longest."""
    launches: tuple[Prediction, ...]

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why not to trust it; empty: nothing speaks against it."""
        return tuple(dict.fromkeys(doubt for launch in self.launches for doubt in launch.doubts))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is worth a look though nothing speaks against the time itself."""
        return tuple(dict.fromkeys(remark for launch in self.launches for remark in launch.remarks))

    @property
    def trusted(self) -> bool:
        """False when the model knows that it does not see something that matters."""
        return not self.doubts


def sequel(label: str, device: Card, launches: Sequence[Prediction]) -> Sequel:
    """Add up launches: the first costs what a call costs, each further one what a launch costs back to back."""
    longest = max(launches, key=lambda launch: launch.time_ns)
    gap = device.launch_ns.low
    further = len(launches) - 1
    own = [sqrt(sum(term.ns**2 for term in launch.terms)) for launch in launches]
    total = device.launch_ns.middle + sum(own) + further * gap
    swing = [(launch.choice_ns.low - launch.time_ns, launch.choice_ns.high - launch.time_ns) for launch in launches]
    return Sequel(
        label=label,
        chip=device.name,
        target=device.target.name,
        time_ns=total,
        low_ns=sum(launch.low_ns - gap for launch in launches) + gap,
        high_ns=sum(launch.high_ns for launch in launches),
        choice_ns=Span(*(total + sum(ends) for ends in zip(*swing, strict=True))),
        bound=longest.bound,
        launches=tuple(launches),
    )
