"""Conversion overhead: unpacking narrow types takes vector instructions away from arithmetic.

## What it shows
The vector pipe, or NVIDIA's pipe of conversions, is busy, and bit operations or conversions are a fifth or more of its work.

## Why it costs
Each bf16 operand that has to become fp32 takes a shift or a mask, one more instruction per operand in the same pipe as
the multiply-add.

## What to try
Instructions that take packed operands (dot products, packed multiply-adds), matrix instructions, converting once when
data enters local memory, reading the upper half directly.

## When it misleads
gfx950 counts operations, not instructions, and the classes overlap: the reported shares add up to 106 %. Address
arithmetic is in it. NVIDIA's pipe of conversions serves special functions too. Packed instructions may cost registers, and a
compiler may break them: check every output.

## References
Reported MI350X conv3d V97: 974 operations per 2,165 vector instructions (45 %); 91 of 374 traced loop instructions unpack
bf16, 20.6 % of the loop's latency. Dot products instead gained 0.4 to 5.8 %. The estimate is busy share × ratio; where NVIDIA's
pipe of conversions is the busiest unit (H200, 92.5 %), it is what conversions may take of that pipe: an instruction of a warp holds
it for at most 8 cycles of a scheduler, 16 lanes a cycle of a unit being the slowest kind (CUDA programming guide, throughput table).
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

SMALLEST_RATIO = 0.2
BUSY = 0.5
FEWEST_FMA = 0.1
"""Fewest multiply-adds: in a kernel without them, bit operations may be the work itself."""


_CYCLES_MOST = 8
"""Most cycles for which one conversion of a warp occupies a scheduler's pipe."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate busy share × share of conversions, at most what is not a multiply-add; of the pipe of conversions, its own time."""
    useful, converting = facts["gpu.fma_share"], facts.get("gpu.special_utilization") or 0.0
    busy = max(facts["gpu.valu_utilization"], converting)
    ratio = max(facts.get("gpu.bit_ops_ratio") or 0.0, facts.get("gpu.convert_share") or 0.0)
    if busy < BUSY or ratio < SMALLEST_RATIO or useful < FEWEST_FMA:
        return None
    part = busy * min(ratio, 1 - useful)
    pipe = "pipe of conversions" if converting == busy else "vector pipe"
    return Symptom(
        max(part, _of_their_own_pipe(facts, converting)),
        f"{percent(ratio)} bit operations and conversions per vector instruction, with the {pipe} busy at {percent(busy)}",
    )


def _of_their_own_pipe(facts: Facts, converting: float) -> float:
    """Return the part of the launch that conversions take of their pipe, where it is the busiest unit; else 0."""
    issue = facts.get("gpu.issue_utilization")
    if issue is None or converting < max(issue, facts["gpu.valu_utilization"]):
        return 0.0
    most = _CYCLES_MOST * issue * (facts.get("gpu.convert_share") or 0.0)
    running = facts.get("gpu.busy_share")
    return min(converting, most) * (1.0 if running is None else min(1.0, running))


RULE = Rule(
    name="conversion-overhead",
    text=__doc__,
    needs=("gpu.valu_utilization", "gpu.fma_share"),
    optional=(
        "gpu.bit_ops_ratio",
        "gpu.convert_share",
        "gpu.special_utilization",
        "gpu.issue_utilization",
        "gpu.busy_share",
    ),
    suggests=("packed-math", "convert-once", "matrix-instructions"),
    evaluate=evaluate,
)
