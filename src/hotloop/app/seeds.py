"""Configurations that are worth trying first, because they are the best known for the same or for similar problems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hotloop.app.session import Options, open_store
from hotloop.devices.detect import detect
from hotloop.errors import StoreError
from hotloop.model.near import distance
from hotloop.model.space import Config

if TYPE_CHECKING:
    from hotloop.model.kernel import Kernel
    from hotloop.model.problem import Problem
    from hotloop.model.record import Record
    from hotloop.store import Winner

FROM_STORE, FROM_TABLE = 2, 2
"""How many of each are tried."""


def known(kernel: Kernel, problem: Problem, options: Options) -> tuple[Config, ...]:
    """Return configurations of the store's nearest winners, then of the kernel's shipped table; none twice."""
    own = [(winner.sizes, winner.config) for winner in _winners(problem, options)]
    target = detect().target
    shipped = [(preset.sizes, preset.config) for preset in kernel.presets if preset.target == target]
    chosen = [*_nearest(problem, own)[:FROM_STORE], *_nearest(problem, shipped)[:FROM_TABLE]]
    return tuple(dict.fromkeys(chosen))


def _winners(problem: Problem, options: Options) -> list[Winner]:
    try:
        with open_store(options, read_only=True) as store:
            return [known.winner for known in store.all_best() if known.winner.family == problem.family]
    except StoreError:  # no store yet: nothing is known
        return []


def _nearest(problem: Problem, rows: Sequence[tuple[Record, Config]]) -> list[Config]:
    """Return configurations by nearness of their problem, each once."""
    ordered = sorted(rows, key=lambda row: distance(problem.sizes, row[0]))
    return list(dict.fromkeys(Config(config) for _, config in ordered))
