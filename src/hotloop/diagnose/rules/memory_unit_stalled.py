"""The memory unit stands still: instructions ask for more lines than it can take, and the cache behind it does not follow.

## What it shows
rocprof's own `MemUnitStalled` says that the unit that addresses memory could take nothing for half of the launch or more.

## Why it costs
An instruction whose lanes lie in 64 lines occupies the unit for 64 lookups; those behind it wait, whatever the caches hit.

## What to try
Contiguous access: neighbouring lanes take neighbouring elements, the order is turned through local memory, loads get wider.

## When it misleads
A kernel at the bandwidth of device memory stalls it, too: where that is known to be full, nothing is found.

## References
Published tables of one transpose on an MI100: 83 % with stores by columns, 418 µs; 26 % through local memory, 228 µs; 13 % for
the plain copy, 166 µs.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import FILLED, LIMITS, saturated
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

LARGE = 0.5


def evaluate(facts: Facts) -> Symptom | None:
    """Return the stalled share, where no unit is known to be the limit."""
    stalled = facts["gpu.memory_stall_share"]
    if stalled < LARGE or saturated(facts):
        return None
    return Symptom(stalled, f"the memory unit is stalled for {percent(stalled)} of the launch")


RULE = Rule(
    name="memory-unit-stalled",
    text=__doc__,
    needs=("gpu.memory_stall_share",),
    optional=LIMITS,
    refuting=FILLED,
    suggests=("coalesce", "local-memory", "vectorize", "pack"),
    evaluate=evaluate,
)
