"""First launch: most of the time goes to the first launch, which does what no later one has to.

## What it shows
The first launch took at least half a millisecond longer than a later one of the same size, and that is a visible part of the
time of all launches.

## Why it costs
Memory that nobody has touched is mapped page by page when a kernel first reads or writes it: each fault stops waves for tens of
thousands of cycles. Code is loaded, or made, before the first launch of a kernel.

## What to try
Nothing in the kernel. Allocate device memory instead of unified memory, touch or prefetch pages before, launch once before the
time that matters, keep compiled code.

## When it misleads
A program that launches a kernel once pays it each time: then it is the time that matters. Sums of launches hide it.

## References
Recorded on an MI300A: an OpenMP region that initialises 1 GiB takes 430.6 ms at first and 0.63 ms afterwards, with loads of
142,898 against 1,135 cycles. The estimate is the excess over the time of all launches.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import duration

SMALLEST_NS = 500_000.0
"""Cold caches and clocks cost tens of microseconds; more is memory being mapped or code being made."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return the excess of the first launch over the time of all."""
    first, later = facts["gpu.cold_ns"], facts["gpu.duration_ns"]
    if first - later < SMALLEST_NS:
        return None
    return Symptom(
        facts["gpu.cold_share"],
        f"the first launch takes {duration(first)}, a later one {duration(later)}: memory is mapped or code is made in it; "
        "all else here is about the later ones",
    )


RULE = Rule(
    name="first-launch",
    text=__doc__,
    needs=("gpu.cold_ns", "gpu.duration_ns", "gpu.cold_share"),
    evaluate=evaluate,
)
