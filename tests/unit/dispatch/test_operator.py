"""The operators as PyTorch sees them, on the processor: checks, fake tensors, torch.compile, gradients, PyTorch's own."""

from __future__ import annotations

import logging
import subprocess
import sys
import textwrap
from typing import NamedTuple

import numpy as np
import pytest

from hotloop import ops
from hotloop.dispatch.choice import Origin
from hotloop.errors import BadShapeError, UnknownNameError, UsageError

torch = pytest.importorskip("torch")
functional = torch.nn.functional
pytestmark = pytest.mark.filterwarnings("ignore")  # those of PyTorch's compiler stack are not ours


@pytest.fixture(autouse=True)
def fresh():
    from hotloop.dispatch import remembered

    torch.manual_seed(3)
    remembered.forget()
    yield
    remembered.forget()


def draw(*shape, dtype=torch.float32):
    return torch.randn(*shape).to(dtype)


CALLS = {
    "gemm": lambda: (ops.gemm, (draw(5, 16), draw(16, 8)), {"bias": draw(8), "activation": "gelu"}),
    "attention": lambda: (ops.attention, (draw(2, 4, 7, 64), draw(2, 2, 9, 64), draw(2, 2, 9, 64)), {"causal": True}),
    "depthwise_conv3d": lambda: (
        ops.depthwise_conv3d, (draw(2, 3, 5, 6, 8), draw(6, 1, 3, 3, 3), draw(6)), {"padding": (0, 1, 1), "stride": 2},
    ),
    "softmax": lambda: (ops.softmax, (draw(3, 4, 17),), {"dim": 1}),
}  # fmt: skip


def reference(name, given, options):
    wide = [x.double() for x in given]
    if name == "gemm":
        return functional.gelu(wide[0] @ wide[1] + options["bias"].double())
    if name == "attention":
        return functional.scaled_dot_product_attention(*wide, is_causal=True, enable_gqa=True)
    if name == "softmax":
        return wide[0].softmax(1)
    return functional.conv3d(*wide, padding=(0, 1, 1), stride=2, groups=3)


@pytest.mark.parametrize("name", list(CALLS))
def test_on_the_processor_pytorch_computes_and_the_choice_says_so(name):
    function, given, options = CALLS[name]()
    found = function(*given, **options)
    assert found.dtype is torch.float32
    assert torch.allclose(found.double(), reference(name, given, options), atol=1e-5)
    choice = ops.explain_choice(name, *given, **options)
    assert (choice.implementation, choice.origin) == ("torch", Origin.TORCH)
    assert choice.reason.startswith("torch.")


@pytest.mark.parametrize("name", list(CALLS))
def test_fake_tensors_have_the_form_of_real_ones(name):
    from torch._subclasses.fake_tensor import FakeTensorMode

    function, given, options = CALLS[name]()
    real = function(*given, **options)
    with FakeTensorMode() as mode:
        fakes = [mode.from_tensor(x) for x in given]
        more = {n: mode.from_tensor(x) if isinstance(x, torch.Tensor) else x for n, x in options.items()}
        fake = function(*fakes, **more)
    assert (fake.shape, fake.dtype, fake.stride()) == (real.shape, real.dtype, real.stride())


@pytest.mark.parametrize("name", list(CALLS))
def test_a_compiled_function_keeps_the_operator_in_one_graph(name):
    function, given, options = CALLS[name]()
    seen = []

    def backend(module, _examples):
        seen.extend(str(node.target) for node in module.graph.nodes if node.op == "call_function")
        return module

    def twice(*tensors):
        return function(*tensors, **options) * 2

    compiled = torch.compile(twice, backend=backend, fullgraph=True)
    assert torch.equal(compiled(*given), twice(*given))
    assert any("hotloop" in target and name in target for target in seen)
    torch._dynamo.reset()


@pytest.mark.parametrize("name", ["gemm", "softmax"])
def test_sizes_may_change_in_a_compiled_function(name):
    function, given, options = CALLS[name]()
    compiled = torch.compile(lambda *x: function(*x, **options), backend="aot_eager", fullgraph=True, dynamic=True)
    for rows in (3, 6, 9):
        first = draw(rows, *given[0].shape[1:])
        assert torch.allclose(compiled(first, *given[1:]), function(first, *given[1:], **options), atol=1e-6)
    torch._dynamo.reset()


