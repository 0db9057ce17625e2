"""``hotloop::gemm_int4`` on the processor, where PyTorch computes: storing, meaning, refusals, torch.compile's view."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

from hotloop import ops  # noqa: E402
from hotloop.dispatch.select import PEER  # noqa: E402
from hotloop.errors import BadArrayError, BadShapeError  # noqa: E402
from hotloop.kernels.gemm_int4 import storage as order  # noqa: E402
from hotloop.kernels.gemm_int4 import tensors as int4  # noqa: E402
from hotloop.kernels.gemm_int4.problem import DEFAULT  # noqa: E402
from hotloop.kernels.gemm_int4.rule import variant  # noqa: E402


@pytest.fixture
def weight():
    torch.manual_seed(2)
    return torch.randn(384, 128).to(torch.bfloat16)


def test_the_stored_order_is_the_family_s(weight):
    stored, scales = int4.pack_int4(weight)
    q = order.unpack(stored.numpy())
    grouped = weight.float().reshape(3, 128, 128).abs().amax(1)
    torch.testing.assert_close(scales.float(), grouped / 7, rtol=2**-8, atol=0)
    meant = order.dequantized(q, scales.float().numpy())
    assert (order.pack(q) == stored.numpy()).all()
    np.testing.assert_array_equal(int4.widened(stored, scales.double()).numpy(), meant)
    steps = np.repeat(scales.float().numpy(), 128, axis=0)
    assert (np.abs(meant - weight.double().numpy()) <= 0.53 * steps).all()  # scales are rounded too


def test_a_zero_weight_stays_zero():
    stored, scales = int4.pack_int4(torch.zeros(128, 64))
    assert not scales.any()
    assert not int4.widened(stored, scales).any()


@pytest.mark.parametrize("activation", ["none", "relu", "gelu", "silu"])
def test_without_a_gpu_pytorch_multiplies(weight, activation):
    stored, scales = int4.pack_int4(weight)
    a, bias = torch.randn(5, 384).to(torch.bfloat16), torch.randn(128).to(torch.bfloat16)
    choice = ops.explain_choice("gemm_int4", a, stored, scales, bias=bias, activation=activation)
    assert choice.implementation == PEER
    assert "the tensors are on cpu" in choice.source
    found = ops.gemm_int4(a, stored, scales, bias=bias, activation=activation)
    functional = torch.nn.functional
    finish = {"relu": functional.relu, "gelu": functional.gelu, "silu": functional.silu}.get(activation, lambda x: x)
    wanted = finish(a.double() @ int4.widened(stored, scales.double()) + bias.double())
    torch.testing.assert_close(found.double(), wanted, rtol=2**-6, atol=0.4)


def test_fake_tensors_have_the_shape(weight):
    stored, scales = int4.pack_int4(weight)
    compiled = torch.compile(lambda a: ops.gemm_int4(a, stored, scales), backend="eager", fullgraph=True)
    a = torch.randn(3, 384).to(torch.bfloat16)
    assert torch.equal(compiled(a), ops.gemm_int4(a, stored, scales))
    torch.library.opcheck(torch.ops.hotloop.gemm_int4.default, (a, stored, scales, None, "none"))


def test_weights_that_do_not_fill_blocks_are_refused():
    with pytest.raises(BadShapeError, match="k must be a multiple of 128"):
        int4.pack_int4(torch.randn(100, 64))
    with pytest.raises(BadShapeError, match="n of 64"):
        int4.pack_int4(torch.randn(128, 60))
    with pytest.raises(BadArrayError, match="3 dimensions"):
        int4.pack_int4(torch.randn(2, 128, 64))


def test_operands_that_do_not_go_together_are_refused(weight):
    stored, scales = int4.pack_int4(weight)
    a = torch.randn(2, 384).to(torch.bfloat16)
    with pytest.raises(BadShapeError, match="a has 256 columns and the weights have 384 rows"):
        ops.gemm_int4(a[:, :256], stored, scales)
    with pytest.raises(BadArrayError, match="take both from one call of pack_int4"):
        ops.gemm_int4(a, stored[:1], scales)
    with pytest.raises(BadArrayError, match="convert one with to"):
        ops.gemm_int4(a.half(), stored, scales)
    with pytest.raises(BadShapeError, match="one element for each of the 128 columns"):
        ops.gemm_int4(a, stored, scales, bias=torch.zeros(3).to(torch.bfloat16))


def test_a_gpu_runs_the_kernel_with_the_rule_s_cut(h200, monkeypatch, weight):
    from hotloop.dispatch import place, remembered

    monkeypatch.setattr(place, "facts", lambda _tensor, _backend: place.Place(h200))
    remembered.forget()
    stored, scales = int4.pack_int4(weight)
    a = torch.randn(4, 384).to(torch.bfloat16)
    choice = ops.explain_choice("gemm_int4", a, stored, scales)
    cut = variant(DEFAULT.replace(m=4, n=128, k=384), h200)
    assert (choice.implementation, choice.config) == (cut.implementation.name, cut.config)
    wide = ops.explain_choice("gemm_int4", a.float(), stored, scales.float())
    assert wide.implementation == PEER
    assert "not float32" in wide.source
    remembered.forget()


def test_a_call_like_an_earlier_one_is_not_judged_again_and_another_form_is(weight, monkeypatch):
    stored, scales = int4.pack_int4(weight)
    a = torch.randn(4, 384).to(torch.bfloat16)
    wanted, choice = ops.gemm_int4(a, stored, scales), ops.explain_choice("gemm_int4", a, stored, scales)
    with monkeypatch.context() as without:
        for judging in ("check", "described"):
            without.setattr(int4._OPERATOR, judging, None)
        assert torch.equal(ops.gemm_int4(a, stored, scales), wanted)
        assert ops.explain_choice("gemm_int4", a, stored, scales) is choice
        assert torch.equal(torch.ops.hotloop.gemm_int4(a, stored, scales, None, "none"), wanted)
    with pytest.raises(BadArrayError, match="take both from one call of pack_int4"):
        ops.gemm_int4(a, stored[:2], scales)


def test_pytorch_computes_gradients(weight):
    stored, scales = int4.pack_int4(weight.float())
    a, bias = torch.randn(3, 384, requires_grad=True), torch.randn(128, requires_grad=True)
    assert "no backward pass" in ops.explain_choice("gemm_int4", a, stored, scales, bias=bias).source
    ops.gemm_int4(a, stored, scales, bias=bias).sum().backward()
    torch.testing.assert_close(a.grad, int4.widened(stored, scales).sum(1).expand(3, -1))
    torch.testing.assert_close(bias.grad, torch.full((128,), 3.0))


def test_what_is_no_tensor_is_refused(weight):
    stored, scales = int4.pack_int4(weight.float())
    with pytest.raises(BadArrayError, match="stored is ndarray"):
        ops.gemm_int4(torch.randn(2, 384), stored.numpy(), scales)
    with pytest.raises(BadArrayError, match="a is ndarray"):
        ops.gemm_int4(np.zeros((2, 384), np.float32), stored, scales)


def test_a_kernel_that_does_not_compile_leaves_the_product_to_pytorch(h200, monkeypatch, weight):
    pytest.importorskip("triton")
    from hotloop.dispatch import launch, place, remembered
    from hotloop.ports import BuildError

    raised = [BuildError("no such instruction\nmore"), RuntimeError("CUDA error: an illegal memory access")]

    def fail(*_arguments, **_options):
        raise raised[0]

    monkeypatch.setattr(place, "facts", lambda _tensor, _backend: place.Place(h200))
    monkeypatch.setattr(launch, "prepared", fail)
    remembered.forget()
    stored, scales = int4.pack_int4(weight)
    a = torch.randn(4, 384).to(torch.bfloat16)
    assert ops.explain_choice("gemm_int4", a, stored, scales).implementation == "triton"
    assert torch.equal(ops.gemm_int4(a, stored, scales), torch.matmul(a, int4.widened(stored, scales)))
    assert "triton cannot run here: no such instruction" in ops.explain_choice("gemm_int4", a, stored, scales).source
    remembered.forget()
    raised.pop(0)
    with pytest.raises(RuntimeError, match="illegal memory access"):  # a fault of the device is not hidden
        ops.gemm_int4(a, stored, scales)
    remembered.forget()


def test_the_kernel_interpreted_is_right_to_a_rounding(interpreted):
    pytest.importorskip("triton")
    cases = interpreted(Path(__file__).with_name("interpreted.py"))
    assert {case["ran"] for case in cases.values()} == {"triton 1", "triton 2"}
    assert {name: case["error"] for name, case in cases.items() if case["error"] > 1} == {}
    assert len(cases) == 3
