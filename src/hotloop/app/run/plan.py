"""The options of a run that optimizes or tunes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hotloop.model.space import Config


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Options of an optimize or tune run, as the user gave them."""

    budget_s: float = 300.0
    """Wall time for the whole run."""
    implementation: str = ""
    start: Config | None = None  # instead of the implementation's own
    margin: float = 0.02
    target: float = 0.97
    """Fraction of the roofline at which the run stops because little is left to gain."""
    peers: bool = True
    techniques: bool = True
    """True: apply techniques, as `optimize` does; False: only search, as `tune` does."""
    seeds: tuple[Config, ...] = ()
    """Configurations to try first."""
    known_best: bool = False
    """Whether the best known configurations of the nearest problems and devices are tried first, too."""
    strategies: tuple[str, ...] = ("local",)
    """Search strategies, one per phase in turn: ``local`` polishes the incumbent, ``surrogate`` sees the whole space."""
    menu_share: float = 0.75
    """Fraction of the budget after which the search replaces the menu of techniques, unless the menu is empty earlier."""
