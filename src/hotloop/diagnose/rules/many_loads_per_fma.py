"""Many loads per multiply: the load ports, not the multiply units, set the pace.

## What it shows
The hot loop executes more than one load (or memory operand) for each multiply/add.

## Why it costs
A core loads about as many vectors per cycle as it multiplies, two and two on current CPUs; each load beyond one per
multiply makes the multiply units wait.

## What to try
Let one work-item compute a tile, so that each loaded element is used several times.

## When it misleads
A kernel without reuse (axpy, copies) loads as often as it must. A loop with one sum waits four cycles or so for each
multiply/add, longer than for two loads: more sums at once, which the same techniques bring, are the answer then, too. Loads that hit a store buffer or are hoisted by the
hardware cost less than counted.

## References
Load-port model: time per multiply is max(1, loads per multiply). A dot product per output loads twice per multiply; a
tile of 8×2 vectors loads (8 + 2)/16 = 0.63 times.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Example, Rule, Symptom
from hotloop.units import significant


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``(1 - 1/loads) · (1 - roofline fraction)``."""
    loads = facts["static.loads_per_fma"]
    if loads <= 1 or facts.memory_bound():
        return None
    return Symptom(
        (1 - 1 / loads) * facts.unexplained(),
        f"the hot loop loads {significant(loads, 2)} times per multiply/add; above 1 "
        "the load ports set the pace, where sums do not wait for one another",
    )


RULE = Rule(
    name="many-loads-per-fma",
    text=__doc__,
    needs=("static.loads_per_fma",),
    suggests=("register-tile", "work-per-item", "unroll"),
    evaluate=evaluate,
    fires=(
        Example(
            "naive SGEMM, one item per output, n=1024, reported 5.3 of 460 GFLOP/s",
            (("static.loads_per_fma", 2), ("roof.fraction", 0.0115), ("roof.memory_bound", 0)),
            0.45,
        ),
    ),
    silent=(
        Example("SGEMM 8×2 vectors: 8 broadcasts and 2 loads for 16 multiplies", (("static.loads_per_fma", 0.63),)),
        Example("saxpy, bound by memory", (("static.loads_per_fma", 2), ("roof.memory_bound", 1))),
    ),
)
