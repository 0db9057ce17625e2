"""A unit of the compute units is the limit.

## What it shows
At least 80 % of the peak of the busiest unit (issue, arithmetic or matrix pipe) is used, and no memory level is as near its own.

## Why it costs
A full pipe hands out no more; more waves and better caching change nothing.

## What to try
Count the pipes: a full matrix unit is the end of the way, a full vector pipe asks for packed or matrix instructions, full issue
slots for fewer instructions.

## When it misleads
A page of Nsight Compute's basic set tells this one number. It says nothing where a counted pipe is as near its own peak: then that
is weighed.

## References
Published profile of a persistent kernel with one block for each of 78 multiprocessors: 85.6 % of the units' peak at 12.4 %
occupancy and 23 % of device memory.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import COMPUTE, MEMORY, busiest
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

FULL = 0.8
SAME = 0.02
"""Difference to a memory level below which both figures are one path's: loads and stores are issued by a unit, too."""
NEAR = 0.1
"""Difference below which a pipe that was counted is the busiest unit itself: one is of the launch, the other of its busy clocks."""
NAMED = {
    "gpu.load_utilization": "the unit for loads and stores",
    "gpu.constant_utilization": "the unit for indexed constants and divergent addresses",
    "gpu.special_utilization": "the pipe for special functions and conversions",
}
"""Units without a rule of their own."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return the used share, where no rule about a pipe tells it."""
    used = facts["gpu.unit_utilization"]
    if used < FULL or busiest(facts, COMPUTE) >= used - NEAR or busiest(facts, MEMORY) >= used - SAME:
        return None
    return Symptom(used, f"{_which(facts, used)} works at {percent(used)} of its peak")


def _which(facts: Facts, used: float) -> str:
    named = max(NAMED, key=lambda name: facts.get(name) or 0.0)
    if (facts.get(named) or 0.0) >= used - NEAR:
        return NAMED[named]
    counted = any(facts.get(name) is not None for name in (*COMPUTE, *NAMED))
    return f"the busiest unit of the compute units, {'none of those counted' if counted else 'which the profile does not name'},"


RULE = Rule(
    name="unit-bound",
    text=__doc__,
    needs=("gpu.unit_utilization",),
    optional=(*COMPUTE, *MEMORY, *NAMED),
    suggests=("vectorize", "packed-math", "matrix-instructions", "hoist-addresses"),
    evaluate=evaluate,
)
