"""Too few groups: compute units stand idle because there are not enough work-groups to share out.

## What it shows
Fewer work-groups than compute units, or a last wave of groups that leaves units idle.

## Why it costs
A work-group runs on one unit. With 3 groups on 2 units one unit waits during a quarter of all unit time.

## What to try
Smaller groups or smaller tiles, less work per item, or splitting the reduction dimension across groups.

## When it misleads
Units are not equally fast on a busy machine, where many small groups balance better than an even few. One group per
unit can be best when groups are long and equal.

## References
Counting model: groups / (waves · units). SGEMM with tiles of 13×2 vectors at 256 and 512 has too few items for an even
split over two cores: median 176–211 GFLOP/s against a best of 337–350.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent, significant

SMALLEST_WASTE = 0.05


def evaluate(facts: Facts) -> Symptom | None:
    """Return the larger of idle units and tail waste."""
    per_unit, tail = facts["launch.groups_per_unit"], facts["launch.tail_waste"]
    waste = max(1 - min(1.0, per_unit), tail)
    if waste < SMALLEST_WASTE:
        return None
    return Symptom(
        waste, f"{significant(per_unit, 2)} work-groups per compute unit leave {percent(waste)} of them idle"
    )


RULE = Rule(
    name="too-few-groups",
    text=__doc__,
    needs=("launch.groups_per_unit", "launch.tail_waste"),
    suggests=("workgroup-size", "work-per-item", "register-tile", "split-k"),
    evaluate=evaluate,
)
