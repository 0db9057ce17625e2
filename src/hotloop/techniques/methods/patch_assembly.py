"""Patch assembly: replace instructions in a correct kernel's machine code and keep its registers.

## What it changes
Single instructions of compiled code, e.g. two multiply-adds by one dot product.

## What it needs
A correct kernel, and a map of definitions and uses: neighbours may need what seems free (one output's unpacked values
serve the other).

## What it costs
A patch for one compiler version.

## When it fails
When the registers are laid out for the old instructions: only half of a kernel could be patched.

## References
Depthwise conv3d on gfx950, reported: 60 multiply-adds to 30 dot products, 0.635 → 0.624 ms, largest difference 0.125.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.needs import gpu
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.05, 0.1)

TECHNIQUE = Technique(
    name="patch-assembly",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(gpu("assembly that can be patched"),),
    signals=(Signal("gpu.valu_per_wave"),),
    answers=("conversion-overhead", "valu-bound"),
)
