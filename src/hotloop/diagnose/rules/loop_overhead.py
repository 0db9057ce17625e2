"""Loop overhead: the vectors are wide, but few instructions of the hot loop compute.

## What it shows
Less than two fifths of the hot loop's instructions multiply or add, although they use at least half of the vector width.

## Why it costs
A core starts four to six instructions per cycle, two of them multiplications. Below a share of about 0.4, counters,
address arithmetic, jumps and loads use up the slots first.

## What to try
Unroll the reduction loop, or enlarge the tile so that one iteration holds more multiplications.

## When it misleads
Loads folded into multiplications leave the share high though the load ports are busy. Kernels that do not multiply
(copies, comparisons, sorting) have no share to speak of.

## References
Issue-slot model with a share of 0.4 as the knee, an estimate for cores with 5 slots and 2 multiply units. K unrolling
gave -2 % on gfx1012 when the loop was long already: the gain is real only where the share is low.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

KNEE = 0.4


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``(1 - share / 0.4) · (1 - roofline fraction)``."""
    share, wide = facts["static.fma_share"], facts["static.fma_bits"] >= facts["device.vector_bits"] / 2
    if not wide or not 0 < share < KNEE or facts.memory_bound():
        return None
    return Symptom(
        (1 - share / KNEE) * facts.unexplained(),
        f"only {percent(share)} of the hot loop's instructions multiply or add; from about {percent(KNEE)} on the units are fed",
    )


RULE = Rule(
    name="loop-overhead",
    text=__doc__,
    needs=("static.fma_share", "static.fma_bits", "device.vector_bits"),
    suggests=("unroll", "register-tile", "work-per-item"),
    evaluate=evaluate,
)
