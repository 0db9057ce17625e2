"""Shapes of the bf16 GEMM benchmark, and which kernels are worth a try on each."""

from __future__ import annotations

import triton
from gemm_launch import MULTIPROCESSORS, Candidate

from hotloop.kernels.gemm.rows import TABLE

_TILE = ("BM", "BN", "BK", "GROUP", "num_warps", "num_stages")
_RING = ("BM", "BN", "BK", "STAGES", "GROUPS", "TAKE_TURNS", "BUFFERS", "GROUP")
_ORDER = {
    "persistent": (*_TILE, "HALVES", "FLATTEN", "RESIDENT"),
    "split": (*_TILE, "SPLITS"),
    "meet": (*_TILE, "SPLITS"),
    "hopper": _RING,
    "hopper-ahead": (*_RING, "AHEAD"),
    "skinny": ("BM", "BN", "BK", "STAGES"),
}
"""Parameters of the shipped rows in the order of a candidate's constants."""
SQUARES = [(n, n, n) for n in (1024, 2048, 4096, 8192)]
LLM = [(m, n, k) for m in (1, 16, 64, 256) for n, k in ((4096, 4096), (14336, 4096), (4096, 14336), (8192, 8192))]
TALL = [(512, 512, 16384), (256, 1024, 32768)]
SHAPES = SQUARES + TALL + LLM
# First layers of feed-forward blocks that have GELU: BERT large, BERT base and GPT-2, GPT-2 large and ViT-H, GPT-2 XL
ENCODERS = [(8192, 4096, 1024), (16384, 3072, 768), (4096, 5120, 1280), (4096, 6400, 1600)]
JOBS = [(shape, gelu) for shape in SHAPES for gelu in (False, True)] + [(shape, True) for shape in ENCODERS]
GELU = "bias-gelu-erf"
"""What the table calls the fused epilogue."""

ALTERNATES = {
    (1024, 1024, 1024): [("hopper", (64, 128, 128, 4, 1, False, 1, 8), 1)],
    (2048, 2048, 2048): [("persistent", (128, 256, 64, 8, 8, 4, True, True, 1), 1)],
    (4096, 4096, 4096): [("hopper", (128, 256, 64, 4, 2, False, 2, 16), 1)],
    (8192, 8192, 8192): [
        ("hopper", (128, 256, 64, 4, 2, False, 2, 8), 1),
        ("hopper-ahead", (256, 128, 64, 4, 2, False, 1, 8, 2), 1),
    ],
    (512, 512, 16384): [("meet", (128, 128, 64, 8, 8, 6, 8), 1)],
    (256, 1024, 32768): [("meet", (128, 64, 64, 8, 4, 8, 4), 3)],
    (1, 4096, 4096): [("skinny", (16, 64, 256, 5), 5), ("split", (16, 64, 128, 1, 4, 5, 2), 2)],
    (1, 14336, 4096): [("skinny", (16, 128, 64, 5), 5), ("split", (16, 64, 128, 1, 4, 5, 1), 2)],
    (1, 4096, 14336): [("skinny", (16, 64, 256, 5), 4), ("split", (16, 64, 256, 1, 4, 3, 2), 1)],
    (1, 8192, 8192): [("skinny", (16, 64, 256, 5), 4), ("skinny", (8, 64, 128, 11), 1)],
    (16, 4096, 4096): [("skinny", (16, 64, 256, 5), 5), ("split", (16, 32, 256, 1, 4, 4, 1), 1)],
    (16, 14336, 4096): [("skinny", (16, 128, 64, 5), 1), ("split", (16, 64, 128, 1, 4, 5, 1), 2)],
    (16, 4096, 14336): [("skinny", (16, 64, 256, 5), 4), ("split", (16, 64, 256, 1, 4, 3, 2), 1)],
    (16, 8192, 8192): [("skinny", (16, 64, 256, 5), 4), ("skinny", (16, 64, 256, 5), 1)],
    (64, 4096, 4096): [
        ("split", (64, 32, 256, 1, 4, 4, 1), 2),
        ("persistent", (64, 32, 256, 8, 4, 4, False, True, 1), 3),
    ],
    (64, 14336, 4096): [("split", (64, 128, 128, 1, 4, 4, 1), 2)],
    (64, 4096, 14336): [("meet", (64, 64, 128, 1, 4, 5, 2), 1), ("split", (64, 32, 256, 1, 4, 4, 1), 3)],
    (64, 8192, 8192): [("split", (64, 64, 128, 1, 4, 4, 1), 3), ("split", (64, 64, 128, 1, 4, 4, 1), 2)],
    (256, 4096, 4096): [("split", (128, 64, 64, 8, 4, 7, 1), 2)],
    (256, 14336, 4096): [
        ("hopper", (128, 256, 64, 4, 2, False, 1, 8), 1),
        ("persistent", (128, 256, 64, 8, 8, 4, True, True, 1), 0),
    ],
    (256, 4096, 14336): [("meet", (128, 128, 64, 8, 8, 6, 2), 3), ("meet", (128, 128, 64, 8, 4, 6, 2), 3)],
    (256, 8192, 8192): [("hopper", (128, 128, 64, 6, 2, True, 1, 8), 1)],
}
"""Kernels that came near the table's winner."""

