"""Configurations of the pipelined OpenCL implementation that won on an H200: seeds for dispatch and search.

Measured 2026-11-22 on one NVIDIA H200 (driver 580.159.04), fp32 squares, 3 to 7 interleaved rounds with cuBLAS (TF32 off), device
events around back-to-back calls, inputs beyond the second-level cache where they are large enough; checked against float64.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.kernels.gemm.pipelined import START
from hotloop.model.space import Config

TARGET = "sm_90"
MACHINE = "NVIDIA H200, driver 580.159.04, 2026-11-22"


@dataclass(frozen=True, slots=True)
class Known:
    """The fastest of the configurations that were tried on a size."""

    n: int
    """Square size of the measurement."""
    config: Config
    tflops: float
    """fp32, median."""
    ratio: float
    """cuBLAS' time over this one's, median of rounds, called from PyTorch. Against a CUDA graph of its
    calls: 0.49 at 256, 0.81 at 512, 1.04 at 1024."""

    @property
    def evidence(self) -> str:
        """Say where it was measured and how it compared."""
        return f"{MACHINE}: {self.tflops:g} TFLOP/s, {self.ratio:.2f} of cuBLAS at n={self.n}"


_TILE = START.replace(WIDE=4, PAD=4, RASTER=0, HOIST=1, WEAVE=1)
_FLAT = _TILE.replace(MDIM=8, MWI=16, NWI=8, KWG=8, KUNROLL=8)
"""128 items of 16x8, two groups on a multiprocessor."""
_BIG = _TILE.replace(MWI=8, NWI=16, KWG=8, KUNROLL=8, EARLY=1)
"""256 items of 8x16, one group on a multiprocessor."""
_SMALL = _TILE.replace(KWG=16, BUFFERS=2, EARLY=1)

TABLE = (
    Known(256, _SMALL.replace(MDIM=4, NDIM=8, KWG=32, KUNROLL=8, SLICES=4), 2.63, 1.11),
    Known(512, _SMALL.replace(NDIM=8, KUNROLL=16), 17.6, 0.96),
    Known(1024, _SMALL.replace(NDIM=8, MWI=8, NWI=8, KUNROLL=8, SLICES=2), 37.7, 1.06),
    Known(2048, _FLAT, 50.4, 1.00),
    Known(4096, _FLAT, 51.5, 1.00),
    Known(8192, _BIG, 51.6, 1.01),
)
