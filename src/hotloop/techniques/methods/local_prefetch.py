"""Local prefetch: read the next step's operands from local memory while this step computes (stage 2).

## What it changes
How many steps ahead operands are read from local memory into registers.

## What it needs
Global prefetch that works already (stage 1), two tiles of the reduction, registers for a second set of operands.

## What it costs
Registers: 110 → 143 on gfx942, where waves fall from 4 to 3, which changes nothing if local memory allows only 2.

## When it fails
Where the compiler hoists the reads already. By depth slice in a conv3d kernel (15 reads in flight, the counter's end) it
lost 1 %. With one tile there is no next step.

## References
The Gluon pipelining guide expects +5–20 %. Own compilation, waits for all reads per matrix instruction: gfx942 6/32 →
2/32, gfx950 3/32 → 1/16.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import upwards
from hotloop.techniques.needs import below, register_room
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.1, 0.9)

TECHNIQUE = Technique(
    name="local-prefetch",
    text=__doc__,
    category=Category.LATENCY,
    propose=partial(upwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(register_room(33), below("gpu.matrix_utilization", 0.85, "matrix units that still wait")),
    signals=(
        Signal("static.local_drains_per_matrix"),
        Signal("isa.lds_stall_share"),
        Signal("gpu.matrix_utilization", rises=True),
    ),
)
