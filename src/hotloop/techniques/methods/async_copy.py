"""Async copy: bring tiles from global to local memory without passing registers.

## What it changes
How a tile reaches local memory: through registers and a store, by direct loads, or by asynchronous copies that are waited
for group by group.

## What it needs
A processor with such copies: direct loads of 4 bytes per lane on CDNA and RDNA1, of 16 bytes on gfx950, asynchronous
copies from sm_80 on.

## What it costs
A second buffer where the copy shall run ahead; on AMD the destination's base register m0 is written before each copy, and
the compiler fills the hazard with s_nop unless the write is hoisted.

## When it fails
Waiting for all groups right after issuing the next one drains the pipeline in every iteration: wait for all but the
newest, and drain in the tail. With exactly two tiles a conditional wait may never run.

## References
Direct loads are part of the reported conv3d V97 (gfx950, 0.614 ms), with 60 s_nop around m0 writes; no number of their
own. Own compilation of the Gluon matrix product, gfx950: the hot loop waits for 4 outstanding copies instead of 0.
SGEMM on an H200 in OpenCL C, A transposed in pieces of 4 bytes by cp.async: 44.4 TFLOP/s against 50.4 through registers.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import upwards
from hotloop.techniques.needs import DIRECT_COPY, LOADS_IN_TURN
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.1, 0.4)

TECHNIQUE = Technique(
    name="async-copy",
    text=__doc__,
    category=Category.LATENCY,
    propose=partial(upwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(DIRECT_COPY, LOADS_IN_TURN),
    signals=(Signal("static.direct_to_lds", rises=True), Signal("static.lds_writes_per_matrix"), Signal("gpu.vgprs")),
)
