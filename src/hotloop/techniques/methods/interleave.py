"""Interleave: read a few operands, use them, read the next, instead of all reads first.

## What it changes
The order of reads and arithmetic in the loop body: everything read first, or a few values read and used at a time.

## What it needs
A scheduler that overlaps neighbouring groups, or hints to it (schedule-hints); operands that are independent of each
other.

## What it costs
More waits, each for fewer values.

## When it fails
Without a scheduler it loses: in a JIT assembler with hard waits 3 reads and a wait per row ran 0.638 ms, looking one row
ahead 0.629, against 0.619; software pipelining by depth slice 0.625. The gain below was measured with hints and cannot be
divided between the two.

## References
Depthwise conv3d on gfx950, reported: row by row with hints 0.638 → 0.563 and 0.537 ms, 155 → 86 registers, bitwise equal.
Own compilation of the structure: 201 → 129 registers (gfx942), 123 → 106 (gfx950).
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import others
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.2, 0.8)

TECHNIQUE = Technique(
    name="interleave",
    text=__doc__,
    category=Category.LATENCY,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("gpu.vgprs"), Signal("gpu.lds_wait_share"), Signal("isa.lds_stall_share")),
)
