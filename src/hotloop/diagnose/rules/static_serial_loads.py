"""Loads waited for one by one: each global load of the hot loop is waited for before the next one is issued.

## What it shows
Waits of the hot loop that stand a few instructions behind one load and complete it alone, two or more of them.

## Why it costs
Latencies add up instead of overlapping: n loads in a row take n times as long as n loads in flight together.

## What to try
Issue all loads first and use the values afterwards: independent pointers, ``restrict``, unrolled loops without early stores,
wider loads. In a copy to local memory, load the whole tile into registers before the first store.

## When it misleads
The compiler must keep the order where a store may alias a later load. Where one load needs the other's value (an index list), nothing
can overlap.

## References
Wait analysis of `hotloop.isa.amdgcn.waits` and `hotloop.isa.nvidia.scoreboards`. The estimate is the
uncovered waiting for global memory, (n - 1) of the loop's loads of it.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import MODEL, SERIAL, serial_part, uncovered

LEAST = 0.02


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate what overlapping the loads would save."""
    share = uncovered(facts, facts["isa.global_stall_share"]) * serial_part(facts)
    if share < LEAST:
        return None
    serial = facts["isa.serial_loads"]
    return Symptom(
        share, f"{serial:.0f} global loads of the hot loop are each waited for before the next one is issued"
    )


RULE = Rule(
    name="static-serial-loads",
    text=__doc__,
    needs=("isa.serial_loads", "isa.global_stall_share", "isa.stall_share"),
    optional=(*MODEL, *SERIAL),
    suggests=("batch-reads", "unroll", "vectorize", "prefetch"),
    evaluate=evaluate,
)
