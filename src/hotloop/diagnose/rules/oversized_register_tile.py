"""Oversized register tile: the accumulators alone leave no registers for operands.

## What it shows
The configuration needs more vector registers for accumulators than the target has, less three for operands. It speaks
only while the machine code has not been read; afterwards `register-spills` knows better.

## Why it costs
The compiler keeps some sums on the stack and loads and stores them in every iteration.

## What to try
A smaller register tile, or less unrolling.

## When it misleads
Memory operands and broadcasts from memory need no register, so one or two above the limit may still fit.

## References
A run of hotloop's own product of 512³ on AVX-512 with tiles of 14×64, 56 vectors of sums, without capstone, which reads machine code:
17.9 ms, and 12.1 with 12×32; where the code is read, 62 of its hot loop's 194 instructions move registers to the stack.
AVX-512 has 32 vector registers, AVX2 has 16. SGEMM tiles with 16–28 accumulators of 32 lie within about
10 %; the largest that leaves room for two vectors of B and one broadcast of A is 29.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom

OPERANDS = 3
"""Registers that the inner loop needs beside the accumulators: two vectors of one operand, one of the other."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate that each accumulator without a register costs a load and a store beside its multiply/add."""
    used, limit = facts["config.accumulator_registers"], facts["device.vector_registers"] - OPERANDS
    if used <= limit or facts.get("static.spills") is not None:
        return None
    extra = 2 * (used - limit)
    return Symptom(
        extra / (used + extra) * facts.unexplained(),
        f"the accumulators need {used:.0f} vector registers, {facts['device.vector_registers']:.0f} exist and the operands need {OPERANDS}",
    )


RULE = Rule(
    name="oversized-register-tile",
    text=__doc__,
    needs=("config.accumulator_registers", "device.vector_registers"),
    optional=("static.spills",),
    suggests=("register-tile", "unroll"),
    evaluate=evaluate,
)
