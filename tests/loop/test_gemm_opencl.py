"""The OpenCL GEMM on a real runtime: every layout, transposition, type, stride, epilogue and edge that it promises.

Programs run in the isolated worker, with poisoned outputs, canary bands and repeated runs, like any candidate. Sizes
are run-time arguments, so each (configuration, operation, type, epilogue) is built once for all its shapes.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import strata

from hotloop.app.desk import Desk
from hotloop.kernels.gemm import family
from hotloop.kernels.gemm.opencl import OPENCL
from hotloop.kernels.gemm.opencl.rows import CPU, TABLES
from hotloop.kernels.gemm.opencl.space import NAIVE
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.model.kernel import Implementation

Verdict = Callable[..., str | None]
Wrong = Callable[..., dict[str, str]]

TILE = CPU.replace(MWI=6, NWI=16, VW=8, KUNROLL=4)
CONFIGS = {
    "naive": NAIVE,
    "local-vectors": NAIVE.replace(MDIM=4, NDIM=4, MWI=2, NWI=4, VW=4, PAD=4, SWZ=4, KUNROLL=2),
    "local-a-only": NAIVE.replace(MDIM=4, NDIM=4, MWI=4, NWI=8, VW=4, SB=0, MPI=2, NPI=2, KC=128),
    "local-packed": NAIVE.replace(MDIM=8, NDIM=8, MWI=2, NWI=4, VW=4, PACK=2, KWG=8, RASTER=0),
    "block-local-group": NAIVE.replace(MDIM=2, NDIM=4, MWI=2, NWI=8, VW=4, SA=2, SB=2, KC=128, MPI=2, NPI=2),
    "direct": TILE,
    "block-local": TILE.replace(SB=2, KC=128, MPI=4, NPI=2),
    "packed-b": TILE.replace(PACK=1, KC=128, MPI=4),
    "packed": TILE.replace(PACK=2, KC=128, MPI=2, NPI=4, RASTER=2, PREFETCH=1, KUNROLL=8),
}
OPTIONS: tuple[dict[str, str], ...] = (
    {"op": "nn"},
    {"op": "nt", "layout": "col", "epilogue": "bias"},
    {"op": "tn", "dtype": "float64"},
    {"op": "tt", "layout": "col", "dtype": "float16", "epilogue": "bias-relu"},
)
SHAPES: tuple[dict[str, float], ...] = (
    {"m": 64, "n": 64, "k": 64},
    {"m": 1, "n": 1, "k": 1, "beta": 1.0},
    {"m": 37, "n": 53, "k": 29},
    {"m": 7, "n": 131, "k": 200, "alpha": -1.5, "beta": 0.5},
    {"m": 259, "n": 3, "k": 17},
    {"m": 2, "n": 257, "k": 7, "beta": -1.0},
    {"m": 20, "n": 24, "k": 0, "beta": 2.0},
    {"m": 20, "n": 24, "k": 0},
    {"m": 0, "n": 5, "k": 5},
    {"m": 5, "n": 0, "k": 5},
    {"m": 31, "n": 33, "k": 10, "alpha": 0.0, "beta": 1.0},
    {"m": 31, "n": 33, "k": 10, "alpha": 0.0},
    {
        "m": 45,
        "n": 34,
        "k": 23,
        "beta": 1.0,
        "lda": 48,
        "ldb": 50,
        "ldc": 46,
        "offset_a": 3,
        "offset_b": 17,
        "offset_c": 5,
    },
)


@pytest.fixture(scope="module")
def implementation() -> Implementation:
    return OPENCL


GRID = [(name, options) for name in CONFIGS for options in (OPTIONS[::3] if "local-" in name else OPTIONS)]
"""Every orientation for the paths that differ in it; staging reads through the same macros, so its extremes suffice."""
if not strata.WHOLE:  # each of those paths meets two orientations, each orientation half of them
    met = {name: OPTIONS[number % 2 :: 2] for number, name in enumerate(one for one in CONFIGS if "local-" not in one)}
    GRID = [(name, options) for name, options in GRID if options in met.get(name, OPTIONS)]


@pytest.mark.parametrize(("name", "options"), GRID, ids=lambda x: x if isinstance(x, str) else " ".join(x.values()))
def test_grid(desk: Desk, wrong: Wrong, name: str, options: dict[str, str]) -> None:
    assert not wrong(desk, CONFIGS[name], options, SHAPES, sample=5)


@pytest.mark.parametrize("distribution", ["integers", "special", "wide"])
@pytest.mark.parametrize("name", ["naive", "block-local", "packed"])
def test_exact_special_and_wide_inputs(desk: Desk, verdict: Verdict, name: str, distribution: str) -> None:
    problem = DEFAULT.replace(m=41, n=43, k=47, epilogue="bias-relu")
    assert verdict(desk, problem, CONFIGS[name], 5, kind=distribution) is None


@pytest.mark.parametrize("activation", ["gelu-tanh", "bias-gelu-erf", "silu"])
def test_other_epilogues(desk: Desk, verdict: Verdict, activation: str) -> None:
    problem = DEFAULT.replace(m=23, n=37, k=11, epilogue=activation)
    assert verdict(desk, problem, CONFIGS["packed"]) is None


def test_sums_in_half_precision(desk: Desk, verdict: Verdict) -> None:
    problem = DEFAULT.replace(m=23, n=37, k=31, dtype="float16", accumulate="float16")
    if not desk.device.fp16:
        pytest.skip(f"{desk.device.name} has no float16")
    assert verdict(desk, problem, CONFIGS["packed"]) is None


def test_known_configurations_compute_what_they_are_fast_at(desk: Desk, verdict: Verdict) -> None:
    for rows in TABLES.values():
        for row in rows:
            assert verdict(desk, DEFAULT.replace(m=133, n=129, k=300), row.config) is None, row


def test_dispatch_gives_right_results_on_both_paths(desk: Desk, verdict: Verdict) -> None:
    for n in (300, 900):
        problem = DEFAULT.replace(m=n, n=n, k=n)
        row = family.advise(problem, desk.device)
        config = row.config if row else OPENCL.start
        assert verdict(desk, problem, family.adapt(problem, family.shape(problem), config, desk.device)) is None
