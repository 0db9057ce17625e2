"""Predictions for the first proposals of a search, loaded where there is a card to predict: what they need takes half a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from hotloop.app.events import Event
    from hotloop.model.device import Device
    from hotloop.model.kernel import Implementation, Kernel
    from hotloop.model.problem import Problem
    from hotloop.search.foretold import Foretold


def foretell(
    kernel: Kernel,
    implementation: Implementation,
    problem: Problem,
    device: Device,
    budget_s: float,
    seed: int,
    tell: Callable[[Event], object],
) -> Foretold:
    """Return what `hotloop.app.predict.foretell` does."""
    from hotloop.app.predict import foretell as predicted
    from hotloop.app.predict.kept import beside_store

    return predicted.foretell(kernel, implementation, problem, device, budget_s, seed, tell, beside_store())
