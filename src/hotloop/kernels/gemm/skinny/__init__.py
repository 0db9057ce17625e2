"""The OpenCL C implementation for few rows or few columns: the long operand streams from memory to registers, read once.

Such a product is as long as the reading of its long operand. A tile in local memory makes every item wait for the slowest of
its group at each step, and most of its width along the short side is idle: matrix times vector reached 0.4 to 0.9 of cuBLAS with the
best of them (once 1.5, where cuBLAS was slow). Here nobody waits before the end. An item reads vectors of the long operand, several
on their way, and the items that share an output add what they have in local memory once.

It takes every problem of the family, either operand being the long one, along k or across it; with many rows and columns it reads
the long one once for each FEW of the others.
"""

from __future__ import annotations

from hotloop.kernels.gemm.skinny.plan import plan, traits
from hotloop.kernels.gemm.skinny.space import SPACE, START, simplicity
from hotloop.model.kernel import Implementation

SKINNY = Implementation("opencl-skinny", "opencl", SPACE, START, plan, simplicity, traits)
