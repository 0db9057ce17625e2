"""Work per item: how many results one work-item computes in a loop.

## What it changes
The number of results per work-item: up as long as each compute unit keeps several groups, down when units are idle.

## What it needs
Independent results.

## What it costs
Fewer work-items to balance with.

## When it fails
On GPUs neighbouring items should read neighbouring addresses; work must be dealt out with a stride there. Few items
balance badly on a busy machine.

## References
saxpy on 262144 floats on two cores: 0.25 ms with one float per item, 0.044 ms with sixteen. Packed SGEMM with four
panels per item was the fastest at 2048.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.finding import Gain
from hotloop.model.record import Scalar
from hotloop.model.space import Parameter
from hotloop.techniques.gain import removing, scaling
from hotloop.techniques.knobs import downwards
from hotloop.techniques.situation import Situation
from hotloop.techniques.steps import larger, ratio
from hotloop.techniques.technique import Category, Proposal, Signal, Technique

SHORT_ITEMS = "tiny-work-items"
"""Rule that finds the time lost to handing out items."""
BALANCE = 4.0
"""Groups per compute unit that are kept so that the last ones do not leave units idle."""


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Give each item as much as balance allows, then the next values; less when units are idle."""
    if situation.starved:
        yield from downwards(situation, parameters, -0.1, 0.8)
        return
    for parameter in parameters:
        now = situation.value(parameter)
        wanted = [value for value in larger(parameter, now) if _balanced(situation, ratio(value, now))]
        for value in dict.fromkeys((*wanted[-1:], *wanted[:2])):
            yield Proposal({parameter.name: value}, _gain(situation, ratio(value, now)))


def _gain(situation: Situation, factor: float) -> Gain:
    """Believe in the factor only where items are known to be too short; elsewhere more work per item is a small knob."""
    short = situation.finding is not None and situation.finding.rule == SHORT_ITEMS
    return scaling(situation.share, factor, -0.05, 0.9) if short else removing(situation.share, -0.1, 0.4)


def _balanced(situation: Situation, factor: Scalar) -> bool:
    per_unit = situation.fact("launch.groups_per_unit")
    return per_unit is None or per_unit / float(factor) >= BALANCE


TECHNIQUE = Technique(
    name="work-per-item",
    text=__doc__,
    category=Category.PARALLELISM,
    propose=propose,
    removes=(-0.1, 0.8),
    signals=(Signal("launch.work_items"), Signal("gpu.valu_per_wave")),
)
