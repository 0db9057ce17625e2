"""Divergent lanes: vector instructions serve only some of a wave's lanes.

## What it shows
An executed vector instruction serves less than three quarters of the wave's lanes.

## Why it costs
A wave takes every branch that one of its lanes takes; switched-off lanes cost the same.

## What to try
Group sizes that are a multiple of the wave, conditions that are uniform per wave, selects instead of branches, compacting
the work first.

## When it misleads
Kernels that wait for memory do not care for lanes. Tails of small problems have idle lanes by nature.

## References
Recorded: 64 of 64 lanes in copies on MI200 and MI300X, 32 of 32 in matrix products on H100. The estimate is the instruction
time × idle lanes.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import busiest
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

FEW = 0.75
ISSUE = ("gpu.issue_utilization", "gpu.valu_utilization")


def evaluate(facts: Facts) -> Symptom | None:
    """Return instruction time × idle lanes."""
    lanes, busy = facts["gpu.lane_share"], busiest(facts, ISSUE)
    if lanes >= FEW or busy <= 0:
        return None
    return Symptom(busy * (1 - lanes), f"vector instructions serve {percent(lanes)} of the lanes")


RULE = Rule(
    name="divergent-lanes",
    text=__doc__,
    needs=("gpu.lane_share",),
    optional=ISSUE,
    suggests=("uniform-branches", "workgroup-size"),
    evaluate=evaluate,
)
