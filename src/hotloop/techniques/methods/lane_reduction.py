"""Lane reduction: combine values of a wave by exchanges between lanes, not through local memory.

## What it changes
How partial results of lanes are combined: through local memory with barriers, by subgroup operations, or by exchange
instructions.

## What it needs
Exchanges between lanes: DPP row operations on all AMD chips, permlane16 on RDNA, permlane swaps of 16 and 32 on gfx950
only, shuffles on NVIDIA; subgroup operations that the runtime offers.

## What it costs
Nothing but the instructions; code that depends on the wave's size.

## When it fails
Raw ds_swizzle immediates encode masks, not distances: passing the bare distance is another permutation (distance 8 is
0x201F). Lanes beyond the data must hold the neutral element.

## References
SGEMM on gfx1012: DPP expected +10–15 %, subgroup operations +5–15 %, neither tried. Softmax of the reported attention
uses XOR distances 8, 4, 2, 1 within 16 lanes.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import others
from hotloop.techniques.needs import gpu
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.0, 0.8)

TECHNIQUE = Technique(
    name="lane-reduction",
    text=__doc__,
    category=Category.PARALLELISM,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(gpu("exchange between lanes"),),
    signals=(Signal("gpu.lds_per_wave"), Signal("gpu.barrier_wait_share"), Signal("static.shuffle_share", rises=True)),
)
