"""Accumulation registers: let matrix instructions sum where vector instructions seldom look.

## What it changes
The register class of accumulators: vector registers, or accumulation registers.

## What it needs
CDNA; a compiler or inline assembly that pins them.

## What it costs
Copies between the classes wherever vector instructions touch the sums.

## When it fails
It does not raise occupancy where both share one pool (gfx90a and later): 82 + 64 = 148 registers leave 3 waves. Only
gfx908 has a second file.

## References
About 20 % from avoided copies is claimed for assembly attention on MI300X; not measured by itself.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import others
from hotloop.techniques.needs import having
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.1, 0.3)

TECHNIQUE = Technique(
    name="accumulation-registers",
    text=__doc__,
    category=Category.REGISTERS,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(having("accumulation registers"),),
    signals=(Signal("isa.accumulator_copies"), Signal("isa.vgpr_spills")),
    answers=("spills-gpu", "low-matrix-utilisation"),
)
