"""Uniform random search without replacement: the baseline that any other strategy must beat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.search.sampler import Sampled

if TYPE_CHECKING:
    from hotloop.model.space import Config


class Random(Sampled):
    """Asks for start points, then for any configuration not seen yet, all equally likely."""

    def ask(self) -> Config | None:
        """Return an unseen configuration, or None when all are seen."""
        ledger = self._ledger
        return ledger.issue(ledger.start() or self._sampler.unseen(ledger.rng(), ledger))

    def tell(self, config: Config, call_ns: float | None) -> None:
        """Record a result; it does not influence what comes next, except that it is not asked for again."""
        self._ledger.record(config, call_ns)


STRATEGY = Random
