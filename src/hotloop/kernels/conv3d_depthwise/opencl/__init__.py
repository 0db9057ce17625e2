"""The OpenCL C implementation: for CPUs, and any OpenCL device."""

from __future__ import annotations

from hotloop.kernels.conv3d_depthwise.opencl import plan
from hotloop.kernels.conv3d_depthwise.opencl.space import NAIVE, SPACE, simplicity
from hotloop.kernels.conv3d_depthwise.opencl.traits import traits
from hotloop.model.kernel import Implementation

OPENCL = Implementation("opencl", "opencl", SPACE, NAIVE, plan.plan, simplicity, traits)
