"""The Triton implementation for every head size, sliding windows, and few queries over many keys."""

from __future__ import annotations

from hotloop.kernels.attention.general import plan
from hotloop.kernels.attention.general.space import SPACE, START, simplicity
from hotloop.kernels.attention.problem import spreads
from hotloop.model.kernel import Implementation

GENERAL = Implementation("general", "triton", SPACE, START, plan.plan, simplicity, plan.traits, spreads)
