"""Prefetch: ask for data before it is needed.

## What it changes
The prefetch distance or the number of buffers, one step to either side.

## What it needs
A predictable address stream: a wave that loads once and ends has no load to begin early. Buffers in registers or local memory where the data is held ahead.

## What it costs
Registers or local memory for what is in flight; instructions for what the hardware might do anyway.

## When it fails
Where hardware prefetch follows the stream already (contiguous access on CPUs), or where the extra registers cost
occupancy.

## References
Reported 5–25 % on CDNA3 and 15–40 % on CDNA4 for global prefetch into local memory; in a register-limited case 25 %
fewer resident waves. On CPUs single per cents are expected; nothing is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.space import Parameter
from hotloop.techniques.knobs import others
from hotloop.techniques.needs import LOADS_IN_TURN
from hotloop.techniques.situation import Situation
from hotloop.techniques.technique import Category, Proposal, Signal, Technique


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Try the next distance on both sides."""
    yield from others(situation, parameters, -0.1, 0.4)


TECHNIQUE = Technique(
    name="prefetch",
    text=__doc__,
    category=Category.MEMORY,
    requires=(LOADS_IN_TURN,),
    propose=propose,
    removes=(-0.1, 0.9),
    signals=(
        Signal("static.global_load_cover", rises=True),
        Signal("isa.ring_cover", rises=True),
        Signal("isa.global_stall_share"),
        Signal("gpu.global_wait_share"),
        Signal("gpu.matrix_utilization", rises=True),
    ),
)
