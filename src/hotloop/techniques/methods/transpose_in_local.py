"""Transpose in local memory: store a tile so that what is read together lies together.

## What it changes
The layout of a tile in local memory: as loaded, or transposed when it is stored (or by reads that transpose).

## What it needs
A store that can scatter, one element at a time; gfx950 has reads that transpose instead.

## What it costs
Scalar stores: one for each element.

## When it fails
When each element is read about as often as it is stored.

## References
Attention forward on gfx942, reported: key enabler of 26.3 → 60.1 TFLOPS, together with the query tile in registers and
padding; wait ratio 3.05 → 0.53.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.2, 0.9)

TECHNIQUE = Technique(
    name="transpose-in-local",
    text=__doc__,
    category=Category.MEMORY,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("gpu.lds_wait_ratio"), Signal("static.lds_read_bits", rises=True), Signal("isa.narrow_lds_share")),
)
