"""Swap operands: compute the transposed product, so that nothing has to be transposed.

## What it changes
Which operand comes first: a row-major C = A·B is the column-major product of B and A with M and N exchanged.

## What it needs
A kernel that reads both operands in the order in which they then lie.

## What it costs
Nothing; dimensions, leading dimensions and the epilogue's axes are exchanged.

## When it fails
A kernel that wants its second operand as [K][N] still transposes it: two transposes become one, not none. Square or
symmetric test data hide a wrong exchange.

## References
SGEMM 2048³ on gfx1012, reported: transposes were 48 % of the time, 1,636 → 3,137 GFLOP/s. Verified on the unmodified peer
kernel: 1.07–1.30 times by CPU time.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.1, 1.0)

TECHNIQUE = Technique(
    name="swap-operands",
    text=__doc__,
    category=Category.ALGORITHM,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("time.helper_share"), Signal("gpu.kernel_share", rises=True)),
    answers=("helper-phase", "foreign-kernel"),
)
