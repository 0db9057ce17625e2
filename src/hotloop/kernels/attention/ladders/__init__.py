"""Ladders of attention: rungs as data (``cdna.toml``), one HIP and one FlyDSL source with switches, limits and predictions."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Mapping
from functools import partial

from hotloop.isa.instruction import Function
from hotloop.isa.rungs import Collection
from hotloop.kernels import _text
from hotloop.kernels.attention.ladders import accesses, counts, execute
from hotloop.kernels.attention.ladders.posed import ARRAYS, posed
from hotloop.kernels.attention.ladders.tile import D, Tile
from hotloop.model.ladder import Gate, Ladder, Local, Numerics, Rung, Unit
from hotloop.model.record import Scalar

_ENTRY = "attention"
FLYDSL = "flydsl"
"""The series of rungs that the FlyDSL source makes; the others are HIP's."""


def tile_of(ladder: Ladder, rung: Rung, target: str = "") -> Tile:
    """Return the tile of a rung that stands on all those below it."""
    return Tile.of(ladder.changes(rung, target))


def _unit(ladder: Ladder, rung: Rung, target: str, sizes: Mapping[str, Scalar]) -> Unit:
    tile, problem = tile_of(ladder, rung, target), {**ladder.varied(rung), **sizes}
    queries, heads = int(problem["queries"]), int(problem["heads"])
    grid = (-(-queries // tile.rows), heads, 1)
    if rung.series == FLYDSL:
        text = flydsl_text(ladder.changes(rung, target))
        name, threads = "attention_flydsl.py", tile.threads
        (scale,) = struct.unpack("<i", struct.pack("<f", D**-0.5 * math.log2(math.e)))  # the kernel takes powers of 2
        return Unit(
            language=FLYDSL,
            name=name,
            text=text,
            entry="",
            grid=grid,
            threads=threads,
            arrays=("q", "k", "v", "o"),
            numbers=(queries, int(problem["keys"]), scale),
            described=True,
        )
    return Unit(
        language="hip",
        name=ladder.source,
        text=hip_text(),
        entry=_ENTRY,
        options=(*tile.macros, *rung.options),
        grid=grid,
        threads=tile.threads,
        arrays=ARRAYS,
    )


def flydsl_text(changes: Mapping[str, Scalar]) -> str:
    """Return the FlyDSL source with some of its switches set.

    Raises:
        ValueError: it has no such switch.
    """
    text = _source("attention.flydsl")
    for name, value in changes.items():
        text, count = re.subn(rf"^{name} = \d+$", f"{name} = {value}", text, flags=re.MULTILINE)
        if count != 1:
            raise ValueError(f"the FlyDSL source of attention has no switch {name}")
    return text


def hip_text() -> str:
    """Return the HIP source of all rungs."""
    return "".join(_source(f"{part}.hip") for part in ("tile", "moves", "products", "attention"))


_source = partial(_text.read, "hotloop.kernels.attention.sources")


def _accesses(ladder: Ladder, rung: Rung, wave: int) -> tuple[Local, ...]:
    del wave  # always 64
    return accesses.accesses(tile_of(ladder, rung))


def _numerics(ladder: Ladder, rung: Rung, target: str) -> Numerics | None:
    if rung.series == FLYDSL:
        return None  # the tests execute its own text
    return execute.verify(tile_of(ladder, rung, target))


def _gates(ladder: Ladder, rung: Rung, function: Function) -> tuple[Gate, ...]:
    return counts.gates(tile_of(ladder, rung), ladder.varied(rung), function)


LADDERS = Collection(
    __name__,
    accesses=_accesses,
    numerics=_numerics,
    unit=_unit,
    gates=_gates,
    posed=posed,
    small=lambda _: {"heads": 1, "queries": 256, "keys": 256},
)
