"""Ladders of attention: rungs as data (``cdna.toml``), one HIP source with switches, limits and predictions."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from hotloop.isa.instruction import Function
from hotloop.kernels.attention.ladders import accesses, counts, execute
from hotloop.kernels.attention.ladders.tile import Tile
from hotloop.model.ladder import Collection, Gate, Ladder, Local, Numerics, Rung, Unit
from hotloop.model.record import Scalar

_ENTRY = "attention"


def tile_of(ladder: Ladder, rung: Rung, target: str = "") -> Tile:
    """Return the tile of a rung that stands on all those below it."""
    return Tile.of(ladder.changes(rung, target))


def _unit(ladder: Ladder, rung: Rung, target: str, sizes: Mapping[str, Scalar]) -> Unit:
    tile, problem = tile_of(ladder, rung, target), {**ladder.varied(rung), **sizes}
    folder = resources.files("hotloop.kernels.attention.sources")
    queries, heads = int(problem["queries"]), int(problem["heads"])
    return Unit(
        language="hip",
        name=ladder.source,
        text=(folder / ladder.source).read_text(encoding="utf-8"),
        entry=_ENTRY,
        options=(*tile.macros, *rung.options),
        grid=(-(-queries // tile.rows), heads, 1),
        threads=tile.threads,
    )


def _accesses(ladder: Ladder, rung: Rung, wave: int) -> tuple[Local, ...]:
    del wave  # always 64
    return accesses.accesses(tile_of(ladder, rung))


def _numerics(ladder: Ladder, rung: Rung, target: str) -> Numerics:
    return execute.verify(tile_of(ladder, rung, target))


def _gates(ladder: Ladder, rung: Rung, function: Function) -> tuple[Gate, ...]:
    return counts.gates(tile_of(ladder, rung), ladder.varied(rung), function)


LADDERS = Collection(
    __name__,
    accesses=_accesses,
    numerics=_numerics,
    unit=_unit,
    gates=_gates,
    card="hotloop.kernels.attention.ladders.card",
)
