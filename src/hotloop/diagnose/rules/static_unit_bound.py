"""A unit is the bound: with the resident waves, one part of the compute unit is taken nearly all the time.

## What it shows
By the timing model the busiest unit takes longer than what the resident waves leave of the latency, and longer than the memory.

## Why it costs
Waves queue for the unit; hiding latency better changes nothing.

## What to try
Fewer instructions: packed arithmetic, addresses out of the loop, conversions once. For special functions: fewer of them, or an
approximation on the vector unit. The matrix unit as the bound is what a matrix product wants; local memory and the path to memory
have a rule of their own.

## When it misleads
The model knows rates of the instruction set's documents, no conflicts and no throttling; figures without a published source say so
in its table.

## References
docs/predict.md. The estimate is what is left until the next bound.
"""

from __future__ import annotations

from hotloop.diagnose import bound
from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom

_UNITS = (
    ("isa.vector_bound", "vector unit"), ("isa.special_bound", "unit for special functions"),
    ("isa.integer_bound", "integer unit"), ("isa.scalar_bound", "scalar unit"), ("isa.issue_bound", "instruction issue"),
)  # fmt: skip
"""The matrix unit is left out: to be its bound is the aim."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate the distance to the next bound."""
    return bound.symptom(facts, _UNITS)


RULE = Rule(
    name="static-unit-bound",
    text=__doc__,
    needs=(*(name for name, _ in _UNITS), *bound.NEEDS),
    optional=("isa.memory_cycles", bound.UPDATED),
    suggests=("packed-math", "hoist-addresses", "convert-once"),
    evaluate=evaluate,
)