def test_the_operators_pass_pytorchs_own_checks():
    check, library = torch.library.opcheck, torch.ops.hotloop
    CALLS["gemm"]()[0](draw(2, 2), draw(2, 2))  # operators are registered at the first use
    q, k = draw(2, 4, 7, 64), draw(2, 2, 9, 64)
    ops.attention(q, k, k)
    ops.softmax(q)
    ops.depthwise_conv3d(draw(1, 2, 3, 4, 4), draw(2, 1, 1, 1, 1))
    check(library.gemm.default, (draw(5, 16), draw(16, 8), draw(8), None, 1.0, 0.0, False, False, "relu"))
    check(library.gemm.default, (draw(16, 5), draw(8, 16), None, draw(5, 8), 0.5, 2.0, True, True, "none"))
    check(library.attention.default, (q, k, k, True, None, 3, 2))
    check(library.attention.default, (q.transpose(1, 2).contiguous().transpose(1, 2), k, k, False, 0.3, 0, 0))
    check(library.softmax.default, (draw(3, 5).t(), 0))
    check(library.depthwise_conv3d.default, (draw(1, 2, 3, 4, 4), draw(4, 1, 1, 3, 3), None, [1] * 3, [0] * 3, [1] * 3))


@pytest.mark.parametrize("name", list(CALLS))
def test_pytorch_computes_what_needs_a_gradient(name):
    function, given, options = CALLS[name]()
    wanted = [x.requires_grad_() for x in given]
    function(*wanted, **options).square().sum().backward()
    assert all(x.grad is not None for x in wanted)
    choice = ops.explain_choice(name, *given, **options)
    assert "no backward pass" in choice.reason
    with torch.no_grad():
        assert not function(*wanted, **options).requires_grad
        assert "no backward pass" not in ops.explain_choice(name, *given, **options).reason
    compiled = torch.compile(lambda *x: function(*x, **options), backend="aot_eager", fullgraph=True)
    assert torch.allclose(compiled(*wanted), function(*wanted, **options), atol=1e-6)
    torch._dynamo.reset()


def test_the_bare_operator_has_a_clear_error_instead_of_a_gradient():
    x = draw(3, 4)
    ops.softmax(x)
    with pytest.raises(UsageError, match=r"no backward pass: call hotloop\.ops\.softmax"):
        torch.ops.hotloop.softmax(x.requires_grad_(), -1).sum().backward()


