"""Uneven groups: compute units are empty for most of a long launch.

## What it shows
A launch of fifty microseconds or more in which the mean compute unit holds work for less than half of the time, and nothing tells that the groups were
fewer than the units.

## Why it costs
The launch ends with its last group. Units whose groups are done, or that never had one, do nothing.

## What to try
Smaller and more equal groups, long ones first, a queue of work, splitting the dimension that makes one group long.

## When it misleads
Where the busiest unit was counted, unbalanced tells it better; where the groups are few, idle-units does. Counters of a part of the device look the same.

## References
Published: a product of a sparse matrix in 64 groups on an RTX 30 card, 3,718 active of 166,261 clocks. The estimate is the mean unit's idle time.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import few_groups, held
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

BUSY = 0.5
LONG_NS = 5e4
"""Time beside which a launch's start and end are small."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return the mean unit's idle share."""
    busy, ramp = held(facts), facts.get("gpu.ramp_share") or 0.0
    told = facts.get("gpu.imbalance") is not None or few_groups(facts, busy)
    if told or facts["gpu.duration_ns"] < LONG_NS or busy + ramp >= BUSY:
        return None
    return Symptom(
        1 - busy - ramp,
        f"compute units hold work {percent(busy)} of the launch: its groups are of unequal length, or fewer than the units",
    )


RULE = Rule(
    name="uneven-groups",
    text=__doc__,
    needs=("gpu.busy_share", "gpu.duration_ns"),
    optional=("gpu.imbalance", "gpu.rounds", "gpu.groups", "gpu.ramp_share", "gpu.running_share"),
    suggests=("order-tiles", "persistent", "stream-k", "split-k"),
    inferred="which units worked, and for how long, was not counted",
    evaluate=evaluate,
)
