"""Scattered vector memory instructions (AMD): one instruction of a wave looks up nearly one cache line for each lane.

## What it shows
A vector memory instruction makes more than 32 cache lookups in the mean for its 64 lanes, and waves wait, for memory or until the unit
that takes its instructions is free.

## Why it costs
The first-level cache looks up one line per cycle: a scattered instruction takes 64 cycles where a contiguous one of the
same bytes takes 4 to 16. Those behind it wait to be issued.

## What to try
Let neighbouring lanes take neighbouring elements, turn the order through local memory, load several elements per lane.

## When it misleads
A mean of loads and stores hides one kind behind the other: scattered loads of two bytes beside contiguous stores make 34. Gathers
from a table that fits in a line or two are cheaper than they look.

## References
Recorded on an MI325X by the authors of HipKittens (SQ and TCP counters of one folder): PyTorch's copy that turns a matrix of bfloat16
makes 64 lookups a load and 4 a store, 34 in the mean, waves wait 88 % of their time to issue, and it takes 96.9 µs; a contiguous
pass over as many bytes makes 16 and takes 24.8. 64 is the count of a fully scattered instruction. The estimate is the waiting time ×
the lookups above 16. ROCm Compute Profiler's "Coalescing" is no such count: it prints 25 % for copies of neighbouring doubles and for
strided loads alike (counters of recorded copies; tables of one product with and without strides, AMD's training examples).
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import saturated
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

MANY = 32.0
CONTIGUOUS = 16.0
SMALLEST_WAIT = 0.3


def evaluate(facts: Facts) -> Symptom | None:
    """Return waiting time × superfluous lookups."""
    lookups = facts["gpu.lines_per_vmem"]
    waiting = min(1.0, facts["gpu.wait_share"] + (facts.get("gpu.issue_wait_share") or 0.0))
    if lookups <= MANY or waiting < SMALLEST_WAIT or saturated(facts):
        return None
    return Symptom(
        waiting * (1 - CONTIGUOUS / lookups),
        f"a vector memory instruction makes {lookups:.0f} cache lookups; waves wait {percent(waiting)} of their time",
    )


RULE = Rule(
    name="scattered-lines",
    text=__doc__,
    needs=("gpu.lines_per_vmem", "gpu.wait_share"),
    optional=("gpu.issue_wait_share", "gpu.matrix_utilization", "gpu.valu_utilization", "gpu.issue_utilization", "gpu.hbm_utilization",
              "gpu.l2_utilization", "gpu.l1_utilization"),
    suggests=("coalesce", "local-memory", "vectorize", "pack"),
    evaluate=evaluate,
)  # fmt: skip
