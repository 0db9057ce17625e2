"""Helper phase: packing, transposing or clearing takes a visible part of the time.

## What it shows
Device time of the launches around the main kernel is more than a tenth of all device time.

## Why it costs
Helper passes move data without computing; they pay only when the main kernel gains more than they cost.

## What to try
The path without the helper, packing only the operand that needs it, or a faster helper (wider copies, more items).

## When it misleads
The share falls as the problem grows: helpers touch n² elements, the multiplication takes n³ steps. Without the helper
the main kernel may become slower by more than the helper took.

## References
Transposes took 48 % of a row-major SGEMM at 2048 on gfx1012; removing them gave 1636 → 3137 GFLOP/s, which is 1/0.52.
Packing for SGEMM on a CPU loses 10–30 % at n ≤ 512.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

SMALLEST_SHARE = 0.1


def evaluate(facts: Facts) -> Symptom | None:
    """Return the measured share of helper phases."""
    share = facts["time.helper_share"]
    if share < SMALLEST_SHARE:
        return None
    return Symptom(share, f"packing and other helper launches take {percent(share)} of the device time")


RULE = Rule(
    name="helper-phase",
    text=__doc__,
    needs=("time.helper_share",),
    suggests=("pack", "path", "fuse"),
    evaluate=evaluate,
)
