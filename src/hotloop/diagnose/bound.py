"""How far the busiest unit of a hot loop is from the next bound, by the timing model."""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Symptom
from hotloop.units import percent, size

TAKEN = 0.9
UPDATED = "isa.atomic_bytes"
"""Bytes that atomic operations update, whose time no model of units tells."""
NEEDS = ("isa.unit_cycles", "isa.next_unit_cycles", "isa.latency_cycles")


def symptom(facts: Facts, units: tuple[tuple[str, str], ...]) -> Symptom | None:
    """Return the distance to the next bound when one of the units (fact, words for it) is taken nearly all the time."""
    name, unit = max(units, key=lambda row: facts[row[0]])
    cycles = facts["isa.unit_cycles"]
    following = max(facts["isa.latency_cycles"], facts["isa.next_unit_cycles"], facts.get("isa.memory_cycles") or 0.0)
    if facts[name] < TAKEN or cycles <= 0 or following >= cycles:
        return None
    updated = facts.get(UPDATED) or 0.0
    beside = (
        f", unless the {size(updated)} of atomic updates meet in few places, where they wait for each other"
        if updated
        else ""
    )
    return Symptom(
        1 - following / cycles,
        f"the {unit} is taken {percent(facts[name])} of the time ({cycles:.0f} cycles for one wave's iteration; the next bound is "
        f"{following:.0f}){beside}",
    )
