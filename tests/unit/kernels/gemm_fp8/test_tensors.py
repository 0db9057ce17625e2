"""``hotloop::gemm_fp8``: what PyTorch computes, refusals, torch.compile's view, what a GPU would run, the kernels interpreted."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

from hotloop import ops  # noqa: E402
from hotloop.dispatch import place, remembered  # noqa: E402
from hotloop.dispatch.select import PEER  # noqa: E402
from hotloop.errors import BadArrayError, BadShapeError  # noqa: E402
from hotloop.kernels.gemm_fp8 import tensors as fp8  # noqa: E402
from hotloop.kernels.gemm_fp8.problem import DEFAULT  # noqa: E402
from hotloop.kernels.gemm_fp8.rule import variant  # noqa: E402

TRITON = pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")


def draw(m=6, n=32, k=64, *, spread=False):
    torch.manual_seed(4)
    a = torch.randn(m, k).to(torch.float8_e4m3fn)
    b = torch.randn(n, k).to(torch.float8_e4m3fn).t()
    scales = (torch.rand(m, 1) + 0.5, torch.rand(1, n) + 0.5) if spread else (torch.tensor(0.5), torch.tensor([2.0]))
    return a, b, *scales


def wide(a, b, scale_a, scale_b):
    return a.double() @ b.double() * scale_a.double() * scale_b.double()


@pytest.fixture
def hopper(h200, monkeypatch):
    monkeypatch.setattr(place, "facts", lambda _tensor, _backend: place.Place(h200))
    remembered.forget()
    yield h200
    remembered.forget()


@pytest.mark.parametrize("spread", [False, True])
@pytest.mark.parametrize("activation", ["none", "relu", "gelu", "gelu-tanh", "silu"])
@pytest.mark.parametrize("dtype", fp8.DTYPES)
def test_without_a_gpu_pytorch_multiplies_in_float32(spread, activation, dtype):
    operands, bias = draw(spread=spread), torch.randn(32).to(dtype)
    choice = ops.explain_choice("gemm_fp8", *operands, bias=bias, activation=activation, dtype=dtype)
    assert choice.implementation == PEER
    assert "widened to float32 runs: the tensors are on cpu" in choice.source
    found = ops.gemm_fp8(*operands, bias=bias, activation=activation, dtype=dtype)
    functional = torch.nn.functional
    finish = {
        "none": lambda x: x, "relu": functional.relu, "gelu": functional.gelu, "silu": functional.silu,
        "gelu-tanh": lambda x: functional.gelu(x, approximate="tanh"),
    }[activation]  # fmt: skip
    wanted = finish(wide(*operands) + bias.double())
    assert found.dtype == dtype
    ulp = {torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11, torch.float32: 2.0**-22}[dtype]
    assert bool(((found.double() - wanted).abs() <= 1.01 * ulp * wanted.abs() + 2e-5).all())


def test_one_factor_may_stand_beside_many():
    a, b, *_ = draw()
    single, many = torch.full((1, 1), 3.0), torch.arange(1.0, 33.0)[None, :]
    found = ops.gemm_fp8(a, b, single, many, dtype=torch.float32)
    torch.testing.assert_close(found.double(), wide(a, b, single, many), rtol=1e-5, atol=1e-3)
    assert ops.gemm_fp8(a, b, torch.ones(1, 1, 1), many).shape == (6, 32)


def test_fake_tensors_have_the_shape_and_the_type():
    a, b, *scales = draw()
    call = torch.compile(
        lambda x: ops.gemm_fp8(x, b, *scales, dtype=torch.float16), backend="eager", fullgraph=True
    )  # fmt: skip
    assert torch.equal(call(a), ops.gemm_fp8(a, b, *scales, dtype=torch.float16))
    torch.library.opcheck(
        torch.ops.hotloop.gemm_fp8.default, (a, b, *scales, None, "none", torch.bfloat16, False),
        test_utils="test_faketensor",  # the others compare inputs by operations that these types lack
    )  # fmt: skip


def test_pytorch_computes_gradients():
    a, b, *scales = draw()
    bias = torch.zeros(32, requires_grad=True)
    choice = ops.explain_choice("gemm_fp8", a, b, *scales, bias=bias, dtype=torch.float32)
    assert "no backward pass" in choice.source
    ops.gemm_fp8(a, b, *scales, bias=bias, dtype=torch.float32).sum().backward()
    torch.testing.assert_close(bias.grad, torch.full((32,), 6.0))


@pytest.mark.parametrize(
    ("change", "kind", "said"),
    [
        ({"a": torch.zeros(6, 64)}, BadArrayError, "a has dtype float32; convert it with to"),
        ({"a": torch.zeros(64).to(torch.float8_e4m3fn)}, BadArrayError, "a has 1 dimensions"),
        ({"a": torch.zeros(6, 32).to(torch.float8_e4m3fn)}, BadShapeError, "a has 32 columns and b has 64 rows"),
        ({"scale_a": torch.tensor(1.0).double()}, BadArrayError, "scale_a has dtype float64; scales are float32"),
        ({"scale_a": torch.ones(6)}, BadShapeError, r"scale_a has shape \(6,\); .* or shape \(6, 1\)"),
        ({"scale_b": torch.ones(32, 1)}, BadShapeError, r"or shape \(1, 32\)"),
        ({"bias": torch.zeros(32)}, BadArrayError, "bias is float32 and the result bfloat16"),
        ({"bias": torch.zeros(31).bfloat16()}, BadShapeError, "one element for each of the 32 columns"),
        ({"dtype": torch.float64}, BadArrayError, "results are bfloat16, float16, float32"),
        ({"scale_b": torch.ones(1, device="meta")}, BadArrayError, "a is on cpu and scale_b on meta"),
        ({"b": [1]}, BadArrayError, "b is list"),
    ],
)
def test_operands_that_do_not_go_together_are_refused(change, kind, said):
    given = dict(zip(("a", "b", "scale_a", "scale_b"), draw(), strict=True)) | change
    operands = [given.pop(name) for name in ("a", "b", "scale_a", "scale_b")]
    with pytest.raises(kind, match=said):
        ops.gemm_fp8(*operands, **given)


def test_a_gpu_runs_the_kernel_with_the_rule_s_cut(hopper):
    operands = draw()
    choice = ops.explain_choice("gemm_fp8", *operands)
    cut = variant(DEFAULT.replace(m=6, n=32, k=64), hopper)
    assert (choice.implementation, choice.config) == (cut.implementation.name, cut.config)


@pytest.mark.parametrize(
    ("operands", "options", "why"),
    [
        (draw(k=72), {}, "k=72 must be a multiple of 16"),
        (draw(n=36), {}, "n=36 of 8"),
        (draw(m=0), {}, "nothing to multiply"),
        (draw(), {"dtype": torch.float32}, "not float32"),
        (draw(), {"activation": "gelu-tanh"}, "has no gelu-tanh"),
        ((draw()[0], draw()[1].contiguous(), *draw()[2:]), {}, "b.t.. is not row-major"),
        ((draw(k=128)[0][:, ::2], *draw()[1:]), {}, "a is not row-major"),
    ],
)
def test_what_the_kernel_does_not_take_is_left_to_pytorch(hopper, operands, options, why):
    choice = ops.explain_choice("gemm_fp8", *operands, **options)
    assert choice.implementation == PEER
    assert why in choice.source.replace("b.t()", "b.t..")
    found = ops.gemm_fp8(*operands, **options)
    assert found.shape == (operands[0].shape[0], operands[1].shape[1])
    assert hopper.compute_units == 132


def test_older_gpus_have_no_kernel(hopper, monkeypatch):
    monkeypatch.setattr(place, "facts", lambda _tensor, _backend: place.Place(replace(hopper, target="sm_89")))
    remembered.forget()
    assert "from compute capability 9.0 on, not sm_89" in ops.explain_choice("gemm_fp8", *draw()).source


def test_a_call_like_an_earlier_one_is_not_judged_again_and_another_form_is(monkeypatch):
    operands = draw()
    wanted, choice = ops.gemm_fp8(*operands), ops.explain_choice("gemm_fp8", *operands)
    with monkeypatch.context() as without:
        for judging in ("check", "described"):
            without.setattr(fp8._OPERATOR, judging, None)
        assert torch.equal(ops.gemm_fp8(*operands), wanted)
        assert ops.explain_choice("gemm_fp8", *operands) is choice
        bare = torch.ops.hotloop.gemm_fp8(*operands, None, "none", torch.bfloat16, False)
        assert torch.equal(bare, wanted)
    with pytest.raises(BadShapeError, match="a has 64 columns and b has 32 rows"):
        ops.gemm_fp8(operands[0], operands[1][:32], *operands[2:])


@TRITON
def test_a_kernel_that_does_not_compile_leaves_the_product_to_pytorch(hopper, monkeypatch):
    from hotloop.dispatch import launch
    from hotloop.ports import BuildError

    raised = [BuildError("no such instruction\nmore"), RuntimeError("CUDA error: an illegal memory access")]

    def fail(*_arguments, **_options):
        raise raised[0]

    monkeypatch.setattr(launch, "prepared", fail)
    operands = draw()
    assert ops.explain_choice("gemm_fp8", *operands).implementation == "triton"
    torch.testing.assert_close(ops.gemm_fp8(*operands).double(), wide(*operands), rtol=2**-8, atol=1e-3)
    assert "triton cannot run here: no such instruction" in ops.explain_choice("gemm_fp8", *operands).source
    padded = torch.cat([operands[0], operands[0]], 1)[:, :64]  # the same kernel
    assert "triton cannot run here" in ops.explain_choice("gemm_fp8", padded, *operands[1:]).source
    relu = ops.explain_choice("gemm_fp8", *operands, activation="relu")  # another one
    assert relu.implementation == "triton"
    remembered.forget()
    raised.pop(0)
    with pytest.raises(RuntimeError, match="illegal memory access"):  # a fault of the device is not hidden
        ops.gemm_fp8(*operands)
    assert hopper.compute_units == 132


@TRITON
def test_the_kernels_interpreted_are_right_to_a_rounding(interpreted):
    cases = interpreted(Path(__file__).with_name("interpreted.py"))
    assert {case["ran"] for case in cases.values()} == {"triton 1", "triton 2", "triton many"}
    assert {name: case["error"] for name, case in cases.items() if case["error"] > 1} == {}
    assert len(cases) >= 8


def test_pytorchs_own_product_gets_strides_and_addresses_that_cublas_takes(monkeypatch):
    """A single row may have any stride, which PyTorch hands on to cuBLAS; its bias lies without gaps, too."""
    seen = []

    def noted(a, b, *, scale_a, scale_b, bias, out_dtype, use_fast_accum):
        seen.append((a, bias))
        return (a.float() @ b.float() * scale_a * scale_b + bias.float()).to(out_dtype)

    monkeypatch.setattr(torch, "_scaled_mm", noted)
    monkeypatch.setattr(fp8, "_multiplies", lambda _device: True)
    a, b, *scales = draw(m=1)
    call = fp8.gemm_fp8(a.as_strided((1, 64), (1, 1)), b, *scales, bias=torch.randn(64).bfloat16()[::2])[1]
    fp8._OPERATOR.peer(call)
    (row, bias), *_ = seen
    assert row.stride() == (64, 1)
    assert bias.is_contiguous()
    shifted = torch.zeros(65, dtype=torch.uint8).view(torch.float8_e4m3fn)[1:].view(1, 64)
    assert not fp8._scaled_takes(call._replace(a=shifted))


def test_pytorchs_own_product_gets_factors_that_it_takes(monkeypatch):
    """PyTorch transposes the second factor, which it cannot with three dimensions."""
    seen = []

    def noted(a, b, *, scale_a, scale_b, bias, out_dtype, use_fast_accum):
        del bias, use_fast_accum
        seen.extend((scale_a, scale_b))
        return (a.float() @ b.float() * scale_a * scale_b.t().t()).to(out_dtype)

    monkeypatch.setattr(torch, "_scaled_mm", noted)
    monkeypatch.setattr(fp8, "_multiplies", lambda _device: True)
    a, b, *_ = draw()
    for scale_a, scale_b in (
        (torch.rand(1, 1, 1), torch.rand(1, 1, 1, 1)),
        (torch.rand(7, 1)[1:], torch.rand(1, 65)[:, ::2][:, 1:]),
        (torch.rand(6, 1), torch.rand(2)[1]),
    ):
        call = fp8.gemm_fp8(a, b, scale_a, scale_b)[1]
        fp8._OPERATOR.check(call)
        assert fp8._scaled_takes(call)
        found, wanted = fp8._OPERATOR.peer(call), fp8._OPERATOR.own(call)
        torch.testing.assert_close(found, wanted, atol=0.02, rtol=0.02)
    assert all(x.is_contiguous() and x.data_ptr() % 16 == 0 for x in seen)
    row = fp8.gemm_fp8(a[:1], b, torch.rand(1).as_strided((1, 1), (0, 7)), torch.rand(1, 32))[1]
    fp8._OPERATOR.peer(row)
    assert seen[-2].stride() == (1, 1)
    assert seen[-1].stride(1) == 1
