"""The second-level cache is the limit.

## What it shows
At least 80 % of the peak throughput of L2 is used while device memory is not near its own peak.

## Why it costs
All compute units share L2; at its peak more waves only wait longer.

## What to try
Ask for fewer sectors: contiguous and wide access first, then reuse in local memory or registers, larger tiles, an order
of tiles that keeps neighbours on the same data.

## When it misleads
Scattered access fills L2 with bytes that nobody asked for: then the access pattern is the cause and L2 the symptom.

## References
Recorded on H100: strided copy of PyTorch at 90.8 % of L2 and 12 % of device memory, 88 % of its sectors unnecessary.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

FULL = 0.8


def evaluate(facts: Facts) -> Symptom | None:
    """Return the part of L2's load that was asked for."""
    used, wasted = facts["gpu.l2_utilization"], facts.get("gpu.wasted_sectors") or 0.0
    if used < FULL or (facts.get("gpu.hbm_utilization") or 0.0) >= FULL:
        return None  # what streams through L2 to a full memory is bound by the memory
    return Symptom(min(1.0, used) * (1 - wasted), f"L2 moves {percent(used)} of its peak")


RULE = Rule(
    name="l2-bound",
    text=__doc__,
    needs=("gpu.l2_utilization",),
    optional=("gpu.hbm_utilization", "gpu.wasted_sectors"),
    suggests=("local-memory", "register-tile", "rasterize", "cache-block"),
    evaluate=evaluate,
)
