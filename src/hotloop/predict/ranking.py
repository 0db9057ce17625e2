"""Configurations of a space, ranked by predicted times."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.model.space import Config
from hotloop.predict.sequence import Sequel


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One configuration."""

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
    def best(self) -> Ranked | None:
        """The best predicted one that computes what it shall; None: none of those that were executed does."""
        return next((one for one in self.ranked if one.verified), None)
