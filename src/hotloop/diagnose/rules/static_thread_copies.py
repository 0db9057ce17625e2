"""Copies by threads: the warps that multiply also compute addresses and copy their operands, piece by piece.

## What it shows
The hot loop has warp-group matrix instructions, and asynchronous copies that every thread issues for itself (``LDGSTS``) with addresses of its
own, although the processor has a copy engine for whole tiles.

## Why it costs
Copies, addresses, masks and their waits take issue slots and registers of the warps that feed the matrix unit.

## What to try
Tensor descriptors, so that one thread asks for a whole tile (``tl.make_tensor_descriptor``); then wider tiles, deeper stages, programs that
stay and take tile after tile, tiles in an order that finds operands in the second-level cache.

## When it misleads
Descriptors need strides of 16 bytes and an innermost stride of one. At small problems the launch and the tail weigh more.

## References
hotloop's own ladder on an H200, bf16, 4096: 484 TFLOP/s with pointers, 643 with descriptors, 688 with persistent programs
(results/nvidia-h200-2026-11-22/ladder-gemm.json). The estimate is what that step took, a quarter, less where copies are few.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.gpu import COMPUTE, SATURATED, busiest
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

GAIN = 0.25
MANY = 0.08
"""Share of the instructions from which copies count in full: what the loop of that step has (128 x 128 x 64, 3 stages)."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate a quarter of the time where as many instructions copy as in the measured step."""
    share = facts["isa.thread_copy_share"]
    if share <= 0 or busiest(facts, COMPUTE) >= SATURATED:
        return None
    return Symptom(
        GAIN * min(1.0, share / MANY),
        f"{percent(share)} of the instructions of the loop with warp-group products are copies that each thread issues for itself",
    )


RULE = Rule(
    name="static-thread-copies",
    text=__doc__,
    needs=("isa.thread_copy_share",),
    optional=COMPUTE,
    suggests=("async-copy", "persistent", "larger-tile", "prefetch", "rasterize", "workgroup-size"),
    evaluate=evaluate,
)
