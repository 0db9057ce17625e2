"""Packed math: instructions that work on two elements of a register at once.

## What it changes
The arithmetic instruction: single multiply-adds, packed ones (two fp32 or two halves), or dot products of pairs that also
replace unpacking.

## What it needs
Pairs that lie in one register. bf16 dot products on gfx950, gfx11 and gfx12, not on gfx942; half dot products on all of
gfx90a, gfx94x, gfx95x and RDNA; packed fp32 from gfx90a on, not on RDNA.

## What it costs
A second output that is offset by one element needs v_alignbit to form its pairs, about 10 % more instructions; pairs fix
the register layout.

## When it fails
Compilers: bf16 dot products as inline assembly in an unrolled loop silently overwrote 45 of 75 weights (ROCm 7.2). Packed
fp32 for the odd taps ran 0.650 for 0.623 ms and was wrong: halves loaded apart are no packed operand. Fewer static
instructions are not fewer executed ones: −33 % was −6.7 %.

## References
Depthwise conv3d on gfx950, reported: dot products in a JIT assembler 0.668 → 0.629 ms, 137 → 98 registers, 3 → 4 waves;
against HIP 0.4 %; by patching one of two outputs 0.635 → 0.624 ms.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import upwards
from hotloop.techniques.needs import gpu
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.1, 0.5)

TECHNIQUE = Technique(
    name="packed-math",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=partial(upwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(gpu("packed or dot-product instructions"),),
    signals=(Signal("gpu.valu_per_wave"), Signal("gpu.bit_ops_ratio"), Signal("static.conversion_share")),
)
