"""Larger tile: more results for each work-group, so that barriers, addresses and staged operands serve more work.

## What it changes
The extents of the tile that one work-group computes (rows of queries, columns of keys, both sides of a matrix product)
and the waves that share it.

## What it needs
Local memory and registers for the larger tile; problems that still fill the device.

## What it costs
Fewer groups to balance with; more values alive.

## When it fails
When the next size costs a resident group that was needed, or leaves units idle.

## References
Attention forward on gfx942, reported: 16 → 32 keys per step halves iterations and barriers, 60.1 → 67.6 TFLOPS. 128 and
256 query rows are on its roadmap; the assembly reference has 256.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import upwards
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.2, 0.6)

TECHNIQUE = Technique(
    name="larger-tile",
    text=__doc__,
    category=Category.PARALLELISM,
    propose=partial(upwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("gpu.barrier_wait_share"), Signal("gpu.lds_per_wave"), Signal("gpu.groups")),
    answers=("barrier-stalls", "lds-bound", "low-matrix-utilisation", "l2-bound"),
)
