"""From a rung of the conv3d ladder to the text, macros and launch of its HIP kernel: pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from hotloop.kernels import _text
from hotloop.kernels.conv3d_depthwise.cuda import plan, rungs
from hotloop.kernels.conv3d_depthwise.shape import Shape, blocks_of
from hotloop.model.ladder import Ladder, Rung, Unit
from hotloop.model.record import Scalar

PARTS = (*rungs.PARTS, "operands", "pairs", "last", "blocks")
PAIRS = {
    "ROWS": 0, "OUTS": 2, "LOAD": 1, "TAPS": 0, "KEEP": 0, "READ": 0, "MATH": 0, "DOT_ASM": 0, "ORDER": 0, "LDS_BYTES": 0,
    "SLP": 0,
}  # fmt: skip
"""Switches of ``pairs.cuh``; ROWS 0: all, LDS_BYTES 0: what is needed, SLP 1: clang may pair multiply-adds by itself."""
LAST = {"TILE_C": 64, "EACH_C": 8, "POSITIONS": 32, "STAGED": 0, "ALIGNED": 0}
BLOCKS = {"TILES": 20, "DEPTHS": 1}
STRIP = {"STRIP_H": 5, "STRIP_W": 8, "PLANES": 1, "WIDE": 0}
TOEPLITZ = {"QUADS": 3, "PLANES": 0, "BLOCKS": 1}
SWITCHES: Mapping[str, Mapping[str, int]] = {
    "pairs": PAIRS, "last": LAST, "blocks": BLOCKS, "strip": STRIP, "toeplitz": TOEPLITZ,
}  # fmt: skip
"""Macros of each kernel's text, with the values that leave it unchanged."""
PAIRS_THREADS = 256
_WAVE = 64
_NO_PAIRING = "-fno-slp-vectorize"
_TAPS_GRAIN = 32
"""Elements that the taps in local memory are rounded up to: the reported kernels reserve 96 for 75."""

Changes = Mapping[str, Scalar]


@cache
def source() -> str:
    """Return the joined C++ text."""
    return _text.cxx(map(plan.part, PARTS))


def unit(ladder: Ladder, rung: Rung, target: str, sizes: Changes) -> Unit:
    """Return what is compiled for a rung and how it is launched, for the ladder's problem with other `sizes`.

    Raises:
        ValueError: the sizes have no meaning for the rung's kernel.
    """
    shape = shape_of({**ladder.varied(rung), **sizes})
    made = KERNELS[rung.kernel](shape, ladder.changes(rung, target))
    return Unit(
        language="hip",
        name="conv3d.hip",
        text=source(),
        entry=made.entry,
        options=(
            *made.options,
            *(() if _pairing(rung, ladder.changes(rung, target)) else (_NO_PAIRING,)),
            *rung.options,
        ),
        grid=made.grid,
        threads=made.threads,
        shared_bytes=made.shared_bytes,
        arrays=("x", "weights", "y"),
    )


def _pairing(rung: Rung, changes: Changes) -> bool:
    """Tell whether clang may pair multiply-adds of float32 by itself, which it does by default.

    Pairs need two neighbouring registers each: V97 takes 252 instead of 89 on gfx950, with half the instructions.
    """
    return rung.kernel != "pairs" or int(changes.get("SLP", 0)) == 1


def shape_of(sizes: Changes) -> Shape:
    """Return ``n c d h w kd kh kw pd ph pw dtype layout`` of a dense convolution as a `Shape`."""
    values = {name: int(value) for name, value in sizes.items() if name not in ("dtype", "layout")}

    def triple(prefix: str) -> tuple[int, int, int]:
        d, h, w = (values[prefix + axis] for axis in "dhw")
        return d, h, w

    return Shape(
        n=values["n"],
        c=values["c"],
        size=triple(""),
        kernel=triple("k"),
        padding=triple("p"),
        dtype=str(sizes["dtype"]),
        channels_last=sizes["layout"] == "ndhwc",
    )


def switches(defaults: Mapping[str, int], changes: Changes) -> dict[str, int]:
    """Return the switches of one kernel; a rung may stand on one of another kernel, whose switches say nothing here."""
    return {name: int(changes.get(name, value)) for name, value in defaults.items()}


