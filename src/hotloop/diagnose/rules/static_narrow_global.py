"""Narrow global loads: 32 bits or less per lane where 128 would fit into one instruction.

## What it shows
Most global loads of the hot loop are 32 bits wide or less.

## Why it costs
Each instruction costs an issue slot, an address per lane and a place in the queue of outstanding requests; a 128-bit load does
the work of four.

## What to try
Vector types or consecutive elements per work-item, aligned to 16 bytes; tell the compiler about alignment and divisible
strides (``tl.multiple_of``, ``__builtin_assume_aligned``).

## When it misleads
Neighbouring lanes that read neighbouring words use the memory fully with narrow loads too: instructions are saved, not bytes. A
kernel at the bandwidth limit gains little. Elements that lanes look up by loaded indices have no neighbours to be read with, and are left out.

## References
AMD and NVIDIA programming guides on coalescing. The estimate is three quarters of the narrow loads' share of instructions.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import TAKEN, taken
from hotloop.units import percent

MOSTLY = 0.5
MATTERS = 0.02
SAVED = 0.75


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate three quarters of the narrow loads' share of the instructions, without lookups."""
    narrow, share = facts["isa.narrow_global_share"], facts["isa.global_share"]
    narrow -= (facts.get("isa.narrow_lookups") or 0.0) / (facts.get("isa.global_loads") or 1.0)
    if narrow < MOSTLY or share < MATTERS:
        return None
    return Symptom(
        SAVED * narrow * share * taken(facts),
        f"{percent(narrow)} of the hot loop's global loads are 32 bits or narrower",
    )


RULE = Rule(
    name="static-narrow-global",
    text=__doc__,
    needs=("isa.narrow_global_share", "isa.global_share"),
    optional=("isa.narrow_lookups", "isa.global_loads", *TAKEN),
    suggests=("vectorize", "work-per-item", "pack"),
    evaluate=evaluate,
)
