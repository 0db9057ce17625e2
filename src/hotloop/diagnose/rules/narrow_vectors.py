"""Narrow vectors: the hot loop computes in registers narrower than the machine has.

## What it shows
The multiply/add instructions of the hot loop use, on average, fewer bits than the widest vector register of the target.

## Why it costs
A core starts the same number of vector instructions per cycle whatever their width, so the unused lanes are lost
arithmetic, and loads, broadcasts and loop control are paid once per narrow instruction.

## What to try
Raise the explicit vector width in the source to one full register. A wider tile often has to follow, because the
vector must divide it.

## When it misleads
The widest registers may clock lower or be split into halves on some cores, remainder loops are narrow by nature, and a
kernel that waits for memory gains little. A mean over several loops hides a wide one.

## References
SGEMM in OpenCL C, one work-item per register tile, n=1024, two AVX-512 cores, same contended run: float4 55–64,
float8 96–149, float16 162–190 GFLOP/s; the FMA ceiling of the machine is 460 GFLOP/s.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``(1 - used/available) · (1 - roofline fraction)``: idle lanes, humbled by what already runs well."""
    used, available = facts["static.fma_bits"], facts["device.vector_bits"]
    if not 0 < used < available:
        return None
    share = (1 - used / available) * facts.unexplained()
    return Symptom(
        share,
        f"the hot loop multiplies and adds in {used:.0f} of {available:.0f} bits: {percent(1 - used / available)} of each vector unit idle",
    )


RULE = Rule(
    name="narrow-vectors",
    text=__doc__,
    needs=("static.fma_bits", "device.vector_bits"),
    suggests=("vectorize", "register-tile", "path"),
    evaluate=evaluate,
)
