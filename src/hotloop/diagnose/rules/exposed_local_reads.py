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
stage 1, 2/32 with stage 2; gfx950 3/32 with stage 1, 1/16 with stage 2. Reported gain of stage 2: 5 to 20 %.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import COMPUTE, SATURATED, busiest
from hotloop.diagnose.rule import Example, Rule, Symptom

KNEE = 0.08
MOST = 0.2
STANDING = 0.05
"""Share of its time below which a wave does not stand at waits for local memory."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate the share as drains per matrix instruction, a fifth at most."""
    drains = facts["static.local_drains_per_matrix"]
    waiting = facts.get("isa.lds_stall_share")
    if drains < KNEE or busiest(facts, COMPUTE) >= SATURATED or (waiting is not None and waiting < STANDING):
        return None
    return Symptom(
        min(MOST, drains),
        f"the hot loop waits for all local memory reads once per {1 / drains:.0f} matrix instructions",
    )


RULE = Rule(
    name="exposed-local-reads",
    text=__doc__,
    needs=("static.local_drains_per_matrix",),
    optional=(*COMPUTE, "isa.lds_stall_share"),
    suggests=("local-prefetch", "interleave", "batch-reads"),
    evaluate=evaluate,
    fires=(
        Example(
            "Gluon stage 1, gfx942, own compilation: 6 drains for 32",
            (("static.local_drains_per_matrix", 6 / 32),),
            0.15,
        ),
        Example(
            "Gluon stage 1, gfx950, own compilation: 3 for 32", (("static.local_drains_per_matrix", 3 / 32),), 0.08
        ),
    ),
    silent=(
        Example("Gluon stage 2, gfx942, own compilation: 2 for 32", (("static.local_drains_per_matrix", 2 / 32),)),
        Example("Gluon stage 2, gfx950, own compilation: 1 for 16", (("static.local_drains_per_matrix", 1 / 16),)),
    ),
)
