"""Register tile: the block of results that one work-item keeps in registers.

## What it changes
The extents of the tile of one work-item. It grows until the accumulators fill the register file, with three registers
left for operands, and shrinks when the compiler spills or when units lack work.

## What it needs
A kernel that reuses each loaded element across the tile. The number of registers comes from the kernel's traits
``config.accumulator_registers`` and ``config.reuse``; without them the tile moves one value at a time.

## What it costs
Fewer, longer work-items: a small problem may no longer fill all compute units. Larger edges.

## When it fails
Beyond the register file every further accumulator is a load and a store per iteration.

## References
SGEMM on AVX-512: 8×2 … 13×2, 6×4, 8×3 vectors (16–28 accumulators of 32 registers) lie within about 10 % of each other,
one accumulator per item is 50–100 times slower.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.finding import Gain
from hotloop.model.space import Parameter
from hotloop.techniques.case import sums_of_a_tile
from hotloop.techniques.gain import removing, scaling
from hotloop.techniques.knobs import downwards
from hotloop.techniques.situation import Situation
from hotloop.techniques.steps import larger
from hotloop.techniques.technique import Category, Proposal, Signal, Technique
from hotloop.techniques.tiles import OPERANDS, best, tiles

FULL = 3
"""How many of the best full tiles are proposed."""


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Shrink on spills and idle units; otherwise fill the register file, then half of it, then one step each."""
    if situation.spilling or situation.starved:
        yield from downwards(situation, parameters, -0.1, 0.7)
        return
    before = situation.traits({}).get("config.accumulator_registers")
    registers = situation.device.vector_registers
    if before and registers:
        yield from _filling(situation, parameters, before, registers)
    yield from _steps(situation, parameters, before)


def _filling(
    situation: Situation, parameters: tuple[Parameter, ...], before: float, registers: int
) -> Iterator[Proposal]:
    limit = registers - OPERANDS
    fitting = [tile for tile in tiles(situation, parameters) if before < tile.registers <= limit]
    full = [tile for tile in fitting if tile.registers > limit / 2]
    half = [tile for tile in fitting if tile.registers <= limit / 2]
    for tile in (*best(full, FULL), *best(half, 1)):
        text = f"{tile.registers:.0f} of {registers} registers hold sums"
        yield Proposal(tile.changes, _gain(situation, before, tile.registers), text)


def _steps(situation: Situation, parameters: tuple[Parameter, ...], before: float | None) -> Iterator[Proposal]:
    nexts = {p.name: up[0] for p in parameters if (up := larger(p, situation.value(p)))}
    together = [dict(nexts)] if len(nexts) > 1 else []
    registers = situation.device.vector_registers
    for changes in (*together, *({name: value} for name, value in nexts.items())):
        after = situation.traits(changes).get("config.accumulator_registers")
        if after and registers and after > registers - OPERANDS:
            continue
        grows = before is not None and after is not None and after > before
        yield Proposal(
            changes,
            _gain(situation, before or 1.0, after or 1.0) if grows else removing(situation.share, -0.1, 0.5),
        )


def _gain(situation: Situation, before: float, after: float) -> Gain:
    """Believe that time falls with the number of sums until they fill half of the registers."""
    enough = (situation.device.vector_registers or 32) / 2
    if before >= enough:
        return removing(situation.share, -0.1, 0.4)
    return scaling(situation.share, min(after, enough) / before, 0.05)


TECHNIQUE = Technique(
    name="register-tile",
    text=__doc__,
    category=Category.REGISTERS,
    propose=propose,
    removes=(-0.2, 0.8),
    traits=sums_of_a_tile,
    signals=(Signal("config.reuse", rises=True), Signal("static.loads_per_fma"), Signal("gpu.lds_per_wave")),
)
