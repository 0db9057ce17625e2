"""Which kernel runs a depthwise conv3d: pure decisions, without PyTorch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.dispatch.choice import Candidate, Origin
from hotloop.dispatch.place import Winners
from hotloop.drivers.gpu import geometry
from hotloop.kernels.conv3d_depthwise import choosing as convolution
from hotloop.kernels.conv3d_depthwise.choosing import Convolution
from hotloop.kernels.conv3d_depthwise.cuda import rungs
from hotloop.kernels.conv3d_depthwise.cuda import space as cuda
from hotloop.kernels.conv3d_depthwise.problem import DEFAULT
from hotloop.kernels.conv3d_depthwise.shape import VIDEO, Shape
from hotloop.kernels.conv3d_depthwise.triton import plan as triton
from hotloop.model.jit import parse
from hotloop.model.program import Local

WHY = "no CUDA C++: cuda-bindings is not installed"
SMALL = Shape(2, 64, (8, 20, 32), (3, 3, 3), (1, 1, 1), dtype="float16")


def entry(shape, choice):
    return convolution.program(Convolution(shape), choice).launches[0].entry


def chosen(shape, device, *winners):
    return convolution.choose(Convolution(shape), device, Winners(winners), compiler=WHY)


def stored(implementation, config, shape=VIDEO):
    return Candidate(
        origin=Origin.STORE, implementation=implementation, config=config, sizes=convolution.sizes_of(shape), source="store"
    )  # fmt: skip


@pytest.mark.parametrize(
    "shape", [VIDEO, SMALL, replace(SMALL, dtype="float32"), replace(VIDEO, stride=(2, 1, 2))], ids=str
)
def test_the_rule_of_the_family_chooses_and_says_why(h200, shape):
    choice = chosen(shape, h200)
    assert (choice.implementation, choice.origin) == (convolution.TRITON, Origin.START)
    assert choice.config == triton.best(shape, h200.runtime)
    assert WHY in choice.notes


def test_a_launch_covers_every_output(h200):
    program = convolution.program(Convolution(VIDEO), chosen(VIDEO, h200))
    (launch,), constants = program.launches, parse(program.options).values
    across = -(-VIDEO.output[1] // constants["TH"]) * -(-VIDEO.output[2] // constants["TW"])
    strips = -(-VIDEO.output[0] // constants["PLANES"])
    assert launch.entry == "patches"
    assert launch.groups == VIDEO.c * strips * -(-across // constants["PATCHES"])
    assert constants["WIDEN"] is False


def test_a_winner_of_the_store_comes_first_if_it_is_tritons(h200):
    won = triton.NAIVE.replace(PLANES=5, BLOCK=256)
    cuda = stored("cuda", convolution.NAIVE)
    choice = chosen(VIDEO, h200, cuda, stored("triton", won))
    assert (choice.origin, choice.config) == (Origin.STORE, won)
    assert chosen(VIDEO, h200, cuda).origin is Origin.START


def test_with_a_compiler_tritons_winner_is_left_alone(h200):
    choice = convolution.choose(Convolution(VIDEO), h200, Winners((stored("triton", triton.NAIVE),)))
    assert choice.implementation == convolution.CUDA


def test_a_winner_that_does_not_fit_another_shape_gives_way(h200):
    choice = chosen(replace(SMALL, dtype="float32"), h200, stored("triton", triton.best(SMALL), SMALL))
    assert choice.config == triton.best(replace(SMALL, dtype="float32"))
    assert any("16-bit" in note for note in choice.notes)


@pytest.mark.parametrize(
    ("shape", "why"),
    [
        (VIDEO, ""),
        (SMALL, ""),
        (replace(SMALL, dtype="float32"), ""),
        (replace(SMALL, dtype="float32", stride=(1, 2, 2), c=640), "direct"),
        (replace(SMALL, dtype="float32", stride=(1, 2, 2)), ""),  # a thread for each output, and all of them at once
        (replace(SMALL, dtype="float64"), ""),
        (
            replace(SMALL, dtype="float32", stride=(1, 2, 2), kernel=(7, 7, 7), padding=(3, 3, 3)),
            "",
        ),  # too many weights to hold
        (Shape(1, 6, (5, 40, 40), (5, 3, 3), (2, 1, 1), dtype="float32"), "30 output planes"),
        (
            replace(SMALL, kernel=(9, 9, 9), dtype="float32", stride=(1, 2, 2)),
            "",
        ),  # more taps than Triton's kernel takes
        (
            replace(VIDEO, kernel=(5, 5, 5), size=(16, 90, 160)),
            "",
        ),  # bands of a plane leave registers for five planes of taps
        (replace(VIDEO, kernel=(3, 1, 1), padding=(1, 0, 0)), "one tap of a plane"),
        (replace(SMALL, dilation=(1, 2, 2)), "direct"),
        (replace(SMALL, c=8, dilation=(1, 2, 2)), ""),
        (replace(VIDEO, channels_last=True, c=510), "channels lie last"),  # chunks of 8 channels do not fit
        (replace(VIDEO, channels_last=True), ""),  # 1586 µs against 374: the turning kernel's
        (
            replace(VIDEO, channels_last=True, kernel=(3, 1, 1), padding=(1, 0, 0)),
            "channels lie last",
        ),  # 58.3 µs against 19.7
        (replace(SMALL, c=16, channels_last=True), ""),
        (replace(SMALL, stride=(1, 2, 2), c=640), "direct"),
        (Shape(1, 8, (16, 64, 64), (3, 7, 7), (1, 3, 3)), ""),
        (Shape(1, 512, (16, 16, 16), (3, 7, 7), (1, 3, 3)), ""),  # 25.9 µs against 65.6
        (Shape(1, 32, (61, 45, 80), (3, 7, 7), (1, 3, 3)), "strip"),  # 65.9 µs against 54.2
    ],
    ids=str,
)
def test_triton_runs_where_no_cuda_rung_is_fast(shape, why):
    found = convolution.aside(shape)
    assert why in found
    assert bool(why) == bool(found)
    assert not convolution.aside(shape, Winners((stored("cuda", convolution.NAIVE, shape),)))
    assert (
        convolution.aside(shape, Winners((stored("cuda", convolution.NAIVE, replace(shape, c=shape.c * 64)),))) == found
    )


def test_a_winner_of_an_unlike_shape_is_not_believed(h200):
    for factor, origin in ((2, Origin.STORE), (64, Origin.START)):
        won = Winners((stored("cuda", convolution.NAIVE, replace(SMALL, c=SMALL.c * factor)),))
        choice = convolution.choose(Convolution(SMALL), replace(h200, target="sm_80"), won)
        assert choice.origin is origin


@pytest.mark.parametrize(
    ("shape", "change", "why"),
    [
        (VIDEO, {"target": "sm_75"}, "8.0"),
        (Shape(1, 2, (20, 20, 20), (9, 9, 9), dtype="float32"), {}, "729 taps"),
        (VIDEO, {"local_mem_bytes": 8192}, "shared memory"),
    ],
    ids=["old", "window", "memory"],
)
def test_otherwise_pytorch_runs(h200, shape, change, why):
    choice = chosen(shape, replace(h200, **change))
    assert choice.origin is Origin.TORCH
    assert why in choice.source


def test_the_video_convolution_runs_the_measured_rung(h200):
    choice = convolution.choose(Convolution(VIDEO), h200)
    assert choice.exact
    assert choice.origin is Origin.PRESET
    program, best = convolution.program(Convolution(VIDEO), choice), rungs.best(VIDEO)
    (launch,) = program.launches
    assert launch.entry == "conv3d_toeplitz"
    assert geometry(launch, 1024) == (best.grid, (best.threads, 1, 1))
    assert launch.arguments[3:] == (Local(best.shared_bytes),)
    assert set(program.options) == set(best.options)


def test_another_convolution_says_how_far_it_is_from_the_measured_one(h200):
    choice = convolution.choose(Convolution(Shape(2, 64, (8, 20, 32), (3, 3, 3), (1, 1, 1), dtype="float32")), h200)
    assert choice.distance is not None
    assert choice.distance > 5
    assert choice.implementation == convolution.CUDA


def test_a_device_with_little_shared_memory_takes_the_lowest_rung(a100):
    small = replace(a100, local_mem_bytes=16384)
    choice = convolution.choose(Convolution(VIDEO), small)
    assert choice.config == cuda.NAIVE
    assert entry(VIDEO, choice) == "conv3d_direct"
    assert any("fitted to this shape: RUNG by shape → direct" in note for note in choice.notes)


def test_a_grid_that_is_too_large_takes_the_lowest_rung(h200):
    many = Shape(1, 70_000, (1, 4, 4), (1, 3, 3), (0, 1, 1))
    choice = convolution.choose(Convolution(many), h200)
    assert entry(many, choice) == "conv3d_direct"


def test_a_stored_convolution_comes_first(h200):
    config = cuda.NAIVE.replace(RUNG="strip", PLANES=20)
    won = Candidate(
        origin=Origin.STORE, implementation="cuda", config=config, sizes=convolution.sizes_of(VIDEO), source="store"
    )  # fmt: skip
    choice = convolution.choose(Convolution(VIDEO), h200, Winners((won,)))
    assert choice.origin is Origin.STORE
    assert entry(VIDEO, choice) == "conv3d_strip"
    strided = replace(VIDEO, stride=(1, 2, 2))
    other = convolution.choose(Convolution(strided), h200, Winners((won,)))
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
    assert set(convolution.sizes_of(VIDEO)) == set(DEFAULT.sizes)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_planes_are_turned_where_channels_lie_last(h200, bias, dtype):
    shape = replace(VIDEO, channels_last=True, bias=bias, dtype=dtype)
    choice = convolution.choose(convolution.Convolution(shape), h200)
    assert choice.implementation == "turn"
    assert convolution.program(convolution.Convolution(shape), choice).launches
    for other in (
        replace(shape, c=9),
        replace(shape, dtype="float32"),
        replace(shape, size=(2, 8, 8)),
        replace(shape, channels_last=False),
    ):
        assert convolution.choose(convolution.Convolution(other), h200).implementation != "turn"


@pytest.mark.parametrize(
    ("window", "cut"),
    [
        ((3, 5, 5), {"QUADS": 3, "EARLY": 1, "SLOTS": 2, "WHOLE": 2, "STEADY": 1}),
        ((5, 5, 5), {"QUADS": 2, "EARLY": 2, "SLOTS": 4}),
        ((7, 5, 5), {"QUADS": 1}),
    ],
)
def test_the_turning_kernel_is_cut_by_measured_steps(h200, window, cut):
    shape = replace(VIDEO, channels_last=True, kernel=window, padding=(window[0] // 2, 2, 2))
    assert cut.items() <= convolution.choose(Convolution(shape), h200).config.items()
    assert all(
        one.implementation != "turn" or one.config["QUADS"] != 6
        for one in convolution.rungs_worth_trying(Convolution(shape), h200)
    )
