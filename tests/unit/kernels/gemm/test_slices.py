"""Who adds the slices of k, and with what: the same for every implementation that has slices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.kernels.gemm.pipelined import PIPELINED
from hotloop.kernels.gemm.problem import DEFAULT, gemm
from hotloop.kernels.gemm.scheduled import SCHEDULED
from hotloop.kernels.gemm.shared.geometry import text
from hotloop.kernels.gemm.shared.slices import (
    MOST_TILES,
    VECTOR,
    arguments,
    copies_of_c,
    finish,
    in_place,
    joins,
    ptx,
    standard,
)
from hotloop.kernels.gemm.skinny import SKINNY
from hotloop.model.program import Array, Value

FORM = gemm(DEFAULT.replace(m=7, n=10, k=64, alpha=2.0, beta=0.5, ldc=12, offset_c=3))
ARRIVING = SKINNY.start.replace(SPLIT=4, ARRIVE=1)


@pytest.fixture
def gpu(device):
    return replace(device, kind="gpu", runtime_key="nvidia", target="sm_90")


@pytest.mark.parametrize(
    ("config", "groups", "key", "joined"),
    [
        (ARRIVING, 1, "nvidia", True),
        (ARRIVING, MOST_TILES, "nvidia", True),
        (ARRIVING, MOST_TILES + 1, "nvidia", False),
        (ARRIVING, 1, "intel", True),
        (ARRIVING, 1, "pocl", False),
        (ARRIVING, 1, "amd", False),
        (ARRIVING.replace(ARRIVE=0), 1, "nvidia", False),
        (PIPELINED.start.replace(SPLIT=4, ARRIVE=1), 1, "nvidia", True),
        (SCHEDULED.start, 1, "nvidia", False),  # has no slices
    ],
)
def test_the_last_to_arrive_adds_where_it_is_told_to_and_the_device_can_count(gpu, config, groups, key, joined):
    assert joins(FORM, config, groups, replace(gpu, runtime_key=key)) is joined


@pytest.mark.parametrize(
    ("key", "target", "dtype", "possible"),
    [
        ("nvidia", "sm_90", "float32", True),
        ("nvidia", "sm_80", "float32", True),
        ("nvidia", "sm_120", "float32", True),
        ("nvidia", "", "float32", True),
        ("nvidia", "sm_75", "float32", False),
        ("nvidia", "sm_61", "float32", False),
        ("nvidia", "sm_90", "float64", False),
        ("pocl", "sm_90", "float32", False),
    ],
)
def test_ptx_is_nvidias_for_float32_from_sm_80_on(gpu, key, target, dtype, possible):
    form, device = gemm(DEFAULT.replace(dtype=dtype)), replace(gpu, runtime_key=key, target=target)
    assert ptx(form, device) is possible
    assert joins(form, ARRIVING, 1, device) is possible


def test_counters_are_global_variables_of_opencl_c_2_where_there_is_no_ptx(gpu):
    intel = replace(gpu, runtime_key="intel")
    assert standard(FORM, intel, joined=True) == ("-cl-std=CL2.0",)
    assert standard(FORM, intel, joined=False) == ()
    assert standard(FORM, gpu, joined=True) == ()
    assert text("shared/slices").count("arrived[COUNTERS]") == 1
    assert text("shared/slices").count('arrived[" TEXT(COUNTERS) "]') == 1


@pytest.mark.parametrize(("change", "size"), [({}, 4), ({"dtype": "float16"}, 4), ({"dtype": "float64"}, 8)])
def test_scratch_holds_a_copy_of_c_for_each_slice_in_the_type_of_the_sums(change, size):
    scratch = copies_of_c(gemm(DEFAULT.replace(m=7, n=10, ldc=12, **change)), 3)
    assert (scratch.name, scratch.scratch_bytes) == ("work", 3 * 7 * 10 * size)


@pytest.mark.parametrize(("vector", "items"), [(1, 10), (2, 5), (4, 3), (8, 2), (16, 1)])
def test_the_second_launch_has_an_item_for_each_vector_of_a_row(vector, items):
    launch = finish(FORM, 3, Array("bias"), vector)
    assert (launch.entry, launch.phase) == ("add_slices", "add")
    assert (launch.global_size, launch.local_size) == ((items, 7), None)
    values = [(x.value, x.dtype) for x in launch.arguments if isinstance(x, Value)]
    assert values[:5] == [(7, "int32"), (10, "int32"), (3, "int32"), (2.0, "float32"), (0.5, "float32")]
    assert [value for value, _ in values[5:]] == [3, 12]
    assert [x.name for x in launch.arguments if isinstance(x, Array)] == ["work", "c", "bias"]
    assert finish(FORM, 3, Array("bias")) == finish(FORM, 3, Array("bias"), VECTOR)


@pytest.mark.parametrize(("split", "sums"), [(1, "c"), (2, "work")])
def test_the_main_kernel_is_told_where_slices_go(split, sums):
    given = arguments(FORM, Array("bias"), split)
    assert [x.value for x in given if isinstance(x, Value)] == [7, 10, 64, 2.0, 0.5, 0, 64, 0, 10, 3, 12]
    assert [x.name for x in given if isinstance(x, Array)] == ["a", "b", "c", "bias", sums]


@pytest.mark.parametrize("implementation", [PIPELINED, SCHEDULED, SKINNY], ids=lambda one: one.name)
def test_a_cpu_is_told_that_memory_may_begin_at_any_element(gpu, implementation):
    """It works in its caller's arrays; PoCL died of a vector access that promised more than an element's alignment."""
    problem = DEFAULT.replace(m=256, n=256, k=256)
    for device, told in ((gpu, False), (replace(gpu, kind="cpu", runtime_key="pocl"), True)):
        program = implementation.plan(problem, implementation.start, device)
        assert ("-DIN_PLACE=1" in program.options) is told
        assert "IN_PLACE" in program.source
    assert in_place(gpu) == ()
