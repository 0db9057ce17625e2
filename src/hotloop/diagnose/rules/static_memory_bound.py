"""The device memory is the bound: what the hot code moves takes longer at the memory's bandwidth than everything else.

## What it shows
The bytes of one iteration, at one SIMD's share of the device memory's bandwidth, take more cycles than the busiest unit and than the
latency that the resident waves leave.

## Why it costs
Compute units that wait for bytes cannot be made faster by better instructions.

## What to try
Move fewer bytes: fuse with the kernel before or after, keep rows in registers instead of reading them twice, narrower types.

## When it misleads
It takes every byte to come from the device's memory: data that the caches hold are served several times faster. Bytes that the
code shows to be read by neighbouring lanes, iterations or groups as well count once. Elements that lanes look up by loaded indices are left out, and
atomic updates: the second-level cache does them, those of one place one after another, which no count of bytes tells. The clock and
the bandwidth are those of the chip that the target's name means first.

## References
Bandwidth, units and clock of the chips: `hotloop.targets`; the timing model: docs/predict.md. The estimate is one less the next bound over
the memory's.
"""

from __future__ import annotations

from math import ceil

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import resident
from hotloop.units import counted, size

LEAST = 0.05


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate what is left of the time when the memory no longer is the bound."""
    memory, looked_up = facts["isa.memory_cycles"], facts.get("isa.gathered_bytes") or 0.0
    updated = facts.get("isa.atomic_bytes") or 0.0
    moved = facts["isa.moved_bytes"] - looked_up - updated
    beside = f", {size(looked_up)} of lookups in a table of unknown size left out" if looked_up else ""
    beside += (
        f", {size(updated)} of atomic updates, which the second-level cache does in turn, left out" if updated else ""
    )
    beside += _apart(facts)
    other = max(facts["isa.unit_cycles"], facts["isa.latency_cycles"])
    if memory <= 0 or 1 - other / memory < LEAST:
        return None
    return Symptom(
        1 - other / memory,
        f"one wave moves {size(moved)} where everything else takes {other:.0f} cycles: at the device memory's bandwidth that is "
        f"{memory:.0f}, unless caches serve it{beside}{_open(facts, memory)}",
    )


def _apart(facts: Facts) -> str:
    """Say that lanes may access rows of their own, so that whole lines are moved for an element each."""
    strided = round(facts.get("isa.strided_accesses") or 0.0)
    if not strided:
        return ""
    what = counted(strided, "access")
    return f"; the lanes of {what} lie apart by a multiple that the launch gives: if it is not 1, each lane moves lines of its own"


def _open(facts: Facts, memory: float) -> str:
    """Say from how many waves on the memory is the bound, where the launch may leave fewer than the registers allow."""
    alone, waves = facts.get("isa.iteration_cycles"), facts.get("isa.occupancy_waves")
    fewest = ceil(alone / memory) if alone else 1
    if not (facts.get("isa.occupancy_open") and waves) or fewest <= 1:
        return ""
    return (
        f" or the launch's local memory leaves fewer than {fewest} of {resident(waves)}: then the latency is the bound"
    )


RULE = Rule(
    name="static-memory-bound",
    text=__doc__,
    needs=("isa.memory_cycles", "isa.moved_bytes", "isa.unit_cycles", "isa.latency_cycles"),
    optional=(
        "isa.gathered_bytes",
        "isa.atomic_bytes",
        "isa.strided_accesses",
        "isa.iteration_cycles",
        "isa.occupancy_waves",
        "isa.occupancy_open",
    ),
    suggests=("fuse", "cache-block", "narrower-type"),
    evaluate=evaluate,
)
