"""The CUDA and HIP rungs run on the host: index arithmetic, fragment layouts, barriers and asynchronous copies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hotloop.kernels.conv3d_depthwise.cuda import plan, rungs
from hotloop.kernels.conv3d_depthwise.cuda.rungs import strip, toeplitz
from hotloop.kernels.conv3d_depthwise.problem import DEFAULT
from hotloop.kernels.conv3d_depthwise.reference import magnitude, reference
from hotloop.kernels.conv3d_depthwise.shape import VIDEO as REPORTED
from hotloop.kernels.conv3d_depthwise.shape import Shape
from hotloop.model.dtype import roundoff

SOURCE = plan.source()

VIDEO = Shape(1, 1, (8, 45, 80), (3, 5, 5), (0, 2, 2))
SMALL = Shape(1, 2, (5, 13, 32), (3, 5, 5), (0, 2, 2))
RAGGED = Shape(1, 2, (4, 11, 22), (5, 5, 5), (2, 2, 2), bias=True)
TALL = Shape(1, 2, (5, 61, 20), (3, 3, 3), (1, 1, 1))
BANDED = Shape(1, 2, (5, 25, 24), (3, 3, 5), (1, 2, 2), dtype="float16")
VALID = Shape(2, 1, (4, 12, 24), (2, 3, 3), (0, 0, 0), dtype="float16", bias=True)
STRIDED = Shape(2, 3, (5, 9, 11), (2, 3, 4), (1, 2, 0), (2, 1, 2), (1, 2, 1), 2, "float32", bias=True)
LAST = Shape(1, 4, (4, 5, 6), (3, 3, 3), (1, 1, 1), dtype="float16", channels_last=True)
FLOAT = Shape(1, 2, (5, 12, 22), (3, 5, 5), (1, 2, 2), dtype="float32", bias=True)
WIDER = Shape(1, 1, (4, 11, 32), (2, 3, 2), (1, 1, 1), dtype="float16", bias=True)
"""One column of outputs more than of inputs: a tile of 16 of its own."""
NARROW = replace(SMALL, bias=True, dtype="float16")

CASES = {
    "direct, strides": (STRIDED, rungs.direct(STRIDED), 32),
    "direct, channels last": (LAST, rungs.direct(LAST), 32),
    "tile": (SMALL, rungs.tile(SMALL), 32),
    "tile, bias": (NARROW, rungs.tile(NARROW), 32),
    "strip": (SMALL, strip(SMALL, width=4), 32),
    "strip along depth": (FLOAT, strip(FLOAT, width=8, planes=3, wide=True), 32),
    "toeplitz registers": (SMALL, toeplitz(SMALL, quads=2, loader="registers", planes=2), 32),
    "toeplitz async": (RAGGED, toeplitz(RAGGED, quads=2, stages=3), 32),
    "toeplitz bulk": (VIDEO, toeplitz(VIDEO, quads=3, stages=3, loader="bulk"), 32),
    "toeplitz tall, two planes": (TALL, toeplitz(TALL, quads=6, stages=2, planes=3), 32),
    "toeplitz bands": (TALL, toeplitz(TALL, quads=2, stages=3, planes=2, vertical=1), 32),
    "toeplitz bands of two waves": (VIDEO, toeplitz(VIDEO, quads=1, stages=3, planes=5, vertical=2), 32),
    "toeplitz bands, bulk": (BANDED, toeplitz(BANDED, quads=1, stages=3, loader="bulk", vertical=1), 32),
    "toeplitz bands, registers": (BANDED, toeplitz(BANDED, quads=1, loader="registers", vertical=1), 32),
    "toeplitz bands AMD": (TALL, toeplitz(TALL, quads=1, loader="registers", vertical=1, wave=64), 64),
    "toeplitz no padding": (VALID, toeplitz(VALID, quads=1, stages=2), 32),
    "toeplitz AMD": (SMALL, toeplitz(SMALL, quads=1, loader="registers", wave=64), 64),
    "toeplitz wider than the input": (WIDER, toeplitz(WIDER, quads=2, stages=4, planes=1), 32),
    "toeplitz wider, AMD": (WIDER, toeplitz(WIDER, quads=1, loader="registers", wave=64), 64),
    "toeplitz AMD float16": (VALID, toeplitz(VALID, quads=1, loader="registers", wave=64), 64),
}


def problem_of(shape: Shape):
    named = {f"{prefix}{axis}": value for prefix, triple in (
        ("", shape.size), ("k", shape.kernel), ("s", shape.stride), ("p", shape.padding), ("l", shape.dilation)
    ) for axis, value in zip("dhw", triple, strict=True)}  # fmt: skip
    layout = "ndhwc" if shape.channels_last else "ncdhw"
    # float32 stands for every type: the arrays that the reference gets hold what the kernel read, exactly
    named |= {"bias": 1} if shape.bias else {}
    return DEFAULT.replace(n=shape.n, c=shape.c, multiplier=shape.multiplier, layout=layout, **named)


REPAIR = "if (any_of_wave(seen)) repair(wave, x, weights, y, added);"
"""Late data are NaN here, so it would mend what a race did; among finite numbers there is nothing to mend."""
NO_REPAIR = 'if (any_of_wave(seen)) emulation::fail("a number that is not finite");'


def nothing(_x, _w):
    """Leave the numbers as they were drawn."""


def run(emulate, shape, rung, wave, source=SOURCE, times=1):
    """Return the share of outputs beyond the bound, of the first of some runs that has any."""
    assert REPAIR in source
    return wrong(emulate, shape, rung, wave, source.replace(REPAIR, NO_REPAIR), [nothing] * times)


def wrong(emulate, shape, rung, wave, source, plants):
    """Return the share of outputs beyond the bound, or NaN or infinite unlike the reference, of the first run that has any."""
    matrix = shape.dtype if rung.entry == "conv3d_toeplitz" else ""
    launch = emulate(source, rung.entry, rung.options, wave=wave, matrix=matrix)
    shares = (share(emulate, shape, rung, launch, plant) for plant in plants)
    return next((one for one in shares if one), 0.0)


def share(emulate, shape, rung, launch, plant):
    rng = np.random.default_rng(7)
    channels = shape.c * shape.multiplier
    x_size = (shape.n, *shape.size, shape.c) if shape.channels_last else (shape.n, shape.c, *shape.size)
    y_size = (shape.n, *shape.output, channels) if shape.channels_last else (shape.n, channels, *shape.output)
    x, w = (rng.standard_normal(size) for size in (x_size, (channels, *shape.kernel)))
    plant(x, w)
    x, w = (emulate.to_bits(values, shape.dtype) for values in (x, w))
    y = emulate.poisoned(y_size, shape.dtype)
    bias = emulate.to_bits(3 * rng.standard_normal(channels), shape.dtype)
    if launch(rung.grid, rung.threads, rung.shared_bytes, x, w, y, bias):
        return 1.0  # a deadlock, or a copy that nobody waited for
    arrays = {"x": x, "weights": w, "bias": bias}
    arrays = {name: emulate.from_bits(values, shape.dtype) for name, values in arrays.items()}
    want, size = (f(problem_of(shape), arrays)["y"] for f in (reference, magnitude))
    got = emulate.from_bits(y, shape.dtype)
    with np.errstate(invalid="ignore"):
        bound = 1.01 * roundoff(shape.dtype) * np.abs(want) + 4e-6 * size + 1e-7
        close = np.isfinite(want) & (np.abs(got - want) <= bound)
    return float(np.mean(~(close | (got == want) | (np.isnan(got) & np.isnan(want)))))


@pytest.mark.parametrize("name", CASES)
def test_a_rung_computes_the_convolution(name, emulate):
    shape, rung, wave = CASES[name]
    assert run(emulate, shape, rung, wave) == 0.0


@pytest.mark.parametrize(
    ("case", "text", "instead"),
    [
        ("toeplitz async", "copy_wait<STAGES - 2>();", "copy_wait<STAGES - 1>();"),
        ("toeplitz async", "copy_wait<STAGES - 2>();\n            __syncthreads();", "copy_wait<STAGES - 2>();"),
        ("toeplitz bulk", "if (thread % WAVE == 0) barrier_arrive(empty + slot);", "if (thread == 0) for (int i = 0; i < WAVES; ++i) barrier_arrive(empty + slot);"),
        ("toeplitz registers", "column = j < 2 ? 4 * i : 2;", "column = j < 2 ? 4 - 4 * i : 2;"),
        ("toeplitz AMD", "row = t + 4 * (j >> 1)", "row = t + 4 * (j & 1)"),
    ],
)  # fmt: skip
def test_the_emulation_sees_planted_errors(case, text, instead, emulate):
    shape, rung, wave = CASES[case]
    assert text in SOURCE
    assert (
        run(emulate, shape, rung, wave, SOURCE.replace(text, instead), times=8) > 0.0
    )  # a race is not lost every time


def in_the_input(x, _w):
    """Plant NaN and infinities in corners, at the edges of matrix blocks, in the middle, and two that meet."""
    *_, depth, height, width = x.shape
    kinds = (np.nan, np.inf, -np.inf)
    places = [(0, 0, 0), (depth - 1, height - 1, width - 1), (1, 4, 16), (2, 7, 3), (2, 8, 19), (depth // 2, 5, 10)]
    for number, place in enumerate(places):
        x[(0, number % x.shape[1], *place)] = kinds[number % 3]
    x[0, 0, 1, 9, 7], x[0, 0, 1, 9, 8] = np.inf, -np.inf


def in_the_weights(_x, w):
    """Plant an infinity in a tap that only sees padding at the border, and a NaN in the last channel's middle."""
    w[0, 0, 0, 0] = np.inf
    w[-1, -1, 1, 1] = np.nan


