"""The persistent kernel in Triton: resident programs that take tile after tile, in grouped order, on tensor descriptors."""

from __future__ import annotations

from hotloop.kernels.gemm.persistent.plan import plan
from hotloop.kernels.gemm.persistent.space import SPACE, START, simplicity
from hotloop.kernels.gemm.shared.tiles import traits
from hotloop.model.kernel import Implementation

PERSISTENT = Implementation("persistent", "triton", SPACE, START, plan, simplicity, traits)