@pytest.mark.parametrize(
    ("arguments", "kind", "said"),
    [
        ({"b": draw(3, 5)}, BadShapeError, r"op\(a\) is 3 by 4 and op\(b\) is 3 by 5"),
        ({"transpose_a": True}, BadShapeError, r"op\(a\) is 4 by 3"),
        ({"b": draw(4, 5, dtype=torch.float64)}, ops.BadArrayError, "a is float32 and b is float64"),
        ({"b": np.ones((4, 5), "f4")}, ops.BadArrayError, "b is ndarray; give PyTorch tensors only"),
        ({"a": np.ones((3, 4), "f4")}, ops.BadArrayError, "a is ndarray"),
        ({"b": draw(4)}, ops.BadArrayError, "b has 1 dimensions"),
        ({"b": torch.ones((4, 5), dtype=torch.int64)}, ops.BadArrayError, "dtype int64"),
        ({"b": torch.empty((4, 5), device="meta")}, ops.BadArrayError, "a is on cpu and b on meta"),
        ({"bias": draw(4)}, BadShapeError, r"bias has shape \(4,\)"),
        ({"beta": 1.0}, UsageError, "no c to multiply"),
        ({"beta": 1.0, "c": draw(5, 3)}, BadShapeError, r"c has shape \(5, 3\)"),
        ({"out": draw(5, 3)}, BadShapeError, r"out has shape \(5, 3\)"),
        ({"device": "H200"}, UsageError, "tensors have a device already"),
        ({"activation": "tanh"}, UnknownNameError, "unknown activation 'tanh'"),
    ],
)
def test_a_wrong_product_is_told_apart(arguments, kind, said):
    with pytest.raises(kind, match=said):
        ops.gemm(**{"a": draw(3, 4), "b": draw(4, 5), **arguments})


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        (
            lambda: ops.attention(draw(1, 2, 3, 4), draw(1, 2, 5, 4), draw(1, 2, 6, 4)),
            BadShapeError,
            "do not go together",
        ),
        (lambda: ops.attention(draw(1, 3, 3, 4), draw(1, 2, 5, 4), draw(1, 2, 5, 4)), BadShapeError, "3 heads of q"),
        (lambda: ops.attention(draw(3, 4), draw(3, 4), draw(3, 4)), ops.BadArrayError, "q has 2 dimensions"),
        (lambda: ops.attention(np.ones(3), draw(3), draw(3)), ops.BadArrayError, "q is ndarray"),
        (lambda: ops.softmax(draw(3, 4), 2), BadShapeError, "no dimension 2"),
        (lambda: ops.depthwise_conv3d(draw(1, 4, 5, 5, 5), draw(6, 1, 3, 3, 3)), BadShapeError, r"give \[4 \* multip"),
        (lambda: ops.depthwise_conv3d(draw(1, 4, 2, 5, 5), draw(4, 1, 3, 3, 3)), BadShapeError, "does not fit"),
        (lambda: ops.depthwise_conv3d(draw(1, 4, 5, 5, 5), draw(4, 1, 3, 3, 3), stride=0), BadShapeError, "at least 1"),
        (
            lambda: ops.depthwise_conv3d(draw(1, 4, 5, 5, 5), draw(4, 1, 3, 3, 3), stride=(1, 2)),
            BadShapeError,
            "2 values",
        ),
        (lambda: ops.depthwise_conv3d(draw(4, 5, 5, 5), draw(4, 1, 3, 3, 3)), ops.BadArrayError, "x has 4 dimensions"),
        (lambda: ops.depthwise_conv3d(draw(1, 4, 5, 5, 5), draw(4, 1, 3, 3, 3), draw(3)), BadShapeError, "4 elements"),
        (
            lambda: ops.explain_choice("gemv", draw(3)),
            UnknownNameError,
            "depthwise_conv3d, gemm, gemm_batched, gemm_fp8, gemm_grouped, gemm_int4, softmax",
        ),
    ],
)
def test_other_wrong_arguments_are_told_apart(call, kind, said):
    with pytest.raises(kind, match=said):
        call()


@pytest.mark.parametrize("alpha", [1.0, 0.5, 0.0])
@pytest.mark.parametrize("beta", [0.0, 2.0])
@pytest.mark.parametrize("with_bias", [False, True])
@pytest.mark.parametrize("activation", ["none", "relu", "gelu-tanh", "silu"])
def test_factors_bias_and_activations(alpha, beta, with_bias, activation):
    a, b, c, bias = draw(4, 3), draw(5, 4), draw(3, 5), draw(5) if with_bias else None
    found = ops.gemm(
        a, b, alpha=alpha, beta=beta, c=c, bias=bias, activation=activation, transpose_a=True, transpose_b=True
    )  # fmt: skip
    wide = alpha * (a.double().t() @ b.double().t()) + beta * c.double() + (0 if bias is None else bias.double())
    finish = {"none": lambda x: x, "relu": torch.relu, "silu": functional.silu}
    wanted = finish.get(activation, lambda x: functional.gelu(x, approximate="tanh"))(wide)
    assert torch.allclose(found.double(), wanted, atol=1e-5)


def test_what_is_multiplied_by_zero_is_not_read():
    lost = torch.full((3, 3), float("nan"))
    assert torch.equal(ops.gemm(lost, lost, alpha=0.0, c=torch.eye(3), beta=2.0), 2 * torch.eye(3))
    assert torch.equal(ops.gemm(torch.eye(3), torch.eye(3), c=lost), torch.eye(3))


def test_out_receives_the_result_and_may_be_an_operand():
    a, b = draw(4, 4), draw(4, 4)
    wanted = a @ b
    assert ops.gemm(a, b, out=a) is a
    assert torch.allclose(a, wanted)
    with pytest.raises(UsageError, match="no part in gradients"):
        ops.gemm(a, b.requires_grad_(), out=torch.empty(4, 4))


def test_a_reason_is_logged_once(caplog):
    with caplog.at_level(logging.INFO, logger="hotloop.ops"):
        for _ in range(3):
            ops.softmax(draw(2, 9))
            ops.softmax(draw(3, 9))
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 1
    assert "torch.softmax runs: the tensors are on cpu" in told[0]


