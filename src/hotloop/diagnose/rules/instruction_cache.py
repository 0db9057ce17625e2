"""Instruction fetch: waves wait for their next instruction.

## What it shows
Waves spend at least a tenth of their time without an instruction to execute, and it is not covered.

## Why it costs
Straight code that is longer than the instruction cache comes from L2 again in each pass.

## What to try
Less unrolling, smaller specialisations, one loop body for head and tail.

## When it misleads
The first instructions of any kernel miss: in launches of a few microseconds that is all there is. Branches cost fetch
cycles too.

## References
Recorded on H100: 35 % of warp time in an index fill of 2.3 µs (which is start-up, and silent here), below 1 % in matrix
products.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import WAITING, exposed, saturated
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

SMALLEST_WAIT = 0.1
SHORTEST_NS = 50_000.0
"""Time in ns below which cold caches explain the misses."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return the exposed part of the wait."""
    waiting = facts["gpu.fetch_wait_share"]
    if waiting < SMALLEST_WAIT or facts["gpu.duration_ns"] < SHORTEST_NS or saturated(facts):
        return None
    misses = facts.get("gpu.icache_miss_rate")
    rate = "" if misses is None else f"; the instruction cache misses {percent(misses)}"
    return Symptom(exposed(facts, waiting), f"waves wait {percent(waiting)} of their time for instructions{rate}")


RULE = Rule(
    name="instruction-cache",
    text=__doc__,
    needs=("gpu.fetch_wait_share", "gpu.duration_ns"),
    optional=("gpu.icache_miss_rate", *WAITING),
    suggests=("smaller-code",),
    evaluate=evaluate,
)