MATRIX = {name: case for name, case in CASES.items() if name.startswith("toeplitz")}
PADDED = Shape(1, 2, (4, 13, 20), (3, 3, 3), (1, 1, 1), dtype="float16")
MATRIX |= {
    "padding along depth": (PADDED, toeplitz(PADDED, quads=2, planes=1), 32),
    "padding along depth, AMD": (PADDED, toeplitz(PADDED, quads=1, loader="registers", wave=64), 64),
}


@pytest.mark.parametrize("name", MATRIX)
def test_nan_and_infinity_reach_only_their_windows(name, emulate):
    assert wrong(emulate, *MATRIX[name], SOURCE, [in_the_input, in_the_weights]) == 0.0


@pytest.mark.parametrize(
    ("plant", "text", "instead"),
    [
        (in_the_input, REPAIR, ""),
        (in_the_input, "is_nan(found) | ", ""),
        (in_the_input, "watch(seen, sum, four);", ""),
        (in_the_weights, "#if PD > 0\n#pragma unroll\n", "#if 0\n"),
        (in_the_weights, " | (od > D + PD - KD)", ""),
        (in_the_weights, "sum += found * to_float", "if (inside) sum += found * to_float"),
    ],
)  # fmt: skip
def test_a_repair_that_leaves_something_out_is_seen(plant, text, instead, emulate):
    assert text in SOURCE
    assert wrong(emulate, *MATRIX["padding along depth"], SOURCE.replace(text, instead), [plant]) > 0.0


