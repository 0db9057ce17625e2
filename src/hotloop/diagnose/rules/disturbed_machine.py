"""Disturbed machine: the cores were busy with something else while the kernel ran.

## What it shows
The process used much less CPU time than wall time × compute units, although there was work for every unit.

## Why it costs
Wall time then measures the machine's load. Comparisons in interleaved rounds stay fair but need more rounds, and the
distance from the roofline looks larger than it is.

## What to try
Nothing in the kernel: run on a quiet machine, or trust only the paired comparison.

## When it misleads
Idle cores look the same: fewer groups than units, long helper passes on one thread, or a launch-bound call. Runtimes
whose threads spin show a high share without working.

## References
The same OpenCL kernels lost 2–4 times of wall time between a quiet run and one at load 7.5 on two cores, while flops
per CPU second agreed within about 15 %.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

BUSY = 0.8
"""CPU share below which the machine counts as disturbed."""
TAIL = 0.05
"""Tail waste above which idle units are the kernel's own doing."""
LAUNCH = 0.2
"""Launch share above which waiting is the runtime's own doing."""


def evaluate(facts: Facts) -> Symptom | None:
    """Return the missing CPU share, unless the launch itself leaves units idle."""
    share = facts["time.cpu_share"]
    groups, tail, launch = (
        facts.get("launch.groups_per_unit"),
        facts.get("launch.tail_waste"),
        facts.get("time.launch_share"),
    )
    idle = (groups is not None and groups < 1) or (tail or 0.0) > TAIL or (launch or 0.0) > LAUNCH
    if share >= BUSY or idle:
        return None
    return Symptom(
        1 - share, f"the process got {percent(share)} of the cores' time while it ran: wall time is not all its own"
    )


RULE = Rule(
    name="disturbed-machine",
    text=__doc__,
    needs=("time.cpu_share",),
    optional=("launch.groups_per_unit", "launch.tail_waste", "time.launch_share"),
    evaluate=evaluate,
)
