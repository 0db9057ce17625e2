"""Triton kernels on GPUs through PyTorch, and in Triton's interpreter on the processor, where only results count."""

from __future__ import annotations

from hotloop.drivers.triton import JitBackend

PROBE = """
import triton
import triton.language as tl


@triton.jit
def probe(y, x, BLOCK: tl.constexpr, LANES: tl.constexpr):
    where = tl.arange(0, BLOCK)
    tl.store(y + where, tl.load(x + where) ^ 1)
"""


class Triton(JitBackend):
    """The backend for Triton."""

    language = "triton"
    interpretable = True
    probe_source = PROBE


BACKEND = Triton
