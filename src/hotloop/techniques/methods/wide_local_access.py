"""Wide local access: read local memory 8 or 16 bytes at a time.

## What it changes
The width of local memory reads and writes.

## What it needs
Operands that are contiguous where they are read, and addresses aligned to the width: a row of 260 bytes allows 4-byte
reads only, whatever the source says.

## What it costs
Even registers in a row; padding must keep whole vectors.

## When it fails
Unaligned addresses: 8-byte reads at odd multiples of 4 bytes ran 4.2 times slower on gfx950 (0.629 → 2.631 ms). It was
one experiment, not a law: attention and SGEMM kernels use 8 and 16 bytes productively.

## References
Part of 26.3 → 60.1 TFLOPS (attention, gfx942). A compiler that split packed reads into 150 of 16 bits ran 1.337 ms where
45 of 32 bits took 0.614 (gfx950). Padding by 2, 4 or 8 halves gives 4-, 8- or 16-byte reads (own compilation).
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import upwards
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.5, 0.8)

TECHNIQUE = Technique(
    name="wide-local-access",
    text=__doc__,
    category=Category.MEMORY,
    propose=partial(upwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("static.lds_read_bits", rises=True), Signal("isa.narrow_lds_share"), Signal("gpu.lds_per_wave")),
)
