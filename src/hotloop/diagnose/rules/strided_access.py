"""Strided access: successive accesses of the inner loop lie far apart.

## What it shows
The inner loop of a work-item steps through its worst operand with a stride larger than the bytes it reads in a row.

## Why it costs
Part of every cache line is fetched and not used. A stride of a page or more asks for a new address translation each
time. A stride that is a multiple of a large power of two falls into few cache sets, so lines that are still needed are
thrown out although the cache is nearly empty.

## What to try
Copy the operand once into contiguous panels (pays when it is read many times), choose the path that reads it along its
rows, block the loop so that fewer lines are alive, or pad the leading dimension by one vector.

## When it misleads
While everything fits into the cache the stride does not matter: in-place SGEMM is as fast as packed up to 512. Packing
costs its own pass over the data, so below about 1024 it loses 10–30 %.

## References
SGEMM in place, 8×2 vectors, AVX-512: 477, 302, 228 GFLOP/s at n = 512, 1024, 2048 (row stride 2, 4, 8 KiB) against 417
packed at 2048. The weights for strides of 4, 2 and 1 KiB (0.45, 0.2, 0.1) follow from 1 - 228/417 = 0.45 and from 512
showing no loss beyond noise; the weight of half for unused bytes in a line is an estimate.
"""

from __future__ import annotations

from math import gcd

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import size

LINE_BYTES = 64
PAGE_BYTES = 4096
CONFLICTS = ((4096, 0.45), (2048, 0.2), (1024, 0.1))
"""Share lost when the stride is a multiple of so many bytes: fewer cache sets than lines that are alive."""
TRANSLATION = 0.15
"""Share lost to address translation when each access lies in another page."""
UNUSED = 0.5
"""Weight of unused bytes in a line: they cost bandwidth, not all of it is the limit."""


def evaluate(facts: Facts) -> Symptom | None:
    """Combine unused bytes, cache-set conflicts and page translations as independent losses, times the headroom."""
    stride, row = facts["config.stride_bytes"], facts["config.contiguous_bytes"]
    if stride <= row or row <= 0:
        return None
    unused = UNUSED * (1 - min(1.0, row / min(stride, LINE_BYTES)))
    common = gcd(round(stride), PAGE_BYTES)
    conflict = next((loss for multiple, loss in CONFLICTS if common == multiple), 0.0)
    translation = TRANSLATION if stride >= PAGE_BYTES else 0.0
    share = (1 - (1 - unused) * (1 - max(conflict, translation))) * facts.unexplained()
    sets = f", a multiple of {size(common)}: few cache sets" if conflict else ""
    return Symptom(share, f"the inner loop reads {size(row)} in a row every {size(stride)}{sets}")


RULE = Rule(
    name="strided-access",
    text=__doc__,
    needs=("config.stride_bytes", "config.contiguous_bytes"),
    suggests=("pack", "path", "cache-block", "pad", "register-tile"),
    evaluate=evaluate,
)
