"""Gluon kernels on GPUs through Triton and PyTorch; they name layouts of real hardware, so nothing interprets them."""

from __future__ import annotations

from hotloop.drivers.triton import JitBackend

PROBE = """
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def probe(y, x, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [LANES], [gl.num_warps()], [0])
    where = gl.arange(0, BLOCK, layout=layout)
    gl.store(y + where, gl.load(x + where) ^ 1)
"""


class Gluon(JitBackend):
    """The backend for Gluon: Triton's, with another language name."""

    language = "gluon"
    interpretable = False
    probe_source = PROBE


BACKEND = Gluon
