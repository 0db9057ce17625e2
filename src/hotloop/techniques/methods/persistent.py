"""Persistent groups: one group for each slot of the device, which takes tile after tile.

## What it changes
The grid: a group per tile, or as many groups as are resident at once with a loop over tiles.

## What it needs
More tiles than compute units.

## What it costs
A loop with a tile counter, registers alive across tiles; the prologue of the next tile can overlap the epilogue of this
one.

## When it fails
With a static share of tiles one long tile still holds the end; with equal tiles the rounding of rounds stays. High
complexity.

## References
SGEMM on gfx1012: expected +20–50 %, not tried. Vendor attention on H100 runs in 132 persistent blocks.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.1, 0.8)

TECHNIQUE = Technique(
    name="persistent",
    text=__doc__,
    category=Category.PARALLELISM,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("gpu.ramp_share"), Signal("gpu.imbalance"), Signal("gpu.busy_share", rises=True)),
)