def test_what_a_rung_does_not_take_is_refused():
    with pytest.raises(ValueError, match="stride and dilation 1"):
        toeplitz(STRIDED)
    with pytest.raises(ValueError, match="16-bit elements"):
        toeplitz(FLOAT)
    with pytest.raises(ValueError, match="does not fit the centred 5"):
        toeplitz(replace(SMALL, kernel=(3, 7, 5), padding=(0, 3, 2)))
    with pytest.raises(ValueError, match="odd"):
        toeplitz(replace(SMALL, size=(5, 13, 31)))
    with pytest.raises(ValueError, match="bulk copies need rows"):
        toeplitz(RAGGED, loader="bulk")
    with pytest.raises(ValueError, match="NVIDIA's"):
        toeplitz(SMALL, wave=64)
    with pytest.raises(ValueError, match="without any input"):
        toeplitz(replace(SMALL, padding=(3, 2, 2)))
    with pytest.raises(ValueError, match="shared memory"):
        rungs.tile(replace(FLOAT, size=(5, 60, 104)))


@pytest.mark.parametrize(
    ("shape", "entry"),
    [(REPORTED, "conv3d_toeplitz"), (FLOAT, "conv3d_strip"), (STRIDED, "conv3d_direct"), (LAST, "conv3d_direct")],
)
def test_the_best_rung_is_the_highest_that_takes_the_shape(shape, entry):
    assert rungs.best(shape).entry == entry


