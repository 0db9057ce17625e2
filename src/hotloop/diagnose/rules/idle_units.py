"""Idle compute units: the launch has too few work-groups for the device.

## What it shows
Less than one round of work-groups, and compute units hold no work for most of the launch.

## Why it costs
A work-group runs on one unit. Four groups on 132 units leave 97 % of the machine idle however good the code is.

## What to try
More and smaller groups, splitting the reduction dimension, a parallel algorithm (scan in several passes), several
problems per launch.

## When it misleads
Very short launches show idle units because of their start and end; where units were busy for less than half of what the number of
groups allows, only what that number leaves idle is counted. A persistent kernel has one group per unit and counts
as one round.

## References
Recorded on H100: a scan over rows in four blocks takes 763 µs with units busy 3 % of the time; a sort in one block.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import few_groups, held
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

IDLE = 0.2


def evaluate(facts: Facts) -> Symptom | None:
    """Return the idle share, without the launch's start and end."""
    busy, ramp = held(facts), facts.get("gpu.ramp_share") or 0.0
    idle, brief = 1 - busy - ramp, _brief(facts, busy)
    idle = min(idle, 1 - brief) if brief else idle
    if idle < IDLE or not few_groups(facts, busy):
        return None
    groups = facts.get("gpu.groups")
    count = (
        "less than one round of work-groups"
        if groups is None
        else f"{groups:.0f} work-group{'s' if groups != 1 else ''}, less than one round,"
    )
    kept = f"{count} {'keeps' if groups == 1 else 'keep'} compute units busy {percent(busy)} of the launch"
    more = ": its start and end, or groups of unequal length, leave more idle than their number does"
    return Symptom(idle, kept + more * bool(brief))


def _brief(facts: Facts, busy: float) -> float:
    """Return the share of the units that had a group where groups held them for less than half of the launch, else 0.

    Groups are dealt to units in turn: so many units had one as groups; where nobody tells how many units there are, at least the groups'
    share of a round.
    """
    reached = facts.get("gpu.reached_share")
    reached = min(1.0, facts.get("gpu.rounds") or 0.0) if reached is None else reached
    return reached if busy < reached / 2 else 0.0


RULE = Rule(
    name="idle-units",
    text=__doc__,
    needs=("gpu.busy_share",),
    optional=("gpu.rounds", "gpu.groups", "gpu.ramp_share", "gpu.running_share", "gpu.reached_share"),
    suggests=("workgroup-size", "split-k", "work-per-item", "parallel-scan"),
    evaluate=evaluate,
)
