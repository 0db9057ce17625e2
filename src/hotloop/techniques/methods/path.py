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

from hotloop.model.space import Parameter
from hotloop.techniques.knobs import others
from hotloop.techniques.situation import Situation
from hotloop.techniques.technique import Category, Proposal, Signal, Technique


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Try each other path."""
    yield from others(situation, parameters, -0.3, 0.8)


TECHNIQUE = Technique(
    name="path",
    text=__doc__,
    category=Category.ALGORITHM,
    propose=propose,
    removes=(-0.3, 0.8),
    signals=(Signal("time.helper_share"), Signal("launch.count")),
)
