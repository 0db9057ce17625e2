"""Unroll: more of the reduction per iteration of the inner loop.

## What it changes
The unroll factor, two steps up, or down when the loop spills.

## What it needs
A reduction long enough for the larger step.

## What it costs
Code size and live registers.

## When it fails
Where the compiler unrolls already, or where the tile fills the registers.

## References
On gfx1012 larger K unrolling lost 2 % and was reverted: small knobs give single per cents of either sign.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.space import Parameter
from hotloop.techniques.knobs import downwards, upwards
from hotloop.techniques.situation import Situation
from hotloop.techniques.technique import Category, Proposal, Signal, Technique


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Go down on spills, up otherwise."""
    if situation.spilling:
        yield from downwards(situation, parameters, -0.1, 0.5)
    else:
        yield from upwards(situation, parameters, -0.1, 0.6)


TECHNIQUE = Technique(
    name="unroll",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=propose,
    removes=(-0.1, 0.6),
    signals=(Signal("static.control_share"), Signal("static.fma_share", rises=True)),
)
