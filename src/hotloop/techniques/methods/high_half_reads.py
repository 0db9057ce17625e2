"""High-half reads: load 16-bit values into the upper half of a register, which is the fp32 value of a bf16.

## What it changes
The instruction that reads bf16 from local memory: pairs that are unpacked, or single values into upper halves.

## What it needs
AMD from gfx9 on.

## What it costs
One read and one register per value instead of one per pair.

## When it fails
Where it was tried: batched, 90 values took 170 registers and 0.927 ms; read and multiplied one by one 167 waits and 1.339
ms; pairs 0.614 ms.

## References
Depthwise conv3d on gfx950, reported.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.needs import having
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-1.0, 0.3)

TECHNIQUE = Technique(
    name="high-half-reads",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(having("reads of 16 bits into the upper half of a register"),),
    signals=(Signal("gpu.bit_ops_ratio"), Signal("static.conversion_share")),
    answers=("conversion-overhead",),
)
