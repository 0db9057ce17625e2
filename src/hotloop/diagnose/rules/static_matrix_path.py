"""The slow path to the matrix unit: older or smaller matrix instructions than the processor has for these types.

## What it shows
The hot loop's matrix instructions run at less than nine tenths of the rate of the target's best for the same types: mma where
warp-group instructions exist (Hopper), 16-deep shapes where 32-deep ones exist (CDNA4).

## Why it costs
The older forms are kept for compatibility. On Hopper mma reaches 62 % of the peak; on gfx950 the shapes of gfx942 reach half.

## What to try
Build for the exact target (``sm_90a``, ``gfx950``); the instruction with the larger k (``v_mfma_f32_32x32x16_f16``); tiles of 64 rows or more
per warp group; a newer compiler.

## When it misleads
A kernel that waits for memory does not notice. Tiles below the larger shape cannot use it.

## References
CDNA4 ISA guide, passes per MFMA (`hotloop.isa.matrix`); W. Luo et al., "Benchmarking and Dissecting the Nvidia Hopper GPU
Architecture", 2024. The estimate is half of the loss: the rest is taken to hide behind memory.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

GOOD = 0.9
BOUND = 0.5


def evaluate(facts: Facts) -> Symptom | None:
    """Return half of the matrix instructions' lost rate as the share of time; None where there are none, or they are fast."""
    rate = facts["isa.matrix_path_rate"]
    if facts["static.matrix_share"] <= 0 or rate >= GOOD:
        return None
    return Symptom(
        BOUND * (1 - rate),
        f"the matrix instructions of the hot loop run at {percent(rate)} of the target's best for their types",
    )


RULE = Rule(
    name="static-matrix-path",
    text=__doc__,
    needs=("isa.matrix_path_rate", "static.matrix_share"),
    suggests=("larger-matrix-instruction", "warp-group-matrix"),
    evaluate=evaluate,
)
