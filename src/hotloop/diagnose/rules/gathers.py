"""Gathers: vectors are put together from scattered addresses.

## What it shows
The hot loop has gather instructions, or insert sequences that stand for them.

## Why it costs
A gather loads lane by lane: about one load per element, and the whole vector waits for the slowest one.

## What to try
Make the dimension that the vector runs along contiguous: another loop order or path, a packed or transposed operand.

## When it misleads
Irregular problems (sparse, tables) need gathers. A gather whose lanes share a cache line costs less than counted.

## References
Slot model: one gather counts as many loads as it has 32-bit lanes (16 at 512 bits).
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom

LANE_BITS = 32


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``lane loads / (lane loads + other instructions) · (1 - roofline fraction)``."""
    gathers, total = facts["static.gathers"], facts["static.hot_instructions"]
    loads = gathers * facts["device.vector_bits"] / LANE_BITS
    if loads <= 0 or total <= 0:
        return None
    share = loads / (loads + max(0.0, total - gathers)) * facts.unexplained()
    return Symptom(
        share,
        f"{gathers:.0f} of {total:.0f} instructions of the hot loop gather, about {loads:.0f} loads per iteration",
    )


RULE = Rule(
    name="gathers",
    text=__doc__,
    needs=("static.gathers", "static.hot_instructions", "device.vector_bits"),
    suggests=("pack", "path", "vectorize"),
    evaluate=evaluate,
)
