"""Calls that are known again by PyTorch's guard: what changes is seen, whatever it is, and results stay those of the call."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

from hotloop import ops  # noqa: E402
from hotloop.dispatch import remembered, straight  # noqa: E402
from hotloop.dispatch.operator import Operator  # noqa: E402


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(straight, "ASKED", True)
    remembered.forget()
    yield
    remembered.forget()


def right(q, k, v):
    wanted = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    for _ in range(3):
        torch.testing.assert_close(ops.attention(q, k, v), wanted)


def test_operands_may_be_one_tensor_or_several():
    q, k, v = torch.randn(3, 1, 2, 5, 8).unbind(0)
    for given in ((q, q, q), (q, k, v), (q, k, k), (k, q, q), (q, q, q)):
        right(*given)
    assert len(remembered.FORMS) == 1


def test_strides_types_and_begins_are_told_apart():
    q = torch.randn(1, 2, 8, 8)
    right(q, q.transpose(2, 3), q)
    right(q, q, q.transpose(2, 3))
    shifted = torch.randn(129)[1:].view(1, 2, 8, 8)
    right(shifted, q, q)
    right(q.double(), q.double(), q.double())
    right(torch._neg_view(q), q, q)


def test_whoever_watches_or_records_is_served():
    a, b = torch.randn(4, 6), torch.nn.Parameter(torch.randn(6, 5))
    with torch.no_grad():
        for _ in range(3):
            assert not ops.gemm(a, b).requires_grad
    assert ops.gemm(a, b).requires_grad
    with torch.inference_mode():
        assert ops.gemm(a, b).is_inference()
    with torch.autocast("cpu", dtype=torch.bfloat16), torch.no_grad():
        assert ops.gemm(a, b).dtype == torch.float32
    mapped = torch.func.vmap(lambda one: ops.gemm(one, b.detach()))(torch.stack([a, 2 * a]))
    torch.testing.assert_close(mapped[1], 2 * a @ b.detach())
    with torch.autograd.forward_ad.dual_level(), torch.no_grad():
        dual = torch.autograd.forward_ad.make_dual(a, torch.ones_like(a))
        ops.gemm(dual, b.detach())


def test_what_is_forgotten_is_asked_again():
    a = torch.randn(4, 4)
    ops.softmax(a)
    ops.softmax(a)
    assert remembered.FORMS
    remembered.forget()
    assert not remembered.FORMS


TAPS, BATCH = torch.randn(1, 1, 1, 3, 3), torch.randn(1, 8, 8)  # weights: known by their identity
CALLS = {
    "softmax": lambda x: ops.softmax(x),
    "softmax of columns": lambda x: ops.softmax(x.t(), 0),
    "gemm": lambda x: ops.gemm(x, x),
    "activation": lambda x: ops.gemm(x, x, activation="relu"),
    "batched": lambda x: ops.gemm_batched(x[None], BATCH),
    "attention": lambda x: ops.attention(x[None, None], x[None, None], x[None, None], causal=True),
    "conv3d": lambda x: ops.depthwise_conv3d(x[None, None, None], TAPS, padding=1),
}


@pytest.mark.parametrize("name", CALLS)
def test_pytorchs_functions_are_reached_by_one_look_from_the_third_call_on(name, monkeypatch):
    call, x = CALLS[name], torch.randn(8, 8)
    wanted = call(x)
    call(x)
    monkeypatch.setattr(Operator, "_judged", None)
    monkeypatch.setattr(Operator, "_again", None)
    torch.testing.assert_close(call(x), wanted, rtol=0, atol=0)
    assert call(x).stride() == wanted.stride()
