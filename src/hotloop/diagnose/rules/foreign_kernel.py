"""Another kernel dominates: more of the profiled time is another kernel's.

## What it shows
Another kernel takes more of the device time of the profile than this one; or, where the profile does not tell kernels apart, this
one takes less than nine tenths.

## Why it costs
Improving it cannot gain more than its own share: a reported matrix product spent 48 % of its time in transposes.

## What to try
Look at the other kernels first: avoid layout changes, fuse helper passes, choose the path without them.

## When it misleads
Profiles hold set-up too (random fills, copies, warm-up). Choose the rows of one call before comparing.

## References
Reported OpenCL matrix product: removing 48 % of transposes gave 1636 to 3137 GFLOPS, exactly 1 / 0.52.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

LARGEST = 0.9


def evaluate(facts: Facts) -> Symptom | None:
    """Return the other kernels' share."""
    share, rival = facts["gpu.kernel_share"], facts.get("gpu.rival_share")
    if share >= LARGEST or (rival is not None and rival <= share):
        return None  # of several kernels it has the most time: nobody dominates it
    other = "the rest is other kernels'" if rival is None else f"another one takes {percent(rival)}"
    return Symptom(1 - share, f"this kernel takes {percent(share)} of the profiled device time; {other}")


RULE = Rule(
    name="foreign-kernel",
    text=__doc__,
    needs=("gpu.kernel_share",),
    optional=("gpu.rival_share",),
    suggests=("fuse", "path", "pack"),
    evaluate=evaluate,
)
