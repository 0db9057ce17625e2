"""Bypass local memory: load an operand that is read once per loop straight into registers.

## What it changes
The way of one operand: through local memory, or from global memory by each lane for itself, in the layout of the
instruction that takes it.

## What it needs
An operand that a lane reads once and nobody else reads, e.g. the query tile of attention.

## What it costs
Loads are only partly coalesced: four lanes share 8-byte pieces of a row.

## When it fails
When local memory does not limit: 23 → 12.5 KB left an attention kernel at about 108 TFLOPS.

## References
Attention forward V4.3 on gfx942, reported: 23 → 12.5 KB, 124 registers, 2 → 4 waves per SIMD, speed unchanged.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.1, 0.3)

TECHNIQUE = Technique(
    name="bypass-local",
    text=__doc__,
    category=Category.MEMORY,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("gpu.local_bytes"), Signal("gpu.occupancy_limit", rises=True), Signal("gpu.lds_per_wave")),
    answers=("lds-bound", "occupancy-limited"),
)
