"""Loads waited for in the same iteration: the hot loop waits for a global load before it computes on anything else.

## What it shows
In the machine code, few of the loop's matrix instructions stand between a global load and the wait for it.

## Why it costs
200 to 800 cycles of memory latency appear in every iteration, unless other waves cover them.

## What to try
Prefetch one tile ahead into a second buffer (stage 1): the load of tile k+1 is issued before the matrix instructions of
tile k. On CDNA4 use asynchronous copies, and wait for the group before last, not for all.

## When it misleads
Counting waits for zero in the whole file misleads: prologue and last iteration must wait, and on CDNA3 a correct pipeline
has more of them. Position counts. Enough waves hide the latency as well. The second buffer costs local memory and
registers: if waves per SIMD fall from 2 to 1 and the time rises, revert.

## References
Reported Gluon matrix product: 15 to 40 % on CDNA4, 5 to 25 % on CDNA3 for stage 1; own compilation: hot-loop waits for
all loads go from 2 to 0 on gfx950. The estimate is max(0, 1 - waves · (1 - stall share)), the part of global memory, two
fifths at most; without a timeline a fifth, the middle of both, less what is covered.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import COMPUTE, SATURATED, busiest
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import MODEL, SERIAL, matrix_waves, resident, serial_part, uncovered
from hotloop.units import percent

COVERED = 0.5
GAIN = 0.2
MOST = 0.4
STANDING = 0.05
"""Share of its time below which a wave does not stand at waits for global memory, whatever lies between them."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate the waiting that other waves leave open; without a timeline, a fifth of the time for loads that nothing covers."""
    cover, waiting = facts["static.global_load_cover"], facts.get("isa.global_stall_share")
    if facts["static.matrix_per_iteration"] <= 0 or busiest(facts, COMPUTE) >= SATURATED:
        return None
    between = f"{percent(cover)} of the loop's matrix instructions stand between a global load and the wait for it"
    if waiting is None or facts.get("isa.stall_share") is None:
        return Symptom(GAIN * (1 - cover / COVERED), between) if cover < COVERED else None
    waves = matrix_waves(facts)
    share = uncovered(facts, waiting, waves) * (1 - serial_part(facts))
    if share < STANDING:
        return None
    standing = f"a wave stands {percent(waiting)} of the hot loop at waits for global loads (with {resident(waves)})"
    return Symptom(share, f"{standing}; {between}", MOST)


RULE = Rule(
    name="exposed-loop-loads",
    text=__doc__,
    needs=("static.global_load_cover", "static.matrix_per_iteration"),
    optional=(*COMPUTE, "isa.global_stall_share", "isa.stall_share", *MODEL, *SERIAL),
    suggests=("prefetch", "async-copy"),
    evaluate=evaluate,
)
