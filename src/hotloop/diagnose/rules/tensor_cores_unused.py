"""Matrix units unused: a kernel of multiply-adds leaves them idle.

## What it shows
Most instructions are multiply-adds and fill the vector pipe, while matrix units do nothing; and operands are loaded for them, as
for a product: at least one load for 64.

## Why it costs
Matrix units do 8 to 16 times as much per cycle as the vector pipe (67 TFLOP/s fp32 against about 500 tf32 and 990 bf16 on
an H100).

## What to try
Matrix instructions: bf16 or fp16 operands with fp32 sums, tf32, or three bf16 products for nearly fp32 accuracy.

## When it misleads
The tolerance may forbid narrower operands: tf32 keeps 10 bits of mantissa. Without reuse across lanes (depthwise
convolution, one channel per group) matrix instructions need 16 times the data: reported variants were 6 to 23 times
slower. A polynomial or a recurrence loads next to nothing and is no product: silent where loads are counted.

## References
Recorded on H100: cuBLAS's fp32 2048³ product on the multiply-add pipe, 50 TFLOP/s, 89 % multiply-adds. A tile
of 16 × 16 sums, more than registers hold, takes 256 multiply-adds for 8 loads of 16 bytes: 32 for each. The estimate is an
eightfold rate of the multiply-add time.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

UNUSED = 0.02
FMA_BOUND = 0.5
MOSTLY_FMA = 0.6
RATE = 8.0
MOST_PER_LOAD = 64.0
"""Multiply-adds for each load beyond which no operands of a product are loaded."""
LOADS = ("gpu.lds_per_wave", "gpu.vmem_per_wave", "gpu.smem_per_wave")


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate the multiply-add time less an eighth of it."""
    matrix, pipe, useful = facts["gpu.matrix_utilization"], facts["gpu.valu_utilization"], facts["gpu.fma_share"]
    if matrix >= UNUSED or pipe < FMA_BOUND or useful < MOSTLY_FMA or not _fed(facts, useful):
        return None
    return Symptom(
        pipe * (1 - 1 / RATE),
        f"{percent(useful)} of the instructions multiply and add, and none of it on the matrix units",
    )


def _fed(facts: Facts, useful: float) -> bool:
    """Tell whether operands may be loaded for the multiply-adds; true where nobody counted them."""
    instructions = facts.get("gpu.valu_per_wave") or facts.get("gpu.insts_per_wave")
    loads = [value for name in LOADS if (value := facts.get(name)) is not None]
    return not instructions or len(loads) < 2 or useful * instructions <= MOST_PER_LOAD * sum(loads)


RULE = Rule(
    name="tensor-cores-unused",
    text=__doc__,
    needs=("gpu.matrix_utilization", "gpu.valu_utilization", "gpu.fma_share"),
    optional=("gpu.insts_per_wave", "gpu.valu_per_wave", *LOADS),
    suggests=("matrix-instructions", "narrower-type"),
    evaluate=evaluate,
)
