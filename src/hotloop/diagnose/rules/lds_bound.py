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
from hotloop.diagnose.gpu import LIMITS, LOCAL, PIPE, QUEUE, local_load, saturated_elsewhere
from hotloop.diagnose.rule import Rule, Symptom
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
    active = max(local_load(facts) or 0.0, facts.get(PIPE) or 0.0)
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
        PIPE,
        *LIMITS,
    ),
    refuting=(("gpu.lds_wait_share",),),
    suggests=("operands-in-registers", "transpose-in-local", "wide-local-access", "register-tile", "pad", "swizzle"),
    evaluate=evaluate,
)
