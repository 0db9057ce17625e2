"""Register spills: the compiler ran out of vector registers and uses the stack as scratch.

## What it shows
The hot loop loads or stores vector registers on the stack.

## Why it costs
Every spill is a store and later a load in every iteration, competing with the loads that the computation needs.

## What to try
A smaller register tile, less unrolling, or a vector no wider than the machine's.

## When it misleads
Spills outside the hot loop cost nothing. A few in a long loop body may hide behind the multiplications.

## References
Issue-slot model: each spill instruction takes the slot of a useful one, and its latency adds to the chain of sums, so it
counts twice. CLBlast's larger K unrolling lost 2 % on gfx1012 through register pressure.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``2 · spills / instructions · (1 - roofline fraction)``."""
    spills, total = facts["static.spills"], facts["static.hot_instructions"]
    if spills <= 0 or total <= 0:
        return None
    return Symptom(
        min(1.0, 2 * spills / total) * facts.unexplained(),
        f"{spills:.0f} of {total:.0f} instructions of the hot loop move vector registers to and from the stack",
    )


RULE = Rule(
    name="register-spills",
    text=__doc__,
    needs=("static.spills", "static.hot_instructions"),
    suggests=("register-tile", "unroll", "vectorize"),
    evaluate=evaluate,
)
