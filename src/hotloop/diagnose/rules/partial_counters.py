"""Counters of part of the device: not all engines were counted.

## What it shows
The counters saw fewer waves than were launched.

## Why it costs
It costs no time, it makes numbers wrong: one engine's cycles over the clocks of the launch, or over all compute units,
mean nothing. Ratios between counters of the same engine hold.

## What to try
Sum the rows of all shader engines and dies, or profile again with all instances.

## When it misleads
Groups that end early or a kernel cut off by the profiler launch fewer waves too. Passes are different executions, which
agree within some per cent.

## References
Reported MI350X conv3d: SQ_WAVES 3,776 where 120,832 waves were launched: one of 32 engines. Its bank conflicts came out as
107 % of the time instead of 13.4 %. Of 14 recorded profiles that count both, all saw every wave: nothing recorded fires this.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

WHOLE = 0.95


def evaluate(facts: Facts) -> Symptom | None:
    """Return the part that was not counted: so much of what was measured is unknown."""
    seen = facts["gpu.counted_waves_share"]
    if seen >= WHOLE:
        return None
    return Symptom(
        1 - seen, f"the counters saw {percent(seen)} of the waves that were launched: rates from them are wrong"
    )


RULE = Rule(
    name="partial-counters",
    text=__doc__,
    needs=("gpu.counted_waves_share",),
    evaluate=evaluate,
)
