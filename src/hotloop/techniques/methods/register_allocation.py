"""Register allocation: choose registers and order by hand, in an assembler of one's own.

## What it changes
Who allocates registers and orders instructions: the compiler, or a generator with a simple allocator.

## What it needs
A generator for the target's assembly.

## What it costs
No scheduler: moves between registers (135, later 76, in one kernel) and waits that are harder than needed.

## When it fails
A compiler's schedule is usually better: 0.668 ms for 0.632 of the same algorithm. It pays where the compiler miscompiles
or spills.

## References
Depthwise conv3d on gfx950, reported: JIT assembler 0.668 ms, with dot products 0.619–0.629; HIP 0.614–0.638.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import others
from hotloop.techniques.needs import gpu
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.3, 0.3)

TECHNIQUE = Technique(
    name="register-allocation",
    text=__doc__,
    category=Category.REGISTERS,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(gpu("assembly that can be generated"),),
    signals=(Signal("isa.vgpr_spills"), Signal("gpu.vgprs"), Signal("static.move_share")),
    answers=("spills-gpu", "private-memory"),
)
