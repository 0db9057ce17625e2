"""Register blocking: one work-item computes in registers what a work-group shared through local memory.

## What it changes
Staging in local memory goes, the group shrinks to one item, because the group existed to share the staged tile, and the
item's tile grows until its sums fill the register file. Each of the three alone makes things worse; together they are one
change of plan, from tiles of a group to tiles of an item.

## What it needs
Parameters for all three, and a kernel whose traits tell ``config.accumulator_registers`` and ``config.reuse``.

## What it costs
Operands are read where they lie, with their strides; packing them is the usual next step. Fewer, longer items.

## When it fails
On devices with local memory of its own, where it is not proposed. With scalar source code: the sums of one item then
are single elements, and the runtime's implicit vectors are lost with the group.

## References
SGEMM 1024³ with vectors of 8, Intel's OpenCL runtime, 2 cores with AVX2, one run on 2026-11-21: local-memory tile 69 ms;
without staging 262 ms; with a 6×16 register tile but still staged 73 ms; all three together 24 ms.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.record import Scalar
from hotloop.model.space import Parameter
from hotloop.techniques.case import sums_of_a_tile
from hotloop.techniques.gain import removing
from hotloop.techniques.situation import Situation
from hotloop.techniques.steps import is_off, off, smaller
from hotloop.techniques.technique import Category, Proposal, Signal, Technique
from hotloop.techniques.tiles import OPERANDS, best, tiles

STAGING, GROUP, TILE = "local-memory", "workgroup-size", "register-tile"
PROPOSED = 2


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Propose the full register tiles with the best reuse, without staging, in groups of one item."""
    registers = situation.device.vector_registers
    plan = _plan(situation, parameters)
    if situation.device.local_mem_dedicated or registers is None or not plan:
        return
    shape = tuple(p for p in parameters if p.technique == TILE)
    fitting = [tile for tile in tiles(situation, shape, plan) if tile.registers <= registers - OPERANDS]
    for tile in best([tile for tile in fitting if tile.registers > registers / 2 - OPERANDS], PROPOSED):
        text = f"{tile.registers:.0f} of {registers} registers hold sums"
        yield Proposal(tile.changes, removing(situation.share, 0.3, 0.95), text)


def _plan(situation: Situation, parameters: tuple[Parameter, ...]) -> dict[str, Scalar]:
    """Return the changes that switch staging off and make groups of one item; empty when nothing is staged."""
    staged = [p for p in parameters if p.technique == STAGING and not is_off(situation.value(p))]
    changes: dict[str, Scalar] = {p.name: value for p in staged if (value := off(p)) is not None}
    if not changes:
        return {}
    groups = [p for p in parameters if p.technique == GROUP]
    return changes | {p.name: down[-1] for p in groups if (down := smaller(p, situation.value(p)))}


TECHNIQUE = Technique(
    name="register-blocking",
    text=__doc__,
    category=Category.REGISTERS,
    propose=propose,
    removes=(0.3, 0.95),
    traits=sums_of_a_tile,
    signals=(Signal("config.local_bytes"), Signal("config.barriers"), Signal("config.reuse", rises=True)),
    labels=(STAGING, GROUP, TILE),
)
