"""Proven start: begin with the parameters or the kernel that are known to be good here.

## What it changes
The starting point: a default, a tuning database's entry for exactly this device, or a peer's kernel.

## What it needs
An entry for the device's exact name (gfx1010 and gfx1012 are not in CLBlast's tables), a licence for the kernel.

## What it costs
A kernel's assumptions about layout come with it.

## When it fails
Entries measured elsewhere; some public ones gave wrong results, so each needs its proof.

## References
SGEMM on gfx1012, reported: the peer's kernel instead of one's own 1,000 → 1,428 GFLOP/s; a database entry for the device
expected +10 %.
"""

from __future__ import annotations

from functools import partial

from hotloop.model.space import Config, Parameter
from hotloop.techniques.case import Case
from hotloop.techniques.knobs import others
from hotloop.techniques.technique import Category, Effect, Technique

REMOVES = (-0.1, 0.5)

TECHNIQUE = Technique(
    name="proven-start",
    text=__doc__,
    category=Category.ALGORITHM,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
    effects=(
        Effect(1.43, 1.43, "SGEMM on gfx1012, the peer's kernel as baseline: 1,000 → 1,428 GFLOP/s, reported"),
        Effect(1.1, 1.1, "database entry for gfx1012 instead of the default, expected, not measured", measured=False),
    ),
    cases=(
        Case(
            text="defaults",
            parameters=(Parameter("START", ("default", "database"), ordinal=False),),
            start=Config(START="default"),
            expects=("START default → database",),
        ),
    ),
)
