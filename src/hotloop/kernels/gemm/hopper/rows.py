"""Configurations of the warp-specialized kernel that won on an H200, by shape."""

from __future__ import annotations

from hotloop.kernels.gemm.shared.row import Row
from hotloop.model.space import Config

TABLE = (
    Row(
        m=2048, n=2048, k=2048, time_us=24.14, ratio=1.014,
        config=Config(BM=128, BN=128, BK=64, GROUP=8, SPLITS=1, STAGES=6, GROUPS=2, TAKE_TURNS=1, AHEAD=0, BUFFERS=1, CHAIN=1),
    ),
    Row(
        m=4096, n=4096, k=4096, time_us=173.93, ratio=1.004,
        config=Config(BM=128, BN=256, BK=64, GROUP=16, SPLITS=1, STAGES=4, GROUPS=2, TAKE_TURNS=0, AHEAD=0, BUFFERS=2, CHAIN=1),
    ),
    Row(
        m=8192, n=8192, k=8192, time_us=1559.82, ratio=1.02,
        config=Config(BM=256, BN=128, BK=64, GROUP=8, SPLITS=1, STAGES=4, GROUPS=2, TAKE_TURNS=0, AHEAD=2, BUFFERS=1, CHAIN=1),
    ),
    Row(
        m=256, n=8192, k=8192, time_us=49.7, ratio=0.991,
        config=Config(BM=128, BN=128, BK=64, GROUP=8, SPLITS=1, STAGES=6, GROUPS=2, TAKE_TURNS=0, AHEAD=0, BUFFERS=2, CHAIN=1),
    ),
    Row(
        m=1024, n=1024, k=1024, epilogue="bias-gelu-erf", time_us=6.41, ratio=1.426,
        config=Config(BM=64, BN=128, BK=64, GROUP=8, SPLITS=1, STAGES=8, GROUPS=1, TAKE_TURNS=0, AHEAD=0, BUFFERS=1, CHAIN=1),
    ),
    Row(
        m=2048, n=2048, k=2048, epilogue="bias-gelu-erf", time_us=27.03, ratio=1.186,
        config=Config(BM=128, BN=128, BK=64, GROUP=8, SPLITS=1, STAGES=6, GROUPS=2, TAKE_TURNS=0, AHEAD=0, BUFFERS=2, CHAIN=1),
    ),
    Row(
        m=4096, n=4096, k=4096, epilogue="bias-gelu-erf", time_us=185.88, ratio=1.086,
        config=Config(BM=128, BN=256, BK=64, GROUP=8, SPLITS=1, STAGES=4, GROUPS=2, TAKE_TURNS=0, AHEAD=3, BUFFERS=2, CHAIN=1),
    ),
    Row(
        m=8192, n=8192, k=8192, epilogue="bias-gelu-erf", time_us=1621.82, ratio=1.039,
        config=Config(BM=256, BN=128, BK=64, GROUP=8, SPLITS=1, STAGES=4, GROUPS=2, TAKE_TURNS=0, AHEAD=2, BUFFERS=1, CHAIN=0),
    ),
    Row(
        m=256, n=8192, k=8192, epilogue="bias-gelu-erf", time_us=51.35, ratio=1.064,
        config=Config(BM=128, BN=128, BK=64, GROUP=8, SPLITS=1, STAGES=6, GROUPS=2, TAKE_TURNS=0, AHEAD=0, BUFFERS=2, CHAIN=1),
    ),
    Row(
        m=8192, n=4096, k=1024, epilogue="bias-gelu-erf", time_us=114.31, ratio=1.423,
        config=Config(BM=64, BN=256, BK=64, GROUP=16, SPLITS=1, STAGES=5, GROUPS=2, TAKE_TURNS=1, AHEAD=0, BUFFERS=1, CHAIN=0),
    ),
    Row(
        m=16384, n=3072, k=768, epilogue="bias-gelu-erf", time_us=130.41, ratio=1.555,
        config=Config(BM=64, BN=256, BK=64, GROUP=16, SPLITS=1, STAGES=5, GROUPS=2, TAKE_TURNS=1, AHEAD=0, BUFFERS=1, CHAIN=0),
    ),
    Row(
        m=4096, n=5120, k=1280, epilogue="bias-gelu-erf", time_us=87.85, ratio=1.35,
        config=Config(BM=64, BN=256, BK=64, GROUP=16, SPLITS=1, STAGES=5, GROUPS=2, TAKE_TURNS=1, AHEAD=0, BUFFERS=1, CHAIN=0),
    ),
    Row(
        m=4096, n=6400, k=1600, epilogue="bias-gelu-erf", time_us=142.77, ratio=1.351,
        config=Config(BM=64, BN=256, BK=64, GROUP=16, SPLITS=1, STAGES=5, GROUPS=2, TAKE_TURNS=1, AHEAD=0, BUFFERS=1, CHAIN=0),
    ),
)  # fmt: skip
