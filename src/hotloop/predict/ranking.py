"""Configurations of a space, ranked by predicted times."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.model.finding import Gain
from hotloop.model.space import Config
from hotloop.predict.opinion import silence
from hotloop.predict.sequence import Sequel


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One configuration with its predicted time."""

    config: Config
    prediction: Sequel | None
    """None: it does not compile or cannot be executed."""
    why_not: str = ""
    verified: bool | None = None
    """True: every case passed when executed; False: it did not; None: not tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """What tuning by prediction found."""

    kernel: str
    problem: str
    target: str
    start: Ranked
    ranked: tuple[Ranked, ...]
    """Best predicted first; those without prediction are left out."""
    tried: int
    failed: int

    @property
    def silence(self) -> str:
        """Why the ranking is no opinion about which is faster; empty: it is one."""
        return silence([candidate.prediction for candidate in self.ranked if candidate.prediction is not None])

    @property
    def best(self) -> Ranked | None:
        """The best predicted one that computes what it shall; None: none of those that were executed does."""
        return next((candidate for candidate in self.ranked if candidate.verified), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stride:
    """One move of an optimization by prediction."""

    technique: str
    change: str
    why: str
    rule: str = ""
    gain: Gain | None = None
    """Gain that the technique itself expects."""
    ranked: Ranked
    speedup: float | None = None
    """Predicted time of the incumbent over that of the candidate; None: the candidate has no prediction."""
    kept: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Climbed:
    """What an optimization by prediction found."""

    kernel: str
    problem: str
    target: str
    strides: tuple[Stride, ...]
    """The start first."""
    tried: int
    """Configurations predicted in all."""
    stop_reason: str

    @property
    def start(self) -> Ranked:
        """Where it began."""
        return self.strides[0].ranked

    @property
    def best(self) -> Ranked | None:
        """The last one that was kept; None: not even the start computes what it shall."""
        return next((stride.ranked for stride in reversed(self.strides) if stride.kept), None)
