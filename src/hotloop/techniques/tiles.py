"""Register tiles: which block sizes of one work-item fill the register file, best reuse first."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from hotloop.techniques.steps import larger

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hotloop.model.record import Scalar
    from hotloop.model.space import Parameter
    from hotloop.techniques.situation import Situation

OPERANDS = 3
"""Registers kept for operands beside the accumulators."""
LARGEST = 256
"""Most tiles that are compared."""


class Tile(NamedTuple):
    """One candidate, ordered by reuse first."""

    reuse: float
    registers: float
    changes: dict[str, Scalar]


def tiles(
    situation: Situation, parameters: tuple[Parameter, ...], beside: Mapping[str, Scalar] | None = None
) -> Iterator[Tile]:
    """Yield the larger tiles, as far as the kernel's traits know how many registers they need.

    `beside` are changes of other parameters that go with each tile; they are part of its changes.
    """
    most = max(2, int(LARGEST ** (1 / len(parameters))))
    choices = [(situation.value(p), *larger(p, situation.value(p)))[:most] for p in parameters]
    for values in product(*choices):
        grown = {p.name: v for p, v in zip(parameters, values, strict=True) if v != situation.value(p)}
        changes = {**(beside or {}), **grown}
        traits = situation.traits(changes)
        if changes and "config.accumulator_registers" in traits:
            yield Tile(traits.get("config.reuse", 0.0), traits["config.accumulator_registers"], changes)


def best(candidates: list[Tile], count: int) -> list[Tile]:
    """Return the tiles with the highest reuse, of those the ones that use most registers."""
    return sorted(candidates, key=lambda tile: (-tile.reuse, -tile.registers))[:count]
