"""Configurations of the stream-K kernel for few rows that won on an H200, by shape."""

from __future__ import annotations

from hotloop.kernels.gemm.shared.row import Row
from hotloop.model.space import Config

TABLE = (
    Row(
        m=1, n=4096, k=14336, epilogue="bias-gelu-erf", time_us=29.37, ratio=1.081,
        config=Config(BM=16, BN=64, BK=256, STAGES=5, CHAIN=4),
    ),
    Row(
        m=1, n=8192, k=8192, epilogue="bias-gelu-erf", time_us=31.75, ratio=1.112,
        config=Config(BM=8, BN=64, BK=128, STAGES=11, CHAIN=1),
    ),
    Row(
        m=16, n=4096, k=14336, epilogue="bias-gelu-erf", time_us=29.39, ratio=1.211,
        config=Config(BM=16, BN=64, BK=256, STAGES=5, CHAIN=4),
    ),
    Row(
        m=16, n=8192, k=8192, epilogue="bias-gelu-erf", time_us=31.8, ratio=1.085,
        config=Config(BM=16, BN=64, BK=256, STAGES=5, CHAIN=4),
    ),
)  # fmt: skip
