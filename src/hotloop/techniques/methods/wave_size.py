"""Wave size: 32 or 64 work-items in a wave.

## What it changes
The compiler option that chooses the size (-mwavefrontsize32 or 64).

## What it needs
RDNA, which has both.

## What it costs
Twice the waves for the same work-items at 32: the same number of lanes in flight.

## When it fails
Code that assumes the size (exchanges between lanes, one wave without barriers).

## References
SGEMM on gfx1012: expected +10–30 %, not tried. Own compilation at 123 registers: 8 waves of 32 lanes or 4 of 64.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import others
from hotloop.techniques.needs import having
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.1, 0.5)

TECHNIQUE = Technique(
    name="wave-size",
    text=__doc__,
    category=Category.PARALLELISM,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(having("choice of the wave size"),),
    signals=(Signal("gpu.lane_share", rises=True), Signal("gpu.occupancy", rises=True)),
    answers=("divergent-lanes", "occupancy-limited"),
)
