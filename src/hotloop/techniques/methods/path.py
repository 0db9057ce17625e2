"""Path: another algorithm or code path for the same result.

## What it changes
An enumeration of whole code paths, to each other value.

## What it needs
Several paths in one implementation.

## What it costs
Nothing at run time; the paths must all be kept correct.

## When it fails
A path that suits one size class loses in another; a threshold that is never used is worse than none.

## References
Choosing the direct or the indirect SGEMM path is worth more than 4 times on CPU runtimes; a dispatch threshold that was
never consulted cost 3 times on gfx1012 (550 → 1657 GFLOP/s once fixed).
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.space import Config, Parameter
from hotloop.techniques.case import Case
from hotloop.techniques.knobs import others
from hotloop.techniques.situation import Situation
from hotloop.techniques.technique import Category, Effect, Proposal, Signal, Technique


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Try each other path."""
    yield from others(situation, parameters, -0.3, 0.8)


TECHNIQUE = Technique(
    name="path",
    text=__doc__,
    category=Category.ALGORITHM,
    propose=propose,
    removes=(-0.3, 0.8),
    effects=(
        Effect(
            3.0, 3.0, "a dispatch threshold that was never consulted, SGEMM on gfx1012: 550 → 1,657 GFLOP/s, reported"
        ),
        Effect(1.4, 2.0, "direct path below 512³ on gfx1012 against CLBlast, reported"),
    ),
    signals=(Signal("time.helper_share"), Signal("launch.count")),
    cases=(
        Case(
            text="the direct path, though operands are large",
            parameters=(Parameter("PATH", ("direct", "indirect"), ordinal=False),),
            start=Config(PATH="direct"),
            expects=("PATH direct → indirect",),
        ),
    ),
)
