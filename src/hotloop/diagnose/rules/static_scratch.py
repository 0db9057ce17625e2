"""Private arrays in memory: an array of a work-item is indexed at run time, so it cannot live in registers.

## What it shows
The hot loop accesses private memory although the compiler spilled no register.

## Why it costs
Registers have no addresses. Such an array lies in scratch memory, and each access is a trip through the vector caches.

## What to try
Unroll the loops that index the array completely, so that indices become constants; or put it into local memory.

## When it misleads
A compiler that does not report spills (NVIDIA's cubins) leaves it open which of the two it is. Addresses of arguments that a
function takes by pointer look the same.

## References
LLVM, "User Guide for AMDGPU Backend", private segment; CUDA C++ Programming Guide, local memory. The estimate is four issue slots
per access in the loop.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import counted

SLOTS = 4
MOST = 0.6


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate four issue slots per access in the hot loop."""
    accesses = facts["isa.scratch_accesses"]
    if accesses <= 0 or facts["isa.vgpr_spills"] > 0:
        return None
    share = SLOTS * accesses / max(facts["static.hot_instructions"], 1.0)
    times = counted(round(accesses), "time")
    return Symptom(share, f"the hot loop accesses private memory {times}, although nothing was spilled", MOST)


RULE = Rule(
    name="static-scratch",
    text=__doc__,
    needs=("isa.scratch_accesses", "static.hot_instructions", "isa.vgpr_spills"),
    suggests=("unroll", "register-tile", "local-memory"),
    evaluate=evaluate,
)
