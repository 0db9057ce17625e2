"""The OpenCL C implementation: one source from a local-memory tile to a packed register tile."""

from __future__ import annotations

from hotloop.kernels.gemm.opencl.plan import plan
from hotloop.kernels.gemm.opencl.space import NAIVE, SPACE, simplicity
from hotloop.kernels.gemm.opencl.traits import traits
from hotloop.model.kernel import Implementation

OPENCL = Implementation("opencl", "opencl", SPACE, NAIVE, plan, simplicity, traits)
