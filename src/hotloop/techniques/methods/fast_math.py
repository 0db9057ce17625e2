"""Fast math: cheaper functions within the tolerance.

## What it changes
The variant of a mathematical function: library, native, half precision or a polynomial.

## What it needs
A tolerance that allows it; the check decides before anything is timed.

## What it costs
Accuracy, and the treatment of special values.

## When it fails
When the function is not on the critical path, or when the check refuses the result.

## References
No reported number; a library call ends vectorisation around it, so the share of calls is the upper limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.space import Parameter
from hotloop.techniques.knobs import others
from hotloop.techniques.situation import Situation
from hotloop.techniques.technique import Category, Proposal, Signal, Technique


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Try each other variant; the check refuses what is not accurate enough."""
    yield from others(situation, parameters, -0.05, 0.8)


TECHNIQUE = Technique(
    name="fast-math",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=propose,
    removes=(-0.05, 0.8),
    signals=(Signal("static.calls"), Signal("static.transcendental_share"), Signal("gpu.special_utilization")),
)
