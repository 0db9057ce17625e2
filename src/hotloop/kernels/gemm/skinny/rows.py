"""Configurations of the skinny OpenCL implementation that won on an H200 and on a CPU: seeds for dispatch and search.

On the GPU: measured 2026-11-22 on one NVIDIA H200 (driver 580.159.04), fp32: of all strips of a grid the shortest time on the
device, 5 interleaved rounds with cuBLAS (TF32 off), inputs beyond the second-level cache; checked against float64. `hotloop tune
gemm --implementation opencl-skinny` searches for such rows.
On the CPU: 2026-11-22, `benchmarks/ops_gemm.py`, `hotloop.ops` against NumPy's BLAS, both called from Python; what the rule for cores
chooses. Of changes of one parameter some were shorter, 1.18 times at 1024x1x1024, in a run whose raw times were not kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.kernels.gemm.pipelined.rows import MACHINE, TARGET
from hotloop.kernels.gemm.problem import DEFAULT, gemm
from hotloop.kernels.gemm.skinny.sides import Sides
from hotloop.kernels.gemm.skinny.space import START
from hotloop.model.kernel import Preset
from hotloop.model.space import Config


@dataclass(frozen=True, slots=True)
class Row:
    """The fastest of the configurations that were tried on a shape."""

    shape: tuple[int, int, int]
    """m, n and k of the measurement."""
    op: str
    config: Config
    took_us: float
    """Median of rounds: on a GPU the device's time in a batch that was submitted before it began, on a CPU of a call."""
    ratio: float
    """The peer's time over this one's, taken alike."""
    where: str = f"{MACHINE}, cuBLAS"
    """Machine and peer."""

    @property
    def along_k(self) -> bool:
        """True where the rows of the long operand lie along k."""
        m, n, k = self.shape
        return Sides.of(gemm(DEFAULT.replace(m=m, n=n, k=k, op=self.op))).along_k

    @property
    def evidence(self) -> str:
        """Say where it was measured and how it compared."""
        name = "x".join(map(str, self.shape))
        machine, _, peer = self.where.rpartition(", ")
        return f"{machine}: {self.took_us:g} µs, {self.ratio:.2f} of {peer} at {name} {self.op}"


_ROWS = START.replace(VW=4, KUNROLL=8)
_COLUMNS = START.replace(VW=4, KUNROLL=8, KDIM=128)

H200 = (
    Row((512, 1, 512), "nn", _ROWS.replace(ODIM=2, KDIM=64, OWI=2, KUNROLL=2), took_us=4.71, ratio=0.81),
    Row((2048, 1, 2048), "nn", _ROWS.replace(ODIM=2, KDIM=64), took_us=9.15, ratio=0.88),
    Row((4096, 1, 4096), "nn", _ROWS.replace(ODIM=2, KDIM=64), took_us=20.17, ratio=1.15),
    Row((8192, 1, 8192), "nn", _ROWS.replace(ODIM=2, KDIM=128), took_us=63.34, ratio=1.41),
    Row((30000, 1, 1000), "nn", _ROWS.replace(ODIM=4, OWI=2, KUNROLL=2), took_us=35.24, ratio=1.19),
    Row((300, 1, 7000), "nn", _ROWS.replace(ODIM=1, KDIM=256, KUNROLL=2), took_us=7.84, ratio=1.20),
    Row((64, 1, 65536), "nn", _ROWS.replace(ODIM=2, KDIM=128, SPLIT=16, ARRIVE=1), took_us=11.20, ratio=1.09),
    Row((1, 1000, 1000), "nn", _COLUMNS.replace(ODIM=4), took_us=5.94, ratio=2.35),
    Row((1, 2048, 2048), "nn", _COLUMNS.replace(ODIM=4, KDIM=256, KUNROLL=2), took_us=10.73, ratio=0.81),
    Row((1, 4096, 4096), "nn", _COLUMNS.replace(KUNROLL=16), took_us=21.91, ratio=0.86),
    Row((1, 14336, 4096), "nn", _COLUMNS.replace(KDIM=64, KUNROLL=16), took_us=57.44, ratio=0.99),
    Row((1, 30000, 1000), "nn", _COLUMNS.replace(ODIM=32, KDIM=32, KUNROLL=16), took_us=32.63, ratio=1.02),
    Row((1, 100000, 64), "nn", _COLUMNS.replace(ODIM=32, KDIM=8), took_us=11.30, ratio=1.13),
    Row((1, 300, 7000), "nn", _COLUMNS.replace(KDIM=64, KUNROLL=2, SPLIT=32, ARRIVE=1), took_us=9.68, ratio=0.81),
    Row((1, 64, 65536), "nn", _COLUMNS.replace(ODIM=4, KDIM=256, KUNROLL=2, SPLIT=32, ARRIVE=1), took_us=12.04, ratio=0.79),
    Row((2, 4096, 4096), "nn", _COLUMNS.replace(ODIM=32, KDIM=8, FEW=2, KUNROLL=4, SPLIT=24, ARRIVE=1), took_us=23.70, ratio=2.77),
    Row((3, 4096, 4096), "nn", _COLUMNS.replace(KDIM=64, FEW=4, KUNROLL=2, SPLIT=3, ARRIVE=1), took_us=25.71, ratio=2.57),
    Row((4096, 2, 4096), "nn", _ROWS.replace(ODIM=2, KDIM=128, OWI=2, FEW=2, KUNROLL=4), took_us=26.94, ratio=1.56),
    Row((4096, 4, 4096), "nt", _ROWS.replace(ODIM=1, KDIM=128, OWI=2, FEW=4, KUNROLL=4), took_us=25.47, ratio=1.68),
)  # fmt: skip

_ZEN5 = "AMD EPYC Zen 5, AVX-512, 2 cores, Intel OpenCL CPU runtime 2026, 2026-11-22, OpenBLAS"
_CORE = START.replace(ODIM=1, KDIM=1, VW=16)
CORES = (
    Row((1024, 1, 1024), "nn", _CORE.replace(OWI=4), took_us=67.8, ratio=0.44, where=_ZEN5),
    Row((4096, 1, 4096), "nn", _CORE.replace(OWI=4), took_us=2146, ratio=0.92, where=_ZEN5),
    Row((1, 1024, 1024), "nn", _CORE.replace(OWI=8), took_us=70.8, ratio=0.60, where=_ZEN5),
    Row((1, 4096, 4096), "nn", _CORE.replace(OWI=8), took_us=2351, ratio=0.90, where=_ZEN5),
)  # fmt: skip
TABLES = {TARGET: H200, "x86-64-avx512": CORES}
"""Rows by `Device.target`."""

PRESETS = tuple(
    Preset(
        config=row.config,
        implementation="opencl-skinny",
        target=target,
        sizes=DEFAULT.sizes.replace(op=row.op, **dict(zip("mnk", row.shape, strict=True))),
        evidence=row.evidence,
    )
    for target, rows in TABLES.items()
    for row in rows
)
