"""Split K: divide the reduction among groups and add their results.

## What it changes
The number of parts that a reduction is divided into, one or two steps up.

## What it needs
A long reduction with few results, and a kernel that adds the parts (a second pass or atomics).

## What it costs
The parts are written and read once more; atomics make sums depend on the order of arrival.

## When it fails
When there are groups enough: then the extra pass is pure loss.

## References
Expected +100–300 % for small M and N with large K; not measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.space import Parameter
from hotloop.techniques.knobs import upwards
from hotloop.techniques.situation import Situation
from hotloop.techniques.technique import Category, Proposal, Signal, Technique


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Divide further."""
    yield from upwards(situation, parameters, -0.2, 0.8)


TECHNIQUE = Technique(
    name="split-k",
    text=__doc__,
    category=Category.PARALLELISM,
    propose=propose,
    removes=(-0.1, 0.9),
    signals=(
        Signal("gpu.rounds", rises=True),
        Signal("gpu.busy_share", rises=True),
        Signal("launch.groups_per_unit", rises=True),
    ),
)
