"""Larger matrix instruction: more multiply-adds per instruction and per operand byte.

## What it changes
The shape of the matrix instruction, e.g. 16×16×16 to 32×32×8, or to one with a deeper reduction (16×16×32, 32×32×16).

## What it needs
An output tile of at least the shape; deeper 16-bit shapes only on gfx950, 32×32×16 of 8-bit floats on gfx942 too.

## What it costs
The accumulators of one instruction grow from 4 to 16 per lane, those of a given output tile do not.

## When it fails
Skinny outputs leave rows of the larger shape empty. Each shape has its own lane map: a wrong one gives plausible numbers.

## References
Reported assembly attention uses 32×32×8: twice the multiply-adds per instruction and half the operand bytes per
multiply-add. The reported 64 against 16 accumulators holds for four tiles only.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import upwards
from hotloop.techniques.needs import MATRIX_UNIT
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.1, 0.5)

TECHNIQUE = Technique(
    name="larger-matrix-instruction",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=partial(upwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(MATRIX_UNIT,),
    signals=(
        Signal("static.matrix_macs", rises=True),
        Signal("gpu.lds_per_wave"),
        Signal("gpu.matrix_utilization", rises=True),
    ),
)
