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

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.2, 0.9)

TECHNIQUE = Technique(
    name="stream-k",
    text=__doc__,
    category=Category.PARALLELISM,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("gpu.busy_share", rises=True), Signal("gpu.imbalance")),
)
