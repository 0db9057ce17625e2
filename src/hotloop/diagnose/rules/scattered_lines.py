"""Scattered vector memory instructions (AMD): one instruction of a wave looks up nearly one cache line for each lane.

## What it shows
A vector memory instruction makes 40 or more cache lookups for its 64 lanes, and waves wait for memory.

## Why it costs
The first-level cache looks up one line per cycle: a scattered instruction takes 64 cycles where a contiguous one of the
same bytes takes 8 to 16.

## What to try
Let neighbouring lanes take neighbouring elements, turn the order through local memory, load several elements per lane.

## When it misleads
Lookups grow with the width too: a contiguous copy of doubles shows 16 and 16 bytes per lane 32. Gathers from a table that
fits in a line or two are cheaper than they look.

## References
Recorded copies of doubles on MI200 and MI300X: 524,288 lookups for 32,768 instructions, 16 each. 64 is the count of a
fully scattered instruction. The estimate is the waiting time × the lookups above 16. Nothing recorded fires this:
11 profiles that count lookups show 16.0 to 16.8.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import saturated
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

MANY = 40.0
CONTIGUOUS = 16.0
SMALLEST_WAIT = 0.3


def evaluate(facts: Facts) -> Symptom | None:
    """Return waiting time × superfluous lookups."""
    lookups, waiting = facts["gpu.lines_per_vmem"], facts["gpu.wait_share"]
    if lookups < MANY or waiting < SMALLEST_WAIT or saturated(facts):
        return None
    return Symptom(
        waiting * (1 - CONTIGUOUS / lookups),
        f"a vector memory instruction makes {lookups:.0f} cache lookups; waves wait {percent(waiting)} of their time",
    )


RULE = Rule(
    name="scattered-lines",
    text=__doc__,
    needs=("gpu.lines_per_vmem", "gpu.wait_share"),
    optional=("gpu.matrix_utilization", "gpu.valu_utilization", "gpu.issue_utilization", "gpu.hbm_utilization",
              "gpu.l2_utilization", "gpu.l1_utilization"),
    suggests=("coalesce", "local-memory", "vectorize", "pack"),
    evaluate=evaluate,
)  # fmt: skip
