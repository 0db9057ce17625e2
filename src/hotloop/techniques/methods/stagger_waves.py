"""Stagger waves: two groups of waves half an iteration apart share local memory's bandwidth.

## What it changes
The phase of half of the waves.

## What it needs
At least 8 waves in a group, and phases that load differently (reads against arithmetic).

## What it costs
Complex synchronisation.

## When it fails
When one pipe is full all the time anyway.

## References
Listed by the reported attention work after its assembly reference; no number.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.needs import gpu
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.1, 0.4)

TECHNIQUE = Technique(
    name="stagger-waves",
    text=__doc__,
    category=Category.LATENCY,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(gpu("waves that share local memory"),),
    signals=(Signal("gpu.lds_wait_ratio"), Signal("gpu.matrix_utilization", rises=True)),
    answers=("lds-bound", "barrier-stalls"),
)
