"""Small register tile: too few accumulators to hide the latency of the multiply/add and to reuse what is loaded.

## What it shows
One work-item's independent accumulators fill less than half of the vector registers.

## Why it costs
A fused multiply/add takes about four cycles and a core starts two per cycle, so fewer than eight independent sums leave
the units waiting. A small tile also loads more per multiply: an a×b tile needs (a + b)/(a·b) loads each.

## What to try
Grow the tile that one work-item computes until the accumulators fill the registers, keeping a few for operands.

## When it misleads
Where many work-items share one core's registers (GPUs) latency is hidden by other items. A memory-bound kernel has
nothing to accumulate. Growing beyond the register file spills.

## References
SGEMM on AVX-512 (32 registers): tiles of 8×2 … 13×2, 6×4 and 8×3 vectors, 16–28 accumulators, lie within about 10 %.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``(1 - accumulators / half the registers) · (1 - roofline fraction)``."""
    used, target = facts["config.accumulator_registers"], facts["device.vector_registers"] / 2
    if facts.memory_bound() or not 0 < used < target:
        return None
    return Symptom(
        (1 - used / target) * facts.unexplained(),
        f"a work-item accumulates in {used:.0f} of {facts['device.vector_registers']:.0f} vector registers; about {target:.0f} hide the latency",
    )


RULE = Rule(
    name="small-register-tile",
    text=__doc__,
    needs=("config.accumulator_registers", "device.vector_registers"),
    suggests=("register-tile", "work-per-item", "path"),
    evaluate=evaluate,
)
