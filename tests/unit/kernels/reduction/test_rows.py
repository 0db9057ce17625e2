"""The CUDA and HIP row operations run on the host."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.kernels.reduction.cuda import plan
from hotloop.kernels.reduction.geometry import OPERATIONS, Rows
from hotloop.kernels.reduction.problem import DEFAULT
from hotloop.kernels.reduction.reference import magnitude, reference
from hotloop.model.dtype import roundoff

SOURCE = plan.source()
CASES = (
    Rows("sum", 5, 2048),
    Rows("max", 9, 127, "float32"),
    Rows("softmax", 3, 20_000, "float16", lanes=64),
    Rows("softmax", 37, 24),
    Rows("softmax", 1, 1, "float32"),
    Rows("rmsnorm", 6, 1000, "float16"),
    Rows("layernorm", 5, 520, "bfloat16"),
    Rows("layernorm", 3, 2048, "bfloat16", wave=64),
    Rows("softmax", 3, 4096, "bfloat16", lanes=64, hold=2),
    Rows("softmax", 5, 1000, "float16", lanes=32, hold=2, block=64),
    Rows("rmsnorm", 3, 2056, "bfloat16", lanes=128, hold=2),
    Rows("rmsnorm", 3, 2056, "bfloat16", lanes=128, hold=2, early=1),
    Rows("rmsnorm", 9, 1024, "float16"),
    Rows("rmsnorm", 2, 8192, "bfloat16", lanes=1024),
    Rows("layernorm", 3, 1028, "float32", lanes=64, early=1),
    Rows("layernorm", 2, 4096, "bfloat16"),
    Rows("sum", 3, 1536, "float32", lanes=192),
)


def run(emulate, rows, source=SOURCE, options=()):
    """Return the share of outputs beyond the bound."""
    rng = np.random.default_rng(5)
    x, scale, shift = (
        emulate.to_bits(rng.standard_normal(size) * 2 + 1, rows.dtype)
        for size in ((rows.rows, rows.columns), rows.columns, rows.columns)
    )
    y = emulate.poisoned((rows.rows,) if rows.operation in ("sum", "max") else x.shape, rows.dtype)
    launch = emulate(source, "rows_reduce", (*rows.options, *options), wave=rows.wave)
    if launch(rows.grid, rows.threads, 0, x, scale, y, shift, rows.rows):
        return 1.0  # a deadlock, or a copy that nobody waited for
    problem = DEFAULT.replace(rows=rows.rows, columns=rows.columns, operation=rows.operation, epsilon=rows.epsilon)
    named = (("x", x), ("scale", scale), ("shift", shift))
    arrays = {name: emulate.from_bits(a, rows.dtype) for name, a in named}
    want, size = (f(problem, arrays)["y"] for f in (reference, magnitude))
    bound = 1.01 * roundoff(rows.dtype) * np.abs(want) + 2e-6 * size + 1e-7
    return float(np.mean(~(np.abs(emulate.from_bits(y, rows.dtype) - want) <= bound)))


@pytest.mark.parametrize("rows", CASES, ids=lambda r: f"{r.operation}-{r.rows}x{r.columns}-{r.dtype}-{r.wave}-{r.held}")
def test_rows_are_reduced(rows, emulate):
    assert run(emulate, rows) == 0.0


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("    __syncthreads();\n#if LANES == WAVE * WAVE", "#if LANES == WAVE * WAVE"),
        ("distance = (LANES < WAVE ? LANES : WAVE) / 2", "distance = (LANES < WAVE ? LANES : WAVE) / 4"),
        ("for (int i = 1; i < (WAVES < 4 ? WAVES : 4); ++i) x", "for (int i = 2; i < (WAVES < 4 ? WAVES : 4); ++i) x"),
        ("odd += f(v)", "odd = f(v)"),
    ],
)
def test_planted_errors_are_seen(text, instead, emulate):
    assert text in SOURCE
    assert run(emulate, Rows("sum", 5, 2048, "float32"), SOURCE.replace(text, instead)) > 0.0


@pytest.mark.parametrize(
    ("text", "instead"),
    [("kept[i][e] *= by.at(e);", ";"), ("distance = WAVE / 2;", "distance = WAVE / 4;")],
)
def test_errors_in_the_scale_and_in_whole_blocks_are_seen(text, instead, emulate):
    assert text in SOURCE
    assert run(emulate, Rows("rmsnorm", 2, 8192, "bfloat16", lanes=1024), SOURCE.replace(text, instead)) > 0.0


@pytest.mark.parametrize("exchange", [1, 2, 3])
@pytest.mark.parametrize(
    "rows",
    [
        Rows("sum", 3, 1000, "float32", lanes=64, wave=64, block=256),
        Rows("max", 5, 2056, "bfloat16", lanes=256, wave=64),
        Rows("softmax", 2, 4096, "bfloat16", lanes=1024, wave=64),
        Rows("layernorm", 3, 777, "float16", lanes=192, wave=64),
    ],
    ids=lambda r: r.operation,
)
def test_lanes_meet_without_shuffles(rows, exchange, emulate):
    assert run(emulate, rows, options=(f"-DEXCHANGE={exchange}",)) == 0.0


@pytest.mark.parametrize(
    ("exchange", "text", "instead"),
    [
        (1, "swizzled<8>", "swizzled<4>"),
        (2, "moved<MIRROR>", "moved<HALF_MIRROR>"),
        (2, "return last_lane(x);", "return x;"),
        (3, "swapped<32>(x, other);", "swapped<16>(x, other);"),
    ],
)
def test_wrong_neighbours_are_seen(exchange, text, instead, emulate):
    assert text in SOURCE
    rows, wrong = Rows("sum", 3, 1000, "float32", lanes=64, wave=64), SOURCE.replace(text, instead)
    assert run(emulate, rows, wrong, (f"-DEXCHANGE={exchange}",)) > 0.0


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("columns", [1, 7, 24, 256, 1000, 4096, 70_000])
def test_geometry_covers_every_element_and_fits_a_block(operation, columns):
    rows = Rows(operation, 33, columns)
    assert columns % rows.vector == 0
    assert rows.threads <= 1024
    assert rows.grid[0] * rows.per_block >= rows.rows
    assert rows.sharing & (rows.sharing - 1) == 0


@pytest.mark.parametrize("columns", [1024, 2048, 4096, 8192, 16384])
def test_two_vectors_of_a_row_and_of_its_scale_are_in_flight(columns):
    rows = Rows("rmsnorm", 4096, columns)
    assert columns == 2 * rows.vector * rows.sharing
    assert (rows.held, rows.streamed, rows.ahead) == (1, 1, 1)
    assert "-DEARLY=1" in rows.options


@pytest.mark.parametrize(("operation", "longest"), [("softmax", 65536), ("rmsnorm", 32768)])
def test_long_rows_are_read_anew_by_1024_threads_twice_in_a_multiprocessor(operation, longest):
    for columns in (32768, 65536):
        rows = Rows(operation, 4096, columns)
        assert (rows.held == 0) == (columns <= longest)
        assert (rows.sharing == 1024, rows.crowded == 1) == (columns <= longest, columns <= longest)
        assert rows.streamed == 1
    assert Rows(operation, 4096, 16384).held > 0
    assert Rows(operation, 4096, 32768, lanes=512).held > 0
    assert (Rows(operation, 4096, 32768, "float32").crowded, Rows("layernorm", 4096, 32768).held) == (0, 1)
