"""Configurations of the bf16 kernels that won on an H200, by shape: what to launch, and evidence for it.

`kind` names a kernel and the order of its constants, as `benchmarks/gpu/gemm.py` lists them: ``persistent``, ``split`` and
``meet`` of `jit.py`; ``hopper`` (also ``hopper-ahead``) and ``skinny`` of `gluon_hopper.py`. Measured 2026-11-22 on one NVIDIA
H200 (driver 580.159, PyTorch 2.11, CUDA 13.0, Triton 3.6) in CUDA graphs of back-to-back calls, 8 interleaved rounds with
the peer, inputs beyond the second-level cache; each result was checked against float64.
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


TABLE = (
    Known((1024, 1024, 1024), "none", "persistent", (64, 128, 128, 8, 4, 4, False, True, 1), 6.29, 0.985),
    Known((2048, 2048, 2048), "none", "persistent", (128, 256, 64, 8, 8, 4, True, True, 1), 25.14, 0.982),
    Known((4096, 4096, 4096), "none", "hopper", (128, 256, 64, 4, 2, False, 2, 16), 195.47, 0.999),
    Known((8192, 8192, 8192), "none", "persistent", (64, 256, 64, 8, 4, 4, True, True, 1), 1771.56, 1.001),
    Known((512, 512, 16384), "none", "meet", (128, 128, 64, 8, 8, 6, 8), 18.81, 0.950),
    Known((256, 1024, 32768), "none", "meet", (128, 128, 64, 8, 8, 6, 8), 32.29, 1.014),
    Known((1, 4096, 4096), "none", "split", (16, 64, 256, 1, 4, 3, 2), 11.40, 1.085),
    Known((1, 14336, 4096), "none", "skinny", (16, 64, 256, 5), 33.10, 0.997),
    Known((1, 4096, 14336), "none", "split", (16, 64, 256, 1, 4, 3, 2), 30.49, 1.012),
    Known((1, 8192, 8192), "none", "split", (16, 64, 256, 1, 4, 4, 1), 33.56, 1.005),
    Known((16, 4096, 4096), "none", "split", (16, 32, 256, 1, 4, 4, 1), 11.34, 1.107),
    Known((16, 14336, 4096), "none", "split", (16, 64, 256, 1, 4, 4, 1), 31.90, 0.996),
    Known((16, 4096, 14336), "none", "split", (16, 64, 256, 1, 4, 3, 2), 30.87, 1.031),
    Known((16, 8192, 8192), "none", "split", (16, 64, 256, 1, 4, 4, 1), 33.46, 1.000),
    Known((64, 4096, 4096), "none", "persistent", (64, 32, 256, 8, 4, 4, False, True, 1), 12.00, 0.965),
    Known((64, 14336, 4096), "none", "persistent", (64, 128, 128, 8, 4, 4, False, True, 1), 30.49, 1.066),
    Known((64, 4096, 14336), "none", "meet", (64, 64, 128, 1, 4, 5, 2), 32.71, 1.065),
    Known((64, 8192, 8192), "none", "persistent", (64, 64, 128, 8, 4, 5, False, True, 1), 35.01, 0.993),
    Known((256, 4096, 4096), "none", "persistent", (64, 128, 128, 8, 4, 4, False, True, 1), 17.35, 0.936),
    Known((256, 14336, 4096), "none", "persistent", (128, 256, 64, 8, 8, 4, True, True, 1), 50.51, 0.992),
    Known((256, 4096, 14336), "none", "meet", (128, 128, 64, 8, 8, 6, 2), 54.67, 1.016),
    Known((256, 8192, 8192), "none", "hopper", (128, 128, 64, 6, 2, False, 2, 8), 56.43, 0.992),
    Known((2048, 2048, 2048), "bias-gelu-erf", "hopper", (128, 128, 64, 6, 2, True, 1, 8), 28.59, 1.145),
    Known((4096, 4096, 4096), "bias-gelu-erf", "hopper-ahead", (128, 256, 64, 4, 2, False, 2, 8, 3), 206.62, 1.076),
    Known((8192, 8192, 8192), "bias-gelu-erf", "hopper-ahead", (256, 128, 64, 4, 2, False, 1, 8, 2), 1738.16, 1.041),
    Known((256, 14336, 4096), "bias-gelu-erf", "hopper", (256, 128, 64, 4, 2, False, 1, 4), 51.39, 1.069),
    Known((8192, 4096, 1024), "bias-gelu-erf", "hopper", (64, 256, 64, 5, 2, True, 1, 16), 114.31, 1.423),
    Known((16384, 3072, 768), "bias-gelu-erf", "hopper", (64, 256, 64, 5, 2, True, 1, 16), 130.41, 1.555),
    Known((4096, 5120, 1280), "bias-gelu-erf", "hopper", (64, 256, 64, 5, 2, True, 1, 16), 87.85, 1.350),
    Known((4096, 6400, 1600), "bias-gelu-erf", "hopper", (64, 256, 64, 5, 2, True, 1, 16), 142.77, 1.351),
)
