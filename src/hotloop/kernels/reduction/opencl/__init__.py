"""The OpenCL C implementation: for CPUs, and any OpenCL device."""

from __future__ import annotations

from hotloop.kernels.reduction.opencl import plan
from hotloop.kernels.reduction.opencl.space import NAIVE, SPACE, simplicity
from hotloop.model.kernel import Implementation

OPENCL = Implementation("opencl", "opencl", SPACE, NAIVE, plan.plan, simplicity, plan.traits)
