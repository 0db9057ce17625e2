"""Scalar loads: the hot loop fetches single elements that are not broadcast.

## What it shows
A quarter or more of the loads bring one element into a vector register for one lane only.

## Why it costs
A one-element load takes the same slot as a whole vector, and its lanes have to be put together afterwards.

## What to try
Load whole vectors along the contiguous dimension; pack or transpose the operand whose rows run the other way.

## When it misleads
Elements that are read once and broadcast by a separate instruction look like scalar loads on older targets.

## References
Load-port model; half of the slot share is counted because the other half is usually hidden behind arithmetic.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

SMALLEST_SHARE = 0.25
WEIGHT = 0.5


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``share of scalar loads / 2 · (1 - roofline fraction)``."""
    scalar = facts["static.scalar_load_share"]
    if scalar < SMALLEST_SHARE:
        return None
    return Symptom(
        WEIGHT * scalar * facts.unexplained(), f"{percent(scalar)} of the hot loop's loads bring in a single element"
    )


RULE = Rule(
    name="scalar-loads",
    text=__doc__,
    needs=("static.scalar_load_share",),
    suggests=("vectorize", "pack", "path"),
    evaluate=evaluate,
)
