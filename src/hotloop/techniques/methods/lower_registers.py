"""Lower registers: fewer values alive at once, so that more waves fit or nothing spills.

## What it changes
The bound given to the compiler (waves per SIMD, registers per thread), or the size of what is kept alive.

## What it needs
Registers that are the limiter: the resource model names it. Counts step in granules: a register saved above the step
brings nothing.

## What it costs
Values are loaded or computed again; below a point the compiler spills.

## When it fails
Occupancy is a means: 3 → 5 and 8 waves by narrower reads ran up to 2.2 times slower. Accept it only when reads, waits and
vector work per output do not get worse. NVIDIA's assembler ignores maxrregcount for a kernel whose group size is required
(ptxas 13.0: 151 registers with and without a limit of 128): leave the size unsaid, or the limit is none.

## References
SGEMM on gfx1012: expected +10–25 %. Depthwise conv3d on gfx950, reported: 155 → 83 registers by single reads 0.614 →
1.337 ms; 155 → 86 by interleaving 0.638 → 0.537 ms.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import others
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.5, 0.6)

TECHNIQUE = Technique(
    name="lower-registers",
    text=__doc__,
    category=Category.REGISTERS,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(
        Signal("gpu.vgprs"),
        Signal("gpu.occupancy_limit", rises=True),
        Signal("gpu.scratch_bytes"),
        Signal("isa.occupancy_waves", rises=True),
    ),
)
