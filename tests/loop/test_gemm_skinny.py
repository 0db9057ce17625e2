"""The skinny OpenCL GEMM on a real runtime: either long operand, along k and across it, types, strides, epilogues, slices, edges.

A CPU runtime says nothing about its speed. Which item reads which vectors, and what becomes of the sums, is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import strata

from hotloop.app.desk import Desk
from hotloop.kernels.gemm.problem import DEFAULT, gemm
from hotloop.kernels.gemm.skinny import SKINNY
from hotloop.kernels.gemm.skinny.sides import Sides
from hotloop.kernels.gemm.skinny.space import START
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.record import Record
from hotloop.verify.catalogue.mutant import Edit, Mutant, planted
from hotloop.verify.catalogue.specimens.gemm_skinny import ACROSS, SLICED, SPECIMEN, STRIPS

Verdict = Callable[..., str | None]
Wrong = Callable[..., dict[str, str]]

VECTORS = START.replace(ODIM=4, KDIM=8, OWI=2, VW=4, KUNROLL=2)
CONFIGS = {
    "start": START,
    "vectors": VECTORS,
    "wide-vectors": START.replace(ODIM=2, KDIM=4, VW=8, FEW=2, KUNROLL=4),
    "widest-vectors": START.replace(ODIM=2, KDIM=2, VW=16),
    "pairs": START.replace(ODIM=16, KDIM=2, VW=2, OWI=4, FEW=4),
    "alone": START.replace(ODIM=16, KDIM=1, FEW=4, KUNROLL=4, VW=4),
    "one-output": START.replace(ODIM=1, KDIM=64, VW=4),
    "slices": VECTORS.replace(SPLIT=3, FEW=2),
    "arriving": VECTORS.replace(SPLIT=4, ARRIVE=1, FEW=2),
    "many-slices": START.replace(ODIM=4, KDIM=4, VW=4, SPLIT=64, ARRIVE=1),
    "slices-of-elements": START.replace(SPLIT=2, VW=1, KUNROLL=4),
}
DEAR = ("slices", "arriving", "wide-vectors")
"""Those that take long to build meet one orientation, the others two."""
OPTIONS: tuple[dict[str, str], ...] = (
    {"op": "nn"},
    {"op": "nt", "layout": "col", "epilogue": "bias"},
    {"op": "tn", "dtype": "float64"},
    {"op": "tt", "layout": "col", "dtype": "float16", "epilogue": "bias-relu"},
)
SHAPES: tuple[dict[str, float], ...] = (
    {"m": 128, "n": 1, "k": 256},
    {"m": 1, "n": 128, "k": 256},
    {"m": 1, "n": 1, "k": 1, "beta": 1.0},
    {"m": 1, "n": 131, "k": 77, "beta": 0.5},
    {"m": 67, "n": 1, "k": 71, "alpha": -1.5, "beta": 0.5, "offset_b": 4},
    {"m": 68, "n": 3, "k": 40, "beta": -1.0},
    {"m": 5, "n": 132, "k": 36, "lda": 48, "ldb": 136, "ldc": 140, "offset_a": 8},
    {"m": 37, "n": 53, "k": 29},
    {"m": 20, "n": 2, "k": 0, "beta": 2.0},
    {"m": 0, "n": 5, "k": 5},
    {"m": 3, "n": 33, "k": 10, "alpha": 0.0},
    {"m": 3, "n": 2, "k": 301},
    {"m": 45, "n": 2, "k": 23, "beta": 1.0, "lda": 48, "ldb": 50, "ldc": 46, "offset_a": 3, "offset_b": 17, "offset_c": 5},
    {"m": 2, "n": 98, "k": 32, "lda": 88, "ldb": 100, "ldc": 101},
)  # fmt: skip


@pytest.fixture(scope="module")
def implementation() -> Implementation:
    return SKINNY


GRID = [
    (name, options)
    for number, name in enumerate(CONFIGS)
    for options in (OPTIONS[number % 4], OPTIONS[(number + 2) % 4])[: 1 + (name not in DEAR)]
]


@pytest.mark.parametrize(
    ("name", "options", "shapes"),
    strata.shared(GRID, SHAPES, alone=SHAPES),
    ids=lambda x: x if isinstance(x, str) else " ".join(x.values()) if isinstance(x, dict) else "",
)
def test_grid(
    desk: Desk, wrong: Wrong, name: str, options: dict[str, str], shapes: tuple[dict[str, float], ...]
) -> None:
    """Each shape is a build of its own: those of a configuration are shared out to its orientations."""
    assert not wrong(desk, CONFIGS[name], options, shapes, sample=8)


@pytest.mark.parametrize("options", [{"op": "nt"}, {"op": "tn"}, {"op": "nt", "dtype": "float16"}], ids=str)
def test_vectors_as_only_a_gpu_reads_them(desk: Desk, verdict: Verdict, options: dict[str, str]) -> None:
    """Aligned to their size, as memory of our own is; a CPU that may work in its caller's asks for no more than an element's."""
    gpu = Mutant(name="aligned", kind="", bug="none", edits=(Edit("#if VW == 1 || IN_PLACE", "#if VW == 1"),))
    for sizes in (
        {"m": 64, "n": 2, "k": 96},
        {"m": 3, "n": 64, "k": 96, "lda": 104},
        {"m": 64, "n": 1, "k": 100, "ldb": 101},
    ):
        problem = DEFAULT.replace(**sizes).replace(**options)
        assert Sides.of(gemm(problem)).aligned(4)
        assert verdict(desk, problem, CONFIGS["vectors"], 0, planted(SKINNY, gpu)) is None


@pytest.mark.parametrize("name", ["slices", "many-slices"])
def test_the_same_where_a_second_launch_adds(pocl: Desk, wrong: Wrong, name: str) -> None:
    """It cannot count who arrived, so that ARRIVE leaves the slices to the second launch, too."""
    program = Variant(SKINNY, CONFIGS[name]).program(DEFAULT.replace(**SHAPES[-1]), pocl.device)
    assert [launch.entry for launch in program.launches] == ["gemm", "add_slices"]
    assert not wrong(pocl, CONFIGS[name], OPTIONS[0], SHAPES[-3:])


MUTANTS = (
    Mutant(
        name="guarded-round-twice", kind="lost-tail", bug="what is left of a round is taken once more",
        edits=(Edit("        ROUND(0)", "        ROUND(0) ROUND(0)"),),
    ),
    Mutant(
        name="first-slice-only", kind="split-k", bug="whoever arrives last stores what it has itself",
        edits=(Edit("for (int s = 0; s < slices; ++s) sum += work", "for (int s = slices - 1; s < slices; ++s) sum += work"),),
        config=SLICED.replace(ARRIVE=1), sizes=ACROSS, runtime="intel",
    ),
    Mutant(
        name="early-adder", kind="race", bug="the last but one that arrives adds the slices",
        edits=(Edit("if ((int)before != slices - 1) return;", "if ((int)before != slices - 2) return;"),),
        config=SLICED.replace(ARRIVE=1), runtime="intel",
    ),
    Mutant(
        name="readers-overlap", kind="split-k", bug="every reader of the slices begins at the first",
        edits=(Edit("for (int s = reader; s < slices", "for (int s = 0; s < slices"),),
        config=next(mutant.config for mutant in SPECIMEN.mutants if mutant.name == "readers-lost"),
        sizes=Record(n=1, k=1024), runtime="intel",
    ),
    Mutant(
        name="slices-of-another-place", kind="split-k", bug="the slices lie as far apart as a row",
        edits=(Edit("work[(size_t)slice * M * N + PLACE(q)]", "work[(size_t)slice * N + PLACE(q)]"),), config=SLICED,
    ),
    Mutant(
        name="tree-cut", kind="lost-tail", bug="a quarter of the items is added, not half",
        edits=(Edit("for (int half_k = KDIM / 2;", "for (int half_k = KDIM / 4;"),),
    ),
    Mutant(
        name="lane-lost", kind="fragment", bug="of the lanes of a vector the upper half is not added",
        edits=(Edit("#define SUM_4(v) SUM_2((v).lo + (v).hi)", "#define SUM_4(v) SUM_2((v).lo)"),),
    ),
    Mutant(
        name="few-not-cut", kind="bounds", bug="columns beyond the last are stored",
        edits=(Edit("&& F_OF(q) < EXTENT_F)", ")"),),
    ),
    Mutant(
        name="strips-side-by-side", kind="stride", bug="the next group takes the next strip where there are several along the short side",
        edits=(Edit("first_o = id / strips_f * STRIP", "first_o = id * STRIP"),),
    ),
    Mutant(
        name="cut-vector-shifted", kind="bounds", bug="of a cut vector one element too few is read",
        edits=(Edit("inside[i] = clamp(EXTENT_O - o, 0, VW);", "inside[i] = clamp(EXTENT_O - o - 1, 0, VW);"),),
        sizes=ACROSS,
    ),
    Mutant(
        name="beta-forgotten", kind="stale-output", bug="C is not read",
        edits=(Edit("&sum, alpha, beta, 1, 1)", "&sum, alpha, 0, 1, 1)"),),
    ),
    Mutant(
        name="alpha-per-slice", kind="split-k", bug="alpha is left out where a second launch adds",
        edits=(Edit("store_edge(c, b, sum, alpha, beta, 1, left)", "store_edge(c, b, sum, 1, beta, 1, left)"),),
        config=SLICED, sizes=Record(alpha=-1.5),
    ),
    Mutant(
        name="alpha-zero-read", kind="nan", bug="alpha of zero multiplies what must not be read",
        edits=(Edit("if (alpha == 0) K = 0;", ""),), sizes=Record(alpha=0.0),
    ),
)  # fmt: skip
"""Beside those of the catalogue, which `tests/planted` has the whole check find."""
KINDS = {"alpha-zero-read": "special"}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bugs_are_caught(desk: Desk, verdict: Verdict, mutant: Mutant) -> None:
    if mutant.runtime not in {"", desk.device.runtime_key}:
        pytest.skip(f"{desk.device.runtime_key} adds slices in a second launch")
    problem = DEFAULT.replace(**SPECIMEN.sizes).replace(**mutant.sizes)
    config, kind = mutant.config or STRIPS, KINDS.get(mutant.name, "normal")
    assert verdict(desk, problem, config, 1, kind=kind) is None
    assert verdict(desk, problem, config, 1, planted(SKINNY, mutant), kind) is not None
