"""Pack: copy operands into contiguous panels before the main kernel reads them.

## What it changes
Switches packing on, off, or to another set of operands.

## What it needs
An operand that is read many times, and scratch memory for its copy.

## What it costs
One pass over the operand and one more launch per call.

## When it fails
Small problems: below about n = 1024 a packed SGEMM loses 10–30 % to one that reads in place.

## References
SGEMM on AVX-512 at 2048: 228 GFLOP/s in place, 417 packed (1.8 times); at 512: 477 in place, 420 packed. Removing two
transposes that took 48 % gave 1.92 times on gfx1012.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.model.space import Parameter
from hotloop.techniques.knobs import downwards, upwards
from hotloop.techniques.situation import Situation
from hotloop.techniques.technique import Category, Proposal, Signal, Technique

HELPERS = 0.1
"""Share of helper phases from which packing less comes first."""
LAUNCHES = 0.05
"""Share of launch time from which fewer launches come first."""


def propose(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    """Pack less when helpers or launches take the time, otherwise more."""
    helpers, launches = situation.fact("time.helper_share") or 0.0, situation.fact("time.launch_share") or 0.0
    if helpers >= HELPERS or launches >= LAUNCHES:
        yield from downwards(situation, parameters, -0.5, 1.0, steps=3)
    else:
        yield from upwards(situation, parameters, -0.3, 0.9, steps=3)


TECHNIQUE = Technique(
    name="pack",
    text=__doc__,
    category=Category.MEMORY,
    propose=propose,
    removes=(-0.3, 0.9),
    signals=(Signal("static.gathers"), Signal("config.stride_bytes"), Signal("gpu.wasted_sectors")),
)
