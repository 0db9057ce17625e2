"""Local memory reads waited for at once: the hot loop drains its reads right before the matrix instructions.

## What it shows
The machine code of the hot loop waits for all outstanding local memory reads more than once per dozen matrix
instructions.

## Why it costs
A read takes 40 to 100 cycles; each full drain exposes one such latency in every wave.

## What to try
Read the operands of the next step while this step computes (stage 2), in groups that the scheduler may interleave;
batch many reads before one wait.

## When it misleads
Scalar loads share the counter on AMD. A compiler that hoists reads has done it already. Stage 2 costs registers: from 110
to 143 on gfx942, 4 to 3 waves, which changes nothing where local memory allows only 2.

## References
Own compilation of the reported Gluon matrix product, full drains per matrix instruction: gfx942 4/32 before, 6/32 with
stage 1, 2/32 with stage 2; gfx950 3/32 with stage 1, 1/16 with stage 2. Reported gain of stage 2: 5 to 20 %. The estimate is
max(0, 1 - waves · (1 - stall share)), the part of local memory, and without a timeline the drains per matrix instruction; a fifth at
most.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import COMPUTE, SATURATED, busiest
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import MODEL, matrix_waves, resident, uncovered
from hotloop.units import counted, percent

KNEE = 0.08
MOST = 0.2
STANDING = 0.05
"""Smallest share of a wave's time at waits for local memory that counts; below it the rule says nothing."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate the waiting that other waves leave open; without a timeline, the drains per matrix instruction."""
    drains, waiting = facts["static.local_drains_per_matrix"], facts.get("isa.lds_stall_share")
    if drains < KNEE or busiest(facts, COMPUTE) >= SATURATED:
        return None
    between = (
        f"the hot loop waits for all local memory reads once per {counted(round(1 / drains), 'matrix instruction')}"
    )
    if waiting is None or facts.get("isa.stall_share") is None:
        return Symptom(drains, between, MOST)
    waves = matrix_waves(facts)
    share = uncovered(facts, waiting, waves)
    standing = f"a wave stands {percent(waiting)} of its time there (with {resident(waves)})"
    return Symptom(share, f"{between}; {standing}", MOST) if share >= STANDING else None


RULE = Rule(
    name="exposed-local-reads",
    text=__doc__,
    needs=("static.local_drains_per_matrix",),
    optional=(*COMPUTE, "isa.lds_stall_share", "isa.stall_share", *MODEL),
    suggests=("local-prefetch", "interleave", "batch-reads"),
    evaluate=evaluate,
)
