"""Configurations of the bf16 kernels that won on an H200, by shape: what to launch, and evidence for it.

`kind` names a kernel and the order of its constants, as `benchmarks/gpu/gemm.py` lists them: ``persistent``, ``split`` and
``meet`` of `jit.py`; ``hopper`` (also ``hopper-ahead``) and ``skinny`` of `gluon_hopper.py`. Measured 2026-11-22 on one NVIDIA
H200 (driver 580.159, PyTorch 2.11, CUDA 13.0, Triton 3.6) in CUDA graphs of back-to-back calls, 3 to 8 interleaved rounds with
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
    """How a launch begins while the kernel before it ends (programmatic dependent launch): not, 1 early, 2 late; see `jit.py`."""


TABLE = (
    Known((1024, 1024, 1024), "none", "persistent", (64, 128, 128, 8, 4, 4, False, True, 1), 5.65, 0.990, chain=1),
    Known((2048, 2048, 2048), "none", "hopper", (128, 128, 64, 6, 2, True, 1, 8), 24.14, 1.014, chain=1),
    Known((4096, 4096, 4096), "none", "hopper", (128, 256, 64, 4, 2, False, 2, 16), 173.93, 1.004, chain=1),
    Known((8192, 8192, 8192), "none", "hopper-ahead", (256, 128, 64, 4, 2, False, 1, 8, 2), 1559.82, 1.020, chain=1),
    Known((512, 512, 16384), "none", "meet", (128, 128, 64, 8, 8, 6, 8), 19.86, 0.941, chain=1),
    Known((256, 1024, 32768), "none", "meet", (128, 128, 64, 8, 8, 6, 8), 30.77, 1.026, chain=1),
    Known((1, 4096, 4096), "none", "split", (16, 64, 128, 1, 4, 5, 2), 10.80, 1.151, chain=1),
    Known((1, 14336, 4096), "none", "split", (16, 64, 128, 1, 4, 5, 1), 31.14, 0.995, chain=2),
    Known((1, 4096, 14336), "none", "split", (16, 64, 128, 1, 4, 6, 2), 30.03, 1.006, chain=1),
    Known((1, 8192, 8192), "none", "split", (16, 64, 128, 1, 4, 6, 1), 32.70, 1.001, chain=1),
    Known((16, 4096, 4096), "none", "split", (16, 32, 256, 1, 4, 4, 1), 11.08, 1.128, chain=2),
    Known((16, 14336, 4096), "none", "split", (16, 64, 128, 1, 4, 5, 1), 30.46, 0.984, chain=2),
    Known((16, 4096, 14336), "none", "split", (16, 64, 256, 1, 4, 3, 2), 30.34, 1.015, chain=1),
    Known((16, 8192, 8192), "none", "split", (16, 64, 128, 1, 4, 6, 1), 32.97, 0.989, chain=1),
    Known((64, 4096, 4096), "none", "persistent", (64, 32, 256, 8, 4, 4, False, True, 1), 11.18, 0.980, chain=2),
    Known((64, 14336, 4096), "none", "persistent", (64, 128, 128, 8, 4, 4, False, True, 1), 30.42, 1.019, chain=2),
    Known((64, 4096, 14336), "none", "meet", (64, 64, 128, 1, 4, 5, 2), 31.98, 1.052),
    Known((64, 8192, 8192), "none", "split", (64, 64, 128, 1, 4, 4, 1), 34.40, 0.997, chain=1),
    Known((256, 4096, 4096), "none", "persistent", (64, 128, 64, 8, 4, 7, False, False, 1), 16.38, 0.987),
    Known((256, 14336, 4096), "none", "persistent", (128, 256, 64, 8, 8, 4, True, True, 1), 46.51, 0.980, chain=1),
    Known((256, 4096, 14336), "none", "meet", (128, 128, 64, 8, 8, 6, 2), 47.68, 1.019, chain=1),
    Known((256, 8192, 8192), "none", "hopper", (128, 128, 64, 6, 2, False, 2, 8), 49.70, 0.991, chain=1),
    Known((1024, 1024, 1024), "bias-gelu-erf", "hopper", (64, 128, 128, 4, 1, False, 1, 8), 6.36, 1.373, chain=1),
    Known((2048, 2048, 2048), "bias-gelu-erf", "hopper", (128, 128, 64, 6, 2, False, 2, 8), 26.58, 1.178, chain=1),
    Known(
        (4096, 4096, 4096),
        "bias-gelu-erf",
        "hopper-ahead",
        (128, 256, 64, 4, 2, False, 2, 8, 3),
        182.83,
        1.076,
        chain=1,
    ),
    Known((8192, 8192, 8192), "bias-gelu-erf", "hopper", (128, 256, 64, 4, 2, False, 2, 8), 1552.59, 1.044, chain=1),
    Known((512, 512, 16384), "bias-gelu-erf", "meet", (128, 128, 64, 8, 8, 6, 8), 18.62, 1.656, chain=1),
    Known((256, 1024, 32768), "bias-gelu-erf", "meet", (128, 128, 64, 8, 8, 6, 8), 30.55, 1.807, chain=1),
    Known((1, 4096, 4096), "bias-gelu-erf", "split", (16, 64, 128, 1, 4, 5, 2), 11.08, 1.260, chain=1),
    Known((1, 14336, 4096), "bias-gelu-erf", "split", (16, 64, 128, 1, 4, 5, 1), 31.31, 1.065, chain=2),
    Known((1, 4096, 14336), "bias-gelu-erf", "split", (16, 64, 256, 1, 4, 3, 2), 30.06, 1.057, chain=1),
    Known((1, 8192, 8192), "bias-gelu-erf", "split", (16, 64, 256, 1, 4, 4, 1), 33.24, 1.040),
    Known((16, 4096, 4096), "bias-gelu-erf", "split", (16, 32, 256, 1, 4, 4, 1), 11.50, 1.238, chain=2),
    Known((16, 14336, 4096), "bias-gelu-erf", "split", (16, 64, 128, 1, 4, 5, 1), 30.83, 1.060, chain=2),
    Known((16, 4096, 14336), "bias-gelu-erf", "split", (16, 64, 256, 1, 4, 3, 2), 30.52, 1.169, chain=1),
    Known((16, 8192, 8192), "bias-gelu-erf", "split", (16, 64, 256, 1, 4, 4, 1), 33.22, 1.034),
    Known(
        (64, 4096, 4096), "bias-gelu-erf", "persistent", (64, 32, 256, 8, 4, 4, False, True, 1), 12.26, 1.121, chain=2
    ),
    Known(
        (64, 14336, 4096), "bias-gelu-erf", "persistent", (64, 128, 128, 8, 4, 4, False, True, 1), 31.90, 1.085, chain=2
    ),
    Known((64, 4096, 14336), "bias-gelu-erf", "meet", (64, 64, 128, 1, 4, 5, 2), 32.16, 1.026, chain=1),
    Known(
        (64, 8192, 8192), "bias-gelu-erf", "persistent", (64, 64, 128, 8, 4, 5, False, True, 1), 35.32, 1.031, chain=1
    ),
    Known((256, 4096, 4096), "bias-gelu-erf", "hopper", (64, 128, 128, 4, 1, False, 1, 8), 17.62, 1.166),
    Known((256, 14336, 4096), "bias-gelu-erf", "persistent", (128, 256, 64, 8, 8, 4, True, True, 1), 47.18, 1.081),
    Known((256, 4096, 14336), "bias-gelu-erf", "meet", (128, 128, 64, 8, 8, 6, 2), 47.02, 1.129),
    Known((256, 8192, 8192), "bias-gelu-erf", "hopper", (128, 128, 64, 6, 2, False, 2, 8), 49.85, 1.045, chain=1),
    Known((8192, 4096, 1024), "bias-gelu-erf", "hopper", (64, 256, 64, 5, 2, True, 1, 16), 114.31, 1.423),
    Known((16384, 3072, 768), "bias-gelu-erf", "hopper", (64, 256, 64, 5, 2, True, 1, 16), 130.41, 1.555),
    Known((4096, 5120, 1280), "bias-gelu-erf", "hopper", (64, 256, 64, 5, 2, True, 1, 16), 87.85, 1.350),
    Known((4096, 6400, 1600), "bias-gelu-erf", "hopper", (64, 256, 64, 5, 2, True, 1, 16), 142.77, 1.351),
)
