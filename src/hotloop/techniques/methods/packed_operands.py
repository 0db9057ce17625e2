"""Packed operands: keep two narrow values in one register until they are used.

## What it changes
The form of narrow operands in registers: widened when loaded, or packed in pairs.

## What it needs
Instructions that take pairs, or room for unpacking them at each use.

## What it costs
Unpacking: 175 static and 91 executed loop instructions in a conv3d kernel.

## When it fails
With a compiler that unpacks early the registers grow instead: packed weights took 170 registers and gave wrong results in
HIP, and worked in a JIT assembler with dot products.

## References
Depthwise conv3d on gfx950, reported: 45 instead of 75 to 90 registers for inputs, 45 instead of 75 for weights.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.4, 0.5)

TECHNIQUE = Technique(
    name="packed-operands",
    text=__doc__,
    category=Category.REGISTERS,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("gpu.vgprs"), Signal("gpu.occupancy_limit", rises=True), Signal("gpu.scratch_bytes")),
    answers=("occupancy-limited", "private-memory", "spills-gpu"),
)
