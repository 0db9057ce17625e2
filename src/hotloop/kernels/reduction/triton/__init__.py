"""The Triton implementation: one program holds a row in registers; for softmax and RMS norm."""

from __future__ import annotations

from hotloop.kernels.reduction.triton import plan
from hotloop.kernels.reduction.triton.space import NAIVE, SPACE
from hotloop.model.kernel import Implementation

TRITON = Implementation("triton", "triton", SPACE, NAIVE, plan.plan, traits=plan.traits)
