"""Weights of 4 bits: numbers, the stored order against the instruction's fragments."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.kernels.gemm_int4 import storage


def draw(k, n, seed=3):
    return np.random.default_rng(seed).integers(0, 16, (k, n), dtype=np.uint8)


@pytest.mark.parametrize(("k", "n"), [(128, 64), (384, 128), (256, 320)])
def test_packing_can_be_undone(k, n):
    q = draw(k, n)
    stored = storage.pack(q)
    assert stored.shape == (k // 128, n // 64, 4096)
    assert (storage.unpack(stored) == q).all()


def test_sixteen_bytes_are_the_left_operands_of_a_lane():
    q = draw(256, 128)
    stored = storage.pack(q)
    for group, block, half, warp, lane in [(0, 0, 0, 0, 0), (1, 1, 1, 3, 31), (1, 0, 0, 2, 13), (0, 1, 1, 1, 6)]:
        begin = half * 2048 + warp * 512 + lane * 16
        mine = stored[group, block, begin : begin + 16].reshape(2, 8)  # two instructions of 16 deep
        for step in range(2):
            for place, byte in enumerate(mine[step]):
                # PTX ISA, wgmma: registers of two go (g, 2t), (g + 8, 2t), (g, 2t + 8), (g + 8, 2t + 8)
                register, second = divmod(place, 2)
                row = block * 64 + warp * 16 + lane // 4 + 8 * (register % 2)
                depth = group * 128 + half * 32 + step * 16 + 2 * (lane % 4) + 8 * (register // 2) + second
                assert byte & 15 == q[depth, row]
                assert byte >> 4 == q[depth + 64, row]


@pytest.mark.parametrize(("k", "n"), [(64, 64), (128, 32)])
def test_partial_blocks_are_refused(k, n):
    with pytest.raises(ValueError, match="multiple"):
        storage.pack(draw(k, n))
