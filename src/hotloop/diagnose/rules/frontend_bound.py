"""Front end: the cores wait for instructions.

## What it shows
A third or more of the issue slots stay empty because no instruction was delivered.

## Why it costs
Code that does not fit the instruction caches, or that jumps often, is fetched and decoded again.

## What to try
Less unrolling, fewer specialisations, hot code in one place, loops instead of repeated straight code.

## When it misleads
Short programs are front end bound by their start: loading and first execution.

## References
A. Yasin, "A Top-Down method for performance analysis and counters architecture", ISPASS 2014. Examples: outputs of ``perf stat
--topdown`` that their authors published.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

LARGE = 1 / 3


def evaluate(facts: Facts) -> Symptom | None:
    """Return the lost share of the slots."""
    lost = facts["cpu.frontend_share"]
    return Symptom(lost, f"{percent(lost)} of the issue slots wait for instructions") if lost >= LARGE else None


RULE = Rule(
    name="frontend-bound",
    text=__doc__,
    needs=("cpu.frontend_share",),
    optional=(),
    suggests=("smaller-code", "unroll"),
    evaluate=evaluate,
)
