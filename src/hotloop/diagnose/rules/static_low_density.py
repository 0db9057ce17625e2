"""Low arithmetic density: most of the hot loop's instructions are not the multiply-adds that the kernel is for.

## What it shows
A loop that sums up products of loaded values (a tenth of its instructions or more), in which less than half of the instructions multiply and add, and that
loads once per eight of them or more often.

## Why it costs
The vector unit issues one instruction per cycle whatever it does; loads, addresses and loop control take the place of arithmetic.

## What to try
More results per work-item: with an m × n register tile, m + n values are read for m · n multiply-adds. Wider loads; a longer unrolled
loop; addresses that only need an increment.

## When it misleads
A dot product or a matrix times a vector has one multiply-add for each element: memory is its limit. A larger tile costs registers. Loops that
look elements up by indices that each lane has loaded, or begin rows there, are no products of tiles, and left out.

## References
Reported SGEMM on CPUs and GPUs: the tile of 4 × 4 reads half as much per result as 2 × 2. The estimate is half of the other instructions'
share.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import TAKEN, taken
from hotloop.units import percent

ENOUGH = 0.5
SOME = 0.1
READS = 0.125
SAVED = 0.5
PRODUCTS = 0.5


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate half of the instructions that do not multiply and add."""
    useful, loads = facts["static.fma_share"], facts["static.loads_per_fma"]
    if facts["isa.contraction_share"] < PRODUCTS or facts.get("isa.gathered_bytes") or facts.get("isa.indexed_loads"):
        return None
    if facts["static.matrix_per_iteration"] > 0 or not SOME <= useful < ENOUGH or loads < READS:
        return None
    return Symptom(
        SAVED * (1 - useful) * taken(facts),
        f"{percent(useful)} of the hot loop's instructions multiply and add, with {loads:.2g} load{'s' if loads != 1 else ''} for each of them",
    )


RULE = Rule(
    name="static-low-density",
    text=__doc__,
    needs=(
        "static.fma_share",
        "static.loads_per_fma",
        "static.matrix_per_iteration",
        "isa.iteration_cycles",
        "isa.contraction_share",
    ),
    optional=("isa.gathered_bytes", "isa.indexed_loads", *TAKEN),
    suggests=("register-tile", "work-per-item", "unroll", "vectorize"),
    evaluate=evaluate,
)
