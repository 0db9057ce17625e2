"""High-half reads: load 16-bit values into the upper half of a register, which is the fp32 value of a bf16.

## What it changes
The instruction that reads bf16 from local memory: pairs that are unpacked, or single values into upper halves.

## What it needs
AMD from gfx9 on.

## What it costs
One read and one register per value instead of one per pair.

## When it fails
Where it was tried: batched, 90 values took 170 registers and 0.927 ms; read and multiplied one by one 167 waits and 1.339
ms; pairs 0.614 ms.

## References
Depthwise conv3d on gfx950, reported.
"""

from __future__ import annotations

from functools import partial

from hotloop.model.space import Config, Parameter
from hotloop.techniques.case import Case, gpu_device
from hotloop.techniques.knobs import switched_on
from hotloop.techniques.needs import having
from hotloop.techniques.technique import Category, Effect, Signal, Technique

REMOVES = (-1.0, 0.3)

TECHNIQUE = Technique(
    name="high-half-reads",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(having("reads of 16 bits into the upper half of a register"),),
    effects=(
        Effect(0.66, 0.66, "depthwise conv3d on gfx950, 90 values batched: 0.614 → 0.927 ms, reported"),
        Effect(0.46, 0.46, "the same one by one: 0.614 → 1.339 ms, reported"),
    ),
    signals=(Signal("gpu.bit_ops_ratio"), Signal("static.conversion_share")),
    answers=("conversion-overhead",),
    cases=(
        Case(
            text="pairs of bf16 are unpacked",
            parameters=(Parameter("HIGH_HALF", (0, 1)),),
            start=Config(HIGH_HALF=0),
            expects=("HIGH_HALF 0 → 1",),
            device=gpu_device(),
        ),
    ),
)
