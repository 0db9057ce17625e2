"""The CUDA and HIP rungs: macros, launch geometry and shared memory of each, from a shape alone.

The C++ is ``port``, ``direct``, ``strip``, ``exact``, ``bands`` and ``toeplitz`` beside this file, joined in this order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from hotloop.kernels._text import ELEMENTS
from hotloop.kernels.conv3d_depthwise.shape import ELEMENT_BYTES, Shape, blocks_of
from hotloop.targets.machine import multiprocessors, nvidia

_MOST_SHAPES = 1024
"""Number of shapes whose rungs are kept in memory."""
PARTS = ("port", "direct", "strip", "exact", "bands", "toeplitz")
_HOPPER = nvidia("sm_90")
STATIC_SHARED_BYTES = _HOPPER.shared_static_bytes
"""Shared memory of a block in bytes that CUDA grants without being asked."""
SHARED_BYTES = _HOPPER.shared_block_bytes
"""Dynamic shared memory of one block."""
THREADS_MOST = _HOPPER.block_max
REGISTERS_EACH = _HOPPER.registers_thread
LOADERS = {"registers": 0, "async": 1, "bulk": 2}
_MULTIPROCESSORS, _CLOCKS_PER_US = multiprocessors("sm_90"), 1980.0
"""Multiprocessors of an H200, and its clocks per µs."""
_REGISTERS, _SHARED_EACH, _BLOCKS_MOST = _HOPPER.registers, _HOPPER.carveouts_bytes[-1], _HOPPER.blocks
_THREADS_EACH = _HOPPER.warps * _HOPPER.warp
"""Threads that a multiprocessor of Hopper holds at a time."""
_SHARED_TAKEN = _HOPPER.shared_reserve_bytes
"""Shared memory of a multiprocessor in bytes that each block takes in addition to its own."""
_QUADS, _HEIGHTS, _STRIP_WIDTH = (3, 4, 2, 6), (2, 3, 5), 4
"""Cuts of matrix rungs and of strips that are compared; strips of 8 columns read shared memory with bank conflicts."""
_BUSY_WARPS, _WAIT_STEPS = 12, 3
"""Matrix rung: warps that keep a multiprocessor busy, and the steps that a block waits for its first planes."""
_REGISTERS_LEAST = 0.86
"""Least share of the registers that the matrix rung needs: with it ptxas spilled up to 24 B; with two thirds up to 200 B, and the kernel took twice as long."""
_STRIP_WAIT_US, _STRIP_REGISTERS = 1.5, {2: 64, 3: 88, 5: 120}
"""What a strip's step takes besides its instructions; registers by rows of a strip, with ptxas 13.0."""
_WINDOW = 5
"""Rows and columns of taps that one matrix block holds."""


@dataclass(frozen=True, slots=True)
class Rung:
    """One kernel, ready to be compiled and launched."""

    name: str
    entry: str
    macros: tuple[tuple[str, int], ...]
    threads: int
    grid: tuple[int, int, int]
    shared_bytes: int = 0
    """Dynamic shared memory."""

    @property
    def options(self) -> tuple[str, ...]:
        """Compiler options, ``-DNAME=VALUE``."""
        return tuple(f"-D{name}={value}" for name, value in self.macros)


def direct(shape: Shape) -> Rung:
    """One thread per output, everything from global memory; takes every shape."""
    return Rung("direct", "conv3d_direct", macros_of(shape, RUNG_DIRECT=1), 256, (blocks_of(shape.outputs, 256), 1, 1))


def tile(shape: Shape) -> Rung:
    """One block per output plane, its inputs in shared memory. Raises ValueError when they do not fit or lie last."""
    if shape.multiplier != 1 or shape.channels_last:
        raise ValueError("the tile rung takes channels first and one output per channel")
    _, th, tw = ((o - 1) * s + (k - 1) * d + 1 for o, s, k, d in _each(shape))
    taps = shape.kernel[0] * shape.kernel[1] * shape.kernel[2]
    needed = shape.kernel[0] * th * tw * ELEMENT_BYTES[shape.dtype] + taps * 4
    if needed > STATIC_SHARED_BYTES:
        raise ValueError(f"a tile of {needed} B exceeds {STATIC_SHARED_BYTES} B of shared memory")
    return Rung("tile", "conv3d_tile", macros_of(shape, RUNG_TILE=1), 256, (shape.output[0], shape.c, shape.n))


