"""Double buffer: fill one tile of local memory while another is computed on.

## What it changes
The number of tiles in local memory: one more removes a barrier of each iteration, and lets the next load start early.

## What it needs
Twice (or n times) the local memory of a work-group.

## What it costs
Local memory, and so perhaps half of the resident groups; a prologue and a tail.

## When it fails
When fewer resident waves cost more than the barrier: 16 to 32 KB halves the limit of CDNA3 from 4 to 2 groups per unit. A
slot may be filled again only after every wave has read it.

## References
Reported attention roadmap: key and value tiles in two buffers remove the hazard that defeated an overlay of regions.
Three levels (global, local, registers) for SGEMM on gfx1012: expected +20–50 %, not tried.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import upwards
from hotloop.techniques.needs import local_room
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.2, 0.7)

TECHNIQUE = Technique(
    name="double-buffer",
    text=__doc__,
    category=Category.LATENCY,
    propose=partial(upwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(local_room(2),),
    signals=(
        Signal("gpu.barrier_wait_share"),
        Signal("static.barriers_per_iteration"),
        Signal("static.global_load_cover", rises=True),
    ),
)
