"""An occupancy cliff within reach: a few registers or bytes less keep one more wave resident.

## What it shows
The nearest cliff asks for an eighth of the limiting resource at most, and waves of the hot loop stand often enough to need company.

## Why it costs
While a wave waits for memory, others work. With one wave more, less of the waiting is left over.

## What to try
Ask the compiler for the next level (``waves_per_eu``, ``amdgpu_waves_per_eu``, ``__launch_bounds__``), recompute instead of keeping,
shrink or pad local memory less. ``hotloop occupancy`` shows every step.

## When it misleads
More waves share the caches and may evict each other's data. A compiler that is forced below its own figure spills. Kernels whose loop
hides its loads well gain nothing.

## References
LLVM's occupancy formulas (`hotloop.isa.occupancy`). The estimate is the time that the present waves leave idle, less what one
level more would leave.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import MODEL, idle
from hotloop.units import percent

REACH = 0.125


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate the difference that the next level makes to uncovered waiting."""
    now, then, far = facts["isa.occupancy_waves"], facts["isa.cliff_waves"], facts["isa.cliff_distance"]
    if far > REACH:
        return None
    gain = idle(facts) - idle(facts, then)
    if facts["isa.stall_share"] <= 0 or gain <= 0:
        return None
    return Symptom(gain, f"{percent(far)} less of one resource would keep {then:g} waves resident instead of {now:g}")


RULE = Rule(
    name="static-occupancy-cliff",
    text=__doc__,
    needs=("isa.occupancy_waves", "isa.cliff_waves", "isa.cliff_distance", "isa.stall_share"),
    optional=tuple(name for name in MODEL if name != "isa.occupancy_waves"),
    suggests=("lower-registers", "register-tile", "workgroup-size"),
    evaluate=evaluate,
)
