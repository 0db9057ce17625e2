"""What came of predictions in recorded runs, before there are records of one's own: ln(measured / expected speedup).

Every timed move of the menu in ``results/cpu-zen5-2026-11-22``, ``results/cpu-zen3-2026-11-21`` (a GEMM of 1024 from a slow start)
and ``results/nvidia-h200-2026-11-21`` and ``-22`` (twelve runs of ten kernels); ``benchmarks/predictions.py`` reads them, and how often
intervals that are made from them hold on runs that they were not made from. On a CPU also the first three moves of each technique on eight further
kernels in ``results/explain-2026-11-30-fourth``, where moves were tried however unlikely they were.
"""

from __future__ import annotations

from typing import NamedTuple


class Surprise(NamedTuple):
    """How far the measured gain of one timed move was from the expected one."""

    technique: str
    gpu: bool
    """Whether it ran on a GPU, not on a CPU."""
    log: float
    """Natural logarithm of measured over expected speedup."""


def _cpu(technique: str, *logs: float) -> tuple[Surprise, ...]:
    return tuple(Surprise(technique, gpu=False, log=log) for log in logs)


def _gpu(technique: str, *logs: float) -> tuple[Surprise, ...]:
    return tuple(Surprise(technique, gpu=True, log=log) for log in logs)


# fmt: off
MENU = (
    *_cpu("cache-block", -1.33, -1.11, -0.25, -0.16, -0.15, -0.13, -0.08),
    *_cpu("local-memory", -1.57, -1.02),
    *_cpu("pack", -0.5, -0.34, -0.03, -0.01, 0.0, 0.15, 0.43, 0.55, 0.59, 0.6, 0.8),
    *_cpu("pack-in-group", -0.65, 0.03, 0.14),
    *_cpu("pad", -0.3),
    *_cpu("rasterize", -0.06, -0.03, 0.0, 0.0, 0.01),
    *_cpu("register-blocking", -0.92, -0.92, -0.38, -0.26, 0.68, 0.72),
    *_cpu("register-tile", -1.43, -1.38, -1.27, -1.03, -0.88, -0.88, -0.69, -0.69, -0.69, -0.39, -0.32, -0.13, 0.03, 0.04, 0.15, 0.25),
    *_cpu("unroll", -2.2, -0.46, -0.42, -0.39, -0.39, -0.06, -0.05, -0.02, 0.02),
    *_cpu("vectorize", -1.4, -1.35, -1.28, -1.12, -0.61, -0.39, -0.39, -0.36, -0.33, -0.32, -0.12, 0.02, 0.21, 0.23, 0.44, 0.55, 0.7),
    *_cpu("work-per-item", -0.2, -0.1, -0.09, -0.05, -0.02, -0.01, -0.01, 0.0, 0.0, 0.02, 0.13),
    *_cpu("workgroup-size", -1.45, -0.96, -0.92, -0.57, -0.19, -0.02, -0.01, 0.4, 1.54),
    *_gpu("cache-block", -1.16, -0.11, -0.08, -0.01, 0.11, 0.4),
    *_gpu("larger-matrix-instruction", -0.23, -0.11, 0.58),
    *_gpu("larger-tile", 0.02, 0.14, 0.26, 0.34),
    *_gpu("pad", -0.05, 0.0),
    *_gpu("path", 0.52),
    *_gpu("prefetch", -0.16, -0.03, -0.01, 0.01, 0.05, 0.08, 0.21, 0.39, 0.8),
    *_gpu("register-tile", -1.11, -0.33, -0.31, -0.09, 0.44),
    *_gpu("unroll", -0.01, -0.01, 0.0, 0.0, 0.05, 0.06),
    *_gpu("vectorize", -2.83, -2.55, -1.32, -0.01, 0.21, 0.22, 0.52),
    *_gpu("work-per-item", -0.69, -0.69, -0.69, -0.1, -0.03, -0.02, -0.01, -0.01, 0.0, 0.05, 0.13, 0.41),
    *_gpu("workgroup-size", -1.27, -0.5, -0.21, -0.1, -0.1, -0.09, -0.08, -0.07, -0.03, -0.02, -0.02, -0.01, 0.02, 0.22, 0.23, 0.42, 0.44, 0.57, 0.57),
)
# fmt: on
"""Surprises of moves that a rule's finding proposed: most bring less than their mechanism allows, some cost much."""
SEARCH = (
    -0.16, -0.12, -0.1, -0.05, -0.04, -0.04, -0.04, -0.03, -0.03, -0.02, -0.01, -0.01, -0.01, -0.01, -0.01, 0.0, 0.0, 0.0, 0.01,
    0.01, 0.01, 0.02,
)  # fmt: skip
"""Surprises of moves that a search had measured to be faster: the best of many promises too much."""
