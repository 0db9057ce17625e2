"""How a wave of the OpenCL GEMM touches local memory: the index arithmetic of ``gemm.cl`` and ``stage.cl``, lane by lane."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels.gemm.opencl.space import NAIVE
from hotloop.kernels.gemm.pipelined.space import START
from hotloop.kernels.gemm.scheduled import SCHEDULED
from hotloop.kernels.gemm.shared.slices import VECTOR
from hotloop.model.ladder import Local
from hotloop.model.record import Scalar

_ELEMENT_BYTES = 4
_WIDEST_BITS = 128
"""Most bits of a lane that one local memory instruction moves."""


def accesses(changes: Mapping[str, Scalar], wave: int) -> tuple[Local, ...]:
    """Return the accesses of the first wave to both staged tiles, float32, operands not transposed.

    Reads are those of one step of k (kk = 1, so that the swizzle shows), writes those of the first elements that the items
    stage. A vector wider than one instruction counts with its first 128 bits. What is not staged (SA or SB is 0) is left out.

    Args:
        changes: parameters that differ from the naive configuration.
        wave: lanes.
    """
    c = {name: int(value) for name, value in {**NAIVE, **changes}.items()}
    tile_m, tile_n, items = c["MDIM"] * c["MWI"], c["NDIM"] * c["NWI"], c["MDIM"] * c["NDIM"]
    lanes = range(min(wave, items))
    bits = min(32 * c["VW"], _WIDEST_BITS)

    def at_a(k: int, m: int) -> int:
        return _ELEMENT_BYTES * (k * (tile_m + c["PAD"]) + (m ^ (k % c["SWZ"])))

    def at_b(k: int, vector: int) -> int:
        return _ELEMENT_BYTES * (k * (tile_n + c["PAD"]) + (vector ^ (k % c["SWZ"])) * c["VW"])

    vectors = tile_n // c["VW"]
    rows = []
    if c["SA"] == 1:
        rows.append(Local("read A", "read", 32, tuple(at_a(1, lane // c["NDIM"]) for lane in lanes)))
        rows.append(Local("write A", "write", 32, tuple(at_a(e % c["KWG"], e // c["KWG"]) for e in lanes)))
    if c["SB"] == 1:
        rows.append(Local("read B", "read", bits, tuple(at_b(1, lane % c["NDIM"]) for lane in lanes)))
        rows.append(Local("write B", "write", bits, tuple(at_b(e // vectors, e % vectors) for e in lanes)))
    return tuple(rows)


def pipelined(changes: Mapping[str, Scalar], wave: int) -> tuple[Local, ...]:
    """Return the same accesses of the GPU source: vectors of 4 on both sides, A transposed on its way into local memory.

    Reads are those of step 0 of k; a write is the first of the vectors that an item brings, of A its first element.

    Args:
        changes: parameters that differ from the implementation's start.
        wave: lanes.
    """
    return _staged({name: int(value) for name, value in {**START, **changes}.items()}, wave)


def scheduled(changes: Mapping[str, Scalar], wave: int) -> tuple[Local, ...]:
    """Return the same accesses of the source that shares lanes: with LANES an item reads one element of A, not its rows.

    Args:
        changes: parameters that differ from the implementation's start.
        wave: lanes.
    """
    return _staged({name: int(value) for name, value in {**SCHEDULED.start, **changes}.items()}, wave)


def _staged(c: Mapping[str, int], wave: int) -> tuple[Local, ...]:
    mdim, ndim, kwg, rows, lanes = c["MDIM"], c["NDIM"], c["KWG"], c["MWI"], c.get("LANES", 0)
    tile_m, tile_n, quads = mdim * rows, ndim * c["NWI"], kwg // VECTOR
    items = range(min(wave, mdim * ndim))
    bits = 32 * VECTOR if c["WIDE"] > 1 else 32

    def place(item: int) -> tuple[int, int]:
        """Return column and row of an item in its group: blocks of 8 x 4 where they fit and lanes share nothing."""
        if lanes or ndim % 8 or mdim % 4:
            return item % ndim, item // ndim
        block, lane = divmod(item, 32)
        return block % (ndim // 8) * 8 + lane % 8, block // (ndim // 8) * 4 + lane // 8

    def at(pitch: int, k: int, x: int) -> int:
        return _ELEMENT_BYTES * (k * pitch + x)

    pitch_a, pitch_b, spread = tile_m + c["PAD"], tile_n + c["PAD"], 128 // kwg

    def moved(k: int, x: int) -> int:
        """Return where an element of A lies: xor by the step of k, in vectors."""
        return at(pitch_a, k, x ^ (k // 4 % c["SWZ"] * spread))

    def read_a(item: int) -> int:
        """Return the address of the rows that an item reads, or, where lanes exchange, of the one element that it reads for its neighbours, too."""
        lane, row = item % max(lanes, 1), place(item)[1]
        return moved(lane // rows, row * rows + lane % rows) if lanes else moved(0, row * VECTOR)

    brought = [(item // quads, item % quads * VECTOR) for item in items]  # of A: place across the tile, step of k
    vectors = tile_n // VECTOR
    return (
        Local("read A", "read", 32 if lanes else bits, tuple(read_a(i) for i in items)),
        Local("write A", "write", 32, tuple(moved(k, x) for x, k in brought)),
        Local("read B", "read", bits, tuple(at(pitch_b, 0, place(i)[0] * VECTOR) for i in items)),
        Local("write B", "write", bits, tuple(at(pitch_b, i // vectors, i % vectors * VECTOR) for i in items)),
    )
