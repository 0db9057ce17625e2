"""Vector pipe bound: the number of vector instructions decides the time.

## What it shows
A vector pipe works at least 70 % of the launch, and the matrix units do not.

## Why it costs
A pipe accepts one instruction every few cycles. At this load no latency is left to hide: only fewer instructions, or
instructions that do more, make the kernel faster.

## What to try
Packed or dot-product instructions, matrix instructions where the shape allows, operands converted once instead of in the
loop, address arithmetic hoisted, work removed (masked tiles, repeated sums).

## When it misleads
Instruction counts of the listing are not those of the run: removing a third of the static vector instructions of a
reported kernel removed 6.7 % of the executed ones. Instructions that take longer than the four cycles assumed make the
pipe busier than counted.

## References
Reported MI350X conv3d V97: 2,165 vector instructions per wave, pipe busy 78 to 80 %, floor 0.48 ms at that count; the
best variant reached 0.537 ms. The estimate is the busy share itself.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import working
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import counted, percent

BUSY = 0.7
MATRIX = 0.5
"""Matrix utilization from which the matrix units are the subject."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return the busy share of the vector pipe."""
    busy = facts["gpu.valu_utilization"]
    if working(facts, "gpu.valu_utilization") < BUSY or (facts.get("gpu.matrix_utilization") or 0.0) >= MATRIX:
        return None
    count, useful = facts.get("gpu.valu_per_wave"), facts.get("gpu.fma_share")
    each = "" if count is None else f" with {counted(round(count), 'vector instruction')} per wave"
    what = "" if useful is None else f", of which {percent(useful)} multiply and add"
    return Symptom(busy, f"the vector pipe works {percent(busy)} of the launch{each}{what}")


RULE = Rule(
    name="valu-bound",
    text=__doc__,
    needs=("gpu.valu_utilization",),
    optional=("gpu.matrix_utilization", "gpu.running_share", "gpu.valu_per_wave", "gpu.fma_share"),
    suggests=("packed-math", "matrix-instructions", "convert-once", "hoist-addresses", "skip-masked-work"),
    evaluate=evaluate,
)
