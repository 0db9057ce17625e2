"""Older matrix instructions: mma where the chip has warp-group instructions.

## What it shows
At least half of the matrix operations on Hopper go through the older instruction.

## Why it costs
On Hopper the older path reaches about 62 % of the peak and loads operands through registers; warp-group instructions read
shared memory themselves.

## What to try
A compiler version or target with warp-group instructions (``sm_90a``), tiles of 64 or more rows per group, a library
built for the chip.

## When it misleads
Tiles of 16 rows have no warp-group form. Small problems are bound elsewhere.

## References
W. Luo et al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture", 2024: about 62 % of the peak through mma.
Recorded on H100: product and attention of the vendor libraries use warp groups only. The estimate is 38 % of the time in
matrix work.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

MOST = 0.5
LOSS = 0.38
USED = 0.1


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate the loss of the slower path on the time in matrix work."""
    older, used = facts["gpu.legacy_matrix_share"], facts["gpu.matrix_utilization"]
    if older < MOST or used < USED:
        return None
    return Symptom(
        LOSS * older * min(1.0, used), f"{percent(older)} of the matrix operations use the older instruction (mma)"
    )


RULE = Rule(
    name="wrong-path-matrix",
    text=__doc__,
    needs=("gpu.legacy_matrix_share", "gpu.matrix_utilization"),
    suggests=("warp-group-matrix", "larger-matrix-instruction"),
    evaluate=evaluate,
)
