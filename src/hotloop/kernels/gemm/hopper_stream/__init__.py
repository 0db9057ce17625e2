"""The stream-K kernel in Gluon for Hopper and any number of rows: all programs take as many steps of tiles."""

from __future__ import annotations

from hotloop.kernels.gemm.hopper_skinny.space import simplicity
from hotloop.kernels.gemm.hopper_stream.plan import plan, traits
from hotloop.kernels.gemm.hopper_stream.space import SPACE, START
from hotloop.model.kernel import Implementation

HOPPER_STREAM = Implementation("hopper-stream", "gluon", SPACE, START, plan, simplicity, traits)
"""The kernel of `hotloop.kernels.gemm.hopper_skinny` with several rows of tiles and up to two groups of warps."""
