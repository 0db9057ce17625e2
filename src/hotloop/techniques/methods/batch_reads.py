"""Batch reads: issue many local memory reads before the one wait for them.

## What it changes
How many reads are issued before the first wait.

## What it needs
A register for every value in flight, and addresses that are known when the batch starts (compile-time offsets from one
base).

## What it costs
Registers: 45 values in flight are 45 registers, and a long phase without arithmetic.

## When it fails
Against reads that the scheduler spreads between the arithmetic (interleave with hints) it lost 13 to 16 % in the same
kernel. The counter of outstanding reads ends at 15 on CDNA.

## References
Depthwise conv3d on gfx950, reported: 45 reads and one wait 0.614 ms; single 16-bit reads 1.337 ms; read and multiply one
by one with 167 waits 1.339 ms.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import upwards
from hotloop.techniques.needs import register_room
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.2, 0.6)

TECHNIQUE = Technique(
    name="batch-reads",
    text=__doc__,
    category=Category.LATENCY,
    propose=partial(upwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(register_room(45),),
    signals=(Signal("static.local_drains_per_matrix"), Signal("gpu.lds_wait_share"), Signal("isa.lds_stall_share")),
)
