"""Group mode: a work-group on one compute unit, or on both of a pair.

## What it changes
The mode of a launch on RDNA: WGP (two units share a group and 128 KB) or CU.

## What it needs
RDNA.

## What it costs
Another pool of local memory per group.

## When it fails
Unknown: nobody measured it.

## References
On the roadmap of the reported SGEMM for gfx1012, effect unknown.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import others
from hotloop.techniques.needs import having
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.2, 0.2)

TECHNIQUE = Technique(
    name="group-mode",
    text=__doc__,
    category=Category.PARALLELISM,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(having("choice between units and pairs of units"),),
    signals=(Signal("gpu.occupancy_limit", rises=True), Signal("gpu.occupancy", rises=True)),
    answers=("occupancy-limited", "barrier-stalls"),
)
