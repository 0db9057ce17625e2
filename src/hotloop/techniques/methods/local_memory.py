"""Local memory: stage operands in work-group local memory, or read them in place.

## What it changes
Switches staging off on devices whose local memory is ordinary memory, and on where it is its own fast memory; all
operands together first, then each alone.

## What it needs
Parameters whose values include an "off" (0, false, ``none``).

## What it costs
Staging needs barriers and limits how many groups a unit holds; reading in place relies on the caches.

## When it fails
A staged tile may act as a packed panel: on PoCL the tuned CLBlast kernel stages both operands. Without staging, strided
operands reach the inner loop as they lie.

## References
16×16 local-memory SGEMM tile on two AVX-512 cores: 27–47 GFLOP/s (Intel), 3–4 (PoCL); register tiles without local memory
about 10 and 100 times more. On GPUs a cooperative tile gave 1.9 times (1.16 → 0.614 ms, depthwise conv3d, gfx950).
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.space import Parameter
from hotloop.techniques.knobs import switched_off, switched_on
from hotloop.techniques.situation import Situation
from hotloop.techniques.technique import Category, Proposal, Signal, Technique


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Follow the device: staging only where local memory is real."""
    if situation.device.local_mem_dedicated:
        yield from switched_on(situation, parameters, -0.2, 0.7)
    else:
        yield from switched_off(situation, parameters, 0.05, 0.9)


TECHNIQUE = Technique(
    name="local-memory",
    text=__doc__,
    category=Category.MEMORY,
    propose=propose,
    removes=(-0.2, 0.9),
    signals=(Signal("gpu.l2_bytes"), Signal("config.local_bytes"), Signal("static.calls")),
)
