"""Narrow reads of local memory: 32 bits or less per lane where 128 would fit into one instruction.

## What it shows
Most local memory reads of the hot loop are 32 bits wide or less, and local memory takes a tenth or more of its instructions.

## Why it costs
A 128-bit read delivers four times the data for one issue slot, one address and one place in the queue.

## What to try
Lay the tile out so that a lane reads consecutive elements (transpose on the way in, k innermost); aligned vector types.

## When it misleads
Half of the bandwidth is reached with 32-bit reads already, if they are free of conflicts: instructions are saved, not bytes.
Transposing layouts may bring bank conflicts: check with ``hotloop banks``.

## References
CDNA3 and RDNA ISA guides, local data share instructions; PTX ISA, ld.shared. The estimate is half of the narrow reads' share of
instructions.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import TAKEN, taken
from hotloop.units import percent

MOSTLY = 0.5
MATTERS = 0.1
SAVED = 0.5


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate half of the narrow reads' share of the instructions."""
    narrow, local = facts["isa.narrow_lds_share"], facts["isa.lds_share"]
    if narrow < MOSTLY or local < MATTERS:
        return None
    return Symptom(
        SAVED * narrow * local * taken(facts),
        f"{percent(narrow)} of the hot loop's local memory reads are 32 bits or narrower",
    )


RULE = Rule(
    name="static-narrow-local",
    text=__doc__,
    needs=("isa.narrow_lds_share", "isa.lds_share"),
    optional=TAKEN,
    suggests=("wide-local-access", "vectorize", "transpose-in-local"),
    evaluate=evaluate,
)
