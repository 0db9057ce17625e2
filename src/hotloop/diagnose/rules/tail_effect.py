"""Tail effect: the last round of work-groups fills only part of the device.

## What it shows
Work-groups come in a few rounds of which the last is not full, and compute units do stand idle.

## Why it costs
If all groups take equally long, 1.6 rounds take as long as 2.

## What to try
Group or tile sizes that give a whole number of rounds, persistent groups that take tile after tile, splitting the
reduction dimension.

## When it misleads
Kernels with a loop over the grid and persistent kernels have no tail whatever the number says: Nsight Compute predicts up
to 50 % for a recorded random fill of 1.6 rounds whose units are busy 95 % of the time. So the finding is capped by the
idle time that was measured. Groups of unequal length have another shape.

## References
Counting: 1 - rounds / next whole number. Reported estimates for persistent and stream-K kernels: 20 to 108 %.
"""

from __future__ import annotations

from math import ceil

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import held
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent, significant

SMALLEST_WASTE = 0.08
MOST_ROUNDS = 8.0
RAMP_NS = 2000.0
"""Start and end of any launch, in which units are idle however many groups there are."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return the smaller of the model's waste and the measured idle time."""
    rounds, busy, spent_ns = facts["gpu.rounds"], held(facts), facts.get("gpu.duration_ns")
    if not 1 < rounds < MOST_ROUNDS:
        return None
    if spent_ns is None and facts.get("gpu.running_share") is None:
        return None  # nothing tells whether the clocks are those of the launch
    waste = min(1 - rounds / ceil(rounds), 1 - busy - (RAMP_NS / spent_ns if spent_ns else 0.0))
    if waste < SMALLEST_WASTE:
        return None
    return Symptom(waste, f"{significant(rounds)} rounds of work-groups; units are busy {percent(busy)} of the launch")


RULE = Rule(
    name="tail-effect",
    text=__doc__,
    needs=("gpu.rounds", "gpu.busy_share"),
    optional=("gpu.running_share", "gpu.duration_ns"),
    suggests=("workgroup-size", "register-tile", "persistent", "stream-k", "split-k"),
    evaluate=evaluate,
)
