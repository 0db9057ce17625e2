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

from hotloop.techniques.knobs import others
from hotloop.techniques.technique import Category, Technique

REMOVES = (-0.1, 0.5)

TECHNIQUE = Technique(
    name="proven-start",
    text=__doc__,
    category=Category.ALGORITHM,
    propose=partial(others, least=REMOVES[0], most=REMOVES[1]),
    removes=REMOVES,
)
