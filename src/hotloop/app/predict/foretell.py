"""Predicted times for a search on a real card to begin with: what it proposes first, and whom it need not believe for long.

Only for AMD GPUs whose chip is known by name or by its number of units. The search begins with the best of what the model trusts and
expects of the others what is predicted, corrected by what it measures; predictions lose their say as far as that disagrees. What the model
doubts is told as doubted, and has a say only once results agree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from hotloop.app.events import Searched, Stage
from hotloop.app.predict import abreast
from hotloop.app.predict.bench import bench
from hotloop.errors import HotloopError
from hotloop.host.clock import SystemClock
from hotloop.host.settings import usable_cores
from hotloop.predict.opinion import silence
from hotloop.search.elsewhere import FEWEST
from hotloop.search.foretold import Foretold
from hotloop.search.sampler import sampler_of
from hotloop.search.strategy import named
from hotloop.targets import chips
from hotloop.targets.target import Target
from hotloop.units import counted

if TYPE_CHECKING:
    from hotloop.app.events import Event
    from hotloop.app.predict.bench import Bench
    from hotloop.app.predict.kept import Kept
    from hotloop.model.device import Device
    from hotloop.model.kernel import Implementation, Kernel
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config
    from hotloop.predict.sequence import Sequel

Key = TypeVar("Key")

SHARE = 0.1
"""Part of a run's budget that predicting may take."""
_MOST = 400
"""Predictions beyond which a search reads no more of them (`hotloop.search.elsewhere`)."""
_DRAWN = 16
"""Random configurations before the predictions are followed downhill."""
_STRATEGY = "local"
_LIMIT_S, _LIMIT_SHARE = 5.0, 0.25
"""Processor time that one prediction may take: so many seconds, or this share of the time for all where that is more."""


def foretell(
    kernel: Kernel, implementation: Implementation, problem: Problem, device: Device, budget_s: float, seed: int,
    tell: Callable[[Event], object] = lambda _: None, kept: Kept | None = None,
) -> Foretold:  # fmt: skip
    """Return predicted times of some configurations; none where nothing is known of the card, doubted ones where their order is no opinion."""
    name = chip_of(device)
    if not name:
        return Foretold()
    try:
        made = bench(kernel, implementation, problem, Target.of(device.target).name, name, seed, kept)
        tell(Stage(f"predicting configurations for {name} on {counted(usable_cores(), 'core')}"))
        return _predicted(made, SHARE * budget_s, tell)
    except HotloopError:  # no compiler, no listing: the search does without
        return Foretold()


def chip_of(device: Device) -> str:
    """Return the chip that a device is, by its name, else by target and number of units; empty: not known.

    >>> from hotloop.model.device import Device
    >>> chip_of(Device(name="AMD Radeon Graphics", kind="gpu", backend="opencl", runtime="", runtime_key="amd", target="gfx942", compute_units=228))
    'MI300A'
    """
    target = Target.of(device.target)
    if not target.amd:
        return ""
    named = chips.named(device.name)
    if named is not None and named.target == target.name:
        return named.name
    alike = (c for c in chips.chips() if c.target == target.name and device.compute_units == c.machine.compute_units)
    return next((chip.name for chip in alike), "")


def _predicted(made: Bench, budget_s: float, tell: Callable[[Event], object]) -> Foretold:
    clock, space = SystemClock(), made.implementation.space
    end_s = clock.monotonic_s() + budget_s
    sampler = sampler_of(space)
    drawn = [sampler.grid.decode(tuple(row)) for row in sampler.draw(np.random.default_rng(made.seed), _DRAWN).tolist()]
    strategy = named(_STRATEGY)(space, made.seed, start=[made.implementation.start, *drawn])
    predicted: dict[Config, Sequel] = {}

    def going() -> bool:
        return clock.monotonic_s() < end_s and len(predicted) < _MOST

    limit_s = max(_LIMIT_S, budget_s * _LIMIT_SHARE)
    for asked, candidate in enumerate(abreast.told(made, strategy, going, limit_s), 1):
        if candidate.prediction is not None:
            predicted[candidate.config] = candidate.prediction
        tell(Searched(asked, asked - len(predicted), None))
    return told(predicted)


def told(predicted: Mapping[Config, Sequel]) -> Foretold:
    """Return what a search is told: the trusted times, or all of them as doubted where there are too few or their order is no opinion."""
    trusted = worth(predicted)
    if trusted or len(predicted) < FEWEST:
        return Foretold(trusted)
    return Foretold({config: foreseen.time_ns for config, foreseen in predicted.items()}, doubted=True)


def worth(predicted: Mapping[Key, Sequel]) -> dict[Key, float]:
    """Return the predicted times in ns that a search may follow: the trusted ones, where there are enough and their order is an opinion."""
    times = {key: foreseen.time_ns for key, foreseen in predicted.items() if foreseen.trusted}
    return {} if len(times) < FEWEST or silence(tuple(predicted.values())) else times
