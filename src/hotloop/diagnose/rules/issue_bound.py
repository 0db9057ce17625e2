"""Issue bound: the schedulers hand out an instruction in nearly every cycle.

## What it shows
At least three quarters of the issue slots are used while units are busy, and neither the matrix units nor the pipe of special
functions and conversions is the limit.

## Why it costs
A scheduler issues one instruction per cycle. More waves, better caching or prefetching change nothing: fewer
instructions do.

## What to try
Wider loads, packed instructions, unrolled loops with addresses computed once, less work per output.

## When it misleads
A multiply-add kernel at 90 % of the slots with most of them multiply-adds is simply good: only other arithmetic (matrix
instructions) goes further.

## References
Recorded on H100: depthwise conv3d of PyTorch 93.5 % of the slots, 3.5 % of the instructions multiply-adds; fp32 matrix
product 88.5 %, 89 % of them multiply-adds. The estimate is the used share.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

BUSY = 0.75
MATRIX = 0.5


def evaluate(facts: Facts) -> Symptom | None:
    """Return the used share of the issue slots over the whole launch."""
    used, busy = facts["gpu.issue_utilization"], facts.get("gpu.busy_share")
    if used < BUSY or (facts.get("gpu.matrix_utilization") or 0.0) >= MATRIX:
        return None
    if (facts.get("gpu.special_utilization") or 0.0) > used:
        return None
    return Symptom(
        used * (1.0 if busy is None else min(1.0, busy)),
        f"{percent(used)} of the issue slots are used: the number of instructions decides the time",
    )


RULE = Rule(
    name="issue-bound",
    text=__doc__,
    needs=("gpu.issue_utilization",),
    optional=("gpu.matrix_utilization", "gpu.special_utilization", "gpu.busy_share"),
    suggests=("vectorize", "packed-math", "unroll", "hoist-addresses", "matrix-instructions"),
    evaluate=evaluate,
)
