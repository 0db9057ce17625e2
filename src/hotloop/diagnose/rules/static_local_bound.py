"""Operands are the bound: with the resident waves, local memory or the path to memory is taken nearly all the time.

## What it shows
By the timing model the reads and writes of local memory, or the accesses to global memory, take longer than any other unit, than what the
resident waves leave of the latency, and than the bytes take at the device's bandwidth.

## Why it costs
Waves queue for their operands while arithmetic stands idle; hiding latency better changes nothing.

## What to try
Fewer reads for the same arithmetic: a larger tile in registers uses each operand more often, operands that stay in registers are not
read again. Wider accesses take fewer of the unit's cycles for the same bytes. Where only one wave reads a value, go past local memory.

## When it misleads
The model knows rates of the instruction set's documents and no conflicts: with bank conflicts the bound is reached earlier. How many
waves are resident decides; where the launch adds local memory that the code does not state, the rule is silent.

## References
docs/predict.md. The estimate is what is left until the next bound.
"""

from __future__ import annotations

from hotloop.diagnose import bound
from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom

_UNITS = (("isa.local_bound", "local memory"), ("isa.access_bound", "path to memory"))


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate the distance to the next bound; of a path that private memory takes nothing, its own rules are about that."""
    private, loaded = facts.get("isa.scratch_accesses") or 0.0, facts.get("isa.global_loads") or 0.0
    if facts["isa.access_bound"] > facts["isa.local_bound"] and private > loaded:
        return None
    return bound.symptom(facts, _UNITS)


RULE = Rule(
    name="static-local-bound",
    text=__doc__,
    needs=(*(name for name, _ in _UNITS), *bound.NEEDS),
    optional=("isa.memory_cycles", "isa.scratch_accesses", "isa.global_loads", bound.UPDATED),
    suggests=(
        "register-tile",
        "larger-tile",
        "wide-local-access",
        "operands-in-registers",
        "bypass-local",
        "vectorize",
    ),
    evaluate=evaluate,
)
