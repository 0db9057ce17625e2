"""Launch bound: the kernel is too short for the device to get going.

## What it shows
For a tenth or more of the launch not even the busiest compute unit holds work: only start and end remain.

## Why it costs
Starting groups, filling caches and draining the last stores take some thousand cycles, whatever the kernel does.

## What to try
Fuse with the neighbours, several problems per launch, a recorded graph of launches; the gap between launches comes on top
and is not seen here.

## When it misleads
A profiler runs the kernel alone with cold caches and clocks, which makes the start longer. Different counter passes
measure the two numbers.

## References
Recorded on H100: index fill, 2.3 µs, busiest unit active 866 of 5,147 cycles; random numbers in 19 blocks, 3.1 µs, 2,134
of 6,115; sum of 16 MiB, 12.4 µs, 15 %.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import duration, percent

SMALLEST_SHARE = 0.1
LONGEST_NS = 100_000.0
"""Time in ns from which a start of some microseconds cannot be a tenth; a larger share then means that the passes do not belong together."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return the share of start and end."""
    ramp, spent_ns = facts["gpu.ramp_share"], facts["gpu.duration_ns"]
    if ramp < SMALLEST_SHARE or spent_ns > LONGEST_NS:
        return None
    return Symptom(ramp, f"start and end take {percent(ramp)} of a launch of {duration(spent_ns)}")


RULE = Rule(
    name="launch-bound-gpu",
    text=__doc__,
    needs=("gpu.ramp_share", "gpu.duration_ns"),
    suggests=("fuse", "batch-problems", "launch-graph"),
    evaluate=evaluate,
)
