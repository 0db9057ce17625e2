"""Bank conflicts of described accesses: lanes of one phase ask the same bank for different words.

## What it shows
Local memory accesses whose addresses were described (``--lds-address``) take more cycles than without conflicts. Without a
description nothing is said: addresses are not in the listing.

## Why it costs
The bank delivers one word per cycle; the others wait, and so does everybody behind them in the queue.

## What to try
Padding or an XOR swizzle; ``hotloop banks --solve`` finds the smallest that works.

## When it misleads
Where local memory is not what limits, free accesses are no faster. The described accesses are taken for all of the loop.

## References
`hotloop.isa.banks`: phases and banks per processor with their sources. The estimate is the conflict cycles' share, of twice local memory's
share of the instructions.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom

MATTERS = 1.05
WEIGHT = 2.0
MOST = 0.5


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate the conflict cycles' share of local memory's time."""
    ratio, local = facts["isa.bank_conflict_ratio"], facts["isa.lds_share"]
    if ratio < MATTERS:
        return None
    share = WEIGHT * local * (1 - 1 / ratio)
    return Symptom(share, f"the described local memory accesses take {ratio:.1f} times the cycles that they need", MOST)


RULE = Rule(
    name="static-bank-conflicts",
    text=__doc__,
    needs=("isa.bank_conflict_ratio", "isa.lds_share"),
    suggests=("pad", "swizzle", "transpose-in-local"),
    evaluate=evaluate,
)
