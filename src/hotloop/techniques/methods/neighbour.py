"""Neighbour: one step of a parameter that no technique knows.

## What it changes
One parameter, to its next larger or smaller value, or to any other value of an enumeration.

## What it needs
Nothing: it moves parameters with a label of the user's own, and all parameters of a space without any label.

## What it costs
Blind steps: most of them lose or change nothing, so they come last.

## When it fails
Where two parameters must move together.

## References
Small knobs of a GPU SGEMM gave +6 %, +2 % and -2 %: the predicted interval is 0.95–1.10.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.finding import Gain
from hotloop.model.space import Parameter
from hotloop.techniques.situation import Situation
from hotloop.techniques.steps import beside
from hotloop.techniques.technique import Category, Proposal, Technique

SMALL_KNOB = Gain(0.95, 1.10)


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Try one step to each side of each parameter."""
    for parameter in parameters:
        for value in beside(parameter, situation.value(parameter)):
            yield Proposal({parameter.name: value}, SMALL_KNOB)


TECHNIQUE = Technique(
    name="neighbour",
    text=__doc__,
    category=Category.ALGORITHM,
    propose=propose,
    removes=(-0.05, 0.1),
)
