"""Local memory bound: waves queue for local (shared) memory longer than they compute.

## What it shows
Waves spend more than one and a half times as long waiting for local memory as in vector work.

## Why it costs
Local memory serves 128 bytes per cycle and unit. Operands that every iteration reads again fill its queue, and all waves
of the unit stand in it.

## What to try
Keep loop-invariant operands in registers, store the operand that is read by columns transposed, read 8 or 16 bytes at a
time, enlarge the tile so that a byte read serves more arithmetic. With few instructions per wave look at bank conflicts.

## When it misleads
The ratio falls also when vector work is added. AMD counts waiting to issue, not waiting for results; NVIDIA's counts
special functions and shuffles too, and sets them against all instructions. A kernel whose matrix units are busy at 85 %
or more is not bound by it whatever the ratio.

## References
Reported MI300X attention: 3.05 at 26.3 TFLOPS, 0.53 at 60.1 after registers, transposition and padding together. The
estimate takes 0.53 as what a good kernel keeps: 62 %, and 56 % of the time was saved.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import LIMITS, saturated
from hotloop.diagnose.rule import Example, Rule, Symptom
from hotloop.units import percent

THRESHOLD = 1.5
GOOD = 0.53
"""Ratio that the reported kernel kept after the repair."""
SMALLEST_WAIT = 0.15
"""Share of waves' time below which the queue is no bottleneck, where it is known."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``(ratio - 0.53) / (ratio + 1)``, at most the share of waves' time where that is known."""
    ratio, waiting = facts["gpu.lds_wait_ratio"], facts.get("gpu.lds_wait_share")
    count = facts.get("gpu.lds_per_wave")
    if ratio <= THRESHOLD or count == 0 or saturated(facts) or (waiting is not None and waiting < SMALLEST_WAIT):
        return None
    share = (ratio - GOOD) / (ratio + 1)
    instructions = "" if count is None else f" ({count:.0f} local memory instructions per wave)"
    return Symptom(
        share if waiting is None else min(share, waiting),
        f"waves wait {ratio:.2f} times as long for local memory as they compute{instructions}"
        + ("" if waiting is None else f", {percent(waiting)} of their time"),
    )


RULE = Rule(
    name="lds-bound",
    text=__doc__,
    needs=("gpu.lds_wait_ratio",),
    optional=("gpu.lds_wait_share", "gpu.lds_per_wave", *LIMITS),
    suggests=("operands-in-registers", "transpose-in-local", "wide-local-access", "register-tile", "pad", "swizzle"),
    evaluate=evaluate,
    fires=(
        Example(
            "MI300X attention V4.0, reported: 26.3 TFLOPS, 40 K local memory instructions per wave",
            (("gpu.lds_wait_ratio", 3.05), ("gpu.lds_per_wave", 40_000)),
            0.5,
        ),
    ),
    silent=(
        Example(
            "MI300X attention V4.1, reported: 60.1 TFLOPS",
            (("gpu.lds_wait_ratio", 0.53), ("gpu.lds_per_wave", 32_000)),
        ),
        Example(
            "MI350X conv3d V97, reported: 476 quad-cycles of 2,165 vector instructions",
            (("gpu.lds_wait_ratio", 0.22), ("gpu.lds_wait_share", 0.065)),
        ),
        Example(
            "H100 bf16 matrix product at 90 % of the tensor cores, recorded: producer warps queue by design",
            (("gpu.lds_wait_ratio", 2.95), ("gpu.lds_wait_share", 0.15), ("gpu.matrix_utilization", 0.90)),
        ),
        Example(
            "H100 index fill, recorded: no local memory at all, constants wait in the same queue",
            (("gpu.lds_wait_ratio", 5.07), ("gpu.lds_wait_share", 0.234), ("gpu.lds_per_wave", 0)),
        ),
        Example(
            "H100 softmax, recorded: exponentials go the same way",
            (("gpu.lds_wait_ratio", 2.82), ("gpu.lds_wait_share", 0.129), ("gpu.issue_utilization", 0.70)),
        ),
    ),
)
