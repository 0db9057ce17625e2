"""Tiny work-items: handing out work costs as much as doing it.

## What it shows
The number of work-items and work-groups, times what a CPU runtime needs to hand each one out, is a visible part of the
run time.

## Why it costs
On a CPU a work-group is a task from a queue and a work-item an iteration of a loop around the kernel; both recompute
indices and neither is free. GPUs do this in hardware, so the rule is silent there.

## What to try
More work per item (a vector, a tile, a loop), or larger groups where the items are independent.

## When it misleads
A runtime that vectorises across items makes one item nearly free; the estimate is then too high.

## References
Measured with Intel's CPU runtime on two AVX-512 cores, best of 15, saxpy on 262144 floats: 3.95 ms with groups of 1,
0.42 with 16, 0.28 with 64, 0.25 with the runtime's own choice, and 0.044 with one float16 per item. That is about 28 ns
of core time per group and 1 ns per item.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import counted, duration

ITEM_NS = 1.0
GROUP_NS = 28.0
SMALLEST_SHARE = 0.05


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``(items · 1 ns + groups · 28 ns) / (call time · units)``."""
    if facts["device.local_dedicated"]:
        return None
    items, groups = facts["launch.work_items"], facts.get("launch.groups") or 0.0
    core_ns = facts["time.call_ns"] * facts["device.compute_units"]
    handing_ns = items * ITEM_NS + groups * GROUP_NS
    if core_ns <= 0 or handing_ns < SMALLEST_SHARE * core_ns:
        return None
    each = core_ns / max(1.0, items)
    in_groups = f" in {counted(round(groups), 'group')}" if groups else ""
    return Symptom(
        min(0.95, handing_ns / core_ns),
        f"{counted(round(items), 'work-item')}{in_groups} at {duration(each)} each; handing them out costs about {duration(handing_ns)} of core time",
    )


RULE = Rule(
    name="tiny-work-items",
    text=__doc__,
    needs=("device.local_dedicated", "device.compute_units", "launch.work_items", "time.call_ns"),
    optional=("launch.groups",),
    suggests=("work-per-item", "vectorize", "workgroup-size", "register-tile"),
    evaluate=evaluate,
)
