"""The Gluon implementation for Hopper: a warp that loads, two warp groups that multiply and share each tile."""

from __future__ import annotations

from hotloop.kernels.gemm_fp8.gluon.plan import plan, traits
from hotloop.kernels.gemm_fp8.gluon.space import SPACE, START, simplicity
from hotloop.model.kernel import Implementation

GLUON = Implementation("gluon", "gluon", SPACE, START, plan, simplicity, traits)
