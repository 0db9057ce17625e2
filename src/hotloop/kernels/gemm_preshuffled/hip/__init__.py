"""The HIP C++ implementation: one text with its macros as a space."""

from __future__ import annotations

from hotloop.kernels.gemm_preshuffled.hip.plan import plan
from hotloop.kernels.gemm_preshuffled.hip.space import NAIVE, SPACE, simplicity
from hotloop.model.kernel import Implementation

HIP = Implementation("hip", "hip", SPACE, NAIVE, plan, simplicity)
