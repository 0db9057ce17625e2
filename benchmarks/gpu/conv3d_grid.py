"""Shapes of depthwise conv3d over windows, planes, channels, depths, strides, types and layouts, and kernels that could run each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from conv3d_cases import Jit, rungs, runtime

from hotloop.kernels.conv3d_depthwise.shape import VIDEO, Shape
from hotloop.kernels.conv3d_depthwise.triton import plan as triton

Window = tuple[int, int, int]
PLANES = ((16, 16), (28, 28), (45, 80), (56, 56), (90, 160), (128, 128))
SQUARE: tuple[Window, ...] = ((1, 3, 3), (3, 3, 3), (3, 5, 5), (5, 5, 5))
OTHER: tuple[Window, ...] = ((3, 1, 1), (3, 7, 7), (7, 7, 7))
_MOST_ELEMENTS, _MOST_PRODUCTS = 24 << 20, 1 << 31
SECOND = 50


def shape_of(
    window: Window, plane: tuple[int, int], channels: int, depth: int, dtype: str = "bfloat16", stride: int = 1,
    *, last: bool = False,
):  # fmt: skip
    """Return the shape with the padding that keeps a plane's size where the stride is 1."""
    padding = tuple(taps // 2 for taps in window)
    return Shape(
        1, channels, (depth, *plane), window, padding, (1, stride, stride), dtype=dtype, channels_last=last
    )  # fmt: skip


def first(shape):
    """Return the shape with channels first."""
    return replace(shape, channels_last=False)


def text(shape) -> str:
    """Name a shape in one word."""
    form = "last" if shape.channels_last else "first"
    names = (shape.size, shape.kernel, shape.stride)
    size, window, stride = ("x".join(map(str, one)) for one in names)
    far = "" if shape.dilation == (1, 1, 1) else f"_l{'x'.join(map(str, shape.dilation))}"
    return f"{shape.n}x{shape.c}x{size}_k{window}_s{stride}{far}_{shape.dtype}_{form}"


def _grown(shape):
    """Return the shape with as many channels and planes as the measurement has time for."""
    d, h, w = shape.size
    channels, taps = shape.c, shape.kernel[0] * shape.kernel[1] * shape.kernel[2]
    while channels * d * h * w > _MOST_ELEMENTS or channels * d * h * w * taps > _MOST_PRODUCTS:
        channels, d = (channels, d // 2) if d > 20 else (channels // 2, d)
    return shape_of(
        shape.kernel, (h, w), channels, d, shape.dtype, shape.stride[1], last=shape.channels_last
    )  # fmt: skip


def first_grid() -> dict[str, object]:
    """Return the shapes that the rules were fitted to."""
    draw, found = random.Random(3), [VIDEO]
    many, few, depths = (128, 512), (8, 32), (4, 16, 61)
    for row, window in enumerate(SQUARE):
        for column, plane in enumerate(PLANES):
            channels = (few if (row + column) % 2 else many)[column % 2]
            found.append(
                shape_of(window, plane, channels, depths[(row + column) % 3], draw.choice(("bfloat16", "float16")))
            )
    for window in SQUARE:
        found += [
            shape_of(window, (45, 80), 8, 61),
            shape_of(window, (56, 56), 128, 1),
            shape_of(window, (90, 160), 32, 16),
        ]
    for window in OTHER:
        found += [shape_of(window, plane, channels, depth) for plane, channels, depth in (
            ((16, 16), 512, 16), ((45, 80), 32, 61), ((56, 56), 128, 4), ((90, 160), 8, 16)
        )]  # fmt: skip
    for window in ((3, 3, 3), (5, 5, 5)):
        found += [shape_of(window, (33, 47), 96, 17), shape_of(window, (57, 101), 32, 13)]
    for window, plane, channels, depth in (
        ((1, 3, 3), (28, 28), 512, 4), ((3, 3, 3), (16, 16), 128, 16), ((3, 3, 3), (56, 56), 32, 61), ((3, 5, 5), (45, 80), 8, 16),
        ((3, 5, 5), (90, 160), 128, 4), ((5, 5, 5), (28, 28), 128, 16), ((3, 3, 3), (90, 160), 8, 16), ((7, 7, 7), (45, 80), 32, 16),
        ((3, 7, 7), (128, 128), 32, 4), ((3, 1, 1), (56, 56), 128, 16),
    ):  # fmt: skip
        found.append(shape_of(window, plane, channels, depth, "float32"))
    for index, (window, plane, channels, depth) in enumerate((
        ((1, 3, 3), (56, 56), 128, 16), ((3, 3, 3), (28, 28), 512, 16), ((3, 3, 3), (90, 160), 32, 16), ((3, 5, 5), (45, 80), 128, 61),
        ((5, 5, 5), (56, 56), 32, 16), ((3, 7, 7), (128, 128), 8, 16), ((3, 3, 3), (128, 128), 8, 4), ((7, 7, 7), (45, 80), 8, 16),
        ((3, 3, 3), (16, 16), 128, 4),
    )):  # fmt: skip
        found.append(shape_of(window, plane, channels, depth, ("bfloat16", "float32", "float16")[index % 3], 2))
    for index, (window, plane, channels, depth) in enumerate((
        ((1, 3, 3), (56, 56), 128, 4), ((3, 3, 3), (28, 28), 512, 16), ((3, 3, 3), (90, 160), 32, 16), ((3, 5, 5), (45, 80), 128, 16),
        ((5, 5, 5), (56, 56), 32, 16), ((3, 7, 7), (28, 28), 128, 4), ((3, 3, 3), (128, 128), 8, 4), ((3, 1, 1), (45, 80), 32, 61),
        ((3, 3, 3), (56, 56), 8, 61), ((1, 3, 3), (16, 16), 512, 1),
    )):  # fmt: skip
        found.append(shape_of(window, plane, channels, depth, ("bfloat16", "float16", "float32")[index % 3 if index % 4 else 0],
                              1 + (index == 2), last=True))  # fmt: skip
    found = [one if one == VIDEO else _grown(one) for one in found]
    return {text(one): one for one in found}


def cuts(shape, least: int = 1) -> list[int]:
    """Return numbers of output planes of a block worth trying: the whole depth and parts of it."""
    depth = shape.output[0]
    return sorted({depth, *(planes for planes in (16, 8, 4, 2, 1) if least <= planes < depth)}, reverse=True)


def _matrix(shape) -> Iterator[object]:
    base = rungs.best(shape)
    if base.entry != "conv3d_toeplitz":
        return
    made = dict(base.macros)
    same = {"quads": made["QUADS"], "stages": made["STAGES"], "blocks": made["BLOCKS"], "planes": made["PLANES"]}
    channels, (depth, height, width) = shape.n * shape.c, shape.output
    some = [planes for planes in cuts(shape) if channels * -(-depth // planes) <= 2112]
    for planes in some:
        yield lambda planes=planes: rungs.toeplitz(shape, **{**same, "planes": planes})
    for quads in (3, 4, 6):
        yield lambda quads=quads: rungs.toeplitz(shape, **{**same, "quads": quads, "blocks": 1})
    if height * width <= 1024:
        yield lambda: rungs.toeplitz(shape, **{**same, "stages": 8})
    for quads, vertical in ((2, 1), (3, 1), (4, 1), (6, 1), (2, 2), (3, 2)):
        if height <= 8 * quads * vertical:
            continue
        rows, threads = -(-height // (8 * quads * vertical)), -(-width // 16) * vertical * 32
        blocks = max(1, min(65536 // (96 * threads), 16)) if shape.kernel[0] <= 3 and quads <= 3 else 1
        spread = (
            one for one in (depth, 16, 8, 4, 2, 1) if one <= depth and 132 <= channels * rows * -(-depth // one) <= 1056
        )
        wanted = [made["PLANES"], *spread]
        for planes in dict.fromkeys(wanted[: 3 if quads in (2, 3) and vertical == 1 else 1]):
            yield lambda quads=quads, vertical=vertical, blocks=blocks, planes=planes: rungs.toeplitz(
                shape, quads=quads, vertical=vertical, blocks=blocks, planes=planes
            )
        if shape.kernel[0] > 3 and quads in (2, 3) and vertical == 1:
            yield lambda quads=quads, threads=threads: rungs.toeplitz(
                shape, quads=quads, vertical=1, blocks=max(1, 65536 // (128 * threads)), planes=made["PLANES"]
            )


def _strips(shape) -> Iterator[object]:
    made = dict(rungs.best(shape).macros)
    ruled = made.get("PLANES", min(8, shape.output[0]))
    for planes in sorted({ruled, max(1, ruled // 2), min(shape.output[0], 2 * ruled)}):
        for height in (2, 3, 4, 5):
            yield lambda height=height, planes=planes: rungs.strip(
                shape, height=height, width=4, planes=planes, wide=True
            )
    yield lambda: rungs.strip(shape, height=3, width=4, planes=ruled)
    yield lambda: rungs.strip(shape, width=8, planes=1, wide=True)


def cuda_kernels(shape) -> dict[str, object]:
    """Return the CUDA rung that its rule chooses, first, and others."""
    made = [rungs.best(shape)]
    makers = [*_matrix(shape)]
    if not makers:
        makers = [*_strips(shape), lambda: rungs.tile(shape), lambda: rungs.direct(shape)]
    for make in makers:
        try:
            one = make()
        except ValueError:
            continue
        if one.shared_bytes <= rungs.SHARED_BYTES and max(one.grid[1:]) < 65536:
            made.append(one)
    return {one.name: one for one in dict.fromkeys(made)}


def jit_kernels(shape) -> dict[str, object]:
    """Return the Triton kernel that its rule chooses, first, and others."""
    base = triton.best(shape, runtime())
    naive, taps = triton.NAIVE, shape.kernel[0] * shape.kernel[1] * shape.kernel[2]
    depth = shape.output[0]
    own = min(base.integer("PLANES"), depth)
    planes = [one for one in (60, 20, 10, 5, 1) if min(one, depth) != own and (one == 1 or one < 2 * depth)]
    planes.sort(key=lambda one: max(one / own, own / one))
    made = [base, *(base.replace(PLANES=one) for one in planes[:3])]
    short = 5 if depth >= 5 else 1
    if shape.channels_last:
        made += [base.replace(CHANNELS=channels, BLOCK=block, PLANES=short, num_warps=warps) for channels, block, warps in (
            (8, 64, 4), (32, 16, 2), (32, 32, 4), (64, 32, 4), (64, 16, 2), (64, 16, 4), (16, 32, 2),
        )]  # fmt: skip
    else:
        some = naive.replace(PLANES=short, BLOCK=256, HOLD=int(taps <= 128))
        if base["FORM"] == "taps":
            made += [base.replace(BLOCK=128, PLANES=short), base.replace(BLOCK=512, PLANES=short)]
            made += [base.replace(HOLD=1 - base.integer("HOLD"), PLANES=short)]
        if shape.dtype != "float32":
            tile = naive.replace(FORM="patches", PLANES=60 if depth > 5 else short, num_stages=3)
            made += [tile, tile.replace(num_warps=1, num_stages=1)]
            if base["FORM"] == "patches":
                made += [base.replace(PATCHES=128), *([some] if taps <= 27 else [])]
            else:
                made += [tile.replace(TILE_H=2, TILE_W=8), tile.replace(PLANES=short)]
    good = {}
    for one in dict.fromkeys(made):
        heavy = taps * (1 if shape.stride[0] > 1 else shape.kernel[0]) > 700
        if one["FORM"] == "taps" and heavy and any(kernel.config["FORM"] == "taps" for kernel in good.values()):
            continue
        try:
            triton.constants(shape, one)
        except ValueError:
            continue
        if triton.shared_bytes(shape, one) <= rungs.SHARED_BYTES:
            good[Jit(one).name] = Jit(one)
    return good


def cost_s(shape, kernel) -> float:
    """Return about how long a kernel compiles."""
    if not isinstance(kernel, Jit):
        return 0.8
    if kernel.config["FORM"] == "patches":
        return 1.2
    taps = shape.kernel[0] * shape.kernel[1] * shape.kernel[2]
    return 0.5 + taps * shape.kernel[0] / 250 * (2 if shape.channels_last else 1)


def second_grid() -> dict[str, object]:
    """Return shapes outside the first grid: other planes, channels, depths and windows, with paddings of half a window."""
    draw = random.Random(20)
    found: dict[str, object] = {text(VIDEO): VIDEO}
    windows = (*SQUARE, (3, 1, 1), (3, 7, 7), (3, 3, 5), (5, 3, 3), (1, 5, 5), (7, 7, 7))
    planes = (
        (14, 14), (20, 36), (24, 24), (32, 56), (40, 40), (48, 84), (60, 104), (64, 64), (72, 128), (96, 96), (31, 41),
        (112, 112),
    )  # fmt: skip
    while len(found) < SECOND:
        number = len(found)
        kind, window = number % 12, windows[number % len(windows)]
        dtype = "float32" if kind in (3, 7) else draw.choice(("bfloat16", "float16"))
        channels, depth = draw.choice((6, 16, 24, 48, 96, 192, 384, 768)), draw.choice((1, 2, 5, 9, 12, 21, 33, 49))
        stride = 2 if kind in (5, 7) else 1
        if dtype == "float32" and window == (7, 7, 7):  # whose taps take Triton's compiler 10 s
            window = (5, 5, 5)
        one = _grown(shape_of(window, draw.choice(planes), channels, depth, dtype, stride, last=kind in (2, 10)))
        found[text(one)] = one
    for window, size in (((3, 3, 3), (9, 96, 400)), ((5, 5, 5), (5, 128, 320))):
        one = shape_of(window, size[1:], 16, size[0])
        found[text(one)] = one
    far = ((72, (30, 33, 33), "bfloat16"), (24, (9, 60, 104), "float16"), (48, (12, 40, 40), "float32"))
    for channels, size, dtype in far:
        one = Shape(2, channels, size, (3, 3, 3), (2, 2, 2), dilation=(2, 2, 2), dtype=dtype)
        found[text(one)] = one
    return found
