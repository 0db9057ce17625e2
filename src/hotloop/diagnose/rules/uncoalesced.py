"""Scattered global access: lanes of a wave touch many sectors for few bytes.

## What it shows
A third or more of the sectors of global accesses would not be needed if neighbouring lanes used neighbouring addresses,
and the memory path matters.

## Why it costs
Memory moves sectors of 32 bytes. A lane that takes 2 of them pays for 32, in L1, in L2 and in the queue between.

## What to try
Let neighbouring lanes take neighbouring elements; go through a tile in local memory to turn the order (pad it); load
several elements per lane.

## When it misleads
A cache may give the rest of the sector to somebody else, then only L1 suffers. Broadcast reads count once. In a kernel
bound by instructions the sectors are free.

## References
Recorded on H100: strided bf16 copy of PyTorch, 32 sectors per load request, 2 of 32 bytes used, 88 % of all sectors
superfluous, L2 at 90.8 %. The estimate is the busiest memory level × superfluous part.
"""

from __future__ import annotations

import math

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import MEMORY, busiest
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

SMALLEST_WASTE = 0.3
BUSY = 0.4
WIDEST = 16.0
"""Sectors that a load of 32 threads with 16 B each needs, the most of all: where only a load's sectors were counted, the waste is at least
what is beyond them."""
WAITING = 0.5
"""Share of waves' time waiting for memory from which the path matters although no level is full."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return load of the memory path × superfluous sectors."""
    wasted, waiting = facts["gpu.wasted_sectors"], facts.get("gpu.global_wait_share") or 0.0
    load = busiest(facts, MEMORY)
    if wasted < SMALLEST_WASTE or (load < BUSY and waiting < WAITING):
        return None
    sectors = facts.get("gpu.load_sectors")
    each = "" if sectors is None else f"; a load touches {sectors:.1f} sectors"
    bound = "at least " if sectors and math.isclose(wasted, 1 - WIDEST / sectors) else ""
    return Symptom(
        min(1.0, max(load, BUSY)) * wasted,
        f"{bound}{percent(wasted)} of the sectors of global accesses are superfluous{each}",
    )


RULE = Rule(
    name="uncoalesced",
    text=__doc__,
    needs=("gpu.wasted_sectors",),
    optional=("gpu.load_sectors", "gpu.global_wait_share", *MEMORY),
    suggests=("coalesce", "local-memory", "vectorize", "pack"),
    evaluate=evaluate,
)
