"""The Gluon implementation for Hopper: a producer warp, consumer warp groups, softmax under the products."""

from __future__ import annotations

from hotloop.kernels.attention.gluon import plan
from hotloop.kernels.attention.gluon.space import SPACE, START, simplicity
from hotloop.kernels.attention.problem import spreads
from hotloop.model.kernel import Implementation

GLUON = Implementation("gluon", "gluon", SPACE, START, plan.plan, simplicity, plan.traits, spreads)
