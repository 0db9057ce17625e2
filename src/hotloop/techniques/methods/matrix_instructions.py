"""Matrix instructions: let the matrix unit do the multiply-adds.

## What it changes
The unit that multiplies: vector instructions, or matrix instructions on narrow operands with wide sums.

## What it needs
A contraction with reuse across lanes, operands of a type that the unit takes, a tolerance that allows it; CDNA from
gfx908, RDNA from gfx11, NVIDIA from sm_70.

## What it costs
Lane maps to be respected, padding of edges; tf32 keeps 10 bits of mantissa.

## When it fails
Without reuse across lanes: depthwise conv3d as a Toeplitz product ran 6 to 23 times slower (see toeplitz).

## References
Data sheet of H100: 67 TFLOP/s fp32 on the vector pipe, 990 bf16 on tensor cores. Recorded: cuBLAS's fp32 2048³ product at
50 TFLOP/s, bf16 4096³ at 772.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import upwards
from hotloop.techniques.needs import MATRIX_UNIT
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.3, 0.9)

TECHNIQUE = Technique(
    name="matrix-instructions",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=partial(upwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(MATRIX_UNIT,),
    signals=(
        Signal("gpu.matrix_utilization", rises=True),
        Signal("static.matrix_share", rises=True),
        Signal("gpu.valu_utilization"),
    ),
)
