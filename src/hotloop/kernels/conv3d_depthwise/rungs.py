"""The CUDA and HIP rungs: macros, launch geometry and shared memory of each, from a shape alone.

Needs the standard library only, so scripts on a machine without hotloop's dependencies can load this file by its path.
The C++ is ``port``, ``direct``, ``strip``, ``exact`` and ``toeplitz`` in ``sources``, joined in this order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

PARTS = ("port", "direct", "strip", "exact", "toeplitz")
ELEMENTS = {"float32": 0, "bfloat16": 1, "float16": 2}
ELEMENT_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}
STATIC_SHARED_BYTES = 48 * 1024
"""What CUDA grants without asking: CUDA's programming guide, compute capabilities."""
SHARED_BYTES = 227 * 1024
"""Dynamic shared memory of one block at compute capability 9.0: CUDA's programming guide."""
THREADS_MOST = 1024
LOADERS = {"registers": 0, "async": 1, "bulk": 2}
_REGISTERS, _REGISTERS_EACH, _BLOCKS_MOST = 65536, 96, 32
"""Of a multiprocessor; per thread; resident blocks: CUDA's programming guide, compute capability 9.0."""
_MULTIPROCESSORS, _TALL, _PLANES_LEAST = 132, 6, 8
"""Of an H200; quads of large planes; output planes of a block that are worth the planes that blocks read twice: a guess."""
_WINDOW = 5
"""Rows and columns of taps that one matrix block holds."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One depthwise convolution, with PyTorch's meaning of every size."""

    n: int
    c: int
    size: tuple[int, int, int]
    """Input depth, height and width in elements."""
    kernel: tuple[int, int, int]
    padding: tuple[int, int, int] = (0, 0, 0)
    stride: tuple[int, int, int] = (1, 1, 1)
    dilation: tuple[int, int, int] = (1, 1, 1)
    multiplier: int = 1
    dtype: str = "bfloat16"
    channels_last: bool = False

    @property
    def output(self) -> tuple[int, int, int]:
        """Output depth, height and width."""
        d, h, w = (
            (size + 2 * pad - dilation * (kernel - 1) - 1) // stride + 1
            for size, pad, dilation, kernel, stride in zip(
                self.size, self.padding, self.dilation, self.kernel, self.stride, strict=True
            )
        )
        return d, h, w

    @property
    def outputs(self) -> int:
        """Output elements."""
        d, h, w = self.output
        return self.n * self.c * self.multiplier * d * h * w

    @property
    def flops(self) -> int:
        """Two per tap and output, taps on padding included."""
        return 2 * self.outputs * self.kernel[0] * self.kernel[1] * self.kernel[2]

    @property
    def compulsory_bytes(self) -> int:
        """Input and weights read once, output written once."""
        d, h, w = self.size
        taps = self.c * self.multiplier * self.kernel[0] * self.kernel[1] * self.kernel[2]
        return (self.n * self.c * d * h * w + taps + self.outputs) * ELEMENT_BYTES[self.dtype]

    @property
    def dense(self) -> bool:
        """Stride and dilation 1, one output per input channel, channels first: what the tuned rungs take."""
        plain = self.stride == (1, 1, 1) and self.dilation == (1, 1, 1)
        return plain and self.multiplier == 1 and not self.channels_last


VIDEO = Shape(1, 512, (61, 45, 80), (3, 5, 5), (0, 2, 2))
"""The reported problem: a video model's depthwise convolution."""


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
    wave: int = 32,
) -> Rung:
    """Matrix instructions on a banded matrix of taps; see ``toeplitz.cuh``. `planes` = 0 takes the whole depth.

    `blocks` is the number of blocks per multiprocessor that the compiler shall leave registers for.

    Raises:
        ValueError: the window, type, layout or width does not fit, or the loader cannot bring such planes.
    """
    _refuse_toeplitz(shape)
    od, oh, ow = shape.output
    _, h, w = shape.size
    segments = wave // 16
    vertical = blocks_of(oh, segments * quads * 4)
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
    slot = max(covered + 2, h + 2) * pitch
    shared = 128 + (stages * slot + 4 * pitch) * 2 + stages * 16
    planes = min(planes or od, od)
    macros = macros_of(
        shape, RUNG_TOEPLITZ=1, QUADS=quads, VERTICAL=vertical, PLANES=planes, STAGES=stages, PITCH=pitch,
        LOADER=LOADERS[loader], STREAM=int(stream), BLOCKS=blocks, THREADS=threads, SHARED=shared,
    )  # fmt: skip
    name = f"toeplitz {loader} q={quads} st={stages} pl={planes} b={blocks}{' stream' if stream else ''}"
    return Rung(name, "conv3d_toeplitz", macros, threads, (blocks_of(od, planes), shape.c, shape.n), shared)