# BM, BN, BK, GROUP, warps, stages, HALVES, FLATTEN, programs per multiprocessor
PERSISTENT = [
    (128, 256, 64, 8, 8, 4, True, True, 1),
    (128, 256, 64, 16, 8, 4, True, False, 1),
    (128, 128, 64, 8, 8, 4, False, True, 1),
    (128, 128, 64, 8, 4, 3, True, True, 2),
    (128, 128, 64, 8, 8, 3, True, True, 2),
    (64, 256, 64, 8, 4, 4, True, True, 1),
    (128, 64, 128, 8, 4, 4, False, True, 1),
    (64, 128, 128, 8, 4, 4, False, True, 1),
    (64, 128, 64, 8, 4, 7, False, False, 1),
    (64, 64, 128, 8, 4, 5, False, True, 1),
    (64, 32, 256, 8, 4, 4, False, True, 1),
]
# BM, BN, BK, GROUP, warps, stages, SPLITS
SPLIT = [
    (16, 64, 256, 1, 4, 4, 1),
    (16, 64, 256, 1, 4, 3, 2),
    (16, 128, 64, 1, 4, 6, 4),
    (16, 32, 256, 1, 4, 4, 1),
    (16, 32, 256, 1, 4, 4, 2),
    (64, 32, 256, 1, 4, 4, 1),
    (64, 64, 128, 1, 4, 5, 1),
    (64, 128, 128, 1, 4, 4, 1),
    (64, 128, 128, 1, 4, 4, 4),
    (128, 64, 64, 8, 4, 7, 1),
    (128, 128, 64, 8, 8, 6, 8),
]
MEET = [
    (64, 64, 128, 1, 4, 5, 2),
    (64, 128, 128, 1, 4, 4, 4),
    (64, 128, 64, 8, 4, 8, 4),
    (128, 64, 64, 8, 4, 8, 4),
    (128, 128, 64, 8, 4, 6, 2),
    (128, 128, 64, 8, 8, 6, 2),
    (128, 128, 64, 8, 8, 6, 8),
    (128, 128, 128, 8, 8, 3, 8),
    (128, 256, 64, 8, 8, 4, 16),
]
# BM, BN, BK, STAGES, GROUPS, TAKE_TURNS, BUFFERS, GROUP
HOPPER = [
    (128, 256, 64, 4, 2, False, 2, 8),
    (128, 256, 64, 4, 2, False, 2, 16),
    (256, 128, 64, 4, 2, False, 1, 8),
    (256, 128, 64, 4, 2, False, 1, 4),
    (128, 128, 64, 5, 2, True, 2, 8),
    (128, 128, 64, 6, 2, True, 1, 8),
    (128, 128, 64, 6, 2, False, 2, 8),
    (128, 128, 128, 3, 2, False, 2, 8),
    (64, 256, 64, 5, 2, True, 1, 8),
    (128, 128, 64, 5, 2, True, 2, 16),
    (64, 256, 64, 5, 2, True, 1, 16),
    (64, 128, 128, 4, 1, False, 1, 8),
    (128, 64, 128, 4, 2, False, 1, 8),
    (64, 64, 128, 6, 1, False, 1, 8),
]
# BM, BN, BK, STAGES, GROUPS, TAKE_TURNS, BUFFERS, GROUP, AHEAD
HOPPER_AHEAD = [
    (128, 256, 64, 4, 2, False, 2, 8, 1),
    (128, 256, 64, 4, 2, False, 2, 8, 2),
    (128, 256, 64, 4, 2, False, 2, 16, 2),
    (128, 256, 64, 4, 2, False, 2, 8, 3),
    (256, 128, 64, 4, 2, False, 1, 8, 2),
]
# BM, BN, BK, STAGES, GROUPS, TAKE_TURNS, BUFFERS, GROUP, SPLITS
HOPPER_SPLIT = [
    (128, 128, 64, 6, 2, False, 1, 8, 2),
    (128, 128, 64, 6, 2, False, 1, 8, 8),
    (128, 128, 128, 3, 2, False, 1, 8, 8),
    (128, 256, 64, 4, 2, False, 1, 8, 16),
]
# MT, BN, BK, STAGES
SKINNY = [
    (8, 64, 128, 11),
    (16, 128, 64, 5),
    (16, 128, 128, 6),
    (16, 64, 256, 5),
    (16, 64, 128, 10),
    (64, 128, 128, 4),
    (64, 64, 128, 6),
    (64, 128, 64, 8),
]


