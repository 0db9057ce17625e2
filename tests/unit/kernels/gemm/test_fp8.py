"""How products of 8-bit floats are cut."""

from __future__ import annotations

import pytest

from hotloop.kernels.gemm import fp8

SHARED_BYTES = 227 * 1024


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("hopper", [False, True])
@pytest.mark.parametrize("m", [1, 7, 16, 33, 64, 65, 256, 2048])
@pytest.mark.parametrize(("n", "k"), [(8, 16), (4096, 4096), (14336, 4096), (4096, 14336), (1088, 384), (8192, 8192)])
def test_every_cut_fits_on_the_device(m, n, k, hopper, fast):
    cut = fp8.plan(m, n, k, 132, hopper=hopper, fast=fast)
    assert (cut.kernel == fp8.FEW) == (m <= 64)
    assert cut.kernel != fp8.HOPPER or hopper
    assert cut.rows >= min(m, 64)
    staged = 2 * cut.rows * min(cut.columns, 64 if cut.kernel == fp8.HOPPER else 128)
    assert cut.stages * cut.depth * (cut.rows + cut.columns) + staged <= SHARED_BYTES
    tiles = -(-m // cut.rows) * -(-n // cut.columns)
    assert cut.splits == 1 or tiles * cut.splits <= 132
    assert cut.splits == 1 or k >= cut.splits * cut.depth  # no slice is empty
    # rows of the matrix instruction: 64, four warps to each
    rows = {fp8.FEW: cut.columns, fp8.MANY: cut.rows, fp8.HOPPER: cut.rows // 2}[cut.kernel]
    assert rows % (16 * cut.warps) == 0


def test_few_tiles_are_cut_along_k():
    assert fp8.plan(1, 4096, 4096, 132, hopper=True, fast=False).splits > 1
    assert fp8.plan(1, 4096, 256, 132, hopper=True, fast=False).splits == 1
    assert fp8.plan(2048, 4096, 4096, 132, hopper=False, fast=False).splits == 1


def test_sums_of_a_block_have_room_beside_those_of_all_k():
    for m in (100, 256, 4096):
        cut = fp8.plan(m, 8192, 4096, 132, hopper=True, fast=False)
        assert 2 * cut.rows * cut.columns <= 128 * 2 * cut.warps * 32  # registers of both for each thread
