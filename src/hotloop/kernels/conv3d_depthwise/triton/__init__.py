"""The Triton implementation, for every device that Triton compiles for."""

from __future__ import annotations

from hotloop.kernels.conv3d_depthwise.triton import plan
from hotloop.kernels.conv3d_depthwise.triton.space import NAIVE, SPACE, simplicity
from hotloop.model.kernel import Implementation

TRITON = Implementation("triton", "triton", SPACE, NAIVE, plan.plan, simplicity, plan.traits)