def test_obstacles_that_only_a_tensor_shows():

    from hotloop.kernels.attention import tensors as attention
    from hotloop.kernels.gemm import tensors as gemm
    from hotloop.kernels.reduction import tensors as softmax

    half = draw(64, 64, dtype=torch.bfloat16)

    def obstacle(a, b):
        call = gemm.Call(a, b, None, None, 1.0, 0.0, False, False, "none")
        return gemm._OPERATOR.described(call, gradient=False).narrow

    assert obstacle(half, half) == ""
    assert obstacle(half[:1], half) == ""
    assert obstacle(half, half.t()) == ""
    assert "op(b) lies neither" in obstacle(half, half[:, ::2].t()[:, :32].t())
    assert "op(a) lies neither" in obstacle(half[:, 1:57], half[:56])
    assert obstacle(half[:, :56], half[:56]) == ""
    assert "op(a) lies neither" in obstacle(half[:1].expand(64, 64), half)
    odd = torch.empty(64 * 64 + 1, dtype=torch.bfloat16)[1:].view(64, 64)
    assert "op(a) lies neither" in obstacle(odd, half)
    for x in (half.t(), odd):
        assert "not contiguous" in softmax._OPERATOR.described(softmax.Call(x, -1), gradient=False).obstacle
    q = draw(2, 9, 3, 64, dtype=torch.bfloat16).transpose(1, 2)
    described = attention._PLAIN.described
    assert described(attention.Call(q, q, q, False, None, 0, 0), gradient=False).obstacle == ""
    bent = attention.Call(q, q.transpose(2, 3).contiguous().transpose(2, 3), q, False, None, 0, 0)
    assert "k has a last stride" in described(bent, gradient=False).obstacle


@pytest.mark.parametrize(
    ("view", "lies"),
    [
        (lambda x: x, ("n", 12)),
        (lambda x: x.t(), ("t", 12)),
        (lambda x: x[1:5, 2:7], ("n", 12)),
        (lambda x: x[:, 3:4], ("n", 12)),
        (lambda x: x[2:3], ("n", 12)),
        (lambda x: x[:, ::2], None),
        (lambda x: x[:1].expand(4, 12), None),
        (lambda x: x.t()[:1], ("t", 12)),
    ],
)
def test_how_a_matrix_lies(view, lies):
    from hotloop.kernels.gemm import tensors

    x = view(draw(8, 12))
    found = tensors._stored(x)
    assert found == lies
    if found:  # the address of every element follows from it
        letter, gap = found
        for row in range(x.shape[0]):
            for column in range(x.shape[1]):
                at = row * gap + column if letter == "n" else column * gap + row
                assert x[row, column].data_ptr() == x.data_ptr() + 4 * at


def test_a_kernel_that_cannot_be_built_gives_way_and_a_fault_does_not(monkeypatch, h200):
    from hotloop.dispatch import launch, place, remembered
    from hotloop.ports import BuildError

    monkeypatch.setattr(place, "facts", lambda _tensor, _backend: place.Place(h200))
    monkeypatch.setattr(place, "winners", lambda _family, _device: place.Winners())
    raised = [BuildError("rows.cuh(1): error: no\nmore"), RuntimeError("CUDA error: an illegal memory access")]

    def fail(*_given):
        raise raised[0]

    monkeypatch.setattr(launch, "prepared", fail)
    x = draw(4, 256)
    assert torch.allclose(ops.softmax(x), x.softmax(-1))
    choice = ops.explain_choice("softmax", x)
    assert choice.reason == "torch.softmax runs: cuda cannot run here: rows.cuh(1): error: no"
    remembered.forget()
    raised.pop(0)
    with pytest.raises(RuntimeError, match="illegal memory access"):
        ops.softmax(x)


def test_faults_are_not_taken_for_compile_errors():
    pytest.importorskip("triton")
    from hotloop.dispatch.arguments import compile_trouble

    assert compile_trouble(RuntimeError("CUDA error: unspecified launch failure")) == ""
    assert compile_trouble(RuntimeError("PassManager::run failed")) == "PassManager::run failed"


def test_importing_loads_no_pytorch():
    code = "import sys; from hotloop import ops; ops.attention, ops.softmax, ops.gemm; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


class Given(NamedTuple):
    x: torch.Tensor
    bias: torch.Tensor | None = None


def direct(*given):
    from hotloop.dispatch import arguments

    return arguments.judged(Given(*given), len(given))[1]


