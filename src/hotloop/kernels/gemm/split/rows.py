"""Configurations of the kernels that split k, `split` and `meet`, that won on an H200, by shape."""

from __future__ import annotations

from hotloop.kernels.gemm.shared.row import Row
from hotloop.model.space import Config

SPLIT = (
    Row(
        m=1, n=4096, k=4096, time_us=10.8, ratio=1.151,
        config=Config(BM=16, BN=64, BK=128, GROUP=1, SPLITS=2, CHAIN=1, num_warps=4, num_stages=5),
    ),
    Row(
        m=1, n=14336, k=4096, time_us=29.85, ratio=1.04,
        config=Config(BM=16, BN=64, BK=128, GROUP=1, SPLITS=1, CHAIN=2, num_warps=4, num_stages=5),
    ),
    Row(
        m=1, n=4096, k=14336, time_us=30.03, ratio=1.006,
        config=Config(BM=16, BN=64, BK=128, GROUP=1, SPLITS=2, CHAIN=1, num_warps=4, num_stages=6),
    ),
    Row(
        m=1, n=8192, k=8192, time_us=32.7, ratio=1.001,
        config=Config(BM=16, BN=64, BK=128, GROUP=1, SPLITS=1, CHAIN=1, num_warps=4, num_stages=6),
    ),
    Row(
        m=16, n=4096, k=4096, time_us=10.99, ratio=1.139,
        config=Config(BM=16, BN=32, BK=256, GROUP=1, SPLITS=1, CHAIN=3, num_warps=4, num_stages=4),
    ),
    Row(
        m=16, n=14336, k=4096, time_us=30.46, ratio=0.984,
        config=Config(BM=16, BN=64, BK=128, GROUP=1, SPLITS=1, CHAIN=2, num_warps=4, num_stages=5),
    ),
    Row(
        m=16, n=4096, k=14336, time_us=30.34, ratio=1.015,
        config=Config(BM=16, BN=64, BK=256, GROUP=1, SPLITS=2, CHAIN=1, num_warps=4, num_stages=3),
    ),
    Row(
        m=16, n=8192, k=8192, time_us=32.45, ratio=1.002,
        config=Config(BM=16, BN=64, BK=128, GROUP=1, SPLITS=1, CHAIN=3, num_warps=4, num_stages=5),
    ),
    Row(
        m=64, n=4096, k=4096, time_us=11.12, ratio=1.002,
        config=Config(BM=64, BN=32, BK=256, GROUP=1, SPLITS=1, CHAIN=3, num_warps=4, num_stages=4),
    ),
    Row(
        m=64, n=8192, k=8192, time_us=33.83, ratio=1.005,
        config=Config(BM=64, BN=64, BK=128, GROUP=1, SPLITS=1, CHAIN=3, num_warps=4, num_stages=5),
    ),
    Row(
        m=1, n=4096, k=4096, epilogue="bias-gelu-erf", time_us=10.96, ratio=1.276,
        config=Config(BM=16, BN=64, BK=128, GROUP=1, SPLITS=2, CHAIN=1, num_warps=4, num_stages=5),
    ),
    Row(
        m=1, n=14336, k=4096, epilogue="bias-gelu-erf", time_us=29.68, ratio=1.196,
        config=Config(BM=16, BN=64, BK=128, GROUP=1, SPLITS=1, CHAIN=3, num_warps=4, num_stages=5),
    ),
    Row(
        m=16, n=4096, k=4096, epilogue="bias-gelu-erf", time_us=10.76, ratio=1.319,
        config=Config(BM=16, BN=32, BK=256, GROUP=1, SPLITS=1, CHAIN=3, num_warps=4, num_stages=4),
    ),
    Row(
        m=16, n=14336, k=4096, epilogue="bias-gelu-erf", time_us=30.3, ratio=1.05,
        config=Config(BM=16, BN=64, BK=128, GROUP=1, SPLITS=1, CHAIN=3, num_warps=4, num_stages=5),
    ),
    Row(
        m=64, n=4096, k=4096, epilogue="bias-gelu-erf", time_us=11.55, ratio=1.199,
        config=Config(BM=64, BN=32, BK=256, GROUP=1, SPLITS=1, CHAIN=3, num_warps=4, num_stages=4),
    ),
    Row(
        m=64, n=14336, k=4096, epilogue="bias-gelu-erf", time_us=30.87, ratio=1.118,
        config=Config(BM=64, BN=128, BK=128, GROUP=1, SPLITS=1, CHAIN=2, num_warps=4, num_stages=4),
    ),
    Row(
        m=64, n=8192, k=8192, epilogue="bias-gelu-erf", time_us=34.22, ratio=1.065,
        config=Config(BM=64, BN=64, BK=128, GROUP=1, SPLITS=1, CHAIN=2, num_warps=4, num_stages=5),
    ),
    Row(
        m=256, n=4096, k=4096, epilogue="bias-gelu-erf", time_us=16.18, ratio=1.173,
        config=Config(BM=128, BN=64, BK=64, GROUP=8, SPLITS=1, CHAIN=3, num_warps=4, num_stages=7),
    ),
)  # fmt: skip

MEET = (
    Row(
        m=512, n=512, k=16384, time_us=17.94, ratio=0.992,
        config=Config(BM=128, BN=64, BK=64, GROUP=8, SPLITS=4, CHAIN=3, num_warps=4, num_stages=8),
    ),
    Row(
        m=256, n=1024, k=32768, time_us=30.77, ratio=1.026,
        config=Config(BM=128, BN=128, BK=64, GROUP=8, SPLITS=8, CHAIN=1, num_warps=8, num_stages=6),
    ),
    Row(
        m=64, n=4096, k=14336, time_us=31.98, ratio=1.052,
        config=Config(BM=64, BN=64, BK=128, GROUP=1, SPLITS=2, CHAIN=0, num_warps=4, num_stages=5),
    ),
    Row(
        m=256, n=4096, k=14336, time_us=47.68, ratio=1.019,
        config=Config(BM=128, BN=128, BK=64, GROUP=8, SPLITS=2, CHAIN=1, num_warps=8, num_stages=6),
    ),
    Row(
        m=512, n=512, k=16384, epilogue="bias-gelu-erf", time_us=17.84, ratio=1.744,
        config=Config(BM=64, BN=128, BK=64, GROUP=8, SPLITS=4, CHAIN=3, num_warps=4, num_stages=8),
    ),
    Row(
        m=256, n=1024, k=32768, epilogue="bias-gelu-erf", time_us=31.32, ratio=1.839,
        config=Config(BM=64, BN=128, BK=64, GROUP=8, SPLITS=4, CHAIN=3, num_warps=4, num_stages=8),
    ),
    Row(
        m=64, n=4096, k=14336, epilogue="bias-gelu-erf", time_us=31.84, ratio=1.015,
        config=Config(BM=64, BN=64, BK=128, GROUP=1, SPLITS=2, CHAIN=3, num_warps=4, num_stages=5),
    ),
    Row(
        m=256, n=4096, k=14336, epilogue="bias-gelu-erf", time_us=48.55, ratio=1.127,
        config=Config(BM=128, BN=128, BK=64, GROUP=8, SPLITS=2, CHAIN=3, num_warps=4, num_stages=6),
    ),
)  # fmt: skip
