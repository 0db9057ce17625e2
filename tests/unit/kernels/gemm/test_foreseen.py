"""Fused products like none of the table: a kernel runs only where it should be clearly faster than PyTorch's two."""

from __future__ import annotations

import pytest

from hotloop.dispatch.select import NEAR, PEER
from hotloop.kernels.gemm.expected import Work
from hotloop.kernels.gemm.foreseen import MARGIN, fastest, peer_us
from hotloop.kernels.gemm.products import Product, choose

UNITS = 132


def fused(m, n, k, **changes):
    return Product(m, n, k, "bfloat16", "bias-gelu-erf", **{"op": "nt", **changes})


@pytest.mark.parametrize("shape", [(197, 2304, 768), (5, 1536, 1536), (2146, 640, 640)])
def test_a_small_product_far_from_the_table_is_fused(h200, shape):
    choice = choose(fused(*shape), h200)
    assert choice.implementation in ("hopper", "hopper-skinny")
    assert choice.distance > NEAR  # and the reason says so
    assert "nearest" in choice.reason or "distance" in choice.reason
    assert choose(Product(*shape, "bfloat16", "none", op="nt"), h200).implementation == PEER


@pytest.mark.parametrize("changes", [{"op": "tt"}, {"reads_c": True}, {"obstacle": "too wide"}])
def test_what_was_never_measured_is_left_to_pytorch(h200, changes):
    assert choose(fused(128, 3072, 768, **changes), h200).implementation == PEER


def test_weights_that_leave_the_cache_are_read_by_one_row_of_tiles(h200):
    assert not list(fastest(Work(120, 16384, 6144), UNITS))
    assert choose(fused(120, 16384, 6144), h200).implementation == PEER


@pytest.mark.parametrize(("shape", "measured_us"), [((4096, 4096, 4096), 201.2), ((12608, 768, 3072), 94.9), ((1, 4096, 4096), 12.8)])  # fmt: skip
def test_pytorch_is_foreseen_as_it_was_measured(shape, measured_us):
    assert peer_us(Work(*shape)) == pytest.approx(measured_us, rel=MARGIN - 1)


def test_a_kernel_that_was_slow_there_is_not_the_one_that_is_foreseen(h200):
    slow = "split"  # 0.69 of PyTorch's speed, results/nvidia-h200-2026-11-28-ops/fresh-fourth.jsonl.gz
    assert choose(fused(350, 5248, 1024), h200).implementation not in (PEER, slow)


def test_rows_within_lines_are_left_alone():
    assert not list(fastest(Work(128, 3072, 776), UNITS))
