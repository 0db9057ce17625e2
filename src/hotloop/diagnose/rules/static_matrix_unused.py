"""The matrix unit is not used: a loop of multiply-adds on a processor whose matrix unit takes these numbers faster.

## What it shows
Almost half or more of the hot loop's instructions multiply and add, none is a matrix instruction, most of them are products of two
loaded values on a carried sum with each loaded value used more than once, and the target's matrix unit does the same type of
numbers at a higher rate.

## Why it costs
Half-precision products run 4 to 16 times as fast on the matrix unit; single precision twice as fast on CDNA, and 8 times on NVIDIA
where tf32 will do.

## What to try
``tl.dot``, the compiler's matrix builtins, or a library's product; on NVIDIA tf32, or three bf16 products for nearly single precision.

## When it misleads
Sums of products may also be a convolution over a lane's own data, without reuse across lanes. Packed single
precision (``v_pk_fma_f32``) on CDNA reaches the matrix unit's rate. The tolerance may forbid tf32.

## References
Rates: AMD's ISA guides through `hotloop.isa.matrix`; NVIDIA's whitepapers. The estimate is the multiply-adds' share, less what the
matrix unit would take.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.diagnose.static import TAKEN, taken
from hotloop.units import percent

MOSTLY = 0.45
PRODUCTS = 0.5
REUSE = 1.0
"""Products for each loaded register below which a matrix unit would wait for operands."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate what is left of the multiply-adds' time at the matrix unit's rate."""
    ratio, work = facts["isa.matrix_rate_ratio"], facts["static.fma_share"]
    product = facts["isa.contraction_share"] >= PRODUCTS and facts["isa.register_reuse"] >= REUSE
    if facts["static.matrix_per_iteration"] > 0 or work < MOSTLY or ratio <= 1 or not product:
        return None
    return Symptom(
        work * (1 - 1 / ratio) * taken(facts),
        f"{percent(work)} of the hot loop multiplies and adds on the vector unit; the matrix unit is {ratio:.0f} times as fast",
    )


RULE = Rule(
    name="static-matrix-unused",
    text=__doc__,
    needs=(
        "isa.matrix_rate_ratio",
        "static.fma_share",
        "static.matrix_per_iteration",
        "isa.iteration_cycles",
        "isa.contraction_share",
        "isa.register_reuse",
    ),
    optional=TAKEN,
    suggests=("matrix-instructions", "narrower-type"),
    evaluate=evaluate,
)
