"""Barriers close together: the work-group meets every few instructions of the hot loop.

## What it shows
Fewer than 40 instructions of the hot loop per barrier.

## Why it costs
At each barrier every wave waits for the slowest; what is in flight before it must be waited for as well. The less work stands
between two, the less there is to even them out.

## What to try
A deeper tile per iteration; a second buffer, so that one barrier per iteration is enough; exchange between lanes of one wave instead of
through local memory.

## When it misleads
A work-group of one wave pays nothing. Compilers order them as the memory model asks: removing one by hand may be a race.

## References
Corpus: Triton 3.9 with one stage needs 4 to 8 barriers per iteration, Gluon with two buffers one. The estimate is 15 cycles per barrier over
the iteration.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import counted

CLOSE = 40.0
COST_CYCLES = 15.0
MOST = 0.2


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate 15 cycles per barrier, where neither a unit nor the memory is the bound."""
    apart, barriers = facts["isa.instructions_per_barrier"], facts["static.barriers_per_iteration"]
    if apart >= CLOSE:
        return None
    share = COST_CYCLES * barriers / max(facts["isa.iteration_cycles"], 1.0)
    latency = facts.get("isa.latency_share")
    share *= 1.0 if latency is None else latency
    message = f"{counted(round(barriers), 'barrier')} per iteration of the hot loop, one every {apart:.0f} instructions"
    return Symptom(share, message, MOST)


RULE = Rule(
    name="static-barriers",
    text=__doc__,
    needs=("isa.instructions_per_barrier", "static.barriers_per_iteration", "isa.iteration_cycles"),
    optional=("isa.latency_share",),
    suggests=("fewer-barriers", "double-buffer", "larger-tile"),
    evaluate=evaluate,
)
