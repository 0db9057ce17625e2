"""Configurations of the bf16 kernels that won on an H200, by shape: what to launch, and evidence for it.

`kind` names a kernel and the order of its constants, as `benchmarks/gpu/gemm.py` lists them: ``persistent``, ``split`` and
``meet`` of `jit.py`; ``hopper`` (also ``hopper-ahead``) of `gluon_hopper.py`, ``skinny`` of `gluon_skinny.py`. Measured
2026-11-22 on one NVIDIA H200 (driver 580.159, PyTorch 2.11, CUDA 13.0, Triton 3.6) in CUDA graphs of back-to-back calls, 3 to 8 interleaved rounds with
the peer, inputs beyond the second-level cache; each result was checked against float64. Where two runs chose the same, the
ratio is the mean of both.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """The fastest of the configurations that were tried on a shape."""

    shape: tuple[int, int, int]
    """m, n, k; all operands row-major bf16."""
    epilogue: str
    """What is fused, in the family's words: ``none`` or ``bias-gelu-erf``."""
    kind: str
    config: tuple[int | bool, ...]
    time_us: float
    """Median of one call."""
    ratio: float
    """Peer's time over this one's, median of rounds: cuBLAS; with GELU ``F.gelu(F.linear(x, w, b))`` in eager PyTorch."""
    chain: int = 0
    """How a launch begins while the kernel before it ends (programmatic dependent launch): not, 1 early, 2 late, 3 after the
    products; see `jit.py`. For 4 and 5 see `gluon_skinny.skinny`."""


