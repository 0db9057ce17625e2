"""Align tiles: begin every row of a tile at a cache line.

## What it changes
The alignment of tiles and leading dimensions to the line of the first-level cache: 128 bytes on RDNA1, 64 on GCN.

## What it needs
Layouts that the caller or a packing pass can choose; a wave of 32 lanes × 4 bytes is one line on RDNA.

## What it costs
Padding in memory.

## When it fails
When rows are long against a line: only their ends gain.

## References
SGEMM on gfx1012: expected +5–15 %, not tried.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import upwards
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.05, 0.4)

TECHNIQUE = Technique(
    name="align-tiles",
    text=__doc__,
    category=Category.MEMORY,
    propose=partial(upwards, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("gpu.lines_per_vmem"), Signal("gpu.load_sectors"), Signal("gpu.l2_bytes")),
    answers=("scattered-lines", "uncoalesced", "l2-bound"),
)
