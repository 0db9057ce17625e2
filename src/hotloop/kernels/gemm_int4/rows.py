"""What was measured: the fastest of the configurations that were tried on a shape, beside cuBLAS on 16-bit weights, on an H200.

2026-11-22, PyTorch 2.11 (CUDA 13.0), Triton 3.6: 8 interleaved rounds of CUDA graphs of back-to-back calls, inputs rotated beyond
the second-level cache, outputs judged against float64 before and after (`results/nvidia-h200-2026-11-22/gemm-int4.json`).
"""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.kernels.gemm_int4.problem import DEFAULT
from hotloop.kernels.gemm_int4.rule import SHIPPED
from hotloop.kernels.gemm_int4.triton import TRITON
from hotloop.model.kernel import Preset
from hotloop.model.record import Record
from hotloop.model.space import Config

TARGET = "sm_90"
_MACHINE = "NVIDIA H200, PyTorch 2.11, Triton 3.6, 2026-11-22"


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration on one shape, in bfloat16."""

    sizes: Record
    """Sizes of the problem, as far as they differ from the family's default ones."""
    config: Config
    time_us: float
    """Median of a call."""
    ratio: float
    """Time of `torch.matmul` on the same weights in bfloat16 over this one's: median of rounds."""

    @property
    def preset(self) -> Preset:
        """The row as the loop and the operators read it."""
        return Preset(
            config=self.config,
            implementation=TRITON.name,
            target=TARGET,
            sizes=DEFAULT.sizes.replace(**self.sizes),
            evidence=f"{_MACHINE}: {self.time_us:g} µs, {self.ratio:.2f} of cuBLAS on 16-bit weights",
        )


ROWS = (
    Row(Record(m=1, n=4096, k=4096), SHIPPED.replace(BM=16, BN=64, SPLITS=8), time_us=8.05, ratio=1.633),
    Row(Record(m=1, n=14336, k=4096), SHIPPED.replace(BM=16, BN=64, SPLITS=4), time_us=14.98, ratio=2.038),
    Row(Record(m=1, n=4096, k=14336), SHIPPED.replace(BM=16, BN=64, SPLITS=8), time_us=15.02, ratio=2.104),
    Row(Record(m=1, n=8192, k=8192), SHIPPED.replace(BM=16, BN=128, SPLITS=8), time_us=15.88, ratio=2.103),
    Row(Record(m=1, n=1024, k=8192), SHIPPED.replace(BM=16, BN=64, SPLITS=16), time_us=6.65, ratio=1.432),
    Row(Record(m=16, n=4096, k=4096), SHIPPED.replace(BM=16, BN=64, SPLITS=8), time_us=8.18, ratio=1.637),
    Row(Record(m=16, n=14336, k=4096), SHIPPED.replace(BM=16, BN=64, SPLITS=4), time_us=15.16, ratio=1.993),
    Row(Record(m=16, n=4096, k=14336), SHIPPED.replace(BM=16, BN=64, SPLITS=8), time_us=15.2, ratio=2.126),
    Row(Record(m=16, n=8192, k=8192), SHIPPED.replace(BM=16, BN=128, SPLITS=8), time_us=16.07, ratio=2.08),
    Row(Record(m=16, n=1024, k=8192), SHIPPED.replace(BM=16, BN=64, SPLITS=16), time_us=6.76, ratio=1.457),
    Row(Record(m=32, n=4096, k=4096), SHIPPED.replace(BM=32, BN=64, SPLITS=4), time_us=9.12, ratio=1.517),
    Row(Record(m=32, n=14336, k=4096), SHIPPED.replace(BM=32, BN=64, SPLITS=2), time_us=17.84, ratio=1.712),
    Row(Record(m=32, n=4096, k=14336), SHIPPED.replace(BM=32, BN=64, SPLITS=8), time_us=17.25, ratio=1.943),
    Row(Record(m=32, n=8192, k=8192), SHIPPED.replace(BM=32, BN=64, SPLITS=4), time_us=18.37, ratio=1.837),
    Row(Record(m=32, n=1024, k=8192), SHIPPED.replace(BM=32, BN=64, SPLITS=8), time_us=8.52, ratio=1.179),
    Row(Record(m=64, n=4096, k=4096), SHIPPED.replace(BM=64, BN=64, SPLITS=4), time_us=11.68, ratio=0.99),
    Row(Record(m=64, n=14336, k=4096), SHIPPED.replace(BM=64, BN=128, SPLITS=2), time_us=22.95, ratio=1.357),
    Row(Record(m=64, n=4096, k=14336), SHIPPED.replace(BM=64, BN=128, SPLITS=8), time_us=23.9, ratio=1.493),
    Row(Record(m=64, n=8192, k=8192), SHIPPED.replace(BM=64, BN=128, SPLITS=4), time_us=24.31, ratio=1.43),
    Row(Record(m=64, n=1024, k=8192), SHIPPED.replace(BM=64, BN=64, SPLITS=16), time_us=10.9, ratio=0.914),
    Row(Record(m=128, n=4096, k=4096), SHIPPED.replace(BM=64, BN=128, SPLITS=4), time_us=15.86, ratio=0.853),
    Row(Record(m=256, n=8192, k=8192), SHIPPED.replace(BM=64, BN=128, SPLITS=1), time_us=63.4, ratio=0.786),
)  # fmt: skip
PRESETS = tuple(row.preset for row in ROWS)
