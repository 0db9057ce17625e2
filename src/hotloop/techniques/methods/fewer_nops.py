"""Fewer wait states: fill or avoid the s_nop that hazards need.

## What it changes
The order of instructions around hazards, above all writes of m0 before direct loads to local memory: hoisted, or other
work between.

## What it needs
Control of the order: assembly, or a source that moves the write out of the loop.

## What it costs
Hazards must stay satisfied; nothing checks that on the machine.

## When it fails
When the wait states lie in a phase that others overlap.

## References
Depthwise conv3d on gfx950: 60 s_nop are 13.3 % of the traced latency; half to all of them were estimated at 6.7–13.3 %,
not done.
"""

from __future__ import annotations

from functools import partial

from hotloop.techniques.knobs import switched_on
from hotloop.techniques.needs import having
from hotloop.techniques.technique import Category, Signal, Technique

REMOVES = (0.0, 1.0)

TECHNIQUE = Technique(
    name="fewer-nops",
    text=__doc__,
    category=Category.ARITHMETIC,
    propose=partial(switched_on, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    requires=(having("wait states in the code"),),
    signals=(Signal("isa.wait_states_share"), Signal("static.control_share")),
    answers=("issue-bound",),
)
