"""Barrier stalls: waves wait for each other.

## What it shows
Waves spend at least a tenth of their time at barriers, and cycles go by without an instruction.

## Why it costs
At a barrier all waves of a group wait for the slowest; with one group per unit nobody else runs.

## What to try
Fewer barriers (one load phase for both operands, larger steps, double buffering), reductions across lanes without local
memory, smaller groups so that several share a unit.

## When it misleads
A barrier is cheap when all waves arrive together. In kernels with roles (producer and consumer warps) waiting at barriers
is the design: with busy matrix units, or matrix work through warp groups, nothing is found.

## References
Reported attention kernels: about 100 cycles each on MI300X, four per iteration; half the iterations gained 1.12 times.
Recorded on H100: block-wide softmax 16.5 % of warp time. The estimate shares idle cycles among the reasons for waiting.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import FILLED, WAITING, exposed, saturated
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

SMALLEST_WAIT = 0.1
GROUPED = 0.5
"""Share of matrix work through warp groups from which warps have roles."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return the exposed part of the wait."""
    waiting, legacy = facts["gpu.barrier_wait_share"], facts.get("gpu.legacy_matrix_share")
    grouped = legacy is not None and legacy < GROUPED
    if waiting < SMALLEST_WAIT or grouped or saturated(facts):
        return None
    share = exposed(facts, waiting)
    return Symptom(
        share, f"waves wait {percent(waiting)} of their time at barriers; {percent(share)} of the run is not covered"
    )


RULE = Rule(
    name="barrier-stalls",
    text=__doc__,
    needs=("gpu.barrier_wait_share",),
    optional=("gpu.legacy_matrix_share", *WAITING),
    refuting=FILLED,
    suggests=("fewer-barriers", "double-buffer", "lane-reduction", "workgroup-size"),
    evaluate=evaluate,
)
