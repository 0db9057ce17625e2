"""What the card modules of the ladders take for right, against PyTorch on the CPU; needs PyTorch, no card."""

from importlib import import_module

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def arrays(card, sizes, seed=1):
    maker = torch.Generator().manual_seed(seed)
    *inputs, (shape, dtype) = card.shapes(sizes)
    made = [torch.randn(s, generator=maker).to(getattr(torch, name)) for s, name in inputs]
    return (*made, torch.full(shape, float("nan"), dtype=getattr(torch, dtype)))


def attend(q, k, v, _, causal=True):
    function = torch.nn.functional.scaled_dot_product_attention
    return function(q.float(), k.float(), v.float(), is_causal=causal)


CASES = {
    "attention": ({"heads": 3, "length": 130, "size": 64, "causal": True}, attend),
}


@pytest.mark.parametrize("family", CASES)
def test_a_rounded_result_passes_and_a_wrong_one_does_not(family):
    sizes, compute = CASES[family]
    card = import_module(f"hotloop.kernels.{family}.ladders.hopper")
    given = arrays(card, sizes)
    known = card.expected(torch, sizes, given)
    right = compute(*given).bfloat16()
    assert 0.1 < card.error(torch, sizes, (*given[:-1], right), known) <= 1
    wrong = right.clone()
    wrong.view(-1)[0] += 0.05 * wrong.abs().max()
    assert card.error(torch, sizes, (*given[:-1], wrong), known) > 1
    assert card.error(torch, sizes, given, known) == float("inf")  # nothing was written


@pytest.mark.parametrize("family", CASES)
def test_peers_are_those_that_are_announced(family):
    card = import_module(f"hotloop.kernels.{family}.ladders.hopper")
    assert tuple(card.peers(torch, CASES[family][0])) == card.PEERS
