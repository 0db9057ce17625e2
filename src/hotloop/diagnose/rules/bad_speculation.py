"""Bad speculation: the cores work on branches that were predicted wrongly.

## What it shows
A sixth or more of the issue slots go to work that is thrown away.

## Why it costs
A wrong prediction costs some fifteen clocks of a pipeline that has to start anew.

## What to try
Selects instead of branches, sorted or partitioned data, comparisons by vector instructions and masks.

## When it misleads
It is of the whole process. Short programs spend their start here.

## References
A. Yasin, "A Top-Down method for performance analysis and counters architecture", ISPASS 2014. Examples: outputs of ``perf stat
--topdown`` that their authors published.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

LARGE = 1 / 6


def evaluate(facts: Facts) -> Symptom | None:
    """Return the lost share of the slots."""
    lost, misses = facts["cpu.speculation_share"], facts.get("cpu.branch_miss_rate")
    if lost < LARGE:
        return None
    detail = "" if misses is None else f"; {percent(misses)} of the branches are predicted wrongly"
    return Symptom(lost, f"{percent(lost)} of the issue slots go to work that is thrown away{detail}")


RULE = Rule(
    name="bad-speculation",
    text=__doc__,
    needs=("cpu.speculation_share",),
    optional=("cpu.branch_miss_rate",),
    suggests=("uniform-branches", "vectorize"),
    evaluate=evaluate,
)
