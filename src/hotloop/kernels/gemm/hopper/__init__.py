"""The warp-specialized kernel in Gluon for Hopper: a warp that loads, warp groups that multiply, an epilogue that overlaps."""

from __future__ import annotations

from hotloop.kernels.gemm.hopper.plan import plan, traits
from hotloop.kernels.gemm.hopper.space import SPACE, START, simplicity
from hotloop.model.kernel import Implementation

HOPPER = Implementation("hopper", "gluon", SPACE, START, plan, simplicity, traits)
