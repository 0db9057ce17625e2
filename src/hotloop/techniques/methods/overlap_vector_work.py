"""Overlap vector work: run the vector work of one tile beside the matrix instructions of another.

## What it changes
The schedule: vector work (softmax, scales, conversions) of tile i in the shadow of the matrix instructions of tile i−1.

## What it needs
Matrix and vector pipes that work at the same time, two sets of intermediate results, results of the first product that
stay in registers (chain-in-registers comes first).

## What it costs
Registers for the second set; a schedule that the compiler must not undo.

## When it fails
When one of the two pipes is full already, or when the second set costs a wave that was needed.

## References
Listed by the reported attention work as the step after results stay in registers; no number. Its assembly reference
overlaps both.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.needs import MATRIX_UNIT, below
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.0, 0.7)

TECHNIQUE = Technique(
    name="overlap-vector-work",
    text=__doc__,
    category=Category.LATENCY,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(MATRIX_UNIT, below("gpu.matrix_utilization", 0.85, "matrix units that still wait")),
    signals=(Signal("gpu.matrix_utilization", rises=True), Signal("gpu.valu_utilization", rises=True)),
)
