"""Unbalanced units: some compute units work much longer than others.

## What it shows
The mean compute unit is done long before the busiest one, although there was a group for every unit.

## Why it costs
The launch ends with the last unit.

## What to try
Order the long tiles first, pair long with short ones (causal attention), smaller tiles, a work queue (persistent groups),
stream-K.

## When it misleads
A tail of equal groups looks the same: then rounds are few and not whole. Too few groups are another finding. In a kernel of
some microseconds the start of the groups alone spreads them.

## References
Recorded on H100: causal attention in 132 persistent blocks, mean 58,554 and busiest 88,863 active cycles of 99,953. The
estimate is the mean unit's idle time until the busiest one is done.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

SMALLEST_IMBALANCE = 0.1
FEWEST_ROUNDS = 0.9


def evaluate(facts: Facts) -> Symptom | None:
    """Return imbalance × busiest unit's share of the launch."""
    imbalance, busiest = facts["gpu.imbalance"], facts["gpu.busiest_share"]
    rounds = facts.get("gpu.rounds")
    if imbalance < SMALLEST_IMBALANCE or (rounds is not None and rounds < FEWEST_ROUNDS):
        return None
    return Symptom(
        imbalance * min(1.0, busiest),
        f"the mean compute unit is idle {percent(imbalance)} of the time that the busiest one works",
    )


RULE = Rule(
    name="unbalanced",
    text=__doc__,
    needs=("gpu.imbalance", "gpu.busiest_share"),
    optional=("gpu.rounds",),
    suggests=("order-tiles", "persistent", "stream-k", "workgroup-size"),
    evaluate=evaluate,
)