def _refuse_toeplitz(shape: Shape) -> None:
    if not shape.dense or shape.dtype == "float32":
        raise ValueError("the toeplitz rung takes 16-bit elements, stride and dilation 1, channels first")
    for kernel, padding in zip(shape.kernel[1:], shape.padding[1:], strict=True):
        if not 0 <= _WINDOW // 2 - padding <= _WINDOW - kernel:
            raise ValueError(f"a window of {kernel} with padding {padding} does not fit the centred {_WINDOW}")
    if shape.padding[0] >= shape.kernel[0]:
        raise ValueError(f"padding {shape.padding[0]} along depth leaves outputs without any input")
    if shape.size[2] % 2:
        raise ValueError(f"width {shape.size[2]} is odd; two elements are read at a time")


def pitch_of(width: int) -> int:
    """Return the shortest row in shared memory, in elements, that is free of bank conflicts: 8 or 24 modulo 32 words."""
    return next(pitch for pitch in range(blocks_of(width, 8) * 8, width + 128, 8) if pitch // 2 % 32 in (8, 24))


def best(shape: Shape) -> Rung:
    """Return the rung to use for a shape on an NVIDIA GPU: the first of the ladder, from the top, that takes it."""
    attempts: tuple[Callable[[], Rung], ...] = (
        lambda: _fitted(shape),
        lambda: strip(shape, width=8, planes=min(20, shape.output[0]), wide=True),
        lambda: strip(shape, width=8),
    )
    for attempt in attempts:
        try:
            rung = attempt()
        except ValueError:
            continue
        if rung.shared_bytes <= SHARED_BYTES:
            return rung
    return direct(shape)


def _fitted(shape: Shape) -> Rung:
    """Return the matrix rung with as many blocks as 96 registers allow, which is what three planes of taps need.

    On an H200 the video problem takes 0.129 ms with two blocks of 96 registers, 0.135 ms without the cap. Where `_quads` asks
    for tall segments, fewer planes ahead were faster: 90 x 160, 3x3x3, 96 channels: 0.102 ms with 2, 0.105 with 3, 0.115 with 4.
    """
    quads = _quads(shape)
    stages = 4 if quads != _TALL else 3 if shape.kernel[0] == 1 else 2
    free = toeplitz(shape, quads=quads)
    fitting = _REGISTERS // (_REGISTERS_EACH * free.threads) if shape.kernel[0] <= 3 else 1
    blocks = max(1, min(fitting, _BLOCKS_MOST))
    return toeplitz(shape, quads=quads, stages=stages, blocks=blocks, planes=_planes(shape, blocks))


def _quads(shape: Shape) -> int:
    """Return the segment height that leaves the fewest idle rows, in groups of 4; of equals the one nearest 3.

    On an H200 the video problem takes 0.129 ms with 3, 0.143 with 2, 0.135 with 6. Planes so large that 96 registers are not
    left for a thread take 6: 90 x 160, 3x3x3, 96 channels: 0.102 ms, 0.161 with 4.
    """
    height, tiles = shape.output[1], blocks_of(shape.output[2], 16)
    threads = {quads: tiles * blocks_of(height, 8 * quads) * 32 for quads in (3, 4, 2, _TALL)}
    fitting = [quads for quads in (3, 4, 2) if threads[quads] <= THREADS_MOST]
    best = min(fitting or [4], key=lambda quads: blocks_of(height, 8 * quads) * 8 * quads)
    return _TALL if threads[_TALL] <= _REGISTERS // _REGISTERS_EACH < threads[best] else best


def _planes(shape: Shape, blocks: int) -> int:
    """Return the output planes of a block: the whole depth, or where channels are few, parts of it that all run at once.

    On an H200, 3x3x3 on 33 x 60 x 104: 64 channels 28.5 µs in two parts, 45.8 whole; 40 channels 21.5 in three, 45.3 whole.
    """
    depth, parts = shape.output[0], _MULTIPROCESSORS * blocks // max(1, shape.n * shape.c)
    return depth if parts < 2 else min(depth, max(blocks_of(depth, parts), _PLANES_LEAST))


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
    return tuple((named | {"CHANNELS_LAST": int(shape.channels_last)} | more).items())


def blocks_of(extent: int, block: int) -> int:
    """Return how many blocks cover an extent."""
    return -(-extent // block)
