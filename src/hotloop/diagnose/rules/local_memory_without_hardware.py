"""Local memory without hardware: the kernel stages data through local memory and barriers on a device that has neither.

## What it shows
The kernel declares local memory or waits at barriers, and the device says that local memory is ordinary memory.

## Why it costs
Staging copies data that the caches already hold. Every barrier makes the runtime finish the region before it for all
items of the group and keep their private values in memory meanwhile, so registers cannot carry sums across it.

## What to try
Read operands in place, or from panels packed once; one work-item per group with a register tile. Where staging must
stay, put more arithmetic between two barriers.

## When it misleads
With thousands of operations between barriers the cost vanishes, and a staged tile may act as a packed panel: the
tuned CLBlast kernel on PoCL stages both operands and computes 2048 flops per item between barriers.

## References
The estimate counts a barrier as 64 flops per item. Measured with Intel's CPU runtime on two AVX-512 cores: 0.6 ns per
item and barrier (65536 items in groups of 256, 128 barriers each, 2.5 ms), and 64 flops take 0.6 ns at 107 GFLOP/s per
core. A 16×16 local-memory SGEMM tile reached 23–60 GFLOP/s there and 1–4 on PoCL, against a ceiling of 460.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import significant, size

BARRIER_FLOPS = 64.0
"""Arithmetic of one work-item that takes as long as one barrier costs it."""
COPY_SHARE = 0.05
"""Share given to staging without barriers: one store and one load more per element, both in the nearest cache."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``barrier / (barrier + arithmetic between barriers)`` in flops per work-item."""
    barriers, local_bytes = facts["config.barriers"], facts["config.local_bytes"]
    if facts["device.local_dedicated"] or (not barriers and not local_bytes):
        return None
    if not barriers:
        return Symptom(COPY_SHARE, f"{size(local_bytes)} per group are staged in local memory that is ordinary memory")
    effort = max(facts["work.flops"], facts["work.bytes"]) / max(1.0, facts["launch.work_items"]) / barriers
    return Symptom(
        BARRIER_FLOPS / (BARRIER_FLOPS + effort),
        f"only {significant(effort)} operations per work-item for each barrier ({barriers:.0f} in all), "
        f"and {size(local_bytes)} of local memory per group, on a device that has no local memory of its own",
    )


RULE = Rule(
    name="local-memory-without-hardware",
    text=__doc__,
    needs=(
        "device.local_dedicated",
        "config.barriers",
        "config.local_bytes",
        "launch.work_items",
        "work.flops",
        "work.bytes",
    ),
    suggests=("register-blocking", "local-memory", "path", "workgroup-size", "register-tile", "cache-block"),
    evaluate=evaluate,
)
