"""Configurations of the pipelined OpenCL implementation that won on an H200: seeds for dispatch and search.

Measured 2026-11-22 on one NVIDIA H200 (driver 580.159.04), fp32, 3 to 7 interleaved rounds with cuBLAS (TF32 off), device
events around back-to-back calls, inputs beyond the second-level cache where they are large enough; checked against float64.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.kernels.gemm.pipelined.space import START
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.model.kernel import Preset
from hotloop.model.space import Config

TARGET = "sm_90"
MACHINE = "NVIDIA H200, driver 580.159.04, 2026-11-22"


@dataclass(frozen=True, slots=True)
class Row:
    """The fastest of the configurations that were tried on a shape."""

    shape: tuple[int, int, int]
    """m, n and k of the measurement."""
    config: Config
    tflops: float
    """fp32, median."""
    ratio: float
    """cuBLAS' time over this one's, median of rounds: called from PyTorch, and where that takes longer than the kernels, up to
    512 and with few tiles, the device's time of both (results/nvidia-h200-2026-11-22)."""
    round_ns: float
    """Time of a step of k of one tile on every multiprocessor, where many tiles take turns."""
    alone_ns: float
    """Time in ns of a tile where every multiprocessor has a single one."""
    resident: int
    """Groups that a multiprocessor holds at once, by the registers that the compiler took; the next ones wait."""

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
_SLICED = _SMALL.replace(MDIM=8, NDIM=8, KWG=32, KUNROLL=8, SLICES=4)
"""Parts of a group share each tile of 32 steps: for few outputs, of which no part has many."""

_FEWEST = _SMALL.replace(MDIM=4, NDIM=4, KWG=64, KUNROLL=8, SLICES=8, WEAVE=0)
_FLATTEST = _SMALL.replace(MDIM=4, NWI=8, KWG=32, KUNROLL=8, SLICES=2)
_UPRIGHT = _SMALL.replace(NDIM=4, MWI=8, KWG=32, KUNROLL=8, SLICES=2, WEAVE=0)
_HALVES = _SMALL.replace(MDIM=8, NDIM=8, MWI=8, NWI=8, KUNROLL=8, SLICES=2)
"""Permuted instead of padded it is faster by 8 %, but takes 191 registers for 151 to 167: two groups, not three."""

TABLE = (
    Row((16, 16, 65536), _FEWEST.replace(SPLIT=128, ARRIVE=1), tflops=2.33, ratio=1.77, round_ns=5.8, alone_ns=8.7, resident=6),
    Row((16, 8192, 4096), _FLATTEST.replace(SPLIT=4, ARRIVE=1), tflops=25.1, ratio=2.07, round_ns=15.7, alone_ns=20.7, resident=3),
    Row((4096, 16, 4096), _UPRIGHT.replace(SPLIT=8, ARRIVE=1), tflops=17.2, ratio=1.38, round_ns=21.3, alone_ns=25.0, resident=2),
    Row((1024, 32, 4096), _SLICED.replace(SPLIT=8, ARRIVE=1), tflops=15.1, ratio=1.34, round_ns=9.4, alone_ns=13.6, resident=3),
    Row((2048, 64, 2048), _SMALL.replace(NDIM=8, KUNROLL=16, SPLIT=4, ARRIVE=1), tflops=21.7, ratio=1.02, round_ns=14.3, alone_ns=22.3, resident=5),
    Row((384, 384, 2048), _HALVES.replace(PAD=0, SWZ=4, SPLIT=6, ARRIVE=1), tflops=22.4, ratio=0.91, round_ns=23.8, alone_ns=36.3, resident=2),
    Row((256, 256, 256), _SMALL.replace(MDIM=4, NDIM=8, KWG=32, KUNROLL=8, SLICES=4), tflops=4.99, ratio=1.23, round_ns=5.2, alone_ns=13.7, resident=7),
    Row((512, 512, 512), _SLICED.replace(NWI=8, PAD=0, SWZ=4), tflops=20.3, ratio=1.09, round_ns=15.3, alone_ns=17.5, resident=2),
    Row((1001, 1001, 1001), _SMALL.replace(MDIM=8, MWI=8, NWI=8, KUNROLL=8, SLICES=2), tflops=32.3, ratio=0.99, round_ns=49.9, alone_ns=50.5, resident=1),
    Row((1024, 1024, 1024), _SMALL.replace(NDIM=8, MWI=8, NWI=8, KUNROLL=8, SLICES=2), tflops=37.7, ratio=1.06, round_ns=51.0, alone_ns=55.0, resident=1),
    Row((1500, 1500, 1500), _HALVES, tflops=38.4, ratio=1.04, round_ns=24.4, alone_ns=39.7, resident=3),
    Row((3000, 1000, 500), _MIDDLE, tflops=38.9, ratio=1.02, round_ns=45.5, alone_ns=56.0, resident=3),
    Row((2048, 2048, 2048), _FLAT, tflops=50.4, ratio=1.00, round_ns=86.0, alone_ns=147.0, resident=2),
    Row((4096, 4096, 4096), _FLAT, tflops=51.5, ratio=1.00, round_ns=86.0, alone_ns=147.0, resident=2),
    Row((8192, 8192, 8192), _BIG, tflops=51.6, ratio=1.01, round_ns=167.0, alone_ns=167.0, resident=1),
)  # fmt: skip

PRESETS = tuple(
    Preset(
        config=row.config,
        implementation="opencl-pipelined",
        target=TARGET,
        sizes=DEFAULT.sizes.replace(**dict(zip("mnk", row.shape, strict=True))),
        evidence=row.evidence,
    )
    for row in TABLE
)
