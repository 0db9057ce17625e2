"""Row streaming: keep a few rows of the input in local memory and move them along, instead of the whole tile.

## What it changes
How much of the input is resident: the whole tile, or a ring of rows with accumulators that wait for the rows to come.

## What it needs
A stencil or convolution; copies that run ahead (double buffers), so that a step does not wait for its row.

## What it costs
A barrier per step; smaller loads.

## When it fails
Without loads that run ahead: chunks of 5 rows with about 20 barriers ran 1.549 ms for 0.614, although registers fell to
94, waves rose to 5 and local memory to 4.5 KB.

## References
Depthwise conv3d on gfx950, reported. Production kernels for grouped convolution stream rows with direct loads and ring
accumulators; no number for depthwise.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import others
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-1.0, 0.4)

TECHNIQUE = Technique(
    name="row-streaming",
    text=__doc__,
    category=Category.MEMORY,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("gpu.local_bytes"), Signal("gpu.occupancy_limit", rises=True), Signal("gpu.barrier_wait_share")),
    answers=("occupancy-limited",),
)
