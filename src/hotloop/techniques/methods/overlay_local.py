"""Overlay local memory: give two tiles the same region, one after the other.

## What it changes
The regions of tiles that are not alive at the same time: apart, or the same.

## What it needs
Proof that no read moves past the barrier between the two uses: the order in the machine code, not in the source.

## What it costs
A barrier between the uses.

## When it fails
It failed where it was tried: the compiler moved reads across the barrier (right order in its intermediate code, wrong in
the machine code), and a wait for zero did not stop it. A barrier needs fences to order memory. Double buffers avoid the
hazard.

## References
Attention forward on gfx942, reported: keys, values and probabilities in the query tile's region gave wrong results.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (-0.1, 0.3)

TECHNIQUE = Technique(
    name="overlay-local",
    text=__doc__,
    category=Category.MEMORY,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    signals=(Signal("gpu.local_bytes"), Signal("gpu.limit_local", rises=True)),
    answers=("occupancy-limited",),
)
