"""Back end: the cores" issue slots stay empty because data or arithmetic units are not ready.

## What it shows
A third or more of the issue slots are lost to the back end of the cores.

## Why it costs
A core can start four to six instructions a clock. Slots that wait for a load or for a busy unit are lost.

## What to try
Where memory is most of it: blocks that fit a cache, contiguous access, prefetching. Otherwise: independent accumulators, wider
vectors, fewer divisions.

## When it misleads
It is of the whole process, start and other threads included. perf tells memory and arithmetic apart on newer cores only.

## References
A. Yasin, "A Top-Down method for performance analysis and counters architecture", ISPASS 2014. Examples: outputs of ``perf stat
--topdown`` that their authors published.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

LARGE = 1 / 3


def evaluate(facts: Facts) -> Symptom | None:
    """Return the lost share of the slots."""
    lost, memory = facts["cpu.backend_share"], facts.get("cpu.memory_share")
    if lost < LARGE:
        return None
    detail = "" if memory is None else f", {percent(memory)} of all wait for memory"
    return Symptom(lost, f"{percent(lost)} of the issue slots wait for data or for a busy unit{detail}")


RULE = Rule(
    name="backend-bound",
    text=__doc__,
    needs=("cpu.backend_share",),
    optional=("cpu.memory_share",),
    suggests=("cache-block", "prefetch", "vectorize", "unroll"),
    evaluate=evaluate,
)
