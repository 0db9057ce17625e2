"""Pack in the group: each group copies the block of an operand that only it reads, and no launch copies all of it.

## What it changes
One operand is no longer packed by a launch of its own, or no longer read where it lies. Each work-group stages its rows of
it once, for all of a block of k, and walks along all tiles of the other dimension with them.

## What it needs
Parameters for packing, for staging a whole block, and for the tiles of a group; a device whose local memory is ordinary
memory behind caches.

## What it costs
Groups become long strips, so there are fewer of them, and the strip must fit into a private cache: rows · k elements.

## When it fails
With few rows, where the strips are too few for all units. With blocks of k so long that a strip leaves the second-level
cache, and where the other operand is larger than the caches: each strip reads all of it.

## References
SGEMM 1024³, Intel's OpenCL runtime, 2 cores with AVX-512, one run on 2026-11-22: both operands packed 6.17 ms, of which the
two launches that pack take 0.6; A staged by each group instead, 5.65 ms. Other runs that day gave 1.02 to 1.07 times. At 2048, with a B of 16 MiB, it loses 3 %.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.record import Scalar
from hotloop.model.space import Parameter
from hotloop.techniques.gain import removing
from hotloop.techniques.situation import Situation
from hotloop.techniques.steps import is_off, larger, smaller
from hotloop.techniques.technique import Category, Proposal, Signal, Technique

PACKING, STAGING, STRIP = "pack", "local-memory", "work-per-item"
HELPERS = 0.1
"""Share of helper phases from which one operand less is packed by a launch."""
REMOVES = 0.1, 0.9


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Propose to pack one operand less and to stage one more, in groups that are strips along either dimension."""
    if situation.device.local_mem_dedicated:
        return
    gain = removing(situation.share, *REMOVES)
    for packed in _packed(situation, parameters):
        for staged in _staged(situation, parameters):
            for strip in _strips(parameters):
                yield Proposal({**packed, **staged, **strip}, gain, "each group packs what it alone reads")


def _packed(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[dict[str, Scalar]]:
    """Yield to pack one operand less where that takes the time, else no change where an operand is still read in place."""
    heavy = (situation.fact("time.helper_share") or 0.0) >= HELPERS
    for parameter in (p for p in parameters if p.technique == PACKING and not is_off(situation.value(p))):
        if heavy:
            yield from ({parameter.name: value} for value in smaller(parameter, situation.value(parameter))[:1])
        elif larger(parameter, situation.value(parameter)):
            yield {}


def _staged(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[dict[str, Scalar]]:
    """Yield ways to stage an operand that is not: the last value of such a parameter is the largest block."""
    for parameter in (p for p in parameters if p.technique == STAGING and is_off(situation.value(p))):
        yield from ({parameter.name: value} for value in larger(parameter, situation.value(parameter))[-1:])


def _strips(parameters: tuple[Parameter, ...]) -> Iterator[dict[str, Scalar]]:
    """Yield groups that are one tile wide and as long as they can be, along each dimension in turn, the last one first."""
    sides = [p for p in parameters if p.technique == STRIP]
    for along in reversed(sides):
        yield {p.name: max(p.values, key=float) if p is along else min(p.values, key=float) for p in sides}


TECHNIQUE = Technique(
    name="pack-in-group",
    text=__doc__,
    category=Category.MEMORY,
    propose=propose,
    removes=REMOVES,
    signals=(Signal("time.helper_share"), Signal("config.local_bytes", rises=True)),
    labels=(PACKING, STAGING, STRIP),
    answers=("helper-phase", "working-set-beyond-cache", "strided-access"),
)
