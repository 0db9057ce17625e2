"""Trim local memory: allocate no more than the tile needs, so that more groups fit.

## What it changes
The size of the allocation, or of the tile: exact, without reservations and rounding up.

## What it needs
Local memory that is the limiter of resident groups; sizes step in granules (512 bytes on gfx942, 1,280 on gfx950).

## What it costs
A smaller tile reads more from global memory.

## When it fails
Freeing what does not limit does nothing: 23 → 12.5 KB in attention on gfx942 left 108 TFLOPS as they were, though waves
went from 2 to 4.

## References
Depthwise conv3d V97 on gfx950: 32,576 B allocated, 24,696 used; no effect reported at that size, counting allows 6
instead of 4 groups per unit.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import downwards
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.2, 0.4)

TECHNIQUE = Technique(
    name="trim-local",
    text=__doc__,
    category=Category.MEMORY,
    propose=partial(downwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(
        Signal("gpu.local_bytes"),
        Signal("gpu.limit_local", rises=True),
        Signal("gpu.occupancy_limit", rises=True),
    ),
)
