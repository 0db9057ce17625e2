"""Configurations that are worth trying first, because they are the best known for the same or for similar problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.app import userfile
from hotloop.model.finding import Gain, Move
from hotloop.model.kernel import Variant
from hotloop.model.near import distance
from hotloop.model.space import Config
from hotloop.targets.relatives import Relative, of_key, ranked

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.device import Device
    from hotloop.model.kernel import Implementation, Kernel
    from hotloop.model.problem import Problem
    from hotloop.model.record import Record
    from hotloop.store import Store, Winner

    Rows = Sequence[tuple[Record, Config]]

FROM_STORE, FROM_TABLE = 2, 2
"""How many configurations of the store's winners, and of the shipped table, are tried."""


@dataclass(frozen=True, slots=True)
class Picked:
    """Result of `known`, as a run's journal stores it."""

    configs: tuple[Config, ...]


def known(
    desk: Desk, store: Store, kernel: Kernel, problem: Problem, implementation: Implementation
) -> tuple[Config, ...]:
    """Return distinct configurations: of the nearest winners in the store, then of the kernel's shipped table.

    They are chosen when the run begins and stored in its journal, because winners of other runs must not change its path.
    """

    def read() -> Picked:
        winners = [best.winner for best in store.all_best() if best.winner.family == userfile.kept_as(kernel)]
        return Picked(pick(kernel, problem, implementation, desk.device, winners))

    return desk.remember("best known configurations", Picked, read).configs


def pick(
    kernel: Kernel, problem: Problem, implementation: Implementation, device: Device, winners: Sequence[Winner]
) -> tuple[Config, ...]:
    """Return the configurations of these winners that `known` would return for an implementation on a device.

    A device without winners of its own uses those of related devices, the nearest relative first; for each device the
    nearest problems come first.
    """
    fitting = [winner for winner in winners if winner.implementation == implementation.name]
    won: dict[str, list[tuple[Record, Config]]] = {}
    for winner in fitting:
        won.setdefault(winner.device, []).append((winner.sizes, winner.config))
    shipped: dict[str, list[tuple[Record, Config]]] = {}
    for preset in kernel.presets:
        if preset.implementation == implementation.name:
            shipped.setdefault(preset.target, []).append((preset.sizes, preset.config))
    own: list[Rows] = (
        [won[device.key]] if device.key in won else _borrowed(device, {key: of_key(key) for key in won}, won)
    )
    table: list[Rows] = [shipped[device.target]] if device.target in shipped else []
    if not own and not table:
        table = _borrowed(device, {target: Relative(target) for target in shipped}, shipped)
    chosen = [*_first(problem, own, FROM_STORE), *_first(problem, table, FROM_TABLE)]
    return tuple(dict.fromkeys(chosen))


def move(incumbent: Variant, config: Config) -> Move:
    """Return the move from the incumbent to a configuration that is known to be good."""
    why = "known to be good for this or a similar shape or machine"
    variant = Variant(incumbent.implementation, config)
    change = changed(incumbent.config, config)
    return Move(technique="known-best", variant=variant, change=change, why=why, gain=Gain(1.0, 10.0))


def begun(variant: Variant) -> Move:
    """Return where a run starts, as its first step records it."""
    why = "the implementation's start"
    return Move(technique="baseline", variant=variant, change="start", why=why, gain=Gain(1.0, 1.0))


def changed(before: Config, after: Config) -> str:
    """Return the parameters that differ between two configurations, as text.

    >>> changed(Config(A=1, B=2), Config(A=1, B=4))
    'B 2 → 4'
    """
    return ", ".join(f"{name} {before[name]} → {after[name]}" for name in before.changes_to(after))


def _borrowed(
    device: Device, relatives: dict[str, Relative], rows: dict[str, list[tuple[Record, Config]]]
) -> list[Rows]:
    """Return the winners of related devices, the nearest relative first."""
    order = ranked(Relative(device.target or device.name, device.compute_units), dict.fromkeys(relatives.values()))
    return [rows[name] for relative in order for name in rows if relatives[name] == relative]


def _first(problem: Problem, groups: Sequence[Rows], count: int) -> list[Config]:
    """Return the first distinct configurations of several groups, each sorted by nearness of its problems."""
    ordered = [config for rows in groups for config in _nearest(problem, rows)]
    return list(dict.fromkeys(ordered))[:count]


def _nearest(problem: Problem, rows: Rows) -> list[Config]:
    """Return configurations sorted by nearness of their problem."""
    return [Config(config) for _, config in sorted(rows, key=lambda row: distance(problem.sizes, row[0]))]
