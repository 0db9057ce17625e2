"""The Gluon implementation for Hopper: attention's kernel and space, told where each sequence begins.

It reads keys beyond a sequence and gives them weight zero, so that infinite values of one may reach the one before it.
"""

from __future__ import annotations

from hotloop.kernels.attention.gluon.space import SPACE, START, simplicity
from hotloop.kernels.attention_packed.gluon import plan
from hotloop.model.kernel import Implementation

GLUON = Implementation("gluon", "gluon", SPACE, START, plan.plan, simplicity, plan.traits, lambda _problem: True)
