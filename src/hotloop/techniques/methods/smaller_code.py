"""Smaller code: keep the hot path within the instruction cache.

## What it changes
How much is specialised or laid out straight: fewer specialisations, one body for head and tail, loops instead of full
unrolling.

## What it needs
A hot path longer than the instruction cache.

## What it costs
Loop control and branches come back.

## When it fails
In launches of a few microseconds the first instructions miss whatever their number.

## References
Recorded on H100: 35 % of warp time waits for instructions in an index fill of 2.3 µs, which is start-up; below 1 % in
matrix products. No gain reported.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import downwards
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.2, 0.8)

TECHNIQUE = Technique(
    name="smaller-code",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=partial(downwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("static.code_bytes"), Signal("gpu.fetch_wait_share"), Signal("gpu.icache_miss_rate")),
)
