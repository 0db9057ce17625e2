"""The scheduled OpenCL GEMM on a real runtime: every order of tiles, every way to share them out, every exchange of lanes.

A CPU runtime says nothing about its speed. Which group computes what, and that the pieces of stream-K are added once each, is
the same everywhere. Lanes exchange by sub-groups on Intel's runtime and through local memory on PoCL; AMD's instructions are
executed in `test_lanes_executed`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import strata

from hotloop.app.desk import Desk
from hotloop.kernels.gemm.pipelined.plan import shape
from hotloop.kernels.gemm.problem import DEFAULT, gemm
from hotloop.kernels.gemm.scheduled import SCHEDULED
from hotloop.kernels.gemm.scheduled.plan import shares
from hotloop.kernels.gemm.scheduled.space import START
from hotloop.model.kernel import Implementation
from hotloop.verify.catalogue.mutant import Edit, Mutant, planted
from hotloop.verify.catalogue.specimens.gemm_scheduled import SMALL, STREAMS

Verdict = Callable[..., str | None]
Wrong = Callable[..., dict[str, str]]

ROWS = START.replace(MDIM=4, NDIM=16, MWI=4, NWI=4, KWG=16, KUNROLL=4, WIDE=4, PAD=4)
CONFIGS = {
    "start": START,
    "z-order": SMALL.replace(ORDER=1),
    "persistent": SMALL.replace(PERSISTENT=2, RASTER=2, BUFFERS=2),
    "persistent-z": SMALL.replace(PERSISTENT=1, ORDER=1, PAD=4),
    "stream-k": STREAMS,
    "stream-k-z": SMALL.replace(STREAM_K=1, ORDER=1, BUFFERS=2),
    "stream-k-many": SMALL.replace(STREAM_K=16, KUNROLL=2),
}
LANES = {
    "lanes-16": ROWS.replace(LANES=16, ORDER=1),
    "lanes-32": ROWS.replace(NDIM=32, KWG=32, KUNROLL=8, LANES=32, STREAM_K=2),
    "lanes-16-steps": ROWS.replace(LANES=16, MWI=8, FUSED=1, KUNROLL=2, SWZ=2, PAD=0),
}
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
    {"m": 7, "n": 131, "k": 201, "alpha": -1.5, "beta": 0.5},
    {"m": 17, "n": 33, "k": 1003, "beta": -1.0},
    {"m": 21, "n": 25, "k": 0, "beta": 2.0},
    {"m": 0, "n": 5, "k": 5},
    {"m": 31, "n": 33, "k": 10, "alpha": 0.0},
    {"m": 45, "n": 34, "k": 23, "beta": 1.0, "lda": 48, "ldb": 50, "ldc": 46, "offset_a": 3, "offset_b": 17, "offset_c": 5},
)  # fmt: skip
"""Two or three builds: the first one's rows are aligned, most others' are not."""
ODD: tuple[dict[str, float], ...] = (
    {"m": 37, "n": 133, "k": 29, "beta": 1.0},
    {"m": 71, "n": 131, "k": 201, "alpha": -1.5},
    {"m": 5, "n": 7, "k": 3, "beta": 0.5},
)
"""No row of these is aligned, so that all of them are one build."""


@pytest.fixture(scope="module")
def implementation() -> Implementation:
    return SCHEDULED


GRID = [
    (name, options)
    for place, name in enumerate(CONFIGS)
    for number, options in enumerate(OPTIONS)
    if strata.WHOLE or number == place % len(OPTIONS)
]
"""Each configuration meets one orientation, each orientation two configurations: operands are read as `stage` reads them."""
PASSED_ON = [
    (name, number)
    for place, name in enumerate(LANES)
    for number in range(len(OPTIONS))
    if strata.WHOLE or number % len(LANES) == place
]


@pytest.mark.parametrize(("name", "options"), GRID, ids=lambda x: x if isinstance(x, str) else " ".join(x.values()))
def test_grid(desk: Desk, wrong: Wrong, name: str, options: dict[str, str]) -> None:
    assert not wrong(desk, CONFIGS[name], options, SHAPES, sample=len(SHAPES))


@pytest.mark.parametrize(("name", "number"), PASSED_ON)
def test_lanes_pass_on_what_their_neighbours_need(desk: Desk, wrong: Wrong, name: str, number: int) -> None:
    assert not wrong(desk, LANES[name], OPTIONS[number], ODD, sample=5)


@pytest.mark.parametrize("name", ["stream-k-z", "lanes-16-steps"])
def test_the_same_without_sub_groups(pocl: Desk, wrong: Wrong, name: str) -> None:
    assert not wrong(pocl, {**CONFIGS, **LANES}[name], OPTIONS[0], ODD[:2])


CUT = DEFAULT.replace(m=100, n=100, k=200, beta=0.5)


def test_the_problem_for_mutants_is_cut_in_every_way(desk: Desk) -> None:
    """Shares that begin and end inside tiles, tiles without a cut, and with 16 groups per unit tiles of several cuts."""
    form = gemm(CUT)
    few = shares(form, STREAMS, shape(form, STREAMS), desk.device)
    starts = [few.begin(group) % few.steps for group in range(few.groups)]
    assert few.cut
    assert 0 in starts
    assert few.groups < few.tiles


MUTANTS = (
    Mutant(
        name="piece-twice", kind="split-k", bug="the piece that began a tile is added again as one that went on",
        edits=(Edit("for (int g = went_on; g < groups && ", "for (int g = max(1, went_on - 1); g < groups && "),),
    ),
    Mutant(
        name="mended-twice", kind="race", bug="every cut of a tile mends it, the later ones with the wrong first piece",
        edits=(Edit(" || begin_of(went_on - 1, groups, all) > began) return;", ") return;"),), config=CONFIGS["stream-k-many"],
    ),
    Mutant(
        name="one-slot", kind="race", bug="head and tail of a share lie in the same place",
        edits=(Edit("#define TAIL_OF(group) (2 * (group) + 1)", "#define TAIL_OF(group) (2 * (group))"),),
    ),
    Mutant(
        name="beta-per-piece", kind="stale-output", bug="a piece is stored as if it were the tile",
        edits=(Edit("if (last - first < steps) {", "if (first > 0) {"),),
    ),
    Mutant(
        name="wrong-lane", kind="fragment", bug="the neighbour's neighbour is asked",
        edits=(Edit("SHARED_FMA(mine, d * MWI + i, b[j], acc[i][j])", "SHARED_FMA(mine, (d * MWI + i) ^ 1, b[j], acc[i][j])"),),
        config=LANES["lanes-16-steps"],
    ),
)  # fmt: skip
"""Beside those of the catalogue, which `tests/planted` has the whole check find."""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bugs_are_caught(desk: Desk, verdict: Verdict, mutant: Mutant) -> None:
    """Where the text is wrong, it is so without optimization, too; lanes take the optimizer five seconds a build."""
    config, plain = mutant.config or STREAMS, () if strata.WHOLE else ("-cl-opt-disable",)
    assert verdict(desk, CUT, config, 1, options=plain) is None
    assert verdict(desk, CUT, config, 1, planted(SCHEDULED, mutant), options=plain) is not None
