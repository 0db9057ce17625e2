"""The first-level cache is the limit.

## What it shows
At least 80 % of the peak throughput of the first-level cache is used, while second-level cache and device memory are not near theirs.

## Why it costs
Each compute unit has one path to its first-level cache. Operands that every instruction loads again fill it however often they
hit, and more waves only wait longer.

## What to try
Fewer and wider loads: contiguous access first, then reuse in registers and local memory, so that a byte that is loaded serves more
arithmetic.

## When it misleads
Shared memory goes through the same path on NVIDIA: then local memory is the subject. Nsight Compute's default page gives the
share while multiprocessors are active, which is scaled here to the launch.

## References
Published profiles of naive matrix products: SGEMM of 1024³ on an sm_75 card with 98.5 % of L1 and 0.5 % of device memory; row sums
on an sm_80 card with 99.8 % of L1 while active and 18 % of device memory.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Example, Rule, Symptom
from hotloop.units import percent

FULL = 0.8
OTHERS = ("gpu.l2_utilization", "gpu.hbm_utilization", "gpu.matrix_utilization", "gpu.valu_utilization")


def evaluate(facts: Facts) -> Symptom | None:
    """Return the used share of the cache, less what nobody asked for."""
    used, wasted = facts["gpu.l1_utilization"], facts.get("gpu.wasted_sectors") or 0.0
    if used < FULL or any((facts.get(name) or 0.0) >= FULL for name in OTHERS):
        return None
    return Symptom(used * (1 - wasted), f"the first-level cache moves {percent(used)} of its peak")


RULE = Rule(
    name="l1-bound",
    text=__doc__,
    needs=("gpu.l1_utilization",),
    optional=("gpu.wasted_sectors", *OTHERS),
    suggests=("coalesce", "register-tile", "local-memory", "vectorize", "wide-local-access"),
    evaluate=evaluate,
    fires=(
        Example(
            "naive SGEMM 1024³, published profile, sm_75",
            (("gpu.l1_utilization", 0.967), ("gpu.l2_utilization", 0.004), ("gpu.hbm_utilization", 0.0047)),
            0.9,
        ),
    ),
    silent=(
        Example("H100 fp32 product, recorded", (("gpu.l1_utilization", 0.76), ("gpu.valu_utilization", 0.7575))),
        Example(
            "a stream: device memory is full behind it (constructed)",
            (("gpu.l1_utilization", 0.85), ("gpu.hbm_utilization", 0.9)),
        ),
    ),
)
