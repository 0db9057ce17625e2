"""The CUDA C++ implementations that walk along depth with their sums: float32, and channels last on matrix units."""

from __future__ import annotations

from hotloop.kernels.conv3d_depthwise.walking import plan
from hotloop.kernels.conv3d_depthwise.walking.space import CARRY_SPACE, CARRY_START, TURN_SPACE, TURN_START
from hotloop.model.kernel import Implementation

CARRY = Implementation("carry", "cuda", CARRY_SPACE, CARRY_START, plan.plan, traits=plan.traits)
TURN = Implementation("turn", "cuda", TURN_SPACE, TURN_START, plan.plan, traits=plan.traits)
