"""Calls in the kernel: functions that the compiler did not inline.

## What it shows
The machine code of the main kernel calls functions: the math library, or a runtime's barrier.

## Why it costs
A call saves and restores vector registers, ends vectorisation around it and hides its body from the scheduler.

## What to try
Native or half-precision functions where the tolerance allows them, a polynomial of your own, or no barriers.

## When it misleads
A call outside the hot loop, or one to a vector math routine that computes 16 results at once, is cheap. The count is
static: it does not say how often the call happens.

## References
Slot model: a call counts as 20 instructions, an estimate of saving, restoring and jumping; never more than half of the time.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import counted

CALL_INSTRUCTIONS = 20.0
LARGEST_SHARE = 0.5


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``calls · 20 / (calls · 20 + instructions) · (1 - roofline fraction)``, at most one half."""
    calls, total = facts["static.calls"], facts["static.hot_instructions"]
    if calls <= 0:
        return None
    slots = calls * CALL_INSTRUCTIONS
    share = slots / (slots + total) * facts.unexplained()
    what = counted(round(calls), "function")
    verb = "was" if calls == 1 else "were"
    return Symptom(
        share,
        f"the kernel calls {what} that {verb} not inlined, beside {counted(round(total), 'hot instruction')}",
        LARGEST_SHARE,
    )


RULE = Rule(
    name="calls-in-kernel",
    text=__doc__,
    needs=("static.calls", "static.hot_instructions"),
    suggests=("fast-math", "local-memory", "path"),
    evaluate=evaluate,
)
