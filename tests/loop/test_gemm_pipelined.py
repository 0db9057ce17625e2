"""The pipelined OpenCL GEMM on a real runtime: every orientation, type, stride, epilogue, slice and edge.

A CPU runtime says nothing about its speed, but its indices, barriers and edges are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import strata

from hotloop.app.desk import Desk
from hotloop.kernels.gemm.pipelined import PIPELINED
from hotloop.kernels.gemm.pipelined.space import START
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.model.kernel import Implementation
from hotloop.verify.catalogue.mutant import Edit, Mutant, planted

Verdict = Callable[..., str | None]
Wrong = Callable[..., dict[str, str]]

SMALL = START.replace(MDIM=4, NDIM=8, MWI=4, NWI=8, KWG=8, KUNROLL=8, WIDE=4, BUFFERS=2)
CONFIGS = {
    "start": START,
    "small": SMALL,
    "one-buffer": SMALL.replace(BUFFERS=1, PAD=4, KUNROLL=2, RASTER=2),
    "slices": SMALL.replace(SPLIT=4, RASTER=0),
    "moved": START.replace(MDIM=8, NDIM=8, MWI=8, NWI=8, KUNROLL=16, WIDE=4, BUFFERS=2, SWZ=4, RASTER=4),
    "wide-tile": START.replace(MDIM=8, NDIM=8, MWI=8, NWI=16, KUNROLL=4, WIDE=4, SWZ=2, SPLIT=2),
}
WAYS = {
    "hoisted": SMALL.replace(HOIST=1),
    "hoisted-one-buffer": SMALL.replace(BUFFERS=1, HOIST=1, SPLIT=2, MWI=8, KWG=16, KUNROLL=4),
    "early": SMALL.replace(HOIST=1, EARLY=1, WEAVE=1),
    "early-one-buffer": SMALL.replace(BUFFERS=1, HOIST=1, EARLY=1, MWI=8, NWI=4, WEAVE=1, SPLIT=2),
    "copied": SMALL.replace(BUFFERS=1, COPY=2, PAD=4),
    "copied-ahead": SMALL.replace(BUFFERS=1, COPY=3, SPLIT=2, SWZ=1, KUNROLL=4),
    "copied-far-ahead": START.replace(MDIM=8, NDIM=8, MWI=8, NWI=8, WIDE=4, COPY=4, KWG=16, SWZ=4),
    "copied-by-many": START.replace(MDIM=4, NDIM=16, MWI=4, NWI=4, COPY=2, KWG=32, PAD=4),
    "sliced": SMALL.replace(NWI=4, KWG=16, SLICES=2, KUNROLL=4, HOIST=1),
    "sliced-copied": START.replace(MDIM=8, NDIM=8, KWG=32, SLICES=4, COPY=3, WIDE=4, PAD=4, KUNROLL=8, SPLIT=2),
    "arriving": SMALL.replace(HOIST=1, EARLY=1, WEAVE=1, SPLIT=3, ARRIVE=1),
    "arriving-in-parts": START.replace(
        MDIM=4, NDIM=8, KWG=64, KUNROLL=8, WIDE=4, PAD=4, HOIST=1, SLICES=8, SPLIT=12, ARRIVE=1
    ),
    "arriving-columns": START.replace(MDIM=8, NDIM=8, KWG=32, KUNROLL=4, WIDE=4, SLICES=4, SPLIT=6, ARRIVE=1),
    "many-slices": SMALL.replace(NWI=4, KWG=16, SPLIT=48, ARRIVE=1),
}
"""Ways to bring tiles: each meets one orientation, those of one parameter all four of them or two."""
OPTIONS: tuple[dict[str, str], ...] = (
    {"op": "nn"},
    {"op": "nt", "layout": "col", "epilogue": "bias"},
    {"op": "tn", "dtype": "float64"},
    {"op": "tt", "layout": "col", "dtype": "float16", "epilogue": "bias-relu"},
)
SHAPES: tuple[dict[str, float], ...] = (
    {"m": 128, "n": 192, "k": 64},
    {"m": 1, "n": 1, "k": 1, "beta": 1.0},
    {"m": 37, "n": 53, "k": 29},
    {"m": 7, "n": 131, "k": 200, "alpha": -1.5, "beta": 0.5},
    {"m": 68, "n": 132, "k": 40, "beta": -1.0},
    {"m": 20, "n": 24, "k": 0, "beta": 2.0},
    {"m": 0, "n": 5, "k": 5},
    {"m": 31, "n": 33, "k": 10, "alpha": 0.0},
    {"m": 45, "n": 34, "k": 23, "beta": 1.0, "lda": 48, "ldb": 50, "ldc": 46, "offset_a": 3, "offset_b": 17, "offset_c": 5},
    {"m": 77, "n": 89, "k": 35, "beta": 0.5, "lda": 96, "ldb": 92, "ldc": 100},
    {"m": 86, "n": 99, "k": 32, "lda": 88, "ldb": 100, "ldc": 101},
    {"m": 12, "n": 8, "k": 40, "alpha": 2.0},
    {"m": 65, "n": 1, "k": 71, "beta": 0.5, "offset_b": 4},
    {"m": 63, "n": 127, "k": 32, "lda": 64, "ldb": 128, "ldc": 128},
    {"m": 100, "n": 76, "k": 36, "beta": -1.0},
)  # fmt: skip


@pytest.fixture(scope="module")
def implementation() -> Implementation:
    return PIPELINED


GRID = [(name, OPTIONS[i]) for number, name in enumerate(CONFIGS) for i in ((0, 3) if number % 2 else (1, 2))]
"""Half of the pairs: each configuration meets two orientations, each orientation three configurations."""
GRID += [(name, OPTIONS[number % 4]) for number, name in enumerate(WAYS)]


@pytest.mark.parametrize(
    ("name", "options", "shapes"),
    strata.shared(GRID, SHAPES),
    ids=lambda x: x if isinstance(x, str) else " ".join(x.values()) if isinstance(x, dict) else "",
)
def test_grid(
    desk: Desk, wrong: Wrong, name: str, options: dict[str, str], shapes: tuple[dict[str, float], ...]
) -> None:
    """Each shape is a build of its own: those of a configuration are shared out to its orientations, ways meet every other one."""
    assert not wrong(desk, {**CONFIGS, **WAYS}[name], options, shapes, sample=8)


AS_ON_A_GPU = Mutant(
    name="aligned",
    kind="",
    bug="none",
    edits=(Edit("#define WIDE_ACCESS (WIDE > 1 && !IN_PLACE)", "#define WIDE_ACCESS (WIDE > 1)"),),
)
"""Vectors aligned to their size; a CPU may work in its caller's memory and asks for no more than an element's."""


@pytest.mark.parametrize(("name", "op"), [("early", "nn"), ("one-buffer", "tt")])
def test_vectors_as_only_a_gpu_reads_them(pocl: Desk, verdict: Verdict, name: str, op: str) -> None:
    """This runtime ends the process where a vector that is read or written as aligned is not."""
    implementation = planted(PIPELINED, AS_ON_A_GPU)
    for number, shape in enumerate((SHAPES[4], SHAPES[9])):
        problem = DEFAULT.replace(op=op).replace(**shape)
        assert verdict(pocl, problem, {**CONFIGS, **WAYS}[name], number, implementation) is None, shape


def test_a_vector_that_is_not_aligned_ends_the_process(pocl: Desk, verdict: Verdict) -> None:
    """What the test before relies on."""
    wrong = Edit("#define IN_A(p) (ALIGNED_A ? VECTOR_IN(p) : LOAD_REAL(p))", "#define IN_A(p) VECTOR_IN(p)")
    implementation = planted(PIPELINED, replace(AS_ON_A_GPU, edits=(*AS_ON_A_GPU.edits, wrong)))
    assert verdict(pocl, DEFAULT.replace(m=37, n=64, k=33), SMALL, 0, implementation) is not None
