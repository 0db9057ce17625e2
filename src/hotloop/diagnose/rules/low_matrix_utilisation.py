"""Matrix units wait: a kernel of matrix instructions keeps them busy too rarely.

## What it shows
Matrix instructions are used, but the units work less than 80 % of the time that compute units are busy, and no memory
level is the limit.

## Why it costs
Operands arrive late, or other instructions (softmax, conversions, addresses) stand between the matrix instructions.

## What to try
Pipelining (prefetch, then local prefetch), larger matrix instructions and tiles, running vector work of one tile beside
the matrix instructions of another.

## When it misleads
Small or skinny problems have too little matrix work to fill the units; idle compute units are another finding and are
divided out here. MOPS over vector cycles is no utilization: its bound is not 1.

## References
Illustrated by the reported Gluon guide: 57 %, 72.4 % after stage 1, 84.1 % after stage 2; target above 80 %. The estimate
is the distance from 85 % while units are busy, and at most what the busiest memory level leaves: its bytes have to move however full
the matrix units are.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import FILLED, MEMORY, PIPE, SATURATED, busiest
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

USED = 0.05
"""Utilization from which a kernel counts as one of matrix instructions; recorded kernels without any show up to 2 %."""
TARGET = 0.8
FULL = 0.75


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``busy · (1 - utilization while busy / 0.85)``."""
    whole, busy = facts["gpu.matrix_utilization"], facts.get("gpu.busy_share")
    present = 1.0 if busy is None else min(1.0, max(busy, whole))
    if whole < USED or present <= 0 or busiest(facts, MEMORY) >= FULL:
        return None
    if whole <= (facts.get("gpu.matrix_rate_share") or 0.0):
        return None  # known from the rate alone, which only says that the units worked at least that long
    working = whole / present
    if working >= TARGET:
        return None
    share = min(present * (1 - working / SATURATED), 1 - busiest(facts, (*MEMORY, PIPE)))
    return Symptom(share, f"the matrix units work {percent(working)} of the time that units are busy")


RULE = Rule(
    name="low-matrix-utilisation",
    text=__doc__,
    needs=("gpu.matrix_utilization",),
    optional=("gpu.busy_share", "gpu.matrix_rate_share", PIPE, *MEMORY),
    refuting=FILLED,
    suggests=("prefetch", "local-prefetch", "larger-matrix-instruction", "register-tile", "overlap-vector-work"),
    evaluate=evaluate,
)
