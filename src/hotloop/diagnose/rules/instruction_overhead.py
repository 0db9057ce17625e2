"""Instruction overhead: most instructions neither multiply nor add, and instructions are what the time goes to.

## What it shows
Issue slots or the vector pipe are nearly full, but less than half of the instructions are fused multiply-adds.

## Why it costs
Address arithmetic, bounds checks, conversions and moves take the same slots as useful work.

## What to try
Compute addresses incrementally, unroll with constant offsets, treat the interior without bounds checks, several outputs
per work-item so that one load and one address serve many.

## When it misleads
Kernels whose useful work is not multiply-adds (random numbers, sorting, comparisons, exponentials) have a low share by
nature. Matrix instructions are not counted as multiply-adds here, so kernels with busy matrix units are left out.

## References
Recorded on H100: depthwise conv3d of PyTorch, 3.5 % multiply-adds at 93.5 % of the issue slots, integer pipe 66 %. Of the
traced loop of the reported MI350X conv3d, 150 of 374 instructions multiply. The estimate is busy share × other share.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import busiest
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

BUSY = 0.75
USEFUL = 0.5
FEWEST = 0.01
"""Share of multiply-adds below which the kernel has another kind of work."""
ISSUE = ("gpu.issue_utilization", "gpu.valu_utilization")


def evaluate(facts: Facts) -> Symptom | None:
    """Return the issue time of instructions that do not multiply and add."""
    useful, busy = facts["gpu.fma_share"], busiest(facts, ISSUE)
    if busy < BUSY or not FEWEST <= useful < USEFUL or (facts.get("gpu.matrix_utilization") or 0.0) >= USEFUL:
        return None
    integer = facts.get("gpu.int_utilization") or facts.get("gpu.int_share")
    detail = "" if integer is None else f"; integer work: {percent(integer)}"
    return Symptom(
        busy * (1 - useful),
        f"{percent(useful)} of the instructions multiply and add while {percent(busy)} of the slots are used{detail}",
    )


RULE = Rule(
    name="instruction-overhead",
    text=__doc__,
    needs=("gpu.fma_share",),
    optional=(*ISSUE, "gpu.int_utilization", "gpu.int_share", "gpu.matrix_utilization"),
    suggests=("hoist-addresses", "unroll", "work-per-item", "register-tile", "vectorize"),
    evaluate=evaluate,
)
