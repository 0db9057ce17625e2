"""Weights of 4 bits: numbers, the stored order against the instruction's fragments, and how products are cut."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.kernels.gemm import int4


def draw(k, n, seed=3):
    return np.random.default_rng(seed).integers(0, 16, (k, n), dtype=np.uint8)


@pytest.mark.parametrize(("k", "n"), [(128, 64), (384, 128), (256, 320)])
def test_packing_can_be_undone(k, n):
    q = draw(k, n)
    stored = int4.pack(q)
    assert stored.shape == (k // 128, n // 64, 4096)
    assert (int4.unpack(stored) == q).all()


def test_sixteen_bytes_are_the_left_operands_of_a_lane():
    q = draw(256, 128)
    stored = int4.pack(q)
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
        int4.pack(draw(k, n))


def test_quantized_weights_are_off_by_half_a_step_at_most():
    weights = np.random.default_rng(5).standard_normal((256, 64)).astype(np.float32)
    weights[:128, 3] = 0
    q, scales = int4.quantize(weights)
    error = np.abs(int4.dequantized(q, scales) - weights)
    assert (error <= np.repeat(scales, 128, axis=0) * 0.5001).all()
    assert (q[:128, 3] == 8).all()
    with pytest.raises(ValueError, match="no multiple of 128"):
        int4.quantize(weights[:100])


@pytest.mark.parametrize("m", [1, 7, 16, 33, 64, 200])
@pytest.mark.parametrize(("n", "k"), [(64, 128), (4096, 4096), (14336, 4096), (4096, 14336), (1088, 384), (8192, 8192)])
def test_every_cut_covers_the_product(m, n, k):
    cut = int4.plan(m, n, k, 132)
    assert n % cut.columns == 0
    assert cut.rows >= min(m, 64)
    assert cut.splits <= max(1, k // 512)
    tiles = -(-m // cut.rows) * (n // cut.columns)
    assert cut.splits == 1 or tiles * cut.splits <= 7 * 132
    # weights, activations: staged blocks of a program
    assert cut.stages * (cut.columns * 64 + cut.rows * 256) <= 227 * 1024 // 2


def test_few_tiles_are_cut_along_k():
    assert int4.plan(1, 4096, 4096, 132).splits > 1
    assert int4.plan(1, 4096, 128, 132).splits == 1
