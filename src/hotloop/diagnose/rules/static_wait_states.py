"""Wait states: the compiler had nothing to put between two instructions that need distance.

## What it shows
``s_nop`` takes 3 % or more of the loop's cycles, or of the whole code where there is no loop.

## Why it costs
The wave issues nothing for the stated number of cycles. On CDNA they stand between cross-lane moves, matrix results and their
readers.

## What to try
Independent work between the two: several accumulators or rows per wave, an unrolled reduction tree, reductions through local
memory.

## When it misleads
Other waves issue meanwhile. In short kernels bound by memory they cost nothing.

## References
CDNA3 ISA guide, "Manually Inserted Wait States"; LLVM's hazard recognizer. The estimate is their share of
cycles times the share of time in which no unit and not the memory is the bound.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

MATTERS = 0.03
OPEN = 0.5
"""Part of them that other waves do not fill, where the timing model says nothing."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate what the other waves leave of their share of the cycles."""
    share, latency = facts["isa.wait_states_share"], facts.get("isa.latency_share")
    if share < MATTERS:
        return None
    return Symptom(share * (OPEN if latency is None else latency), f"s_nop takes {percent(share)} of the issue cycles")


RULE = Rule(
    name="static-wait-states",
    text=__doc__,
    needs=("isa.wait_states_share",),
    optional=("isa.latency_share",),
    suggests=("interleave", "unroll"),
    evaluate=evaluate,
)
