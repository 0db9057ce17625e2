"""Launch overhead: starting the kernel takes a visible part of the call.

## What it shows
The wall time of an empty launch, times the launches of one call, is more than a twentieth of the call's time.

## Why it costs
Each launch wakes the runtime's threads and waits for them; nothing is computed meanwhile.

## What to try
Fewer launches (fuse helper passes into the main kernel, or choose the path without them); for small problems that is
all there is.

## When it misleads
Launches that are submitted together overlap partly, so the estimate is an upper bound.

## References
Empty launch, wall median: 4.4 µs with Intel's CPU runtime, 47 µs with PoCL 3.1, two cores.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

SMALLEST_SHARE = 0.05


def evaluate(facts: Facts) -> Symptom | None:
    """Return the measured share of launches in the call."""
    share = facts["time.launch_share"]
    if share < SMALLEST_SHARE:
        return None
    count = facts.get("launch.count")
    launches = "launching" if count is None else f"{count:.0f} launch{'es' if count != 1 else ''}"
    return Symptom(min(1.0, share), f"{launches} take{'s' if count in (1, None) else ''} {percent(share)} of the call")


RULE = Rule(
    name="launch-overhead",
    text=__doc__,
    needs=("time.launch_share",),
    optional=("launch.count",),
    suggests=("fuse", "pack", "path"),
    evaluate=evaluate,
)
