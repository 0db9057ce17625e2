"""Explicit FMA: state fused multiply-adds in the source.

## What it changes
How a product and a sum are written: apart, as fma, or with contraction allowed by a compiler option.

## What it needs
A compiler that does not contract by itself.

## What it costs
Another rounding: one instead of two.

## When it fails
Most compilers contract already, which the listing shows.

## References
SGEMM on gfx1012: expected +5–10 %, not tried.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.0, 0.3)

TECHNIQUE = Technique(
    name="explicit-fma",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("static.fma_share", rises=True), Signal("gpu.fma_share", rises=True)),
    answers=("issue-bound", "valu-bound", "loop-overhead"),
)
