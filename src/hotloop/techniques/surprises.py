"""What came of predictions in recorded runs, before there are records of one's own: ln(measured / expected speedup).

Every timed move of the main job (a GEMM of 1024 from a slow start, and the tuning beside it) on two CPUs, as recorded in
``results/cpu-zen5-2026-11-22`` and ``results/cpu-zen3-2026-11-21``; ``benchmarks/predictions.py`` prints them, and how
often intervals that are made from them hold on runs that they were not made from.
"""

from __future__ import annotations

MENU = (
    -1.57, -1.4, -1.33, -1.27, -1.11, -1.03, -0.96, -0.92, -0.69, -0.69, -0.65, -0.61, -0.5, -0.38, -0.34, -0.32, -0.32, -0.3,
    -0.26, -0.25, -0.2, -0.16, -0.15, -0.13, -0.13, -0.1, -0.08, -0.06, -0.05, -0.03, -0.03, -0.02, -0.02, -0.02, -0.01, -0.01,
    -0.01, -0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 0.01, 0.02, 0.03, 0.04, 0.25, 0.43, 0.55, 0.55, 0.7, 0.72, 0.8,
)  # fmt: skip
"""Of moves that a rule's finding proposed: most bring less than their mechanism allows, some cost much."""
SEARCH = (
    -0.16, -0.12, -0.1, -0.05, -0.04, -0.04, -0.04, -0.03, -0.03, -0.02, -0.01, -0.01, -0.01, -0.01, -0.01, 0.0, 0.0, 0.0, 0.01,
    0.01, 0.01, 0.02,
)  # fmt: skip
"""Of what a search had measured to be faster: it is a choice among many, so it promises too much."""
