"""Configurations of the pipelined OpenCL implementation that won on an H200: seeds for dispatch and search.

Measured 2026-11-22 on one NVIDIA H200 (driver 580.159.04), fp32, 3 to 7 interleaved rounds with cuBLAS (TF32 off), device
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
    """The fastest of the configurations that were tried on a shape."""

    shape: tuple[int, int, int]
    """m, n and k of the measurement."""
    config: Config
    tflops: float
    """fp32, median."""
    ratio: float
    """cuBLAS' time over this one's, median of rounds, called from PyTorch. Against a CUDA graph of its
    calls: 0.49 at 256, 0.81 at 512, 1.04 at 1024."""
    round_ns: float
    """Time of a step of k of one tile on every multiprocessor, where many tiles take turns."""
    alone_ns: float
    """The same where every multiprocessor has a single tile."""

    @property
    def evidence(self) -> str:
        """Say where it was measured and how it compared."""
        name = f"n={self.shape[0]}" if len(set(self.shape)) == 1 else "x".join(map(str, self.shape))
        return f"{MACHINE}: {self.tflops:g} TFLOP/s, {self.ratio:.2f} of cuBLAS at {name}"


_TILE = START.replace(WIDE=4, PAD=4, RASTER=0, HOIST=1, WEAVE=1)
_FLAT = _TILE.replace(MDIM=8, MWI=16, NWI=8, KWG=8, KUNROLL=8)
"""128 items of 16x8, two groups on a multiprocessor."""
_BIG = _TILE.replace(MWI=8, NWI=16, KWG=8, KUNROLL=8, EARLY=1)
"""256 items of 8x16, one group on a multiprocessor."""
_MIDDLE = _TILE.replace(MDIM=8, MWI=8, NWI=8, KWG=16, KUNROLL=16, EARLY=1)
"""128 items of 8x8, three groups on a multiprocessor."""
_SMALL = _TILE.replace(KWG=16, BUFFERS=2, EARLY=1)

TABLE = (
    Known((256, 256, 256), _SMALL.replace(MDIM=4, NDIM=8, KWG=32, KUNROLL=8, SLICES=4), 2.63, 1.11, 5.0, 38.0),
    Known((512, 512, 512), _SMALL.replace(NDIM=8, KUNROLL=16), 17.6, 0.96, 14.7, 24.0),
    Known((1001, 1001, 1001), _SMALL.replace(MDIM=8, MWI=8, NWI=8, KUNROLL=8, SLICES=2), 32.3, 0.99, 47.6, 54.6),
    Known((1024, 1024, 1024), _SMALL.replace(NDIM=8, MWI=8, NWI=8, KUNROLL=8, SLICES=2), 37.7, 1.06, 51.0, 55.0),
    Known((1500, 1500, 1500), _SMALL.replace(MDIM=8, MWI=8, KUNROLL=16), 33.5, 0.91, 24.5, 56.0),
    Known((3000, 1000, 500), _MIDDLE, 38.9, 1.02, 45.5, 56.0),
    Known((2048, 2048, 2048), _FLAT, 50.4, 1.00, 86.0, 147.0),
    Known((4096, 4096, 4096), _FLAT, 51.5, 1.00, 86.0, 147.0),
    Known((8192, 8192, 8192), _BIG, 51.6, 1.01, 167.0, 167.0),
)
