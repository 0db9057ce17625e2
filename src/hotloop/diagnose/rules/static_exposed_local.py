"""Exposed reads of local memory in a loop without matrix instructions.

## What it shows
On a timeline of the hot loop, one wave stands at waits for local memory longer than its neighbours can fill.

## Why it costs
A read takes 30 to 130 cycles; a loop that reads, waits and computes in turn pays that in every round.

## What to try
Read the operands of the next step while this one computes; more arithmetic per value read (a larger register tile).

## When it misleads
Latency is nominal and without bank conflicts. Many resident waves cover it.

## References
`hotloop.isa.amdgcn.costs`: latencies. The estimate is max(0, 1 - waves · (1 - stall share)), the part of local memory.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import MODEL, uncovered, waves_known
from hotloop.units import percent

LEAST = 0.05


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate the waiting for local memory that other waves leave open."""
    stall = facts["isa.lds_stall_share"]
    share = uncovered(facts, stall)
    if facts["static.matrix_per_iteration"] > 0 or share < LEAST:
        return None
    return Symptom(
        share, f"a wave stands {percent(stall)} of the hot loop at waits for local memory ({waves_known(facts)})"
    )


RULE = Rule(
    name="static-exposed-local",
    text=__doc__,
    needs=("isa.lds_stall_share", "isa.stall_share", "static.matrix_per_iteration"),
    optional=MODEL,
    suggests=("local-prefetch", "batch-reads", "interleave", "register-tile"),
    evaluate=evaluate,
)
