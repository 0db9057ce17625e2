"""Exposed global memory latency: waves wait for loads, and nothing else runs meanwhile.

## What it shows
Waves spend at least a fifth of their time waiting for global memory, while neither issue slots nor bandwidth are used up.

## Why it costs
A load takes 200 to 800 cycles. What other waves or independent instructions do not cover is lost.

## What to try
Issue the load of the next tile before computing on this one (two buffers), copy asynchronously, load 16 bytes at a time,
give a work-item several independent loads.

## When it misleads
On AMD the share is an upper bound: waits for local memory results, barriers and instruction fetch are inside; a thread
trace splits them. A producer wave of a pipelined kernel waits by design. With most of the bandwidth used the wait is the
queue of a full memory, not latency.

## References
Prefetching one tile ahead: 15 to 40 % on CDNA4, 5 to 25 % on CDNA3 (reported Gluon work). Reported MI350X conv3d: 23.7 %
of wave cycles, of which vector work covered most. The estimate shares cycles without an issued instruction out among the
reasons for waiting.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import COMPUTE, FILLED, WAITING, exposed, saturated
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

SMALLEST_WAIT = 0.2
FULL = 0.75
"""Share of memory bandwidth from which waiting is a queue."""
MISSES = 0.05
"""Misses of the instruction cache from which some of the waiting may be for instructions."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return the exposed part of the wait."""
    waiting = facts["gpu.global_wait_share"]
    if waiting < SMALLEST_WAIT or saturated(facts) or (facts.get("gpu.hbm_utilization") or 0.0) >= FULL:
        return None
    share = exposed(facts, waiting)
    latency = facts.get("gpu.vmem_latency_cycles")
    cycles = "" if latency is None else f", {latency:.0f} cycles each"
    return Symptom(
        share,
        f"waves wait {percent(waiting)} of their time for global memory{cycles}; {percent(share)} of the run is not covered{_fetches(facts)}",
    )


def _fetches(facts: Facts) -> str:
    """Return that some of the waiting may be for instructions, as a clause; empty where their cache hardly misses."""
    misses = facts.get("gpu.icache_miss_rate") or 0.0
    return (
        f"; the instruction cache misses {percent(misses)}, so part of it may be for instructions"
        if misses >= MISSES
        else ""
    )


RULE = Rule(
    name="exposed-global-latency",
    text=__doc__,
    needs=("gpu.global_wait_share",),
    optional=("gpu.vmem_latency_cycles", "gpu.icache_miss_rate", *WAITING),
    refuting=(*FILLED, (*COMPUTE, "gpu.unit_utilization")),
    suggests=("prefetch", "async-copy", "vectorize", "work-per-item", "unroll"),
    evaluate=evaluate,
)
