"""Working set beyond the cache: what the inner loop reuses does not stay where it is fast to read.

## What it shows
The bytes that one work-item's inner loop reuses exceed the core's first- or second-level data cache.

## Why it costs
Reuse comes from a slower level each time: about half the bandwidth beyond the first level, a small part of it beyond
the second.

## What to try
Block the reduction so that the panel in use fits into half of the cache, pack it so that it lies in few lines, or
shrink the tile.

## When it misleads
Streams that are read once need no cache; hardware prefetch hides the second level well when access is contiguous.

## References
SGEMM in place on AVX-512: 477 GFLOP/s at 512, 228 at 2048, where blocking and packing bring 417, so 45 % of the time is
the upper end for both causes together; the weights 0.15 and 0.4 for the two levels are estimates below it.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import size

BEYOND_L1 = 0.15
BEYOND_L2 = 0.4


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate a fixed loss per cache level that the working set exceeds, times the headroom."""
    used, first = facts["config.working_set_bytes"], facts["device.l1_bytes"]
    second = facts.get("device.l2_bytes")
    if used <= first or first <= 0:
        return None
    beyond = second is not None and used > second
    level = (
        f"the second-level cache of {size(second)}" if second and beyond else f"the first-level cache of {size(first)}"
    )
    loss = BEYOND_L2 if beyond else BEYOND_L1
    return Symptom(loss * facts.unexplained(), f"the inner loop reuses {size(used)}, more than {level}")


RULE = Rule(
    name="working-set-beyond-cache",
    text=__doc__,
    needs=("config.working_set_bytes", "device.l1_bytes"),
    optional=("device.l2_bytes",),
    suggests=("cache-block", "pack", "register-tile", "rasterize"),
    evaluate=evaluate,
)
