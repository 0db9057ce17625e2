"""Copies between vector and accumulation registers in the hot loop.

## What it shows
``v_accvgpr_read`` and ``v_accvgpr_write`` among the hot loop's instructions.

## Why it costs
Each one takes an issue slot of the vector unit and computes nothing. They appear where accumulators are changed by vector
instructions in the loop (rescaling in attention), or where vector registers ran out.

## What to try
Keep accumulators in vector registers (``amdgpu-agpr-alloc=0``, fewer registers elsewhere); rescale less often; a smaller tile.

## When it misleads
Through gfx908 matrix results can only go to accumulation registers. A handful per iteration is no cost.

## References
LLVM, "User Guide for AMDGPU Backend", accumulation registers of gfx90a and later. The estimate is their share of the instructions.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import TAKEN, taken
from hotloop.units import counted

MATTERS = 0.01


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate their share of the instructions."""
    copies, share = facts["isa.accumulator_copies"], facts["isa.accumulator_copy_share"]
    if share < MATTERS:
        return None
    return Symptom(
        share * taken(facts),
        f"the hot loop copies {counted(round(copies), 'register')} between the vector and the accumulation file",
    )


RULE = Rule(
    name="static-accumulator-copies",
    text=__doc__,
    needs=("isa.accumulator_copies", "isa.accumulator_copy_share"),
    optional=TAKEN,
    suggests=("lower-registers", "register-tile"),
    evaluate=evaluate,
)
