"""Convert once: turn narrow types into wide ones when data enter local memory, not at every use.

## What it changes
Where conversion happens: at each read of the inner loop, or once when the tile is stored.

## What it needs
Values that are read several times after they have been staged.

## What it costs
Twice the local memory and twice the bytes of each read.

## When it fails
When local memory is the limit of occupancy or of bandwidth. Reading 16-bit values into the upper half of a register is a
conversion for free, but one read per value: see high-half-reads.

## References
Depthwise conv3d V97 on gfx950, reported: 91 of 374 traced loop instructions unpack bf16, 20.6 % of the loop's summed
latency, which bounds the gain at 1.26; nobody measured it alone.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.needs import local_room
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.1, 0.8)

TECHNIQUE = Technique(
    name="convert-once",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(local_room(2),),
    signals=(Signal("gpu.bit_ops_ratio"), Signal("gpu.convert_share"), Signal("static.conversion_share")),
)
