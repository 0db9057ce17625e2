"""Bank conflicts: lanes of one access meet in the same bank of local memory, and the access is repeated.

## What it shows
Conflicts stall local memory for a visible share of the launch, and waves do queue for local memory.

## Why it costs
An access whose lanes hit one bank n times takes n times as long, and every later access waits behind it.

## What to try
Pad rows so that their length in 4-byte banks is odd, or swizzle columns by a function of the row. Check that the access
width survives: a row of 260 bytes allows 4-byte reads only.

## When it misleads
Conflict counters alone prove nothing. One engine's conflicts over the clocks of the launch gave 107 % in a reported
kernel; summed and divided rightly it was 13.4 %, and removing them gained less than 0.1 %. Hence no finding without a
queue for local memory.

## References
Reported MI350X conv3d: two-way conflicts in half of the waves, local memory queue 6.5 % of wave time. Padding by four
floats gained 6 % in a reported OpenCL matrix product. Recorded on H200: a tile of 32×32 floats read by columns, 31 of 32
wavefronts are conflicts; the first-level cache, whose path they take, is at 96 %. The estimate is the smaller of conflict
time and queue time.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import LIMITS, LOCAL, PIPE, QUEUE, busiest, saturated_elsewhere
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

SMALLEST_SHARE = 0.03
SMALLEST_WAIT = 0.15
PRESSURE = 1.0
"""Wait-to-work ratio from which waves queue for local memory."""
UNSEEN = 0.4
"""Conflict time from which no queue need be known: local memory stands still for so long that somebody waits."""
FULL = 0.6
"""Share of the launch from which a local memory that works on nothing but conflicts for half of it is the limit: where each wave has
few accesses, they wait for results, which AMD counts with all other waiting, and not in the queue."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return the smaller of conflict time and queue time, when there is a queue; of a full path what the next unit leaves."""
    conflicts, ratio, waiting = (
        facts["gpu.lds_conflict_share"],
        facts.get("gpu.lds_wait_ratio"),
        facts.get("gpu.lds_wait_share"),
    )
    pressed = conflicts >= UNSEEN if ratio is None else ratio >= PRESSURE
    queued = pressed and (waiting is None or waiting >= SMALLEST_WAIT)
    if conflicts < SMALLEST_SHARE or saturated_elsewhere(facts):
        return None
    if not queued:
        return _of_a_full_path(facts, conflicts)
    each = facts.get("gpu.lds_conflicts_per_access")
    per_access = "" if each is None else f" ({each:.2f} extra cycles per access)"
    return Symptom(
        conflicts if waiting is None else min(conflicts, waiting),
        f"bank conflicts stall local memory for {percent(conflicts)} of the launch{per_access}"
        f"{'' if ratio is None else ', and waves queue for it'}",
    )


def _of_a_full_path(facts: Facts, conflicts: float) -> Symptom | None:
    """Return the conflicts of a local memory that works longer than every other unit, half of it on them."""
    active, next_unit = facts.get(PIPE) or 0.0, busiest(facts)
    if active < FULL or conflicts < active / 2 or next_unit >= active:
        return None
    return Symptom(
        min(conflicts, 1 - next_unit / active),
        f"local memory is the unit that works longest, {percent(active)} of the launch, {percent(conflicts)} on bank conflicts",
    )


RULE = Rule(
    name="bank-conflicts",
    text=__doc__,
    needs=("gpu.lds_conflict_share",),
    optional=("gpu.lds_wait_ratio", "gpu.lds_wait_share", "gpu.lds_conflicts_per_access", LOCAL, QUEUE, PIPE, *LIMITS),
    suggests=("pad", "swizzle", "transpose-in-local"),
    evaluate=evaluate,
)
