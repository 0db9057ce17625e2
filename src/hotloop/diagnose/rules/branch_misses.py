"""Mispredicted branches: the cores start anew after branches that were predicted wrongly.

## What it shows
Wrongly predicted branches, at fifteen clocks each, are a fifth or more of all clocks.

## Why it costs
What was started behind a wrong prediction is thrown away, and the pipeline fills again: 14 to 20 clocks on the cores of the last fifteen years.

## What to try
Selects instead of branches, sorted or partitioned data, comparisons by vector instructions and masks.

## When it misleads
The clocks of a wrong prediction are an estimate. Where loads miss the caches at the same time, part of them passes while the core waits anyway. Counts of
issue slots (``perf stat --topdown``) measure what is lost; where they are known, bad-speculation judges them instead.

## References
A. Fog, "The microarchitecture of Intel, AMD and VIA CPUs": penalties of 14 to 20 clocks. Examples: outputs of ``perf stat`` that their authors published.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

LARGE = 0.2


def evaluate(facts: Facts) -> Symptom | None:
    """Return the clocks lost to wrong predictions, over all; nothing where slots were counted."""
    lost, misses = facts["cpu.branch_lost_share"], facts.get("cpu.branch_miss_rate")
    if lost < LARGE or facts.get("cpu.speculation_share") is not None:
        return None
    rate = "" if misses is None else f": {percent(misses)} of the branches"
    return Symptom(
        lost, f"wrongly predicted branches cost about {percent(lost)} of the clocks, at fifteen clocks each{rate}"
    )


RULE = Rule(
    name="branch-misses",
    text=__doc__,
    needs=("cpu.branch_lost_share",),
    optional=("cpu.branch_miss_rate", "cpu.speculation_share"),
    suggests=("uniform-branches", "vectorize"),
    evaluate=evaluate,
)
