"""Empty stages: the warps that compute wait at mbarriers for copies, because too little work is in flight ahead of them.

## What it shows
The hot loop takes its operands from a ring of stages in shared memory, which the tensor memory accelerator or another warp fills, and
waits for each stage's mbarrier. The work of all resident warps on the stages in flight is shorter than one copy takes.

## Why it costs
A stage is handed back, filled and used again in turn. With S stages a copy has S - 1 iterations to arrive (S less the groups of matrix
instructions that may still read theirs); where these are over sooner, tensor cores stand still until it is there.

## What to try
More stages, as many as shared memory holds; more work on each: larger tiles, deeper steps of k; a second group of warps that
multiplies, or a second block on the multiprocessor.

## When it misleads
The latency is a nominal one: data in L2 come sooner, and a busy memory makes them wait longer, which more stages do not mend. A
kernel at the memory's rate waits at the same barriers.

## References
PTX ISA, ``mbarrier.try_wait``; the counting of stages is `hotloop.isa.nvidia.rings`. The estimate is 1 - w · cover, with w warps of a
scheduler that compute: the resident ones, less one for each block where a warp group of its own issues the copies.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import counted, percent

LEAST = 0.05


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate the part of the time for which no warp of a scheduler has a full stage."""
    stages, cover = facts["isa.ring_stages"], facts["isa.ring_cover"]
    waves, blocks = facts.get("isa.occupancy_waves"), facts.get("isa.occupancy_groups")
    apart = blocks if facts["isa.ring_apart"] and blocks else 0.0
    warps = max(1.0, waves - apart) if waves else 1.0
    share = 1 - warps * cover
    if share < LEAST:
        return None
    warps_text = (
        f"{warps:g} warp{'s' if warps != 1 else ''} of a scheduler compute"
        if waves
        else "one warp of a scheduler reckoned with"
    )
    return Symptom(
        share,
        f"work on a ring of {counted(round(stages), 'stage')} covers {percent(min(1.0, warps * cover))} of the time that a copy into one takes ({warps_text})",
    )


RULE = Rule(
    name="static-empty-stages",
    text=__doc__,
    needs=("isa.ring_stages", "isa.ring_cover", "isa.ring_apart"),
    optional=("isa.occupancy_waves", "isa.occupancy_groups"),
    suggests=("prefetch", "larger-tile", "unroll", "workgroup-size"),
    evaluate=evaluate,
)
