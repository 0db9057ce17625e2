"""Stream-K: share out the iterations of all tiles evenly, whatever tiles they belong to.

## What it changes
The unit of work: whole tiles, or an equal number of reduction steps for each group, with partial tiles added up
afterwards.

## What it needs
A reduction long enough to be cut; tiles that do not fill a whole number of rounds.

## What it costs
Partial sums through memory and their order; the most complex of the distributions.

## When it fails
When tiles fill the rounds anyway.

## References
SGEMM on gfx1012: expected +95–108 % for uneven tile counts, not tried.
"""

from __future__ import annotations

from functools import partial

from hotloop.model.space import Config, Parameter
from hotloop.techniques.case import Case, gpu_device
from hotloop.techniques.knobs import switched_on
from hotloop.techniques.technique import Category, Effect, Signal, Technique

REMOVES = (-0.2, 0.9)

TECHNIQUE = Technique(
    name="stream-k",
    text=__doc__,
    category=Category.PARALLELISM,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    effects=(Effect(1.95, 2.08, "SGEMM on gfx1012 with uneven tile counts, expected, not tried", measured=False),),
    signals=(Signal("gpu.busy_share", rises=True), Signal("gpu.imbalance")),
    cases=(
        Case(
            text="160 tiles on 132 units",
            parameters=(Parameter("STREAM_K", (0, 1)),),
            start=Config(STREAM_K=0),
            expects=("STREAM_K 0 → 1",),
            device=gpu_device(),
        ),
    ),
)