def pairs(shape: Shape, changes: Changes) -> rungs.Rung:
    """One output plane of one channel per block, see ``pairs.cuh``."""
    if shape.dtype == "float32" or shape.channels_last or shape.size[2] % 2 or shape.padding[2] % 2:
        raise ValueError("pairs take 16-bit elements, channels first, even width and padding")
    c = switches(PAIRS, changes)
    c["ROWS"] = c["ROWS"] or shape.output[1]
    if c["TAPS"] == 1 and shape.c * shape.kernel[0] * shape.kernel[1] * shape.kernel[2] % 2:
        raise ValueError("scalar loads take an even number of weights")
    c["LDS_BYTES"] = c["LDS_BYTES"] or lds_bytes(shape, c)
    macros = rungs.macros_of(shape, RUNG_PAIRS=1, THREADS=PAIRS_THREADS, SHARED=c["LDS_BYTES"], **c)
    grid = (shape.output[0], shape.c, shape.n)
    return rungs.Rung("pairs", "conv3d_pairs", macros, PAIRS_THREADS, grid)


def lds_bytes(shape: Shape, chosen: Mapping[str, int]) -> int:
    """Return the local memory that ``pairs.cuh`` needs: the padded planes, and the taps where they pass through it."""
    tile = tile_bytes(shape, chosen)
    kd, kh, kw = shape.kernel
    taps = blocks_of(kd * kh * blocks_of(kw, 2) * 2, _TAPS_GRAIN) * _TAPS_GRAIN
    return tile + (2 * taps if chosen["TAPS"] == 2 else 0)


def tile_bytes(shape: Shape, chosen: Mapping[str, int]) -> int:
    """Return the bytes of the padded planes."""
    kd, kh, kw = shape.kernel
    outs, rows = chosen["OUTS"], chosen["ROWS"]
    words = blocks_of(outs + kw - 1, 2)
    read = (blocks_of(shape.output[2], outs) - 1) * outs + 2 * words
    pitch = blocks_of(max(read, shape.padding[2] + shape.size[2]), 2) * 2
    return kd * (rows + kh - 1) * pitch * 2


def last(shape: Shape, changes: Changes) -> rungs.Rung:
    """Channels last, see ``last.cuh``."""
    c = switches(LAST, changes)
    if shape.dtype == "float32" or not shape.channels_last or shape.c % c["TILE_C"]:
        raise ValueError("this kernel takes 16-bit elements, channels last, in whole tiles of channels")
    threads = c["TILE_C"] // c["EACH_C"] * c["POSITIONS"]
    taps = shape.kernel[0] * shape.kernel[1] * shape.kernel[2]
    shared = (0, taps, 1)[c["STAGED"]] * c["TILE_C"] * 2
    positions = shape.outputs // shape.c
    grid = (blocks_of(positions, c["POSITIONS"]), shape.c // c["TILE_C"], 1)
    return rungs.Rung(
        "last", "conv3d_last", rungs.macros_of(shape, RUNG_LAST=1, THREADS=threads, SHARED=shared, **c), threads, grid
    )


def blocks(shape: Shape, changes: Changes) -> rungs.Rung:
    """Sixteen channels per wave in 4x4x4 matrix instructions, see ``blocks.cuh``."""
    c = switches(BLOCKS, changes)
    if shape.dtype == "float32" or shape.channels_last or shape.c % 16 or shape.kernel[2] != 5 or shape.padding[2] != 2:
        raise ValueError("16-channel blocks take 16-bit elements, channels first, and rows of 5 taps with padding 2")
    pitch = blocks_of(shape.output[2], 4) * 4 + 4
    shared = c["DEPTHS"] * 16 * (4 + shape.kernel[1] - 1) * pitch * 2
    grid = (shape.output[0], shape.c // 16, shape.n * blocks_of(shape.output[1], 4))
    return rungs.Rung(
        "blocks", "conv3d_blocks", rungs.macros_of(shape, RUNG_BLOCKS=1, THREADS=_WAVE, SHARED=shared, **c), _WAVE, grid
    )


def strip(shape: Shape, changes: Changes) -> rungs.Rung:
    """Return the rung whose threads compute strips of outputs, as in the CUDA ladder (`rungs.strip`), for this ladder's waves."""
    c = switches(STRIP, changes)
    return rungs.strip(
        shape, height=c["STRIP_H"], width=c["STRIP_W"], planes=c["PLANES"], wide=c["WIDE"] == 1, wave=_WAVE
    )


def toeplitz(shape: Shape, changes: Changes) -> rungs.Rung:
    """The banded matrix of the CUDA ladder with 16x16x16 instructions, `rungs.toeplitz`."""
    c = switches(TOEPLITZ, changes)
    return rungs.toeplitz(
        shape, quads=c["QUADS"], planes=c["PLANES"], blocks=c["BLOCKS"], loader="registers", wave=_WAVE
    )


KERNELS: Mapping[str, Callable[[Shape, Changes], rungs.Rung]] = {
    "pairs": pairs, "last": last, "blocks": blocks, "strip": strip, "toeplitz": toeplitz,
}  # fmt: skip
