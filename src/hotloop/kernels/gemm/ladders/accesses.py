"""How a wave of the OpenCL GEMM touches local memory: the same index arithmetic as ``gemm.cl``, lane by lane."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels.gemm.space import NAIVE
from hotloop.model.ladder import Local
from hotloop.model.record import Scalar

_ELEMENT_BYTES = 4
_WIDEST_BITS = 128
"""Of one local memory instruction."""


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
    found = []
    if c["SA"] == 1:
        found.append(Local("read A", "read", 32, tuple(at_a(1, lane // c["NDIM"]) for lane in lanes)))
        found.append(Local("write A", "write", 32, tuple(at_a(e % c["KWG"], e // c["KWG"]) for e in lanes)))
    if c["SB"] == 1:
        found.append(Local("read B", "read", bits, tuple(at_b(1, lane % c["NDIM"]) for lane in lanes)))
        found.append(Local("write B", "write", bits, tuple(at_b(e // vectors, e % vectors) for e in lanes)))
    return tuple(found)
