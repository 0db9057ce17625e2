"""Schedule hints: tell the compiler in which groups to lay out reads and arithmetic.

## What it changes
Calls of sched_group_barrier: masks and counts per group, e.g. 3 local reads (0x100), then 10 vector instructions (0x2);
matrix instructions are 0x8, global reads 0x20, local writes 0x200.

## What it needs
An LLVM compiler for AMD; counts that match what the loop body really holds.

## What it costs
Nothing at run time; the hints must follow every change of the body.

## When it fails
Counts that do not match leave the rest unordered. Without hints LLVM tends to gather all local reads, then all
arithmetic.

## References
Depthwise conv3d on gfx950, reported together with interleaving: 0.638 → 0.563 and 0.537 ms, 155 → 86 registers, bitwise
equal. Preshuffle matrix products interleave loads, reads and matrix instructions so.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import others
from hotloop.techniques.needs import having
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.2, 0.8)

TECHNIQUE = Technique(
    name="schedule-hints",
    text=__doc__,
    category=Category.LATENCY,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(having("scheduler groups of LLVM"),),
    signals=(Signal("gpu.vgprs"), Signal("isa.lds_stall_share"), Signal("isa.global_stall_share")),
    answers=("exposed-local-reads", "exposed-loop-loads", "low-matrix-utilisation"),
)
