"""Uniform branches: decide once per wave, or select instead of branching.

## What it changes
How a condition is executed: a branch per lane, a branch on a value that is the same for the wave, or a select; work may
be compacted first.

## What it needs
Conditions that depend on less than the lane, or branches short enough to execute both.

## What it costs
Both sides of a select are computed.

## When it fails
Kernels that wait for memory do not care for lanes; the last partial wave has idle lanes by nature.

## References
Recorded: 64 of 64 lanes in copies on MI200 and MI300X, 32 of 32 in matrix products on H100. No gain reported.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import others
from hotloop.techniques.needs import gpu
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.0, 0.8)

TECHNIQUE = Technique(
    name="uniform-branches",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(gpu("lanes that share their control flow"),),
    signals=(Signal("gpu.lane_share", rises=True), Signal("gpu.valu_per_wave")),
)