def strip(
    shape: Shape, *, height: int = 5, width: int = 8, planes: int = 1, wide: bool = False, wave: int = 32
) -> Rung:
    """A thread computes `height` x `width` outputs, rows streaming through registers; `planes` > 1 walks along depth.

    Raises:
        ValueError: stride or dilation is not 1, channels lie last, or a plane does not fit.
    """
    if not shape.dense:
        raise ValueError("the strip rung takes stride and dilation 1, channels first, one output per channel")
    od, oh, ow = shape.output
    kd, kh, kw = shape.kernel
    strips_h, strips_w = blocks_of(oh, height), blocks_of(ow, width)
    threads = blocks_of(strips_h * strips_w, wave) * wave
    rows = max(strips_h * height + kh - 1, shape.size[1] + shape.padding[1])
    span = blocks_of(width + kw - 1, 4) * 4
    pitch = blocks_of(max(strips_w * width + span - width, shape.size[2] + shape.padding[2]), 4) * 4
    cell_bytes = 4 if wide else ELEMENT_BYTES[shape.dtype]
    ring = kd + 1 if planes > 1 else kd
    shared = ring * rows * pitch * cell_bytes + kd * blocks_of(kh * kw, 4) * 4 * 4
    if threads > THREADS_MOST:
        raise ValueError(f"a plane of {oh} x {ow} needs {threads} threads of {height} x {width} outputs")
    macros = macros_of(
        shape,
        RUNG_STRIP=1,
        STRIP_H=height,
        STRIP_W=width,
        PLANES=planes,
        WIDE=int(wide),
        THREADS=threads,
        SHARED=shared,
    )
    name = f"strip {height}x{width} planes={planes}{' wide' if wide else ''}"
    return Rung(name, "conv3d_strip", macros, threads, (blocks_of(od, planes), shape.c, shape.n), shared)


def toeplitz(
    shape: Shape,
    *,
    quads: int = 3,
    planes: int = 0,
    stages: int = 4,
    loader: str = "async",
    stream: bool = False,
    blocks: int = 1,
    vertical: int = 0,
    wave: int = 32,
) -> Rung:
    """Matrix instructions on a banded matrix of taps; see ``toeplitz.cuh``. `planes` = 0 takes the whole depth.

    `vertical` waves on top of each other make a block, which has that part of a plane; 0 takes the whole plane. `blocks` is the number of blocks per multiprocessor that the compiler shall leave registers for.

    Raises:
        ValueError: the window, type, layout or width does not fit, or the loader cannot bring such planes.
    """
    _refuse_toeplitz(shape)
    od, oh, ow = shape.output
    _, h, w = shape.size
    segments = wave // 16
    whole = blocks_of(oh, segments * quads * 4)
    vertical = min(vertical or whole, whole)
    bands = blocks_of(whole, vertical)
    threads = blocks_of(ow, 16) * vertical * wave
    if threads > THREADS_MOST:
        raise ValueError(f"a plane of {oh} x {ow} needs {threads} threads with quads={quads}")
    bulk = loader == "bulk"
    if bulk and w % 8:
        raise ValueError(f"bulk copies need rows of a multiple of 16 B; {w} elements are {2 * w} B")
    if wave == 64 and loader != "registers":
        raise ValueError("asynchronous copies are NVIDIA's")
    stages = 2 if loader == "registers" else stages
    pitch = w if bulk else pitch_of(w)
    covered = vertical * segments * quads * 4
    slot = (max(covered + 2, h + 2) if bands == 1 else covered + 4) * pitch
    shared = 128 + (stages * slot + 4 * pitch) * 2 + stages * 16
    planes = min(planes or od, od)
    macros = macros_of(
        shape, RUNG_TOEPLITZ=1, QUADS=quads, VERTICAL=vertical, BANDS=bands, PLANES=planes, STAGES=stages, PITCH=pitch,
        LOADER=LOADERS[loader], STREAM=int(stream), BLOCKS=blocks, THREADS=threads, SHARED=shared,
    )  # fmt: skip
    name = f"toeplitz {loader} q={quads} st={stages} pl={planes} b={blocks}{' stream' if stream else ''}"
    name += f" v={vertical}" if bands > 1 else ""
    grid = (blocks_of(od, planes) * bands, shape.c, shape.n)
    return Rung(name, "conv3d_toeplitz", macros, threads, grid, shared)


