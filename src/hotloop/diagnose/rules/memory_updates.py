"""A sum kept in memory: the inner loop writes the same place in every iteration.

## What it shows
In the machine code of the hot loop a store or scatter goes to an address that nothing in the loop moves.

## Why it costs
A place that is read back makes every iteration wait for the store before it: passing the value on takes 4 to 5 cycles on top of the
addition's 4. One that is only written still takes a store for each iteration, of vectors that lie apart one for each lane.

## What to try
Add to a local variable and store it after the loop; ``restrict`` on the pointers; several sums per work-item.

## When it misleads
Where different pointers do overlap, the result depends on the order.

## References
Agner Fog, "The microarchitecture of Intel, AMD and VIA CPUs": store forwarding latency; instruction tables: latency of additions. The
estimate is a round trip of 9 cycles against half a cycle for each other instruction.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom

ROUND_TRIP_CYCLES = 9.0
INSTRUCTION_CYCLES = 0.5


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate the round trip's share of an iteration, of what the roofline leaves."""
    updates, total = facts["static.memory_updates"], facts["static.hot_instructions"]
    if updates <= 0:
        return None
    others = INSTRUCTION_CYCLES * max(0.0, total - 2 * updates)
    share = ROUND_TRIP_CYCLES / (ROUND_TRIP_CYCLES + others) * facts.unexplained()
    places = "one place" if updates == 1 else f"{updates:.0f} places"
    return Symptom(
        share, f"the hot loop of {total:.0f} instructions writes {places} in memory again in every iteration"
    )


RULE = Rule(
    name="memory-updates",
    text=__doc__,
    needs=("static.memory_updates", "static.hot_instructions"),
    suggests=("register-blocking", "register-tile", "work-per-item"),
    evaluate=evaluate,
)
