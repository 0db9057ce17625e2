"""Configurations that are worth trying first, because they are the best known for the same or for similar problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.app.session import Options, open_store
from hotloop.errors import StoreError
from hotloop.model.near import distance
from hotloop.model.space import Config

if TYPE_CHECKING:
    from hotloop.model.kernel import Kernel
    from hotloop.model.problem import Problem

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
