"""The stream-K kernel in Gluon for Hopper and few rows: all programs read as many bytes of B."""

from __future__ import annotations

from hotloop.kernels.gemm.hopper_skinny.plan import plan, traits
from hotloop.kernels.gemm.hopper_skinny.space import SPACE, START, simplicity
from hotloop.model.kernel import Implementation

HOPPER_SKINNY = Implementation("hopper-skinny", "gluon", SPACE, START, plan, simplicity, traits)