def _refuse_toeplitz(shape: Shape) -> None:
    if not shape.dense or shape.dtype == "float32":
        raise ValueError("the toeplitz rung takes 16-bit elements, stride and dilation 1, channels first")
    centred(shape)
    if shape.padding[0] >= shape.kernel[0]:
        raise ValueError(f"padding {shape.padding[0]} along depth leaves outputs without any input")
    if shape.size[2] % 2:
        raise ValueError(f"width {shape.size[2]} is odd; two elements are read at a time")


def centred(shape: Shape) -> None:
    """Check that a window fits the one of 5 x 5 around an output. Raises ValueError."""
    for kernel, padding in zip(shape.kernel[1:], shape.padding[1:], strict=True):
        if not 0 <= _WINDOW // 2 - padding <= _WINDOW - kernel:
            raise ValueError(f"a window of {kernel} with padding {padding} does not fit the centred {_WINDOW}")


def pitch_of(width: int) -> int:
    """Return the shortest row in shared memory, in elements, that is free of bank conflicts: 8 or 24 modulo 32 words."""
    return next(pitch for pitch in range(blocks_of(width, 8) * 8, width + 128, 8) if pitch // 2 % 32 in (8, 24))


@lru_cache(_MOST_SHAPES)
def best(shape: Shape) -> Rung:
    """Return the rung to use for a shape on an NVIDIA GPU: the first of the ladder, from the top, that takes it."""
    return _fastest(_matrices(shape)) or _fastest(_strips(shape)) or direct(shape)


def estimate_us(shape: Shape, rung: Rung) -> float:
    """Return about how long strips take on an H200; see `_strip_us`. Infinite for the rungs below."""
    if rung.entry != "conv3d_strip":
        return float("inf")
    return _strip_us(shape, rung, dict(rung.macros)["STRIP_H"])


def _fastest(cuts: Iterable[tuple[float, Rung]]) -> Rung | None:
    """Return the rung of the least cost; of equals the first."""
    return min(cuts, key=lambda cut: cut[0], default=(0.0, None))[1]


def _matrices(shape: Shape) -> Iterator[tuple[float, Rung]]:
    """Return the cuts of a plane into bands and of depth into parts, with what each costs; larger blocks come first."""
    try:
        _refuse_toeplitz(shape)
    except ValueError:
        return
    for quads in _QUADS:
        whole = blocks_of(shape.output[1], 8 * quads)
        for vertical in range(whole, 0, -1):
            threads, each = blocks_of(shape.output[2], 16) * vertical * 32, _registers(shape.kernel[0], quads)
            blocks = max(1, min(_REGISTERS // (each * threads), _BLOCKS_MOST))
            if threads > THREADS_MOST or threads * each * _REGISTERS_LEAST > _REGISTERS:
                continue
            for planes in _parts(shape.output[0]):
                made = toeplitz(shape, quads=quads, vertical=vertical, planes=planes, blocks=blocks)
                if made.shared_bytes <= SHARED_BYTES:
                    yield _matrix_cost(shape, made, quads, planes, blocks), made


def _registers(depths: int, quads: int) -> int:
    """Return the registers of a thread of the matrix rung, in eights: what ptxas 13.0 needs for windows of 1 to 7 planes."""
    return blocks_of(32 + 7 * depths + quads * (40 + 33 * depths) // 10, 8) * 8


def _matrix_cost(shape: Shape, rung: Rung, quads: int, planes: int, blocks: int) -> float:
    """Return how long a cut takes, in rows of matrix blocks that a warp does one after the other.

    A block takes a step for each plane that it reads, besides those that it waits; a warp begins with a row more than it sums.
    Up to 12 warps of a multiprocessor do not slow each other down. Fitted to 511 cuts of 40 shapes on an H200: the least cost of
    each shape takes 1.03 times as long as its fastest cut, 1.15 at most (results/nvidia-h200-2026-11-22/conv3d-rules.json.gz).
    """
    steps = (planes + shape.kernel[0] - 1 + _WAIT_STEPS) * (quads + 1)
    return steps * sum(max(1.0, warps / _BUSY_WARPS) for warps in _rounds(rung, blocks))


def _strips(shape: Shape) -> Iterator[tuple[float, Rung]]:
    """Return the cuts of a plane into strips and of depth into parts, with about how long each takes."""
    for height in _HEIGHTS:
        for planes in _parts(shape.output[0]):
            for wide in (True, False):
                try:
                    made = strip(shape, height=height, width=_STRIP_WIDTH, planes=planes, wide=wide)
                except ValueError:  # more threads than a block may have
                    continue
                if made.shared_bytes <= SHARED_BYTES:
                    yield _strip_us(shape, made, height), made
                    break


def _strip_us(shape: Shape, rung: Rung, height: int) -> float:
    """Return about how long strips take on an H200: a wait for each plane, multiply-adds at 128 a clock, reads of 16 bytes at 8.

    Each of the four schedulers has as many warps as the one with most. Fitted to 23 shapes: the cut of the least time takes 1.005
    times as long as the fastest, 1.06 at most, and the times are right to a sixth
    (results/nvidia-h200-2026-11-22/conv3d-rules.json.gz, conv3d-dispatch.json.gz).
    """
    depth, rows, columns = shape.kernel
    products = depth * rows * columns * height * _STRIP_WIDTH * 32 / 128
    reads = depth * (height + rows - 1) * blocks_of(_STRIP_WIDTH + columns - 1, 4) * 32 / 8
    blocks = max(1, _REGISTERS // (_STRIP_REGISTERS[height] * rung.threads))
    each_us = (0.8 * products + 0.6 * reads) / _CLOCKS_PER_US
    steps = dict(rung.macros)["PLANES"] + 1
    return steps * sum(_STRIP_WAIT_US + ceil(warps / 4) * 4 * each_us for warps in _rounds(rung, blocks))


def _rounds(rung: Rung, blocks: int) -> list[float]:
    """Return the warps of a multiprocessor in each round of blocks that run at once; registers leave room for `blocks`."""
    fitting = min(
        blocks, _BLOCKS_MOST, _SHARED_EACH // (rung.shared_bytes + _SHARED_TAKEN), _THREADS_EACH // rung.threads
    )
    rounds, rest = divmod(rung.grid[0] * rung.grid[1] * rung.grid[2], _MULTIPROCESSORS * fitting)
    warps = rung.threads / 32
    return [fitting * warps] * rounds + ([blocks_of(rest, _MULTIPROCESSORS) * warps] if rest else [])


def _parts(depth: int) -> list[int]:
    """Return the planes of a block when depth is cut into 1, 2, 3 ... parts."""
    return sorted({blocks_of(depth, parts) for parts in range(1, depth + 1)}, reverse=True)


def _each(shape: Shape) -> tuple[tuple[int, int, int, int], ...]:
    return tuple(zip(shape.output, shape.stride, shape.kernel, shape.dilation, strict=True))


def macros_of(shape: Shape, **more: int) -> tuple[tuple[str, int], ...]:
    """Return the sizes of a shape as the macros of ``port.cuh``, with `more`."""
    d, h, w = shape.size
    named = {
        "ELEM": ELEMENTS[shape.dtype],
        "N": shape.n,
        "C": shape.c,
        "D": d,
        "H": h,
        "W": w,
        "MULT": shape.multiplier,
    }
    for prefix, values in (
        ("O{}", shape.output),
        ("K{}", shape.kernel),
        ("S{}", shape.stride),
        ("P{}", shape.padding),
        ("L{}", shape.dilation),
    ):
        named |= {prefix.format(axis): value for axis, value in zip("DHW", values, strict=True)}
    bias = {"BIAS": 1} if shape.bias else {}
    return tuple((named | {"CHANNELS_LAST": int(shape.channels_last)} | bias | more).items())
