"""Wait states: the compiler had nothing to put between two instructions that need distance.

## What it shows
``s_nop`` takes 3 % or more of the loop's cycles, or of the whole code where there is no loop.

## Why it costs
The wave issues nothing for the stated number of cycles. On CDNA they stand between cross-lane moves, matrix results and their
readers.

## What to try
Independent work between the two: several accumulators or rows per wave, an unrolled reduction tree, reductions through local
memory.

## When it misleads
Other waves issue meanwhile. In short kernels bound by memory they cost nothing.

## References
CDNA3 ISA guide, "Manually Inserted Wait States"; LLVM's hazard recognizer. The estimate is half of their share of cycles.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Example, Rule, Symptom
from hotloop.units import percent

MATTERS = 0.03
OPEN = 0.5


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate half of their share of the cycles."""
    share = facts["isa.wait_states_share"]
    if share < MATTERS:
        return None
    return Symptom(OPEN * share, f"s_nop takes {percent(share)} of the issue cycles")


RULE = Rule(
    name="static-wait-states",
    text=__doc__,
    needs=("isa.wait_states_share",),
    suggests=("interleave", "unroll"),
    evaluate=evaluate,
    fires=(
        Example(
            "layernorm_1024, gfx942, Triton 3.9.0: lane reductions one after the other",
            (("isa.wait_states_share", 0.2065),),
            0.083,
        ),
    ),
    silent=(Example("matmul_128x128x64_w4_s2, gfx942, Triton 3.9.0", (("isa.wait_states_share", 0),)),),
)
