"""At the roof: the kernel runs as fast as the measured ceilings allow.

## What it shows
The call takes at most a ninth longer than its roofline floor, which comes from ceilings measured on this machine.

## Why it costs
It does not: this finding says how little is left, and that other findings cannot gain more than that.

## What to try
Nothing in this kernel. A different algorithm, a smaller type or fusing neighbours changes the floor itself.

## When it misleads
The floor is only as good as the measured ceilings: a ceiling taken on a busy machine is too low. The compulsory bytes
assume that each array moves once; data that stays in the cache between calls beats the memory ceiling.

## References
OpenBLAS reaches 91–96 % of the FMA ceiling at 512–2048 on two AVX-512 cores. Bursts below a millisecond may show a few
per cent more than the ceiling, because the clock is higher for that long.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

NEAR = 0.9


def evaluate(facts: Facts) -> Symptom | None:
    """Report the remaining distance when it is a tenth or less."""
    fraction = facts["roof.fraction"]
    if fraction < NEAR:
        return None
    bound = "memory bandwidth" if facts.memory_bound() else "arithmetic"
    return Symptom(
        1 - fraction, f"the call is at {percent(fraction)} of the roofline ({bound}); {percent(1 - fraction)} is left"
    )


RULE = Rule(
    name="at-the-roof",
    text=__doc__,
    needs=("roof.fraction",),
    evaluate=evaluate,
)
