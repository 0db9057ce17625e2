"""The matrix rungs of the conv3d ladder executed in NumPy, lane by lane, with the element maps of their instructions.

Registers of A, B and C are filled by the index arithmetic of the C++ sources, written down here again from what each lane
owns; the instruction runs with the maps of `hotloop.isa.matrix`, and the lanes write their sums where the sources do. A lane
that holds a wrong element of the banded matrix, of the input or of the output shows in the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hotloop.isa.matrix import catalogue
from hotloop.isa.matrix.execute import execute
from hotloop.isa.matrix.instruction import Instruction
from hotloop.kernels.conv3d_depthwise.shape import Shape
from hotloop.model.ladder import Ladder, Numerics, Rung

LANES = 64
INSTRUCTIONS = {"blocks": "v_mfma_f32_4x4x4_16b_bf16", "toeplitz": "v_mfma_f32_16x16x16_bf16"}
SHAPES = {
    "blocks": (Shape(1, 16, (4, 6, 10), (3, 5, 5), (0, 2, 2)), Shape(1, 16, (2, 9, 5), (2, 3, 5), (1, 1, 2))),
    "toeplitz": (Shape(1, 2, (4, 11, 18), (3, 5, 5), (0, 2, 2)), Shape(1, 1, (3, 18, 8), (2, 3, 3), (1, 1, 1))),
}
"""No size is a multiple of a tile; the second of each has fewer taps, or padding along depth."""
_FACTOR = 4.0

Array = Any


def verify(ladder: Ladder, rung: Rung, target: str) -> Numerics | None:
    """Execute a matrix rung on small problems and compare with float64; None: the rung has no matrix instruction.

    The bound is 4 · taps · eps · (|x| * |w|) in float32: operands are whole numbers in halves, as bfloat16 holds them exactly.
    """
    del ladder
    if rung.kernel not in INSTRUCTIONS:
        return None
    instruction = catalogue.find(INSTRUCTIONS[rung.kernel], target)
    worst = max(error(rung.kernel, instruction, shape) for shape in SHAPES[rung.kernel])
    return Numerics(len(SHAPES[rung.kernel]), worst)


def error(kernel: str, instruction: Instruction, shape: Shape) -> float:
    """Return the largest error of one problem over its bound; infinite for NaN and for outputs that nothing writes."""
    rng = np.random.default_rng(5)
    x = rng.integers(-16, 17, (shape.c, *shape.size)) / 8.0
    w = rng.integers(-16, 17, (shape.c, *shape.kernel)) / 8.0
    run: Callable[[Instruction, Shape, Array, Array], Array] = _blocks if kernel == "blocks" else _toeplitz
    want, size = convolve(shape, x, w), convolve(shape, np.abs(x), np.abs(w))
    bound = _FACTOR * np.prod(shape.kernel) * np.finfo(np.float32).eps * np.maximum(size, 1.0)
    ratio = np.abs(run(instruction, shape, x, w) - want) / bound
    return float(ratio.max()) if np.isfinite(ratio).all() else float("inf")


def convolve(shape: Shape, x: Array, w: Array) -> Array:
    """Return the depthwise convolution [c, od, oh, ow] of x [c, d, h, w] in float64."""
    pad = [(0, 0), *((p, p) for p in shape.padding)]
    padded, out = np.pad(x, pad), np.zeros((shape.c, *shape.output))
    od, oh, ow = shape.output
    for kd, kh, kw in np.ndindex(*shape.kernel):
        out += w[:, kd, kh, kw, None, None, None] * padded[:, kd : kd + od, kh : kh + oh, kw : kw + ow]
    return out


# -- 4x4x4, sixteen channels --------------------------------------------------------------------------------------------


def lane_of_blocks(lane: int) -> tuple[int, int]:
    """Return the channel of a lane, and which of 4 rows of the banded matrix and of 4 heights it holds."""
    return lane // 4, lane % 4


def band(taps: Array, row: int, first: int) -> Array:
    """Return columns `first` to `first` + 3 of a row of the banded matrix: tap j - row, or nothing.

    >>> band([1, 2, 3, 4, 5], 1, 0), band([1, 2, 3, 4, 5], 1, 4)
    ([0, 1, 2, 3], [4, 5, 0, 0])
    """
    return [taps[j - row] if 0 <= j - row < len(taps) else 0 for j in range(first, first + 4)]


def _blocks(instruction: Instruction, shape: Shape, x: Array, w: Array) -> Array:
    od, oh, ow = shape.output
    kd_, kh_ = shape.kernel[:2]
    out = np.full((shape.c, *shape.output), np.nan)
    width, height = -(-ow // 4) * 4 + 4, -(-oh // 4) * 4 + kh_
    wide = np.zeros((shape.c, od + kd_, height, width))
    padded = np.pad(x, [(0, 0), *((p, p) for p in shape.padding)])
    d, h, v = (min(a, b) for a, b in zip(wide.shape[1:], padded.shape[1:], strict=True))
    wide[:, :d, :h, :v] = padded[:, :d, :h, :v]
    for z, top, tile in np.ndindex(od, -(-oh // 4), -(-ow // 4)):
        sums: Array = np.zeros((LANES, 4), np.float32)
        for kd, kh, half in np.ndindex(kd_, kh_, 2):
            a, b = np.zeros((LANES, 4), np.float32), np.zeros((LANES, 4), np.float32)
            for lane in range(LANES):
                channel, i = lane_of_blocks(lane)
                a[lane] = band(list(w[channel, kd, kh]), i, 4 * half)
                column = 4 * tile + 4 * half
                b[lane] = wide[channel, z + kd, 4 * top + i + kh, column : column + 4]
            sums = execute(instruction, a, b, sums)
        for lane in range(LANES):
            channel, i = lane_of_blocks(lane)
            row, columns = 4 * top + i, min(4, ow - 4 * tile)
            if row < oh:
                out[channel, z, row, 4 * tile : 4 * tile + columns] = sums[lane, :columns]
    return out


# -- 16x16x16, one channel, sixteen positions -----------------------------------------------------------------------------


def lane_of_toeplitz(lane: int) -> tuple[int, int]:
    """Return which rows modulo 4 a lane holds, and which of 16 outputs (in A) or of 16 positions (in B and D)."""
    return lane // 16, lane % 16


_WINDOW = 5


def tap(shape: Shape, taps: Array, row: int, column: int, output: int) -> float:
    """Return what multiplies the input at (row, column) of a position's 8x8 window into output (output / 4, output % 4)."""
    kh = row - output // 4 - (_WINDOW // 2 - shape.padding[1])
    kw = column - output % 4 - (_WINDOW // 2 - shape.padding[2])
    inside = 0 <= kh < shape.kernel[1] and 0 <= kw < shape.kernel[2]
    return float(taps[kh, kw]) if inside else 0.0


def _toeplitz(instruction: Instruction, shape: Shape, x: Array, w: Array) -> Array:
    od, oh, ow = shape.output
    out = np.full((shape.c, *shape.output), np.nan)
    tiles_h, tiles_w = -(-oh // 16), -(-ow // 16)
    wide = np.zeros((shape.c, shape.size[0], 16 * tiles_h + 6, 16 * tiles_w + 6))
    h, v = (min(a, b - 2) for a, b in zip(shape.size[1:], wide.shape[2:], strict=True))
    wide[:, :, 2 : 2 + h, 2 : 2 + v] = x[:, :, :h, :v]
    for channel, z, up, left in np.ndindex(shape.c, od, tiles_h, tiles_w):
        sums: Array = np.zeros((LANES, 4), np.float32)
        for kd in range(shape.kernel[0]):
            plane = z - shape.padding[0] + kd
            if 0 <= plane < shape.size[0]:
                for j in range(4):
                    a, b = _fragments(shape, w[channel, kd], wide[channel, plane], (16 * up, 16 * left), j)
                    sums = execute(instruction, a, b, sums)
        for lane in range(LANES):
            t, position = lane_of_toeplitz(lane)
            row, column = 16 * up + position // 4 * 4 + t, 16 * left + position % 4 * 4
            columns = min(4, ow - column)
            if row < oh and columns > 0:
                out[channel, z, row, column : column + columns] = sums[lane, :columns]
    return out


def _fragments(shape: Shape, taps: Array, plane: Array, corner: tuple[int, int], j: int) -> tuple[Array, Array]:
    """Return A and B of instruction j of 4: rows t or t + 4 of each window, its columns 0 to 3 or 4 to 7."""
    a, b = np.zeros((LANES, 4), np.float32), np.zeros((LANES, 4), np.float32)
    for lane in range(LANES):
        t, other = lane_of_toeplitz(lane)
        row, column = t + 4 * (j // 2), 4 * (j % 2)
        a[lane] = [tap(shape, taps, row, column + i, other) for i in range(4)]
        y, x = corner[0] + other // 4 * 4 + row, corner[1] + other % 4 * 4 + column
        b[lane] = plane[y, x : x + 4]
    return a, b
