"""Vectorize: make explicit vectors as wide as the machine's registers.

## What it changes
The number of elements per vector access and per vector operation, towards one full register; other widths follow when
that one loses.

## What it needs
Contiguous elements along the vector, and tiles that the width divides; the configuration is repaired so that it does.

## What it costs
Wider tiles need more registers, and edges need guarded or scalar code.

## When it fails
Beyond the machine's width the compiler splits the vector: no gain, more registers. Strided operands turn vector loads
into gathers. Reads wider than their alignment can be slower than narrow ones.

## References
SGEMM on AVX-512: float4 55–64, float8 96–149, float16 162–190 GFLOP/s in one run. On gfx1012 4-wide loads gave +2 %
(1597 → 1632 GFLOP/s), on gfx950 an unaligned widening of local-memory reads lost a factor of 4.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.finding import Gain
from hotloop.model.record import Scalar
from hotloop.model.space import Parameter
from hotloop.techniques.gain import removing, scaling
from hotloop.techniques.knobs import downwards
from hotloop.techniques.situation import Situation
from hotloop.techniques.steps import larger, numeric, ratio
from hotloop.techniques.technique import Category, Proposal, Signal, Technique

LEAST = 0.1
"""Part of the ideal gain that is believed at worst."""
TRIED = 4
"""Most widths proposed for one parameter."""


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Propose the full width for all vectors together first, then for each alone, then narrower widths and the next wider one."""
    if situation.spilling:
        yield from downwards(situation, parameters, -0.2, 0.5, steps=1)
        return
    widths = {p: _targets(situation, p) for p in parameters}
    best = {p: values[0] for p, values in widths.items() if values}
    if len(best) > 1:
        gains = [_gain(situation, p, value) for p, value in best.items()]
        yield Proposal({p.name: value for p, value in best.items()}, max(gains, key=lambda gain: gain.high))
    for parameter, values in widths.items():
        for value in values[:TRIED]:
            yield Proposal({parameter.name: value}, _gain(situation, parameter, value))


def _targets(situation: Situation, parameter: Parameter) -> list[Scalar]:
    wider, lanes = larger(parameter, situation.value(parameter)), situation.lanes
    if lanes is None or not numeric(parameter):
        return list(wider)
    fitting = [value for value in wider if float(value) <= lanes]
    return [*reversed(fitting), *[value for value in wider if float(value) > lanes][:1]]


def _gain(situation: Situation, parameter: Parameter, value: Scalar) -> Gain:
    lanes = situation.lanes
    if lanes is not None and numeric(parameter) and float(value) > lanes:
        return removing(situation.share, -0.1, 0.3)
    return scaling(situation.share, ratio(value, situation.value(parameter)), LEAST)


TECHNIQUE = Technique(
    name="vectorize",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=propose,
    removes=(0.0, 0.6),
    signals=(
        Signal("static.vector_bits", rises=True),
        Signal("static.global_load_bits", rises=True),
        Signal("gpu.vmem_per_wave"),
        Signal("static.scalar_load_share"),
    ),
)
