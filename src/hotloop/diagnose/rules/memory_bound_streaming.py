"""Memory-bound streaming: the problem is limited by bandwidth, and the kernel does not reach it.

## What it shows
The memory term decides the roofline floor, and compulsory bytes per second stay below nine tenths of the measured copy
bandwidth.

## Why it costs
Bandwidth needs many wide requests in flight. Narrow loads, little work per item and group hand-out keep too few of
them open; a store that first reads its line makes a copy move half more bytes than needed.

## What to try
Whole vectors per access, several elements per work-item, stores that bypass the cache for results nobody reads soon,
prefetching.

## When it misleads
One core alone may not reach the bandwidth of the machine. Data that fits into the last-level cache is not bound by
memory at all. A kernel with reuse that reads its input several times needs blocking, not streaming. Where nothing
counts the operations, as of a bare source, a kernel that computes much for each byte looks like one that streams badly.

## References
saxpy on 262144 floats, Intel's CPU runtime, two cores, measured best of 15: 0.25 ms with one float per item, 0.044 ms
with one float16 (in cache).
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

NEAR = 0.9
STREAMING = 0.4
"""Share of a copy's rate below which the memory's bandwidth is not what a kernel waits for."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return the unused share of the measured bandwidth, less where hardly any of it is used."""
    used = facts["roof.bytes_share"]
    if not facts["roof.memory_bound"] or used >= NEAR:
        return None
    if facts.get("static.gathers") or facts.get("static.memory_updates"):
        return None  # the way it accesses memory holds it back, and other rules say how
    if used < STREAMING:
        little = f"moves only {percent(used)} of what a plain copy moves per second: what holds it back"
        why = (
            f"it has little arithmetic for each byte, yet {little} comes before the bandwidth"
            if facts.get("work.flops")
            else f"it {little} is not the bandwidth; its operations are not counted and may be what it does"
        )
        return Symptom((1 - used) * used / STREAMING, why)
    return Symptom(
        1 - used, f"the kernel is bound by memory and moves {percent(used)} of what a plain copy moves per second"
    )


RULE = Rule(
    name="memory-bound-streaming",
    text=__doc__,
    needs=("roof.memory_bound", "roof.bytes_share"),
    optional=("static.gathers", "static.memory_updates", "work.flops"),
    suggests=("vectorize", "work-per-item", "workgroup-size", "non-temporal", "prefetch", "cache-block", "unroll"),
    evaluate=evaluate,
)
