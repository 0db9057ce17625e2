"""Cache misses move data again: device memory carries more bytes than the problem needs, and it is busy.

## What it shows
At least 1.2 times the compulsory bytes go through device memory, at a third of its peak or more.

## Why it costs
Operands are loaded again because they left L2 before their next use.

## What to try
An order of tiles that keeps neighbours on the same operands (Z-order, grouped rows), larger tiles, tiles of the reduction
that fit, leading dimensions that are no power of two.

## When it misleads
A low hit rate alone means nothing: streams have no reuse. Extra bytes while bandwidth is idle cost nothing. Profilers may
clear caches before each kernel. Where nobody states the compulsory bytes they are inferred from what is written (see
`hotloop.explain.needed`): that holds for stencils and maps, which read an array of the size that they write.

## References
Recorded on H100: a 4096³ bf16 product reads 150 MB where 67 MB are compulsory, at 30 % of the bandwidth and 90 % of the
tensor cores: no finding. The estimate is used bandwidth × superfluous part.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import COMPUTE, SATURATED, busiest
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent, size

EXCESS = 1.2
BUSY = 1 / 3


def evaluate(facts: Facts) -> Symptom | None:
    """Return used bandwidth × superfluous part of the bytes."""
    moved, needed, used = facts["gpu.hbm_bytes"], facts["work.bytes"], facts["gpu.hbm_utilization"]
    if needed <= 0 or moved < EXCESS * needed or used < BUSY or busiest(facts, COMPUTE) >= SATURATED:
        return None
    hits = facts.get("gpu.l2_hit_rate")
    rate = "" if hits is None else f", L2 hits {percent(hits)}"
    return Symptom(
        min(1.0, used) * (1 - needed / moved),
        f"device memory moves {size(moved)} where {size(needed)} are compulsory{rate}",
    )


RULE = Rule(
    name="l2-thrash",
    text=__doc__,
    needs=("gpu.hbm_bytes", "gpu.hbm_utilization", "work.bytes"),
    optional=("gpu.l2_hit_rate", *COMPUTE),
    suggests=("rasterize", "cache-block", "register-tile", "pad"),
    evaluate=evaluate,
)
