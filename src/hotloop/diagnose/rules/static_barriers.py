"""Barriers close together: the work-group meets every few instructions of the hot loop.

## What it shows
Fewer than 40 instructions of the hot loop per barrier.

## Why it costs
At each barrier every wave waits for the slowest; what is in flight before it must be waited for as well. The less work stands
between two, the less there is to even them out.

## What to try
A deeper tile per iteration; a second buffer, so that one barrier per iteration is enough; exchange between lanes of one wave instead of
through local memory.

## When it misleads
A work-group of one wave pays nothing. Compilers order them as the memory model asks: removing one by hand may be a race.

## References
Corpus: Triton 3.9 with one stage needs 4 to 8 barriers per iteration, Gluon with two buffers one. The estimate is 15 cycles per barrier over
the iteration.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Example, Rule, Symptom
from hotloop.units import counted

CLOSE = 40.0
COST_CYCLES = 15.0
MOST = 0.2


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate 15 cycles per barrier, where neither a unit nor the memory is the bound."""
    apart, barriers = facts["isa.instructions_per_barrier"], facts["static.barriers_per_iteration"]
    if apart >= CLOSE:
        return None
    share = COST_CYCLES * barriers / max(facts["isa.iteration_cycles"], 1.0)
    latency = facts.get("isa.latency_share")
    share *= 1.0 if latency is None else latency
    said = f"{counted(round(barriers), 'barrier')} per iteration of the hot loop, one every {apart:.0f} instructions"
    return Symptom(share, said, MOST)


RULE = Rule(
    name="static-barriers",
    text=__doc__,
    needs=("isa.instructions_per_barrier", "static.barriers_per_iteration", "isa.iteration_cycles"),
    optional=("isa.latency_share",),
    suggests=("fewer-barriers", "double-buffer", "larger-tile"),
    evaluate=evaluate,
    fires=(
        Example(
            "matmul_64x64x32_w4_s1, gfx950, Triton 3.9.0",
            (
                ("isa.instructions_per_barrier", 10.62),
                ("static.barriers_per_iteration", 8),
                ("isa.iteration_cycles", 1800),
            ),
            0.053,
        ),
        Example(
            "matmul_64x64x32_w4_s1, sm_100, Triton 3.9.0",
            (
                ("isa.instructions_per_barrier", 10.83),
                ("static.barriers_per_iteration", 6),
                ("isa.iteration_cycles", 1079),
            ),
            0.067,
        ),
    ),
    silent=(
        Example(
            "gemm, gfx942, clang 22: two per iteration, 48 instructions apart",
            (
                ("isa.instructions_per_barrier", 47.5),
                ("static.barriers_per_iteration", 2),
                ("isa.iteration_cycles", 1692),
            ),
        ),
        Example(
            "gemm_double_cdna3_128x128x32, gfx942, Gluon of Triton 3.9.0",
            (
                ("isa.instructions_per_barrier", 131),
                ("static.barriers_per_iteration", 1),
                ("isa.iteration_cycles", 1596),
            ),
        ),
    ),
)
