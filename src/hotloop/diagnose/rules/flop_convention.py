"""FLOP convention: the useful operations of the problem and those executed differ by about two.

## What it shows
The problem's stated operations are 1.6 to 2.4 times those executed, or the reverse.

## Why it costs
It costs no time: it makes rates wrong. A causal kernel quoted with the full formula looks twice as fast as it is; one
that computes masked tiles and reports the causal count looks half as fast.

## What to try
Agree on the formula first. If executed operations are twice the useful ones, skip masked tiles (early exit); a reported
kernel gained 1.6 times.

## When it misleads
Counters see matrix and plain vector operations, not special functions or half-precision vector work. Strassen-like
algorithms and sparsity execute fewer by design, padding more.

## References
Recorded on H100: causal attention 1×16×2048×128 executes 18.25 GFLOP; the full formula gives 34.36, the causal one 17.18.
Reported: assembly at 1012 TFLOPS by the full formula is 506 by the causal one.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import significant

LOW, HIGH = 1.6, 2.4


def evaluate(facts: Facts) -> Symptom | None:
    """Report a factor of about two; the share is what would be skipped, or a reminder where nothing would."""
    stated, executed = facts["work.flops"], facts["gpu.flops"]
    if stated <= 0 or executed <= 0:
        return None
    if LOW <= executed / stated <= HIGH:
        return Symptom(
            1 - stated / executed, f"the kernel executes {significant(executed / stated)} times the useful operations"
        )
    if LOW <= stated / executed <= HIGH:
        return Symptom(
            0.02, f"the stated operations are {significant(stated / executed)} times those executed: check the formula"
        )
    return None


RULE = Rule(
    name="flop-convention",
    text=__doc__,
    needs=("work.flops", "gpu.flops"),
    suggests=("skip-masked-work",),
    evaluate=evaluate,
)
