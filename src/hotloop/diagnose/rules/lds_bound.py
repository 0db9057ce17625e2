"""Local memory bound: waves queue for local (shared) memory longer than they compute.

## What it shows
Waves spend more than one and a half times as long waiting for local memory as in vector work, or (NVIDIA) its path is busy
for 80 % of the launch. Where most of it is bank conflicts, these are told apart (bank-conflicts).

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
from hotloop.diagnose.gpu import LIMITS, LOCAL, QUEUE, local_load, saturated_elsewhere
from hotloop.diagnose.rule import Example, Rule, Symptom
from hotloop.units import counted, percent

THRESHOLD = 1.5
GOOD = 0.53
"""Ratio that the reported kernel kept after the repair."""
SMALLEST_WAIT = 0.15
"""Share of waves' time below which the queue is no bottleneck, where it is known."""
FULL = 0.8
"""Share of the launch from which local memory's path is the limit, whatever waves wait for."""
MOSTLY = 1.0
"""Cycles lost to conflicts for each that an access needs from which they are the finding, and this what is left without them."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``(ratio - 0.53) / (ratio + 1)``, at most the share of waves' time where that is known; of a full path its load."""
    if facts.get("gpu.lds_per_wave") == 0 or saturated_elsewhere(facts):
        return None
    active = local_load(facts) or 0.0
    queue = _queue(facts["gpu.lds_wait_ratio"], facts.get("gpu.lds_wait_share"))
    share, more = max(queue, active if active >= FULL else 0.0), facts.get("gpu.lds_conflicts_per_access") or 0.0
    left = share / (1 + more) if more >= MOSTLY else share
    return Symptom(left, _words(facts, active)) if left > 0 else None


def _queue(ratio: float, waiting: float | None) -> float:
    """Return the share that waiting explains, 0 below the thresholds."""
    if ratio <= THRESHOLD or (waiting is not None and waiting < SMALLEST_WAIT):
        return 0.0
    share = (ratio - GOOD) / (ratio + 1)
    return share if waiting is None else min(share, waiting)


def _words(facts: Facts, active: float) -> str:
    ratio, waiting, count = facts["gpu.lds_wait_ratio"], facts.get("gpu.lds_wait_share"), facts.get("gpu.lds_per_wave")
    instructions = "" if count is None else f" ({counted(round(count), 'local memory instruction')} per wave)"
    time = "" if waiting is None else f", {percent(waiting)} of their time"
    full = f"local memory is busy for {percent(active)} of the launch; " if active >= FULL else ""
    return f"{full}waves wait {ratio:.2f} times as long for local memory as they compute{instructions}{time}"


RULE = Rule(
    name="lds-bound",
    text=__doc__,
    needs=("gpu.lds_wait_ratio",),
    optional=(
        "gpu.lds_wait_share",
        "gpu.lds_per_wave",
        "gpu.lds_conflicts_per_access",
        LOCAL,
        QUEUE,
        *LIMITS,
    ),
    refuting=(("gpu.lds_wait_share",),),
    suggests=("operands-in-registers", "transpose-in-local", "wide-local-access", "register-tile", "pad", "swizzle"),
    evaluate=evaluate,
    fires=(
        Example(
            "MI300X attention V4.0, reported: 26.3 TFLOPS, 40 K local memory instructions per wave",
            (("gpu.lds_wait_ratio", 3.05), ("gpu.lds_per_wave", 40_000)),
            0.5,
        ),
        Example(
            "H200 tile read by columns, recorded: what bank conflicts, named by their own rule, leave",
            (
                ("gpu.lds_wait_ratio", 209),
                ("gpu.lds_wait_share", 0.948),
                ("gpu.lds_per_wave", 260),
                ("gpu.lds_conflicts_per_access", 30.3),
                ("gpu.l1_utilization", 0.957),
                ("gpu.l1_local_utilization", 0.956),
            ),
            0.02,
        ),
        Example(
            "product in tiles of shared memory on an sm_89 laptop, published page: the path is full, and its queue is what warps wait for",
            (
                ("gpu.lds_wait_ratio", 27.0),
                ("gpu.lds_wait_share", 0.651),
                ("gpu.lds_queue_share", 0.651),
                ("gpu.l1_utilization", 0.865),
                ("gpu.hbm_utilization", 0.1767),
                ("gpu.issue_utilization", 0.1933),
            ),
            0.8,
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
