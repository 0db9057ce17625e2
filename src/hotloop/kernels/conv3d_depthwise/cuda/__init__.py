"""The CUDA C++ and HIP C++ implementations: one text, whose macros choose a rung."""

from __future__ import annotations

from functools import partial

from hotloop.kernels.conv3d_depthwise.cuda import plan
from hotloop.kernels.conv3d_depthwise.cuda.space import NAIVE, NAIVE_HIP, SPACE, SPACE_HIP, simplicity
from hotloop.model.kernel import Implementation

CUDA = Implementation(
    "cuda", "cuda", SPACE, NAIVE, partial(plan.plan, "cuda"), simplicity, partial(plan.traits, "cuda")
)
HIP = Implementation(
    "hip", "hip", SPACE_HIP, NAIVE_HIP, partial(plan.plan, "hip"), simplicity, partial(plan.traits, "hip")
)
