"""Occupancy limits: few waves are resident, and they leave the machine idle.

## What it shows
Less than 30 % of the wave slots are filled, waves wait, no unit is busy at 60 % or more, and registers or local memory
allow no more.

## Why it costs
With few waves nobody runs while one waits.

## What to try
Lower the limiter that the resource model names: fewer registers per lane, a smaller or exact local memory allocation,
other group sizes. Occupancy is a means: accept it only when reads, waits and vector work per output do not get worse.

## When it misleads
Often. Reported kernels with more waves were up to 2.2 times slower; freeing half of the local memory of an attention
kernel changed nothing; matrix kernels on warp groups run best at 9 to 19 %. So nothing is found when a pipe is busy, or
when the matrix units are fed by warp groups.

## References
Reported rule O4. Recorded on H100: the fp32 product has 12.5 % occupancy and 88.5 % of its issue slots, the bf16 product
14.6 % and 90 % of the tensor cores. The estimate is the waiting that twice the waves would cover.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import FILLED, LIMITS, busiest
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

FEW = 0.3
BUSY = 0.6
SMALLEST_WAIT = 0.4
GROUPED = 0.5
"""Share of matrix work through warp groups from which few waves are by design."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate half of the waiting, which is what twice the waves would cover."""
    resident, limit, waiting = facts["gpu.occupancy"], facts["gpu.occupancy_limit"], facts["gpu.global_wait_share"]
    legacy, rounds = facts.get("gpu.legacy_matrix_share"), facts.get("gpu.rounds")
    grouped = legacy is not None and legacy < GROUPED
    if resident >= FEW or limit >= FEW or waiting < SMALLEST_WAIT or busiest(facts) >= BUSY or grouped:
        return None
    if rounds is not None and rounds < 1:
        return None
    return Symptom(
        waiting / 2,
        f"{percent(resident)} of the wave slots are filled, resources allow {percent(limit)}; waves wait {percent(waiting)}",
    )


RULE = Rule(
    name="occupancy-limited",
    text=__doc__,
    needs=("gpu.occupancy", "gpu.occupancy_limit", "gpu.global_wait_share"),
    optional=("gpu.legacy_matrix_share", "gpu.rounds", *LIMITS),
    refuting=FILLED,
    suggests=("lower-registers", "trim-local", "workgroup-size", "register-tile"),
    evaluate=evaluate,
)
