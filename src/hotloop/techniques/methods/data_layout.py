"""Data layout: the order of dimensions that lets a tile be reused.

## What it changes
The order of dimensions in memory: channels last for coalescing, or channels first for reuse of a spatial tile.

## What it needs
A caller that can give or take the other order, or a copy that pays.

## What it costs
A conversion where the neighbours keep the old order.

## When it fails
Few taps or a tile that does not fit: then coalescing decides.

## References
Depthwise conv3d with 75 taps on gfx950, reported: channels first with a tile in local memory 0.614 ms, the best of six
channels-last kernels 1.157; 302 bytes per output without reuse.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import others
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.3, 0.9)

TECHNIQUE = Technique(
    name="data-layout",
    text=__doc__,
    category=Category.MEMORY,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("gpu.l2_bytes"), Signal("gpu.hbm_bytes"), Signal("gpu.wasted_sectors")),
    answers=("uncoalesced", "scattered-lines", "l2-bound", "strided-access"),
)
