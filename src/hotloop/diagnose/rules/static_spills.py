"""Registers spilled by the compiler: values live in memory because no register was left.

## What it shows
The compiler's metadata count spilled vector registers; the accesses to private memory in the hot loop say whether it matters.
Spilled scalar registers lie in lanes of a vector register, which ``v_writelane`` fills and ``v_readlane`` reads.

## Why it costs
Each access in the loop moves a value of every lane through the vector memory path, beside the kernel's own data, and
waits for it.

## What to try
A smaller register tile, less unrolling or fewer pipeline stages, more waves per tile (``num_warps``), fewer values alive at once.
The report's peak says where most registers are live and what fills them.

## When it misleads
Spills before and behind the loop run once. AMD compilers may spill to accumulation registers, which costs a move and no
memory.

## References
LLVM, "User Guide for AMDGPU Backend", metadata ``.vgpr_spill_count``. The estimate is four issue slots per access in the loop
(address, access, wait, use), one slot per scalar in the share of the time that issuing takes, and 2 % for spills outside.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import TAKEN, taken
from hotloop.units import counted

SLOTS = 4
MOST = 0.6
OUTSIDE = 0.02
LEAST = 0.01
"""Share below which moves of scalars are not worth a word."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate four issue slots per access in the hot loop."""
    spilled, accesses = facts["isa.vgpr_spills"], facts["isa.scratch_accesses"]
    if spilled <= 0:
        return _scalars(facts)
    what = f"{counted(round(spilled), 'vector register')} {'is' if spilled == 1 else 'are'} spilled"
    if accesses <= 0:
        return Symptom(OUTSIDE, f"{what}, outside of the hot loop")
    share = SLOTS * accesses / max(facts["static.hot_instructions"], 1.0)
    to = "it" if spilled == 1 else "them"
    return Symptom(share, f"{what}, with {counted(round(accesses), 'access')} to {to} in the hot loop", MOST)


def _scalars(facts: Facts) -> Symptom | None:
    """Estimate one issue slot for each move of a spilled scalar."""
    moves = facts.get("isa.lane_spills") or 0.0
    share = moves / max(facts["static.hot_instructions"], 1.0) * taken(facts)
    if share < LEAST:
        return None
    what = f"spilled scalar registers are moved to and from lanes of a vector register {counted(round(moves), 'time')} in the hot loop"
    return Symptom(share, what, MOST)


RULE = Rule(
    name="static-spills",
    text=__doc__,
    needs=("isa.vgpr_spills", "isa.scratch_accesses", "static.hot_instructions"),
    optional=("isa.lane_spills", *TAKEN),
    suggests=("lower-registers", "register-tile", "unroll", "interleave"),
    evaluate=evaluate,
)
