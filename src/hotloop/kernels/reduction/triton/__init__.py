"""The Triton implementation, for every device that Triton compiles for."""

from __future__ import annotations

from hotloop.kernels.reduction.triton import plan
from hotloop.kernels.reduction.triton.space import SPACE, START, simplicity
from hotloop.model.kernel import Implementation

TRITON = Implementation("triton", "triton", SPACE, START, plan.plan, simplicity, plan.traits)
