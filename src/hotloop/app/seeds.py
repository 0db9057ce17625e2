"""Configurations that are worth trying first, because they are the best known for the same or for similar problems."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from hotloop.app.session import Options, open_store
from hotloop.errors import StoreError
from hotloop.model.space import Config

if TYPE_CHECKING:
    from hotloop.model.kernel import Kernel
    from hotloop.model.problem import Problem
    from hotloop.model.record import Record

MOST = 4


def known(kernel: Kernel, problem: Problem, options: Options) -> tuple[Config, ...]:
    """Return configurations of the store's nearest winners, then of the kernel's shipped table; none twice."""
    found: list[Config] = []
    try:
        with open_store(options, read_only=True) as store:
            rows = [k.winner for k in store.all_best() if k.winner.family == problem.family]
    except StoreError:
        rows = []
    rows.sort(key=lambda winner: distance(problem.sizes, winner.sizes))
    candidates = [row.config for row in rows] + [preset.config for preset in kernel.presets]
    for config in candidates:
        if config not in found:
            found.append(config)
    return tuple(found[:MOST])


def distance(here: Record, there: Record) -> float:
    """Return how unlike two problems are: factors between sizes in ln, a constant for every other difference.

    >>> from hotloop.model.record import Record
    >>> distance(Record(m=64, t="N"), Record(m=64, t="N")), distance(Record(t="N"), Record(t="T"))
    (0.0, 10.0)
    """
    total = 0.0
    for name in {**here, **there}:
        ours, theirs = here.get(name), there.get(name)
        if ours == theirs:
            continue
        numbers = isinstance(ours, int | float) and isinstance(theirs, int | float)
        total += abs(log((1 + abs(float(ours))) / (1 + abs(float(theirs))))) if numbers else 10.0  # type: ignore[arg-type]
    return total
