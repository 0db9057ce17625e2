"""Device memory is the limit: bytes per second are near the peak.

## What it shows
At least 75 % of the peak bandwidth of device memory is used.

## Why it costs
No kernel that moves these bytes is faster. A data sheet's peak is not reachable: 85 to 93 % is what copies get.

## What to try
Move fewer bytes: fuse with neighbours, a narrower type, tiles that reuse what they load. Otherwise nothing.

## When it misleads
Bytes moved may be more than the problem needs: then another finding (cache misses, scattered access) says so. Say which
directions a bandwidth counts.

## References
Nsight Compute's and ROCm Compute Profiler's memory pages. MI200's measured copy ceiling is 1,389 of 1,638 GB/s, 85 %
(recorded roofline).
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent, rate

FULL = 0.75


def evaluate(facts: Facts) -> Symptom | None:
    """Return the used share of the bandwidth."""
    used, speed = facts["gpu.hbm_utilization"], facts.get("gpu.hbm_bytes_per_s")
    if used < FULL:
        return None
    amount = "" if speed is None else f" ({rate(speed, 'B/s')})"
    return Symptom(min(1.0, used), f"device memory moves {percent(used)} of its peak{amount}")


RULE = Rule(
    name="hbm-bound",
    text=__doc__,
    needs=("gpu.hbm_utilization",),
    optional=("gpu.hbm_bytes_per_s",),
    suggests=("fuse", "cache-block", "narrower-type"),
    evaluate=evaluate,
)
