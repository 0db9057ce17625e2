"""Exposed global loads in a loop without matrix instructions: the loop waits for data that it has just asked for.

## What it shows
On a timeline of the hot loop, one wave stands at waits for global memory longer than its neighbours can fill.

## Why it costs
A load takes about 500 cycles; what neither the wave's own instructions nor other waves cover is lost in every iteration.

## What to try
Load the next iteration's data before computing on this one's; more loads in flight per wait (unroll, several elements per
work-item); on processors with direct copies to local memory, those.

## When it misleads
The timeline knows nominal latencies and one wave: cache hits are faster, busy memory is slower. A kernel that saturates the memory
gains nothing from hiding its latency better.

## References
`hotloop.isa.amdgcn.pipeline`, `hotloop.isa.summary.nvidia`. The estimate is max(0, 1 - waves · (1 - stall share)), the part of
global memory, without
what loads take that are waited for one by one: `static-serial-loads` has that.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import MODEL, SERIAL, serial_part, uncovered, waves_known
from hotloop.units import percent

LEAST = 0.05


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate the waiting for global memory that other waves leave open."""
    stall = facts["isa.global_stall_share"]
    share = uncovered(facts, stall) * (1 - serial_part(facts))
    if facts["static.matrix_per_iteration"] > 0 or share < LEAST:
        return None
    return Symptom(
        share, f"a wave stands {percent(stall)} of the hot loop at waits for global loads ({waves_known(facts)})"
    )


RULE = Rule(
    name="static-exposed-loads",
    text=__doc__,
    needs=("isa.global_stall_share", "isa.stall_share", "static.matrix_per_iteration"),
    optional=(*MODEL, *SERIAL),
    suggests=("prefetch", "async-copy", "work-per-item", "unroll"),
    evaluate=evaluate,
)
