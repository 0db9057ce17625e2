"""Hoist addresses: compute them outside of the loop and advance them by constants.

## What it changes
How addresses are formed: anew from indices, from a base advanced per iteration, or as constant offsets of one base; with
32-bit offsets where they suffice.

## What it needs
Strides that do not change in the loop.

## What it costs
A register for each base that is kept.

## When it fails
When the compiler does it already, which the listing shows; when registers are the limit.

## References
Recorded on H100: PyTorch's depthwise conv3d has 3.5 % multiply-adds at 93.5 % of the issue slots, its integer pipe is 66
% busy. No gain reported for the change alone.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import upwards
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.0, 0.7)

TECHNIQUE = Technique(
    name="hoist-addresses",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=partial(upwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(
        Signal("static.integer_share"),
        Signal("gpu.int_share"),
        Signal("gpu.int_utilization"),
        Signal("gpu.valu_per_wave"),
    ),
)
