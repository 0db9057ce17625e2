"""Which kernel runs softmax: pure decisions, without PyTorch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.dispatch.choice import Candidate, Origin
from hotloop.dispatch.place import Winners
from hotloop.dispatch.select import PEER
from hotloop.kernels.reduction import KERNEL
from hotloop.kernels.reduction import softmax as rows
from hotloop.kernels.reduction.softmax import Softmax
from hotloop.model.record import Record
from hotloop.model.space import Config


def test_sizes_are_those_of_the_family():
    assert set(KERNEL.problem.sizes) - set(Softmax(3, 4, "float16").problem.sizes) == {"epsilon"}


def test_softmax_of_a_measured_shape(h200):
    choice = rows.choose(Softmax(32768, 4096, "bfloat16"), h200)
    assert choice.exact
    assert choice.config["LANES"] == 256
    program = rows.program(Softmax(32768, 4096, "bfloat16"), choice)
    assert program.launches[0].groups * choice.config.integer("ROWS") == 32768
    assert {"-DOP=2", "-DELEM=1", "-DCOLUMNS=4096"} <= set(program.options)


@pytest.mark.parametrize(
    ("count", "columns", "dtype"), [(1, 128, "float32"), (37, 131, "float16"), (5, 70000, "bfloat16")]
)
def test_softmax_of_other_shapes_has_a_geometry_that_fits(h200, count, columns, dtype):
    call = Softmax(count, columns, dtype)
    choice = rows.choose(call, h200)
    config, (launch,) = choice.config, rows.program(call, choice).launches
    assert columns % config.integer("VEC") == 0
    assert config.integer("VEC") * rows.ELEMENT_BYTES[dtype] <= 16
    assert launch.local_size == (config.integer("LANES") * config.integer("ROWS"),)
    assert launch.local_size[0] <= 1024
    assert launch.groups * config.integer("ROWS") >= count


def test_a_stored_softmax_comes_first_and_other_operations_do_not_count(h200):
    config = Config(LANES=64, ROWS=4, VEC=8, HELD=1)
    sizes = Record(rows=32768, columns=4096, operation="softmax", dtype="bfloat16", epsilon=1e-5)
    won = Candidate(origin=Origin.STORE, implementation="cuda", config=config, sizes=sizes, source="store")
    other = replace(won, sizes=sizes.replace(operation="rmsnorm"), source="another")
    choice = rows.choose(Softmax(32768, 4096, "bfloat16"), h200, Winners((other, won)))
    assert (choice.origin, choice.config, choice.exact) == (Origin.STORE, config, True)


def test_without_a_compiler_of_cuda_softmax_runs_in_triton(h200):
    choice = rows.choose(Softmax(10, 1000, "float32"), h200, compiler="no CUDA C++: why")
    assert choice.implementation == rows.TRITON
    assert choice.config == Config(HELD=1, BLOCK=128, ROWS=1, CHAIN=0, num_warps=2)
    assert "no CUDA C++: why" in choice.notes
    long = rows.choose(Softmax(10, 100_000, "float32"), h200, compiler="no CUDA C++: why")
    assert long.implementation == PEER
    assert "exceed the 16384 elements" in long.reason


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dtype": "float64"}, "not float64"),
        ({"rows": 0}, "nothing to compute"),
        ({"columns": 1 << 31}, "32-bit"),
        ({"last": False}, "last dimension only"),
        ({"contiguous": False}, "not contiguous"),
        ({}, ""),
    ],
)
def test_obstacles_of_softmax(changed, said):
    usual = {"dtype": "float32", "rows": 2, "columns": 3, "last": True, "contiguous": True}
    found = rows.obstacle(**{**usual, **changed})
    assert said in found
    assert bool(said) == bool(found)


@pytest.mark.parametrize(("columns", "ran"), [(17, PEER), (127, PEER), (128, rows.CUDA), (1000, rows.CUDA)])
def test_short_rows_are_left_to_pytorch(h200, columns, ran):
    choice = rows.choose(rows.Softmax(70001, columns, "bfloat16"), h200)
    assert choice.implementation == ran
    assert (f"rows of {columns} elements" in choice.source) == (ran == PEER)


@pytest.mark.parametrize(
    ("columns", "rows_each", "held"), [(65, 8, 1), (198, 8, 1), (1000, 2, 1), (16000, 1, 1), (86000, 1, 0)]
)
def test_triton_is_worth_a_glance_with_rows_as_they_fit(h200, columns, rows_each, held):
    first, *others = rows.alternatives(Softmax(5000, columns, "bfloat16"), h200)
    assert first.implementation == "triton"
    assert (first.config["ROWS"], first.config["HELD"]) == (rows_each, held)
    assert all(one.config != first.config for one in others)
    assert not rows.alternatives(Softmax(5000, columns, "bfloat16", obstacle="a reason"), h200)