def chosen(shape, gelu):
    """Return the table's winner on a shape and what came next to it, at most three."""
    epilogue = GELU if gelu else "none"
    rows = [(name, row) for name, row in TABLE if row.shape == shape]
    rows.sort(key=lambda named: named[1].epilogue != epilogue)
    found = [_candidate(name, row.config) for name, row in rows]
    found[1:1] = [Candidate(*alternate) for alternate in ALTERNATES.get(shape, ())]
    return list(dict.fromkeys(found))[:3]


def _candidate(name, config):
    """Return a shipped configuration as a candidate."""
    kind = "hopper-ahead" if config.get("AHEAD") else name.removeprefix("hopper-")
    return Candidate(kind, tuple(config[parameter] for parameter in _ORDER[kind]), config["CHAIN"])


def everything(shape):
    """Return whatever may be worth trying on a shape."""
    m, n, k = shape
    found = []
    if m > 64:
        found += [Candidate("hopper", c) for c in HOPPER if c[0] <= m]
        found += [Candidate("hopper-ahead", c) for c in HOPPER_AHEAD if c[0] <= m]
    if m >= 64:
        found += [Candidate("persistent", c) for c in PERSISTENT if c[0] <= m]
    if m <= 64:
        found += [Candidate("skinny", c) for c in SKINNY if c[0] >= m and c[0] <= max(16, m)]
    few = m * n <= 256 * 14336 and (m <= 64 or k > 4 * n or n <= 4096)
    if few:
        found += [Candidate("split", c) for c in SPLIT if c[0] <= max(16, m)]
    for kind, table in (("meet", MEET), ("hopper-split", HOPPER_SPLIT)):
        for c in table:
            programs = triton.cdiv(m, c[0]) * triton.cdiv(n, c[1]) * c[-1]
            if m >= c[0] and MULTIPROCESSORS // 2 < programs <= MULTIPROCESSORS:
                found.append(Candidate(kind, c))
    return found
