"""Configurations that won on a machine we measured, by instruction set and problem size: seeds for dispatch and search.

Each row says where it was measured and how it compared with OpenBLAS in the same interleaved run, because a table of
parameters without evidence cannot be told from a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from hotloop.kernels.gemm.opencl.space import NAIVE
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.model.kernel import Preset
from hotloop.model.space import Config

CPU = NAIVE.replace(MDIM=1, NDIM=1, SA=0, SB=0)
"""One work-item per group and no local memory: where every CPU configuration starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A configuration for problems up to a size."""

    path: str
    """``direct``: operands read where they lie, one launch; ``packed``: panels first."""
    up_to: float
    """Largest cube root of m·n·k that it is meant for; infinite in a table's last row."""
    config: Config
    machine: str
    runtime: str
    date: str
    n: int
    """Square size of the measurement."""
    gflops: float
    """fp32, pack launches included; best of the run for AVX2, median for AVX-512."""
    openblas_gflops: float
    """The same statistic of OpenBLAS in the same run, two threads, with the core type that fits the machine."""
    paired: float | None = None
    """Median over interleaved rounds of OpenBLAS' median time over this one's; None where it was not recorded."""

    @property
    def ratio(self) -> float:
        """Speed relative to OpenBLAS in the same run: of the rounds where they are known, else of these calls."""
        return self.paired if self.paired is not None else self.gflops / self.openblas_gflops


_on = partial(Row, runtime="Intel OpenCL CPU runtime 2026", date="2026-11-21")
_zen3 = partial(_on, machine="AMD EPYC Zen 3, AVX2, 2 cores, 32 KiB L1, 512 KiB L2")
_zen5 = partial(_on, machine="AMD EPYC Zen 5, AVX-512, 2 cores")
_INFINITE = float("inf")

_AVX2_TILE = CPU.replace(MWI=6, NWI=16, VW=8, KUNROLL=4)
"""12 sums, 2 vectors of B and 1 broadcast fill 15 of 16 registers; 12 chains cover 4 cycles x 2 FMA units."""
_AVX2_256 = _AVX2_TILE.replace(SB=2, KC=256, MPI=43, NPI=8)
_AVX2_512 = _AVX2_TILE.replace(SB=2, KC=512, MPI=22, NPI=8)
_AVX2_1024 = _AVX2_TILE.replace(PACK=2, KC=512, MPI=11, NPI=16)
_AVX2_2048 = _AVX2_TILE.replace(PACK=2, KC=256, MPI=22, NPI=16, PREFETCH=1)
_AVX512_TILE = CPU.replace(NWI=32, VW=16, KUNROLL=4)
"""Rows of 2 vectors: 8 rows leave 14 of 32 registers free, 12 rows 6; the smaller tile wins where tiles are few."""
_AVX512_256 = _AVX512_TILE.replace(MWI=8, MPI=4, NPI=4)
_AVX512_512 = _AVX512_TILE.replace(MWI=12, MPI=4, NPI=4)
_AVX512_1024 = _AVX512_TILE.replace(MWI=12, PACK=1, SA=2, MPI=1, NPI=32)
"""Strips of 12 rows whose A is packed by the group itself, see the technique `pack-in-group`."""
_AVX512_2048 = _AVX512_TILE.replace(MWI=12, PACK=2, MPI=11, NPI=4)

TABLES: dict[str, tuple[Row, ...]] = {
    "x86-64-avx2": (
        _zen3(path="direct", up_to=384, config=_AVX2_256, n=256, gflops=182.2, openblas_gflops=175.3, paired=1.039),
        _zen3(path="direct", up_to=768, config=_AVX2_512, n=512, gflops=174.7, openblas_gflops=165.3, paired=1.042),
        _zen3(path="packed", up_to=1500, config=_AVX2_1024, n=1024, gflops=172.7, openblas_gflops=165.9, paired=1.080),
        _zen3(path="packed", up_to=_INFINITE, config=_AVX2_2048, n=2048, gflops=166.7, openblas_gflops=167.8, paired=0.988),
    ),
    "x86-64-avx512": (
        _zen5(path="direct", up_to=384, config=_AVX512_256, n=256, gflops=255.8, openblas_gflops=242.8, paired=1.082),
        _zen5(path="direct", up_to=768, config=_AVX512_512, n=512, gflops=319.2, openblas_gflops=290.0, paired=1.115),
        _zen5(path="packed", up_to=1500, config=_AVX512_1024, n=1024, gflops=365.0, openblas_gflops=345.0, paired=1.025, date="2026-11-22"),
        _zen5(path="packed", up_to=_INFINITE, config=_AVX512_2048, n=2048, gflops=361.6, openblas_gflops=389.5, paired=0.991),
    ),
}  # fmt: skip
"""Rows by `Device.target`, ascending `up_to`, which lies midway between measured sizes. AVX2: 10 to 17 rounds, each
contender started on an idle machine (other load below 8 %), FMA ceiling 197 GFLOP/s on both cores. AVX-512: `hotloop bench` with eight contenders in one
interleaved run per size on an otherwise idle machine, medians, OpenBLAS with its SkylakeX kernels; its threads still spun during the sample
that followed each of its own, so where a table's row came right before it the row's median is too slow. The row for 1024 was measured alone with
the peers a day later, while the machine was half as fast for part of the run (paired 0.87 to 1.26)."""

PRESETS = tuple(
    Preset(
        config=row.config,
        implementation="opencl",
        target=target,
        sizes=DEFAULT.sizes.replace(m=row.n, n=row.n, k=row.n),
        evidence=f"{row.machine}, {row.runtime}, {row.date}: {row.ratio:.2f} of OpenBLAS at n={row.n}",
    )
    for target, rows in TABLES.items()
    for row in rows
)