TABLE = (
    Known((1024, 1024, 1024), "none", "persistent", (64, 128, 128, 8, 4, 4, False, True, 1), 5.65, 0.990, chain=1),
    Known((2048, 2048, 2048), "none", "hopper", (128, 128, 64, 6, 2, True, 1, 8), 24.14, 1.014, chain=1),
    Known((4096, 4096, 4096), "none", "hopper", (128, 256, 64, 4, 2, False, 2, 16), 173.93, 1.004, chain=1),
    Known((8192, 8192, 8192), "none", "hopper-ahead", (256, 128, 64, 4, 2, False, 1, 8, 2), 1559.82, 1.020, chain=1),
    Known((512, 512, 16384), "none", "meet", (128, 64, 64, 8, 4, 8, 4), 17.94, 0.992, chain=3),
    Known((256, 1024, 32768), "none", "meet", (128, 128, 64, 8, 8, 6, 8), 30.77, 1.026, chain=1),
    Known((1, 4096, 4096), "none", "split", (16, 64, 128, 1, 4, 5, 2), 10.80, 1.151, chain=1),
    Known((1, 14336, 4096), "none", "split", (16, 64, 128, 1, 4, 5, 1), 29.85, 1.040, chain=2),
    Known((1, 4096, 14336), "none", "split", (16, 64, 128, 1, 4, 6, 2), 30.03, 1.006, chain=1),
    Known((1, 8192, 8192), "none", "split", (16, 64, 128, 1, 4, 6, 1), 32.70, 1.001, chain=1),
    Known((16, 4096, 4096), "none", "split", (16, 32, 256, 1, 4, 4, 1), 10.99, 1.139, chain=3),
    Known((16, 14336, 4096), "none", "split", (16, 64, 128, 1, 4, 5, 1), 30.46, 0.984, chain=2),
    Known((16, 4096, 14336), "none", "split", (16, 64, 256, 1, 4, 3, 2), 30.34, 1.015, chain=1),
    Known((16, 8192, 8192), "none", "split", (16, 64, 128, 1, 4, 5, 1), 32.45, 1.002, chain=3),
    Known((64, 4096, 4096), "none", "split", (64, 32, 256, 1, 4, 4, 1), 11.12, 1.002, chain=3),
    Known((64, 14336, 4096), "none", "persistent", (64, 128, 128, 8, 4, 4, False, True, 1), 30.42, 1.019, chain=2),
    Known((64, 4096, 14336), "none", "meet", (64, 64, 128, 1, 4, 5, 2), 31.98, 1.052),
    Known((64, 8192, 8192), "none", "split", (64, 64, 128, 1, 4, 5, 1), 33.83, 1.005, chain=3),
    Known((256, 4096, 4096), "none", "persistent", (64, 128, 128, 8, 4, 4, False, True, 1), 15.88, 0.970, chain=2),
    Known((256, 14336, 4096), "none", "persistent", (128, 256, 64, 8, 8, 4, True, True, 1), 46.51, 0.980, chain=1),
    Known((256, 4096, 14336), "none", "meet", (128, 128, 64, 8, 8, 6, 2), 47.68, 1.019, chain=1),
    Known((256, 8192, 8192), "none", "hopper", (128, 128, 64, 6, 2, False, 2, 8), 49.70, 0.991, chain=1),
    Known((1024, 1024, 1024), "bias-gelu-erf", "hopper", (64, 128, 64, 8, 1, False, 1, 8), 6.41, 1.426, chain=1),
    Known((2048, 2048, 2048), "bias-gelu-erf", "hopper", (128, 128, 64, 6, 2, False, 2, 8), 27.03, 1.186, chain=1),
    Known(
        (4096, 4096, 4096),
        "bias-gelu-erf",
        "hopper-ahead",
        (128, 256, 64, 4, 2, False, 2, 8, 3),
        185.88,
        1.086,
        chain=1,
    ),
    Known((8192, 8192, 8192), "bias-gelu-erf", "hopper-ahead", (256, 128, 64, 4, 2, False, 1, 8, 2), 1621.82, 1.039),
    Known((512, 512, 16384), "bias-gelu-erf", "meet", (64, 128, 64, 8, 4, 8, 4), 17.84, 1.744, chain=3),
    Known((256, 1024, 32768), "bias-gelu-erf", "meet", (64, 128, 64, 8, 4, 8, 4), 31.32, 1.839, chain=3),
    Known((1, 4096, 4096), "bias-gelu-erf", "split", (16, 64, 128, 1, 4, 5, 2), 10.96, 1.276, chain=1),
    Known((1, 14336, 4096), "bias-gelu-erf", "split", (16, 64, 128, 1, 4, 5, 1), 29.68, 1.196, chain=3),
    Known((1, 4096, 14336), "bias-gelu-erf", "skinny", (16, 64, 256, 5), 29.37, 1.081, chain=4),
    Known((1, 8192, 8192), "bias-gelu-erf", "skinny", (8, 64, 128, 11), 31.75, 1.112, chain=1),
    Known((16, 4096, 4096), "bias-gelu-erf", "split", (16, 32, 256, 1, 4, 4, 1), 10.76, 1.319, chain=3),
    Known((16, 14336, 4096), "bias-gelu-erf", "split", (16, 64, 128, 1, 4, 5, 1), 30.30, 1.050, chain=3),
    Known((16, 4096, 14336), "bias-gelu-erf", "skinny", (16, 64, 256, 5), 29.39, 1.211, chain=4),
    Known((16, 8192, 8192), "bias-gelu-erf", "skinny", (16, 64, 256, 5), 31.80, 1.085, chain=4),
    Known((64, 4096, 4096), "bias-gelu-erf", "split", (64, 32, 256, 1, 4, 4, 1), 11.55, 1.199, chain=3),
    Known((64, 14336, 4096), "bias-gelu-erf", "split", (64, 128, 128, 1, 4, 4, 1), 30.87, 1.118, chain=2),
    Known((64, 4096, 14336), "bias-gelu-erf", "meet", (64, 64, 128, 1, 4, 5, 2), 31.84, 1.015, chain=3),
    Known((64, 8192, 8192), "bias-gelu-erf", "split", (64, 64, 128, 1, 4, 5, 1), 34.22, 1.065, chain=2),
    Known((256, 4096, 4096), "bias-gelu-erf", "split", (128, 64, 64, 8, 4, 7, 1), 16.18, 1.173, chain=3),
    Known(
        (256, 14336, 4096), "bias-gelu-erf", "persistent", (128, 256, 64, 8, 8, 4, True, True, 1), 49.11, 1.093, chain=1
    ),
    Known((256, 4096, 14336), "bias-gelu-erf", "meet", (128, 128, 64, 8, 4, 6, 2), 48.55, 1.127, chain=3),
    Known((256, 8192, 8192), "bias-gelu-erf", "hopper", (128, 128, 64, 6, 2, False, 2, 8), 51.35, 1.064, chain=1),
    Known((8192, 4096, 1024), "bias-gelu-erf", "hopper", (64, 256, 64, 5, 2, True, 1, 16), 114.31, 1.423),
    Known((16384, 3072, 768), "bias-gelu-erf", "hopper", (64, 256, 64, 5, 2, True, 1, 16), 130.41, 1.555),
    Known((4096, 5120, 1280), "bias-gelu-erf", "hopper", (64, 256, 64, 5, 2, True, 1, 16), 87.85, 1.350),
    Known((4096, 6400, 1600), "bias-gelu-erf", "hopper", (64, 256, 64, 5, 2, True, 1, 16), 142.77, 1.351),
)
