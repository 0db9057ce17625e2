"""The attention ladder's problem as the family's: whole heads of 128 elements, sizes in memory beside the arrays."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.kernels.attention import KERNEL
from hotloop.kernels.attention.ladders.tile import D
from hotloop.kernels.attention.problem import shape_of
from hotloop.kernels.attention.reference import inputs
from hotloop.model.kernel import Kernel
from hotloop.model.problem import Problem
from hotloop.model.record import Scalar

if TYPE_CHECKING:
    import numpy as np

    from hotloop.model.kernel import Inputs

ARRAYS = ("q", "k", "v", "sizes", "o")
"""Arrays that the kernels are launched with, in this order."""


def posed(sizes: Mapping[str, Scalar]) -> Kernel:
    """Return the family with the causal problem of these ``heads``, ``queries`` and ``keys``."""
    heads, queries, keys = (int(sizes[name]) for name in ("heads", "queries", "keys"))
    problem = KERNEL.problem.replace(
        batch=1, heads=heads, kv_heads=heads, length_q=queries, length_k=keys, size=D, dtype="float16", causal=1
    )
    return replace(KERNEL, problem=problem, inputs=_inputs, awkward=lambda _problem: ())


def _inputs(problem: Problem, rng: np.random.Generator) -> Inputs:
    """Return the family's inputs, and as the kernels read them: queries, keys, and the bits of the scale in float32."""
    import numpy as np

    shape = shape_of(problem)
    (scale,) = struct.unpack("<i", struct.pack("<f", shape.factor))
    return {**inputs(problem, rng), "sizes": np.array([shape.length_q, shape.length_k, scale], np.int32)}
