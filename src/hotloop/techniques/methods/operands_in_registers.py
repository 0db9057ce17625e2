"""Operands in registers: read what the loop does not change once, before the loop.

## What it changes
Where a loop-invariant operand lives: read from local memory in every iteration, or held in registers (the query tile of
attention, the weights of a convolution).

## What it needs
An operand that does not change in the loop, and registers for it: 16 for a query tile of 128 halves, 75 for the weights
of a 3×5×5 filter, 45 packed.

## What it costs
Registers.

## When it fails
When it costs a wave that was needed. The other way, weights in local memory, lost in every variant of a conv3d kernel
(1.262 to 2.605 ms): the input's reads dominate there.

## References
Attention forward on gfx942, reported: with a transposed and padded V tile 26.3 → 60.1 TFLOPS, local memory instructions
40,000 → 32,000 per wave, wait ratio 3.05 → 0.53.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.needs import register_room
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.1, 0.9)

TECHNIQUE = Technique(
    name="operands-in-registers",
    text=__doc__,
    category=Category.REGISTERS,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(register_room(16),),
    signals=(Signal("gpu.lds_per_wave"), Signal("gpu.lds_wait_ratio"), Signal("static.lds_reads_per_matrix")),
)
