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
from hotloop.model.space import Config, Parameter
from hotloop.techniques.case import Case
from hotloop.techniques.gain import removing, scaling
from hotloop.techniques.knobs import downwards
from hotloop.techniques.situation import Situation
from hotloop.techniques.steps import larger
from hotloop.techniques.technique import Category, Effect, Proposal, Signal, Technique
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


def _traits(config: Config) -> dict[str, float]:
    rows, vectors = config.integer("MWI"), max(1, config.integer("NWI") // 16)
    return {"config.accumulator_registers": rows * vectors, "config.reuse": rows * vectors / (rows + vectors)}


_TILE = (Parameter("MWI", (1, 2, 4, 6, 8, 12, 16)), Parameter("NWI", (16, 32, 64)))

TECHNIQUE = Technique(
    name="register-tile",
    text=__doc__,
    category=Category.REGISTERS,
    propose=propose,
    removes=(-0.2, 0.8),
    effects=(Effect(1.2, 1.3, "thread tile 8×8 → 16×8 of SGEMM on gfx1012, expected, not tried", measured=False),),
    signals=(Signal("config.reuse", rises=True), Signal("static.loads_per_fma"), Signal("gpu.lds_per_wave")),
    cases=(
        Case(
            text="one vector of sums per item on AVX-512: fill 29 registers, best reuse first (6×4 reuses 2.4 times)",
            parameters=_TILE,
            start=Config(MWI=1, NWI=16),
            share=0.9,
            traits=_traits,
            expects=("MWI 1 → 6, NWI 16 → 64", "MWI 1 → 12, NWI 16 → 32"),
        ),
        Case(
            text="the tile spills",
            parameters=_TILE,
            start=Config(MWI=16, NWI=64),
            facts=(("static.spills", 70),),
            traits=_traits,
            expects=("MWI 16 → 12", "NWI 64 → 32"),
        ),
        Case(
            text="a kernel without traits: one step at a time",
            parameters=(Parameter("TILE", (1, 2, 4)),),
            start=Config(TILE=1),
            expects=("TILE 1 → 2",),
        ),
        Case(
            text="26 of 32 registers in use: every larger tile would spill",
            parameters=(Parameter("MWI", (13, 16)), Parameter("NWI", (32, 64))),
            start=Config(MWI=13, NWI=32),
            traits=_traits,
        ),
    ),
)
