"""Static check of rungs whose lanes share elements: every lane's element is passed on, and equally often.

A lane map that an unrolled loop gets wrong, or that a compiler folds, shows as a lane that is asked more often than another.
"""

from __future__ import annotations

import re
from collections import Counter

from hotloop.isa.instruction import Function
from hotloop.model.ladder import Gate, Ladder, Rung

LANES = "lanes"
_ROW_SHARE = re.compile(r"\brow_share:(\d+)")
_READ_LANE = re.compile(r",\s*(\d+)\s*$")


def gates(ladder: Ladder, rung: Rung, function: Function) -> tuple[Gate, ...]:
    """Return which lanes are asked for their elements; nothing for rungs that share none, and for other languages."""
    lanes = int(ladder.changes(rung).get("LANES", 0))
    if not lanes:
        return ()
    asked = Counter(lane for i in function.instructions if (lane := _lane(i.mnemonic, i.operands)) is not None)
    even = set(asked) == set(range(lanes)) and len(set(asked.values())) == 1
    if even:
        return (Gate(LANES, passed=True, words=f"each of {lanes} lanes is asked {asked[0]} times"),)
    missing = [lane for lane in range(lanes) if lane not in asked]
    odd = f"lanes {missing} are never asked" if missing else f"lanes are asked {dict(sorted(asked.items()))} times"
    return (Gate(LANES, passed=False, words=odd),)


def _lane(mnemonic: str, operands: str) -> int | None:
    """Return the lane whose register an instruction reads by its constant number."""
    lane = _READ_LANE.search(operands) if mnemonic.startswith("v_readlane") else _ROW_SHARE.search(operands)
    return int(lane[1]) if lane else None