def test_the_best_rung_of_the_video_problem_is_the_one_that_was_measured_to_be():
    assert rungs.best(REPORTED) == toeplitz(REPORTED, quads=3, stages=4, loader="async", blocks=2)


@pytest.mark.parametrize(
    ("channels", "size", "window", "planes", "quads", "bands"),
    [
        (384, (21, 60, 104), (3, 3, 3), 21, 4, 1),  # whole depth: more channels than blocks that run at once
        (64, (33, 60, 104), (3, 3, 3), 17, 4, 1),
        (40, (33, 60, 104), (3, 3, 3), 11, 4, 1),
        (1, (33, 60, 104), (3, 3, 3), 1, 2, 4),
        (96, (33, 90, 160), (3, 3, 3), 33, 3, 4),  # a block with the whole plane would leave 64 registers
        (32, (16, 90, 160), (5, 5, 5), 16, 3, 4),
        (64, (15, 128, 128), (5, 5, 5), 15, 2, 4),
    ],
)
def test_few_channels_share_the_depth_and_blocks_share_large_planes(channels, size, window, planes, quads, bands):
    padding = (window[0] // 2, window[1] // 2, window[2] // 2)
    best = dict(rungs.best(Shape(1, channels, size, window, padding)).macros)
    assert (best["PLANES"], best["QUADS"], best["BANDS"]) == (planes, quads, bands)


@pytest.mark.parametrize("size", [(1, 8, 16), (16, 45, 80), (61, 90, 160), (7, 128, 128), (5, 300, 200)])
@pytest.mark.parametrize("window", [(1, 3, 3), (3, 5, 5), (5, 5, 5), (7, 3, 3)])
@pytest.mark.parametrize("channels", [1, 40, 700])
def test_the_cut_of_a_plane_fits_a_multiprocessor(channels, size, window):
    shape = Shape(1, channels, size, window, (window[0] // 2, window[1] // 2, window[2] // 2))
    best = rungs.best(shape)
    made = dict(best.macros)
    assert best.entry == "conv3d_toeplitz"
    assert best.threads <= rungs.THREADS_MOST
    assert best.shared_bytes <= rungs.SHARED_BYTES
    rows = made["VERTICAL"] * 8 * made["QUADS"]
    assert made["BANDS"] * rows >= shape.output[1] > (made["BANDS"] - 1) * rows
    assert best.grid[0] == made["BANDS"] * -(-shape.output[0] // made["PLANES"])


def test_strips_are_cut_like_planes():
    few = Shape(1, 8, (16, 45, 80), (3, 5, 5), (1, 2, 2), dtype="float32")
    many = replace(few, c=800)
    assert dict(rungs.best(few).macros)["PLANES"] == 1  # 6.4 µs against 56.4 with whole depths
    assert dict(rungs.best(many).macros)["PLANES"] >= 8
    assert rungs.estimate_us(few, rungs.best(few)) == pytest.approx(6.4, rel=0.2)
    assert rungs.estimate_us(few, rungs.direct(few)) == float("inf")


def test_the_video_problem_has_the_reported_work():
    assert REPORTED.flops == pytest.approx(16.31e9, rel=1e-3)
    assert REPORTED.compulsory_bytes == pytest.approx(442.4e6, rel=1e-3)
    assert REPORTED.outputs == 108_748_800


def test_rows_in_shared_memory_avoid_bank_conflicts():
    for width in range(2, 300, 2):
        pitch = rungs.pitch_of(width)
        rows = [{(row * pitch // 2 + word) % 32 for word in range(8)} for row in range(4)]
        assert pitch >= width
        assert len(set().union(*rows)) == 32
