"""The OpenCL C implementation: one work-item per query row, for every device."""

from __future__ import annotations

from hotloop.kernels.attention.opencl import plan
from hotloop.kernels.attention.opencl.space import NAIVE, SPACE, simplicity
from hotloop.model.kernel import Implementation

OPENCL = Implementation("opencl", "opencl", SPACE, NAIVE, plan.plan, simplicity)
