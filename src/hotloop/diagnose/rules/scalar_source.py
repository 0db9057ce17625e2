"""Scalar source: the kernel states no vectors and leaves them to the runtime's implicit vectoriser.

## What it shows
Each access of the source is one element, on a device with vector registers. Whatever vectors the machine code has were
made by the runtime across the work-items of a group.

## Why it costs
Implicit vectors need neighbouring items to touch neighbouring elements, groups that the vector width divides, and no
branches or barriers in between; where one fails, loads become gathers or the loop runs element by element. An explicit
vector also gives one item more independent sums.

## What to try
Write vectors of one register's width in the source; the tile of one work-item has to grow to hold them.

## When it misleads
Where the vectoriser succeeds, as for a stream without reuse, explicit vectors change nothing. On devices that run
work-items in lanes (GPUs) scalar arithmetic is the normal form.

## References
SGEMM 1024³, 16×16 local-memory tile, Intel's OpenCL runtime, 2 cores with AVX2, one run on 2026-11-21: one output per
item 246 ms, one vector of 8 outputs per item 76 ms, although both showed 256-bit arithmetic.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom

_LEAST_BITS = 128
"""Narrowest register that counts as a vector."""
_SHARE = 0.5
"""Share of the unexplained time; half, because the implicit vectoriser often does well."""


def evaluate(facts: Facts) -> Symptom | None:
    """Believe half of the time above the roofline floor to be at stake."""
    wide = facts["device.vector_bits"] >= _LEAST_BITS
    if facts["config.vector_elements"] > 1 or not wide or facts["device.local_dedicated"] > 0 or facts.memory_bound():
        return None
    return Symptom(
        _SHARE * facts.unexplained(),
        f"the source computes one element at a time and leaves the {facts['device.vector_bits']:.0f}-bit registers "
        "to the runtime's implicit vectoriser",
    )


RULE = Rule(
    name="scalar-source",
    text=__doc__,
    needs=("config.vector_elements", "device.vector_bits", "device.local_dedicated"),
    optional=("roof.memory_bound",),
    suggests=("vectorize", "register-tile", "path"),
    evaluate=evaluate,
)
