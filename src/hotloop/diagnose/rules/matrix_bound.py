"""Matrix units are the limit: stop here.

## What it shows
The matrix units (tensor cores) work at least 80 % of the time that compute units hold work, and most of the launch.

## Why it costs
It does not: this is what a good kernel looks like. Pipelining, occupancy and local memory cannot gain more than the rest.

## What to try
Nothing in this kernel. Another algorithm, a narrower type, sparsity or fewer padded tiles changes the work itself.

## When it misleads
Busy is not useful: padding, masked tiles and a slower instruction path keep the units busy as well. Compare executed with
useful operations.

## References
Reported rule: above 85 % skip both pipelining stages; below 80 % another finding asks for them. Recorded on H100: bf16 4096³ product at 90 %, 772 TFLOP/s.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import held, working
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

FULL = 0.8
"""Utilization while units hold work from which it is good: low-matrix-utilisation speaks of less."""
MOST = 0.6
"""Least share of the whole launch for the rule to fire: below it other work takes more time."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return the busy share."""
    busy, running = facts["gpu.matrix_utilization"], working(facts, "gpu.matrix_utilization")
    if running < MOST or running / max(running, held(facts)) < FULL:
        return None
    return Symptom(
        min(1.0, busy), f"the matrix units work {percent(busy)} of the launch; {percent(max(0.0, 1 - busy))} is left"
    )


RULE = Rule(
    name="matrix-bound",
    text=__doc__,
    needs=("gpu.matrix_utilization",),
    optional=("gpu.busy_share", "gpu.running_share"),
    evaluate=evaluate,
)
