"""Waiting process: the program is on no core for much of its time.

## What it shows
The process used less than 0.8 of one core from its start to its end.

## Why it costs
Code that runs faster cannot shorten the time in which nothing of it runs: files and devices, sleeps, locks, other processes on the same cores.

## What to try
Nothing in the kernel. Find what is waited for: ``perf trace -s``, ``strace -c``, or ``perf sched timehist``; read ahead, overlap files with work.

## When it misleads
Programs that hand their work to a GPU wait for it. On a loaded machine others had the core.

## References
``task-clock`` over ``time elapsed`` of ``perf stat``, which prints it as CPUs utilized. Example: a sort of a file that its author published.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

BUSY = 0.8


def evaluate(facts: Facts) -> Symptom | None:
    """Return the share of the time without a core."""
    cores = facts["cpu.busy_cores"]
    if cores >= BUSY:
        return None
    return Symptom(
        1 - cores, f"the process runs for {percent(cores)} of its time: for the rest it waits for something else"
    )


RULE = Rule(
    name="process-waits",
    text=__doc__,
    needs=("cpu.busy_cores",),
    evaluate=evaluate,
)
