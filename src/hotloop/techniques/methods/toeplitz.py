"""Toeplitz: write a convolution along a row as small matrix products.

## What it changes
The arithmetic of a convolution: multiply-adds, or matrix instructions on a banded matrix of the weights (4×4×4 with 16
blocks, one channel per block).

## What it needs
Four or more channels per group, so that the matrix is dense; depthwise fills 20 of 32 entries.

## What it costs
The weights as banded operands: 60 registers for 3×5×5; more data per operation.

## When it fails
With one channel per group it needs 16 times the data for 16 times the arithmetic: 6 to 23 times slower than
multiply-adds, with scalar spills and 304 to 560 B of scratch.

## References
Depthwise conv3d on gfx950, reported: 3.68, 10.6 and 14.4 ms for 0.614; a local tile of one depth is reloaded 15 times.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.needs import having
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-9.0, 0.5)

TECHNIQUE = Technique(
    name="toeplitz",
    text=__doc__,
    category=Category.ALGORITHM,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(having("matrix instructions of 16 blocks of 4×4×4"),),
    signals=(Signal("gpu.matrix_per_wave", rises=True), Signal("gpu.valu_per_wave")),
    answers=("valu-bound",),
)
