"""Coalesce: let neighbouring lanes touch neighbouring addresses.

## What it changes
Which lane takes which element: the mapping of lanes to rows and columns, or to vectors of 16 bytes along a row.

## What it needs
A layout in which some dimension is contiguous, and rows that the vector divides; lanes that leave part of their sectors unused.

## What it costs
Index arithmetic; another mapping may need an exchange through local memory before the results are stored.

## When it fails
When the caches give the rest of a line to somebody else anyway: then only the first level gains. Reuse can be worth more:
with 75 taps an order that reuses its input beat the coalesced one, 0.614 to 1.157 ms.

## References
Reported cooperative tile loads of 16 bytes per lane: 4 to 8 times fewer memory instructions. Recorded on H100: PyTorch's
strided bf16 copy uses 2 of 32 bytes of each sector, 88 % of its sectors are superfluous.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import others
from hotloop.techniques.needs import at_least, gpu
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.1, 0.9)

TECHNIQUE = Technique(
    name="coalesce",
    text=__doc__,
    category=Category.MEMORY,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(
        gpu("lanes that share a memory access"),
        at_least("gpu.wasted_sectors", 0.02, "sectors that are fetched in vain"),
    ),
    signals=(
        Signal("gpu.wasted_sectors"),
        Signal("gpu.load_sectors"),
        Signal("gpu.sector_use", rises=True),
        Signal("gpu.lines_per_vmem"),
    ),
)
