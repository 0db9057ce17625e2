"""The OpenCL C implementation that decides which group computes what: Z-order, persistent groups, stream-K, shared lanes.

Its tiles are those of `hotloop.kernels.gemm.pipelined`, with the same parameters and the same way through local memory. Groups
may follow the Z-order curve, take tile after tile, or share out the steps of k of all tiles evenly, whatever tiles they belong
to; neighbouring lanes may pass elements of A on instead of each reading all of them.
"""

from __future__ import annotations

from hotloop.kernels.gemm.scheduled.plan import plan, traits
from hotloop.kernels.gemm.scheduled.space import SPACE, START, simplicity
from hotloop.model.kernel import Implementation

SCHEDULED = Implementation("opencl-scheduled", "opencl", SPACE, START, plan, simplicity, traits)
