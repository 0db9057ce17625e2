"""Warp-group matrix instructions: operands straight from shared memory, four warps at a time.

## What it changes
The matrix instruction: mma of a warp with operands in registers, or wgmma of a warp group.

## What it needs
Hopper, compiled for sm_90a; tiles of 64 or more rows per group; operands in shared memory in one of its layouts.

## What it costs
Fences and waits for groups of instructions; the accumulators belong to four warps.

## When it fails
Tiles of 16 rows have no such form; code for sm_90 without the a cannot use it; Blackwell has other instructions.

## References
W. Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU Architecture, 2024: mma reaches about 62 % of the peak.
Recorded on H100: vendor product and attention use warp groups only.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.needs import having
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.3, 1.0)

TECHNIQUE = Technique(
    name="warp-group-matrix",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(having("warp-group matrix instructions"),),
    signals=(Signal("gpu.legacy_matrix_share"), Signal("gpu.matrix_utilization", rises=True)),
)
