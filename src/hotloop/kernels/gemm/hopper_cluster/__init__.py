"""A kernel in CUDA C++ for Hopper whose tiles have as many rows as there are, and whose blocks share steps of k and rows in clusters."""

from __future__ import annotations

from hotloop.kernels.gemm.hopper_cluster.plan import plan, traits
from hotloop.kernels.gemm.hopper_cluster.space import SPACE, START, simplicity
from hotloop.model.kernel import Implementation

HOPPER_CLUSTER = Implementation("hopper-cluster", "cuda", SPACE, START, plan, simplicity, traits)
"""For rows that fill no tile of a power of two, and for weights of which few rows are multiplied."""
