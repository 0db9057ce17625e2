"""The two kernels that walk along depth: macros, launch geometry and shared memory of each, from a shape alone."""

from __future__ import annotations

from hotloop.kernels.conv3d_depthwise.cuda.rungs import (
    REGISTERS_EACH,
    SHARED_BYTES,
    THREADS_MOST,
    Rung,
    centred,
    macros_of,
)  # fmt: skip
from hotloop.kernels.conv3d_depthwise.shape import Shape, blocks_of

_WARP = 32
_STRIP = 4
"""Neighbouring output columns that a thread computes: a strip."""
_TILE = 16
"""Columns of a block that turns."""
_TOGETHER = 8
"""Neighbouring channels that one memory access takes."""
_LEAST_REGISTERS = 64
_PAIRS = 8
"""Pairs of output columns of a block that turns."""
_PAIRS_READ = 10
"""Pairs of input columns of such a block: two columns more on both sides."""
_ROW_WORDS = 24
"""Words of a row of such a block in shared memory; see ``turned.cuh``."""


def carry(shape: Shape, *, height: int, channels: int = 1, stages: int = 3, planes: int = 20, blocks: int = 1) -> Rung:
    """A thread sums `height` x 4 outputs of all planes that an input plane belongs to; float32. See ``carry.cuh``.

    Raises:
        ValueError: type, layout, stride or dilation is another, or a plane does not fit.
    """
    if not shape.dense or shape.dtype != "float32":
        raise ValueError("sums are carried for float32, stride and dilation 1, channels first, one output per channel")
    (od, oh, ow), (kd, kh, kw) = shape.output, shape.kernel
    down, across = blocks_of(oh, height), blocks_of(ow, _STRIP)
    threads = blocks_of(down * across * channels, _WARP) * _WARP
    left = blocks_of(shape.padding[2], 4) * 4
    span = blocks_of(left - shape.padding[2] + _STRIP + kw - 1, 4) * 4
    pitch = blocks_of(max((across - 1) * _STRIP + span, left + shape.size[2]), 4) * 4
    rows = max(down * height + kh - 1, shape.padding[1] + shape.size[1])
    shared = channels * stages * rows * pitch * 4
    _refuse_large(threads, shared, blocks, f"{channels} planes of {oh} x {ow}")
    if kd * kh * kw + kd * height * _STRIP + span > REGISTERS_EACH:
        raise ValueError(
            f"{kd} x {kh} x {kw} taps and {kd} planes of {height} x {_STRIP} sums exceed a thread's registers"
        )
    planes = min(planes, od)
    macros = macros_of(
        shape, RUNG_CARRY=1, CARRY_H=height, EACH=channels, STAGES=stages, PLANES=planes, BLOCKS=blocks, THREADS=threads,
        SHARED=shared,
    )  # fmt: skip
    name = f"carry {height}x{_STRIP} channels={channels} st={stages} pl={planes} b={blocks}"
    grid = (blocks_of(od, planes), blocks_of(shape.c, channels), shape.n)
    return Rung(name, "conv3d_carry", macros, threads, grid, shared)


def turn(
    shape: Shape, *, quads: int, channels: int = 16, planes: int = 20, blocks: int = 1, ahead: int = 0, together: int = 0,
    stream: int = 0, lines: int = 0, each: int = 1, early: int = 0,
    slots: int = 2, whole: int = 0, steady: int = 0,
) -> Rung:  # fmt: skip
    """Matrix instructions where channels lie last; a block has `channels`, 16 columns and 8 * `quads` rows. See ``turn.cuh``.

    Raises:
        ValueError: type, layout, window, stride or dilation is another, or a block does not fit.
    """
    plain = shape.stride == (1, 1, 1) and shape.dilation == (1, 1, 1) and shape.multiplier == 1
    if not plain or not shape.channels_last or shape.dtype == "float32" or shape.c % _TOGETHER:
        raise ValueError(
            "planes are turned for 16-bit elements, channels last and a multiple of 8, stride and dilation 1, one output per channel"
        )
    centred(shape)
    od, oh, ow = shape.output
    if channels % each:
        raise ValueError(f"{channels} channels are not warps of {each}")
    threads, rows = channels // each * _WARP, 8 * quads
    shared = slots * (channels * ((rows + 4) * _ROW_WORDS + 2 + rows * _PAIRS + 2) + 2 * _skewed(channels)) * 4
    shared += 16 * slots if slots > 2 else 0
    shared += ahead * min(shape.size[1], rows + 4) * _PAIRS_READ * channels // _TOGETHER * 32
    _refuse_large(threads, shared, blocks, f"{channels} channels of {rows} rows")
    planes = min(planes, od)
    columns = blocks_of(oh, rows) * blocks_of(ow, _TILE) * blocks_of(shape.c, channels)
    first = min(whole, columns)
    if (slots > 2 and ahead) or (first and not together):
        raise ValueError("with planes read ahead warps meet, and columns walked whole have their channels together")
    macros = macros_of(
        shape, RUNG_TURN=1, QUADS=quads, CHANNELS=channels, PLANES=planes, BLOCKS=blocks, THREADS=threads, SHARED=shared,
        AHEAD=ahead, TOGETHER=together, STREAM=stream, LINES=lines, EACH=each, EARLY=early,
        SLOTS=slots, WHOLE=first, STEADY=steady,
    )  # fmt: skip
    name = (
        f"turn q={quads} channels={channels} pl={planes} b={blocks}"
        + (f" a={ahead}" if ahead else "")
        + " together" * together
        + " stream" * stream
        + " lines" * lines
        + (f" each={each}" if each > 1 else "")
        + (f" early={early}" if early else "")
        + (f" slots={slots}" if slots > 2 else "")
        + (f" whole={whole}" if whole else "")
        + " steady" * steady
    )
    chunks, shares = blocks_of(od, planes), blocks_of(shape.c, channels)
    pieces = first + (columns - first) * chunks
    grid = (pieces, 1, shape.n) if together else (pieces // shares, shares, shape.n)
    return Rung(name, "conv3d_turn", macros, threads, grid, shared)


def _skewed(channels: int) -> int:
    """Return the words by which groups of channels beyond the second lie on other banks; see ``turned.cuh``."""
    return (channels - 1) // 16 * 8


def _refuse_large(threads: int, shared_bytes: int, blocks: int, what: str) -> None:
    if threads > THREADS_MOST or threads * blocks * _LEAST_REGISTERS > THREADS_MOST * _LEAST_REGISTERS:
        raise ValueError(
            f"{what} need {threads} threads, and {blocks} such blocks would leave fewer than {_LEAST_REGISTERS} registers"
        )
    if shared_bytes > SHARED_BYTES:
        raise ValueError(f"{what} need {shared_bytes} B of shared memory, {SHARED_BYTES} B is all a block can have")
