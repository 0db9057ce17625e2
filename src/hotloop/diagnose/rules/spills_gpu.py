"""Register spills on a GPU: private values go through memory.

## What it shows
Memory requests for spilled registers among the requests of the kernel.

## Why it costs
Each spilled value is a store and a load through the same path as the data, for every lane of the wave.

## What to try
A smaller register tile, less unrolling, fewer values alive at once (interleave loads and uses), 32-bit indices.

## When it misleads
Few requests hide behind arithmetic. No spill reported does not prove that registers are right: an inline instruction of a reported kernel
was overwritten silently.

## References
Nsight Compute's local spilling requests. The estimate counts a request twice: the store and the load, or the wait for it.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

MOST = 0.5
FEWEST_REQUESTS = 0.005


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate twice the share of requests."""
    requests = facts["gpu.spill_share"]
    if requests < FEWEST_REQUESTS:
        return None
    return Symptom(2 * requests, f"{percent(requests)} of the memory requests are for spilled registers", MOST)


RULE = Rule(
    name="spills-gpu",
    text=__doc__,
    needs=("gpu.spill_share",),
    suggests=("lower-registers", "register-tile", "unroll", "interleave"),
    evaluate=evaluate,
)
