"""Configurations of the persistent kernel that won on an H200, by shape."""

from __future__ import annotations

from hotloop.kernels.gemm.shared.row import Row
from hotloop.model.space import Config

TABLE = (
    Row(
        m=1024, n=1024, k=1024, time_us=5.65, ratio=0.99,
        config=Config(BM=64, BN=128, BK=128, GROUP=8, RESIDENT=1, HALVES=0, FLATTEN=1, CHAIN=1, num_warps=4, num_stages=4),
    ),
    Row(
        m=64, n=14336, k=4096, time_us=30.42, ratio=1.019,
        config=Config(BM=64, BN=128, BK=128, GROUP=8, RESIDENT=1, HALVES=0, FLATTEN=1, CHAIN=2, num_warps=4, num_stages=4),
    ),
    Row(
        m=256, n=4096, k=4096, time_us=15.88, ratio=0.97,
        config=Config(BM=64, BN=128, BK=128, GROUP=8, RESIDENT=1, HALVES=0, FLATTEN=1, CHAIN=2, num_warps=4, num_stages=4),
    ),
    Row(
        m=256, n=14336, k=4096, time_us=46.51, ratio=0.98,
        config=Config(BM=128, BN=256, BK=64, GROUP=8, RESIDENT=1, HALVES=1, FLATTEN=1, CHAIN=1, num_warps=8, num_stages=4),
    ),
    Row(
        m=256, n=14336, k=4096, epilogue="bias-gelu-erf", time_us=49.11, ratio=1.093,
        config=Config(BM=128, BN=256, BK=64, GROUP=8, RESIDENT=1, HALVES=1, FLATTEN=1, CHAIN=1, num_warps=8, num_stages=4),
    ),
)  # fmt: skip
