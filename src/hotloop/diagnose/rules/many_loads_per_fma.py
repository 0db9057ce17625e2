"""Many loads per multiply: the load ports, not the multiply units, set the pace.

## What it shows
The hot loop executes more than one load (or memory operand) for each multiply/add.

## Why it costs
A core loads about as many vectors per cycle as it multiplies, two and two on current CPUs; each load beyond one per
multiply makes the multiply units wait.

## What to try
Let one work-item compute a tile, so that each loaded element is used several times.

## When it misleads
A kernel without reuse (axpy, copies) loads as often as it must. A loop with one sum waits four cycles or so for each
multiply/add, longer than for two loads: more sums at once, which the same techniques bring, are the answer then, too. Loads that hit a store buffer or are hoisted by the
hardware cost less than counted.

## References
Load-port model: time per multiply is max(1, loads per multiply). A dot product per output loads twice per multiply; a
tile of 8×2 vectors loads (8 + 2)/16 = 0.63 times.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import significant

PORTS = 2
"""Loads of a vector in a cycle, on current CPUs."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``(1 - 1/loads) · (1 - roofline fraction)``."""
    loads = facts["static.loads_per_fma"]
    if loads <= 1 or facts.memory_bound():
        return None
    cycles = facts.get("static.sum_cycles") or 0.0
    waits = (
        f"; each waits for the sum before, {significant(cycles, 2)} cycles, longer than loads take: keep several sums"
    )
    pace = waits if cycles > loads / PORTS else "; above 1 the load ports set the pace"
    return Symptom(
        (1 - 1 / loads) * facts.unexplained(),
        f"the hot loop loads {significant(loads, 2)} times per multiply/add{pace}",
    )


RULE = Rule(
    name="many-loads-per-fma",
    text=__doc__,
    needs=("static.loads_per_fma",),
    optional=("static.sum_cycles",),
    suggests=("register-tile", "work-per-item", "unroll"),
    evaluate=evaluate,
)
