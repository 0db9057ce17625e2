"""Private memory on AMD: a work-item keeps values in scratch, which lies in device memory.

## What it shows
The dispatch reserves private memory for each work-item.

## Why it costs
Scratch goes through the vector memory path; each access of a wave moves 256 bytes.

## What to try
A smaller register tile, less unrolling, constant indices into private arrays, fewer values alive at once.

## When it misleads
Arrays that are indexed at run time and a stack for calls need private memory too, perhaps outside the hot loop. AMD has no
counter for spills: look for scratch instructions in the listing. What the finding costs is a guess, so it is never more than low
confidence.

## References
Reported matrix-instruction variants of conv3d: 304 to 560 B per work-item at 3.68 to 14.4 ms, where 0 B ran 0.614 ms;
spills were one cause of several. The estimate grows with the bytes to a half.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import counted

PER_BYTE = 1 / 2000
MOST = 0.5


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate a share that grows with the private bytes."""
    scratch = facts["gpu.scratch_bytes"]
    if scratch <= 0:
        return None
    count = facts.get("gpu.vgprs")
    registers = "" if count is None else f" beside {counted(round(count), 'vector register')}"
    return Symptom(scratch * PER_BYTE, f"a work-item keeps {scratch:.0f} B in private memory{registers}", MOST)


RULE = Rule(
    name="private-memory",
    text=__doc__,
    needs=("gpu.scratch_bytes",),
    optional=("gpu.vgprs",),
    inferred="private memory was reserved, how often it is accessed was not counted",
    suggests=("lower-registers", "register-tile", "unroll", "interleave"),
    evaluate=evaluate,
)