def test_plain_calls_go_past_the_dispatcher_and_watched_ones_do_not():
    x = torch.randn(3, 4)
    assert direct(x, None)
    assert direct(torch.nn.Parameter(x, requires_grad=False))
    assert not direct(x.clone().requires_grad_())
    with pytest.raises(ops.BadArrayError, match="x is list"):
        direct([1.0])
    with torch.no_grad():
        assert direct(x.clone().requires_grad_())
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert not direct(x)
    with torch.autograd.forward_ad.dual_level():
        assert not direct(torch.autograd.forward_ad.make_dual(x, x))
    negated = torch.randn(3, 4, dtype=torch.complex64).conj().imag  # memory holds the opposite
    assert negated.is_neg()
    assert not direct(negated)
    assert torch.equal(ops.softmax(negated), negated.clone().softmax(-1))
    seen = []

    class Watch(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, _types, args=(), kwargs=None):
            seen.append(str(function))
            return function(*args, **(kwargs or {}))

    with Watch():
        assert not direct(x)
        ops.softmax(x)
    assert "hotloop.softmax.default" in seen
    torch.func.vmap(lambda row: seen.append(direct(row)) or row)(x)
    assert seen[-1] is False


def test_a_second_call_of_the_same_form_gives_the_same_and_another_form_is_judged_anew():
    a, b = torch.randn(6, 8), torch.randn(8, 5)
    for _ in range(2):
        torch.testing.assert_close(ops.gemm(a, b, activation="relu"), torch.relu(a @ b))
    torch.testing.assert_close(ops.gemm(a, b, activation="none"), a @ b)
    with pytest.raises(BadShapeError):
        ops.gemm(a, b[:7])
    q = torch.randn(1, 2, 5, 8)
    wanted = torch.nn.functional.scaled_dot_product_attention
    for causal in (False, True, False):
        torch.testing.assert_close(ops.attention(q, q, q, causal=causal), wanted(q, q, q, is_causal=causal))


@pytest.mark.parametrize("way", ["call", "operator", "explain"])
def test_no_sequences_at_all_are_not_taken_for_an_earlier_call_with_none(way):
    q = torch.randn(0, 2, 8)
    one, empty = torch.zeros(1, dtype=torch.int32), torch.zeros(0, dtype=torch.int32)
    ways = {
        "call": lambda starts: ops.attention_packed(q, q, q, starts),
        "operator": lambda starts: torch.ops.hotloop.attention_packed(q, q, q, starts, None, False, None, None, None),
        "explain": lambda starts: ops.explain_choice("attention_packed", q, q, q, starts),
    }
    ops.attention_packed(q, q, q, one)
    ways[way](one)
    with pytest.raises(BadShapeError, match="give the first row of each sequence"):
        ways[way](empty)


@pytest.mark.parametrize("name", list(CALLS))
def test_the_bare_operator_and_the_explanation_know_a_call_again(name, monkeypatch):

    from hotloop.dispatch import arguments
    from hotloop.kernels.attention import tensors as attention
    from hotloop.kernels.conv3d_depthwise import tensors as depthwise
    from hotloop.kernels.gemm import tensors as gemm
    from hotloop.kernels.reduction import tensors as softmax

    operators = {
        "gemm": gemm._OPERATOR, "attention": attention._PLAIN, "softmax": softmax._OPERATOR,
        "depthwise_conv3d": depthwise._OPERATOR,
    }  # fmt: skip
    function, given, options = CALLS[name]()
    wanted, choice = function(*given, **options), ops.explain_choice(name, *given, **options)
    for judging in ("check", "described"):
        monkeypatch.setattr(operators[name], judging, None)  # is not asked
    assert ops.explain_choice(name, *given, **options) is choice
    monkeypatch.setattr(arguments, "judged", lambda *_given: (False, False))  # as if somebody watched
    assert torch.equal(function(*given, **options), wanted)


def test_tangents_pass_through_pytorch():
    forward = torch.autograd.forward_ad
    x = torch.randn(4, 8)
    with forward.dual_level():
        dual = forward.make_dual(x, torch.ones_like(x))
        for made, wanted in (
            (ops.gemm(dual, x.T), dual @ x.T),
            (ops.softmax(dual), torch.softmax(dual, -1)),
        ):
            assert torch.allclose(forward.unpack_dual(made).tangent, forward.unpack_dual(wanted).tangent)
