"""Fewer barriers: merge the phases between them.

## What it changes
The number of load and compute phases per iteration, e.g. two operands loaded in one phase with one barrier.

## What it needs
Local memory for all that a merged phase holds.

## What it costs
A larger phase in local memory.

## When it fails
When all waves arrive together a barrier is cheap. A barrier that orders a clear before loads must stay unless the same
lane does both.

## References
Reported rule of thumb: about 100 cycles per barrier, 512 iterations × 4 = 200,000 cycles; never measured alone. Too many
barriers: weights in local memory with 75 of them took more than 1.5 ms, row chunks with 20 took 1.549 ms, where one
barrier ran 0.614 ms (gfx950).
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import downwards
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.0, 0.75)

TECHNIQUE = Technique(
    name="fewer-barriers",
    text=__doc__,
    category=Category.LATENCY,
    propose=partial(downwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("gpu.barrier_wait_share"), Signal("static.barriers_per_iteration")),
)
