"""The CUDA C++ and HIP C++ implementations: one text with its macros as a space."""

from __future__ import annotations

from functools import partial

from hotloop.kernels.reduction.cuda import plan
from hotloop.kernels.reduction.cuda.space import AMD_NAIVE, AMD_SPACE, NAIVE, SPACE, simplicity
from hotloop.model.kernel import Implementation

CUDA = Implementation("cuda", "cuda", SPACE, NAIVE, partial(plan.plan, "cuda"), simplicity, plan.traits)
HIP = Implementation("hip", "hip", AMD_SPACE, AMD_NAIVE, partial(plan.plan, "hip"), simplicity, plan.traits)
