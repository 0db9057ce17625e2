"""Conversions in the hot loop: instructions that change the form of numbers instead of computing with them.

## What it shows
Conversions, packing and byte permutations are a twelfth or more of the hot loop's instructions.

## Why it costs
They take issue slots of the vector unit, which also feeds the matrix unit and computes addresses.

## What to try
Convert once, outside of the loop or on the way into local memory; store operands in the layout that the matrix instruction wants, so
that no bytes must be permuted; packed conversions.

## When it misleads
A matrix kernel that is bound by its matrix unit hides them; where the resident waves are not known, neither is that. Softmax between two products needs its conversions.

## References
Triton and Gluon matrix products for CDNA3: byte permutations (``v_perm_b32``) build operands of the second matrix in every
iteration. The estimate is their share of the instructions.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import TAKEN, taken
from hotloop.units import percent

MATTERS = 0.08
HIDDEN = 0.85
"""Time for which the matrix unit is taken from which it hides what the vector unit does meanwhile."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate their share of the time for which the computing unit is taken."""
    share = facts["static.conversion_share"]
    if share < MATTERS or (facts.get("isa.matrix_bound") or 0.0) >= HIDDEN:
        return None
    return Symptom(share * taken(facts), f"{percent(share)} of the hot loop's instructions convert or repack numbers")


RULE = Rule(
    name="static-conversions",
    text=__doc__,
    needs=("static.conversion_share",),
    optional=(*TAKEN, "isa.matrix_bound"),
    suggests=("convert-once", "packed-math", "matrix-instructions"),
    evaluate=evaluate,
)
