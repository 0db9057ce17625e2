"""Products like none of the table: a kernel runs only where it should be clearly faster than PyTorch, by what was learned of 600 others."""

from __future__ import annotations

import pytest

from hotloop.dispatch.select import PEER
from hotloop.kernels.gemm import learned
from hotloop.kernels.gemm.alternatives import alternatives
from hotloop.kernels.gemm.expected import Work
from hotloop.kernels.gemm.products import Product, choose, foreseeable, foreseen, glanced
from hotloop.kernels.gemm.surveyed import CLUSTER, STREAM


def fused(m, n, k, **changes):
    return Product(m, n, k, "bfloat16", "bias-gelu-erf", **{"op": "nt", **changes})


@pytest.mark.parametrize("shape", [(197, 2304, 768), (45, 1152, 768), (15, 896, 576)])
def test_a_small_product_with_an_activation_is_fused(h200, shape):
    choice = choose(fused(*shape), h200)
    assert choice.implementation != PEER
    assert "foreseen" in choice.reason
    assert choice.distance is None  # nothing was measured there


@pytest.mark.parametrize("changes", [{"op": "tt"}, {"reads_c": True}, {"obstacle": "too wide"}])
def test_what_was_never_measured_is_left_to_pytorch(h200, changes):
    assert choose(fused(128, 3072, 768, **changes), h200).implementation == PEER


# what layers.py measured of these after `ops.warm`, results/nvidia-h200-2026-11-28-ops/fused-fourth.jsonl.gz: no part of what was learned
@pytest.mark.parametrize(("shape", "measured_us"), [((4096, 4096, 4096), 208), ((12608, 768, 3072), 94.9), ((1, 4096, 4096), 13.3), ((197, 3072, 768), 7.75)])  # fmt: skip
def test_pytorch_is_foreseen_at_products_of_another_day(shape, measured_us):
    assert learned.foreseen_us(learned.PEER, Work(*shape), fused=True) == pytest.approx(measured_us, rel=0.15)


def test_a_kernel_that_was_slow_there_is_not_the_one_that_is_foreseen(h200):
    slow = "split"  # 0.69 of PyTorch's speed, results/nvidia-h200-2026-11-28-ops/fresh-fourth.jsonl.gz
    assert choose(fused(350, 5248, 1024), h200).implementation != slow


def test_a_product_alone_needs_more_to_leave_pytorch(h200):
    small, names = Work(45, 1152, 768), list(learned.measured())
    gains = [gain for *_, gain in learned.fastest(names, small, fused=True)]
    assert gains == sorted(gains, reverse=True)
    assert min(gains) >= learned.WORTH
    assert learned.sure(1.07, fused=True)
    assert not learned.sure(1.07, fused=False)
    assert choose(Product(7000, 7808, 7808, "bfloat16", "none", op="nt"), h200).implementation == PEER


@pytest.mark.parametrize("op", ["nt", "nn", "tn"])
def test_the_likeliest_kernels_are_worth_a_glance_at_a_first_call_however_operands_lie(h200, op):
    product = Product(48, 1152, 768, "float16", "none", op=op)
    assert foreseeable(product, h200)
    gains = [gain for _, gain in foreseen(product, h200)]
    assert len(gains) >= 2
    assert gains == sorted(gains, reverse=True)


def test_nothing_is_said_of_products_unlike_those_that_were_measured(h200):
    assert not learned.covers(Work(128, 3072, 776))  # rows within lines
    assert not learned.covers(Work(128, 128, 3072))
    assert not learned.covers(Work(70_000, 4096, 4096))


def test_another_number_of_multiprocessors_is_another_device(h200):
    from dataclasses import replace

    assert "foreseen" not in choose(fused(45, 1152, 768), replace(h200, compute_units=114)).reason


def test_each_configuration_that_was_learned_is_one_of_its_implementation():
    from hotloop.kernels.gemm import KERNEL

    for name in learned.measured():
        if name != learned.PEER:
            kind, config = learned._named(name)
            assert KERNEL.implementation(kind).space.violation(config) is None


@pytest.mark.parametrize(("rows", "likely"), [(24, True), (300, False)])
def test_steps_of_k_are_shared_evenly_where_rows_are_few(h200, rows, likely):
    made = [choice for choice, _ in foreseen(fused(rows, 14336, 3584), h200) if choice.implementation != CLUSTER]
    assert any(choice.implementation == STREAM for choice in made[:3]) == likely
    assert any(choice.implementation == STREAM for choice in alternatives(fused(rows, 14336, 3584), h200)) == likely
    if likely:
        assert glanced(fused(rows, 14336, 3584)) == 1 + glanced(Product(rows, 14336, 3584, "bfloat16", "none", op="nt"))
