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

from hotloop.model.space import Config, Parameter
from hotloop.techniques.case import Case
from hotloop.techniques.knobs import downwards, upwards
from hotloop.techniques.situation import Situation
from hotloop.techniques.technique import Category, Effect, Proposal, Signal, Technique


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Go down on spills, up otherwise."""
    if situation.spilling:
        yield from downwards(situation, parameters, -0.1, 0.5)
    else:
        yield from upwards(situation, parameters, -0.1, 0.6)


_FACTORS = (1, 2, 4, 8)

TECHNIQUE = Technique(
    name="unroll",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=propose,
    removes=(-0.1, 0.6),
    effects=(Effect(0.98, 0.98, "K unrolling 2 → 4 and 8, SGEMM on gfx1012: −2 %, reverted, reported"),),
    signals=(Signal("static.control_share"), Signal("static.fma_share", rises=True)),
    cases=(
        Case(
            text="two multiplications in a loop of 14 instructions",
            parameters=(Parameter("KU", _FACTORS),),
            start=Config(KU=1),
            facts=(("static.fma_share", 0.143), ("static.spills", 0)),
            expects=("KU 1 → 2", "KU 1 → 4"),
        ),
        Case(
            text="the unrolled loop spills",
            parameters=(Parameter("KU", _FACTORS),),
            start=Config(KU=8),
            facts=(("static.spills", 9),),
            expects=("KU 8 → 4",),
        ),
        Case(text="fully unrolled already", parameters=(Parameter("KU", _FACTORS),), start=Config(KU=8)),
    ),
)
