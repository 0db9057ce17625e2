"""Which kernel runs attention, convolutions and softmax: pure decisions, without PyTorch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.dispatch.choice import Candidate, Origin
from hotloop.dispatch.place import Winners
from hotloop.dispatch.select import PEER
from hotloop.kernels.attention.plan import FEW, MEASURED, Plain
from hotloop.kernels.conv3d_depthwise.cuda import rungs
from hotloop.kernels.conv3d_depthwise.cuda import space as cuda
from hotloop.kernels.conv3d_depthwise.shape import VIDEO, Shape
from hotloop.kernels.reduction import KERNEL as REDUCTION
from hotloop.kernels.reduction import softmax as rows
from hotloop.kernels.reduction.softmax import Softmax
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.ops.tensors import attending, convolution
from hotloop.ops.tensors.attending import Attention
from hotloop.ops.tensors.convolution import Convolution


def attention(size=128, obstacle=""):
    return Attention(2, 16, 4, 1000, 900, size, "bfloat16", causal=True, obstacle=obstacle)


@pytest.mark.parametrize("size", list(MEASURED))
def test_attention_on_the_measured_device_takes_what_was_measured(h200, size):
    choice = attending.choose(attention(size), h200)
    assert choice.implementation == attending.GLUON
    assert attending.gluon(choice.config) == MEASURED[size]
    assert choice.measured_on is not None
    assert choice.measured_on["size"] == size


@pytest.mark.parametrize(
    ("lengths", "causal", "few"),
    [((2, 5000), False, True), ((32, 5000), False, True), ((33, 5000), False, False), ((32, 5000), True, False),
     ((3, 1), True, True)],
)  # fmt: skip
def test_few_queries_that_see_all_keys_have_a_configuration_of_their_own(h200, lengths, causal, few):
    choice = attending.choose(Attention(2, 16, 4, *lengths, 128, "bfloat16", causal=causal), h200)
    assert attending.gluon(choice.config) == (FEW if few else MEASURED)[128]
    assert ("few queries" in choice.source) == few


def test_single_queries_are_left_to_pytorch_where_it_was_measured_to_be_faster(h200, a100):
    call = Attention(2, 16, 4, 1, 5000, 128, "bfloat16", causal=False)
    assert "one query a head" in attending.choose(call, h200).reason
    assert attending.choose(call, a100).implementation == attending.TRITON


def test_attention_elsewhere_takes_the_plain_kernel(a100):
    choice = attending.choose(attention(256), a100)
    assert (choice.implementation, choice.origin) == (attending.TRITON, Origin.START)
    assert attending.plain(choice.config) == Plain(rows=64, keys=32)
    assert attending.choose(attention(), replace(a100, target="sm_70")).implementation == PEER


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dtype": "float32"}, "not float32"),
        ({"size": 96}, "64, 128, 256, not 96"),
        ({"empty": True}, "zero"),
        ({"scale": -1.0}, "positive scale, not -1"),
        ({"loose": "k"}, "k has a last stride"),
        ({}, ""),
    ],
)
def test_obstacles_of_attention(changed, said):
    usual = {"dtype": "float16", "size": 64, "empty": False, "scale": None, "loose": ""}
    found = attending.obstacle(**{**usual, **changed})
    assert said in found
    assert bool(said) == bool(found)


def test_the_video_convolution_runs_the_measured_rung(h200):
    choice = convolution.choose(Convolution(VIDEO), h200)
    assert choice.exact
    assert choice.origin is Origin.PRESET
    job = convolution.job(VIDEO, choice.config)
    best = rungs.best(VIDEO)
    assert (job.entry, job.grid, job.threads, job.shared_bytes) == (
        "conv3d_toeplitz", best.grid, best.threads, best.shared_bytes,
    )  # fmt: skip
    assert set(job.options) == set(best.options)


def test_another_convolution_says_how_far_it_is_from_the_measured_one(h200):
    choice = convolution.choose(Convolution(Shape(2, 64, (8, 20, 32), (3, 3, 3), (1, 1, 1), dtype="float32")), h200)
    assert choice.distance is not None
    assert choice.distance > 5
    assert choice.implementation == convolution.CUDA


def test_a_device_with_little_shared_memory_takes_the_lowest_rung(a100):
    small = replace(a100, local_mem_bytes=16384)
    choice = convolution.choose(Convolution(VIDEO), small)
    assert choice.config == cuda.NAIVE
    assert convolution.job(VIDEO, choice.config).entry == "conv3d_direct"
    assert any("fitted to this shape: RUNG by shape → direct" in note for note in choice.notes)


def test_a_grid_that_is_too_large_takes_the_lowest_rung(h200):
    many = Shape(1, 70_000, (1, 4, 4), (1, 3, 3), (0, 1, 1))
    choice = convolution.choose(Convolution(many), h200)
    assert convolution.job(many, choice.config).entry == "conv3d_direct"


def test_a_stored_convolution_comes_first(h200):
    config = cuda.NAIVE.replace(RUNG="strip", PLANES=20)
    won = Candidate(
        origin=Origin.STORE, implementation="cuda", config=config, sizes=convolution.sizes_of(VIDEO), source="store"
    )  # fmt: skip
    choice = convolution.choose(Convolution(VIDEO), h200, (won,))
    assert choice.origin is Origin.STORE
    assert convolution.job(VIDEO, choice.config).entry == "conv3d_strip"
    strided = replace(VIDEO, stride=(1, 2, 2))
    other = convolution.choose(Convolution(strided), h200, (won,))
    assert any("passed over store: the strip rung takes stride" in note for note in other.notes)


@pytest.mark.parametrize(
    ("shape", "loose", "said"),
    [
        (replace(VIDEO, dtype="float64"), "", "not float64"),
        (replace(VIDEO, n=0), "", "nothing to compute"),
        (replace(VIDEO, n=64), "", "32-bit"),
        (VIDEO, "x", "x is not contiguous"),
        (VIDEO, "", ""),
    ],
)
def test_obstacles_of_convolutions(shape, loose, said):
    found = convolution.obstacle(shape, loose)
    assert said in found
    assert bool(said) == bool(found)


def test_sizes_are_those_of_the_family():
    assert set(convolution.sizes_of(VIDEO)) == set(cuda_default())
    softmax = Softmax(3, 4, "float16").problem.sizes
    assert set(REDUCTION.problem.sizes) - set(softmax) == {"epsilon"}


def cuda_default():
    from hotloop.kernels.conv3d_depthwise import KERNEL

    return KERNEL.problem.sizes


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
    assert choice.config == Config(BLOCK=1024, num_warps=2)
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
