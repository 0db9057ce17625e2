"""The first-level cache is the limit.

## What it shows
At least 80 % of the peak throughput of the first-level cache is used, or 70 % of it and 80 % while compute units have work, while second-level cache and device memory are not near theirs.

## Why it costs
Each compute unit has one path to its first-level cache. Operands that every instruction loads again fill it however often they
hit, and more waves only wait longer.

## What to try
Fewer and wider loads: contiguous access first, then reuse in registers and local memory, so that a byte that is loaded serves more
arithmetic.

## When it misleads
Shared memory goes through the same path on NVIDIA: its part is taken away where it was counted, and lds-bound or bank-conflicts
speak of it; Nsight Compute's default page does not count it, only that warps wait in its queue. That page gives the share while multiprocessors are active, which is
scaled here to the launch.

## References
Published profiles of naive matrix products: SGEMM of 1024³ on an sm_75 card with 98.5 % of L1 and 0.5 % of device memory; row sums
on an sm_80 card with 99.8 % of L1 while active and 18 % of device memory. Recorded on H200: a product with two loads for each
multiply-add, 81 % of L1 and 18 % of L2.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import LOCAL, QUEUE, held, local_load
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

FULL = 0.8
MOST_OF_IT = 0.7
"""Share of the launch's peak from which a cache that is full while units have work is the limit; below, units without work are told first."""
OTHERS = ("gpu.l2_utilization", "gpu.hbm_utilization", "gpu.matrix_utilization", "gpu.valu_utilization")


def evaluate(facts: Facts) -> Symptom | None:
    """Return the used share of the cache without local memory's, less what nobody asked for."""
    used, wasted = facts["gpu.l1_utilization"], facts.get("gpu.wasted_sectors") or 0.0
    active = used / (held(facts) or 1.0)  # a page may round a share to nothing
    full = used >= FULL or (used >= MOST_OF_IT and FULL <= active <= 1.0)
    if not full or any((facts.get(name) or 0.0) >= FULL for name in OTHERS):
        return None
    local = min(used, local_load(facts) or 0.0)
    of_it = f", {percent(local)} of it for local memory" if local >= 0.01 else ""
    if facts.get(LOCAL) is None:
        of_it = " (what of it is for local memory was not counted)"
    if local == used:
        return None
    while_busy = f", {percent(active)} while compute units have work" if used < FULL else ""
    said = f"the first-level cache moves {percent(used)} of its peak{while_busy}{of_it}"
    return Symptom((used - local) * (1 - wasted), said)


RULE = Rule(
    name="l1-bound",
    text=__doc__,
    needs=("gpu.l1_utilization",),
    optional=("gpu.wasted_sectors", "gpu.busy_share", "gpu.running_share", LOCAL, QUEUE, *OTHERS),
    suggests=("coalesce", "register-tile", "local-memory", "vectorize", "wide-local-access"),
    evaluate=evaluate,
)
