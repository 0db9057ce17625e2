"""Models whose functions hotloop computes: recorded, replaced, compiled, and left to PyTorch where they should be."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from hotloop import ops
from hotloop.dispatch import remembered
from hotloop.errors import BadArrayError

torch = pytest.importorskip("torch")
from hotloop.ops import classes  # noqa: E402

functional = torch.nn.functional
pytestmark = pytest.mark.filterwarnings("ignore")


class Block(torch.nn.Module):
    """A layer of a transformer as people write it."""

    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(64)
        self.qkv, self.out = torch.nn.Linear(64, 192), torch.nn.Linear(64, 64, bias=False)
        self.mlp = torch.nn.Sequential(torch.nn.Linear(64, 96), torch.nn.GELU(), torch.nn.Linear(96, 64))

    def forward(self, x):
        batch, length, _ = x.shape
        q, k, v = self.qkv(self.norm(x)).view(batch, length, 3, 2, 32).permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).reshape(batch, length, 64))
        return x + self.mlp(x)


@pytest.fixture
def taken(monkeypatch):
    """Let tensors of the processor be taken; hotloop's operators hand them to PyTorch in the end."""
    from hotloop.ops import intercepted

    monkeypatch.setattr(intercepted, "KINDS", ["cpu"])
    torch.manual_seed(5)
    remembered.forget()
    yield Block().eval(), torch.randn(2, 7, 64)
    remembered.forget()
    torch._dynamo.reset()


def test_a_recording_sees_products_with_their_layout_bias_and_activation():
    model, x = Block().eval(), torch.randn(2, 7, 64)
    with torch.no_grad(), ops.record() as run:
        for _ in range(3):
            model(x)
    products = {line.sizes["n"]: line for line in run.tally.lines if line.family == "gemm" and line.sizes["k"] == 64}
    assert {n: line.count for n, line in products.items()} == {192: 3, 64: 3, 96: 3}
    assert {n: line.sizes["epilogue"] for n, line in products.items()} == {192: "bias", 64: "none", 96: "bias-gelu-erf"}
    assert {line.sizes["op"] for line in products.values()} == {"nt"}
    (attention,) = [line for line in run.tally.lines if line.family == "attention"]
    assert (attention.count, attention.sizes["causal"], attention.sizes["length_q"]) == (3, 1, 7)
    assert any(line.call == "aten::native_layer_norm" and not line.family for line in run.tally.lines)
    assert 0 < sum(run.tally.share(line) for line in run.tally.lines) <= 1


def test_products_of_the_backward_pass_are_seen_too():
    layer, x = torch.nn.Linear(8, 16), torch.randn(4, 8, requires_grad=True)
    with ops.record() as run:
        layer(x).square().sum().backward()
    forms = {
        (line.sizes["m"], line.sizes["n"], line.sizes["k"], line.sizes["op"]) for line in run.tally.lines if line.family
    }
    assert (4, 16, 8, "nt") in forms
    assert len(forms) >= 3


def test_explain_says_what_would_run():
    model, x = Block().eval(), torch.randn(2, 7, 64)
    text = str(ops.explain(model, x))
    assert "the tensors are on cpu" in text
    assert "bias-gelu-erf" in text
    with pytest.raises(BadArrayError, match="cannot be called"):
        ops.explain(3)


def test_use_changes_no_result_and_takes_all_back(taken):
    model, x = taken
    kept = copy.deepcopy(model)
    with torch.no_grad():
        wanted = model(x)
        with ops.use(model) as usage:
            assert torch.equal(model(x), wanted)
            assert usage.mode.said["linear", ""] == 3  # the first of the MLP goes with its activation
            assert usage.mode.said["scaled_dot_product_attention", ""] == 1
            assert isinstance(model, Block)
            assert isinstance(model.mlp, torch.nn.Sequential)
            assert model.state_dict().keys() == kept.state_dict().keys()
            assert "1 linear layers take their activation along" in str(usage)
        assert type(model) is Block
        assert type(model.mlp) is torch.nn.Sequential
        assert torch.equal(model(x), wanted)


def test_calls_of_a_model_are_decided_once(taken):
    model, x = taken
    with torch.no_grad():
        wanted = model(x.bfloat16()) if model.bfloat16() is not None else None
        usage = ops.use(model)
        for _ in range(2):
            model(x.bfloat16())
        before = usage.mode.anew.copy()
        assert before["linear"]
        again = model(x.bfloat16())
        assert usage.mode.anew == before
        assert "decided anew" in str(usage)
        model(x[:1].bfloat16())
        assert usage.mode.anew["linear"] > before["linear"]
    torch.testing.assert_close(again, wanted)
    assert model(x.bfloat16()).requires_grad  # what is known again without gradients is not with them


def test_operands_may_be_given_by_name(taken):
    layer, x = torch.nn.Linear(8, 6), torch.randn(3, 8)
    with torch.no_grad(), ops.used() as used:
        for _ in range(3):
            functional.linear(input=x, weight=layer.weight, bias=layer.bias)
    assert used.said == {("linear", ""): 3}
    assert used.anew["linear"] == 1


@pytest.mark.usefixtures("taken")
def test_a_mask_is_named_as_what_keeps_attention_from_the_kernels():
    q = torch.randn(1, 2, 5, 8)
    with torch.no_grad(), ops.used() as used:
        functional.scaled_dot_product_attention(q, q, q, attn_mask=torch.ones(5, 5, dtype=torch.bool))
    assert used.said == {("scaled_dot_product_attention", "a mask is given; causal ones and none are known"): 1}


def test_the_flag_for_tf32_is_asked_for_again(taken):
    from hotloop.dispatch import arguments

    matmul, before = torch.backends.cuda.matmul, arguments.fast32()
    a, b = torch.randn(4, 8), torch.randn(8, 8)
    with torch.no_grad(), ops.used() as used:
        for _ in range(2):
            torch.mm(a, b)
        assert used.anew["mm"] == 1
        matmul.allow_tf32 = not before
        torch.mm(a, b)
        matmul.allow_tf32 = before
        assert used.anew["mm"] == 2


def test_a_known_call_is_not_mixed_up_with_another(taken):
    torch.manual_seed(3)
    layer, x, y = torch.nn.Linear(8, 6).bfloat16(), torch.randn(3, 4, 8).bfloat16(), torch.randn(3, 4, 8).bfloat16()
    with torch.no_grad(), ops.used() as used:
        for _ in range(3):
            for given in (x, y, x.transpose(0, 1).contiguous().transpose(0, 1), x[:, :, :].double().bfloat16() * 2):
                torch.testing.assert_close(layer(given), given @ layer.weight.t() + layer.bias, rtol=2e-2, atol=2e-2)
        q = torch.randn(1, 2, 5, 8).bfloat16()
        for _ in range(3):
            for causal in (False, True):
                made = functional.scaled_dot_product_attention(q, q, q, is_causal=causal)
                with torch._C.DisableTorchFunction():
                    wanted = functional.scaled_dot_product_attention(q, q, q, is_causal=causal)
                torch.testing.assert_close(made, wanted)
    assert used.said["linear", ""] == 12
    assert used.anew["linear"] <= 4


def test_compiled_as_one_graph_it_holds_hotloops_operators(taken):
    model, x = taken
    graphs = []

    def keep(graph, _inputs):
        graphs.append(graph)
        return graph

    with torch.no_grad():
        wanted = model(x)
        ops.use(model)
        assert torch.equal(torch.compile(model, fullgraph=True, backend=keep)(x), wanted)
    named = [str(node.target) for graph in graphs for node in graph.graph.nodes if "hotloop" in str(node.target)]
    assert sum("gemm" in name for name in named) == 4
    assert sum("attention" in name for name in named) == 1


class Methods(torch.nn.Module):
    """Calls by methods and operators of tensors."""

    def forward(self, x):
        return (x @ x.t()).softmax(-1).mm(x), torch.einsum("ij,kj->ik", x, x)


class Refused(torch.nn.Module):
    """Calls that stay PyTorch's, and a method that calls its base class's, each of a result."""

    def forward(self, x):
        y = (x + 1).unflatten(-1, (2, 3))
        return torch.matmul(y, y.transpose(1, 2)).softmax(-1) @ y


@pytest.mark.parametrize("kind", ["cuda", "cpu"])  # refused for where its tensors are, and for what it computes
def test_what_is_left_to_pytorch_is_in_one_graph_too(kind):
    code = """
import sys
import torch
from hotloop import ops
sys.path.append(sys.argv[1])
from hotloop.ops import intercepted
from test_models import Refused
intercepted.KINDS[:] = sys.argv[2:]
model, x = Refused(), torch.randn(4, 6)
with torch.no_grad():
    wanted = model(x)
    ops.use(model)
    torch.testing.assert_close(torch.compile(model, fullgraph=True, backend="eager")(x), wanted)
"""  # in a process of its own: whatever was compiled before hides it
    given = [sys.executable, "-c", code, str(Path(__file__).parent), kind]
    ran = subprocess.run(given, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-1000:]


@pytest.mark.usefixtures("taken")
def test_methods_of_tensors_are_hotloops_in_one_graph_too():
    model, x, graphs = Methods(), torch.randn(4, 6), []
    wanted = model(x)
    with ops.use(model), torch.no_grad():
        compiled = torch.compile(model, fullgraph=True, backend=lambda graph, _inputs: graphs.append(graph) or graph)
        torch.testing.assert_close(compiled(x), wanted)
    named = [str(node.target) for node in graphs[0].graph.nodes if "hotloop" in str(node.target)]
    assert [name.removeprefix("hotloop.").split(".")[0] for name in named] == ["gemm", "softmax", "gemm"]


def test_calls_that_need_a_gradient_stay_pytorchs(taken):
    model, x = taken
    twin = copy.deepcopy(model)
    usage = ops.use(model)
    model(x).sum().backward()
    twin(x).sum().backward()
    assert torch.equal(model.qkv.weight.grad, twin.qkv.weight.grad)
    assert all("gradient" in why for _, why in usage.mode.said)


def test_autocast_keeps_its_types(taken):
    model, x = taken
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        wanted = model(x)
        usage = ops.use(model)
        made = model(x)
    assert made.dtype == wanted.dtype
    assert torch.equal(made, wanted)
    assert any("autocast" in why for _, why in usage.mode.said)


def test_inference_mode_and_parameters_that_are_views_of_one_buffer(taken):
    model, x = taken
    with torch.inference_mode():
        wanted = model(x)
    flat = torch.zeros(1 + sum(p.numel() for p in model.parameters()))
    place = 1  # nothing is aligned, as in a shard of a flat buffer
    for parameter in model.parameters():
        part = flat[place : place + parameter.numel()].view(parameter.shape)
        place += parameter.numel()
        part.copy_(parameter.data)
        parameter.data = part
    usage = ops.use(model)
    with torch.inference_mode():
        assert torch.allclose(model(x), wanted, atol=1e-6)
    assert usage.mode.said["linear", ""] == 3


def test_a_hook_on_a_fused_layer_is_still_called(taken):
    model, x = taken
    ops.use(model)
    seen = []
    model.mlp[0].register_forward_hook(lambda _module, _given, made: seen.append(made.shape))
    with torch.no_grad():
        model(x)
    assert seen == [(2, 7, 96)]


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (
            lambda x: functional.scaled_dot_product_attention(*[x.view(1, 2, 7, 64)] * 3, attn_mask=torch.zeros(7, 7)),
            "a mask",
        ),
        (lambda x: torch.matmul(x, x.transpose(1, 2)), "one product of matrices"),
        (lambda x: functional.conv3d(x.view(1, 2, 1, 7, 64), torch.ones(2, 2, 1, 3, 3)), "several channels"),
        (lambda x: functional.softmax(x, -1, dtype=torch.float64), "converts its input"),
        (lambda x: torch.mm(x[0], torch.ones(64, 8, dtype=torch.float32), out=torch.empty(7, 8)), "argument"),
        (lambda x: torch.addmm(torch.ones(7, 7), x[0], x[0].t()), "cuBLAS does so"),
    ],
)
def test_what_is_left_to_pytorch_is_said(taken, call, why):
    _, x = taken
    with torch.no_grad():
        wanted = call(x)
        with ops.used() as mode:
            assert torch.equal(call(x), wanted)
    assert [why in said for _, said in mode.said] == [True]


def test_what_is_no_module_or_in_use_already_is_said(taken):
    model, _ = taken
    with pytest.raises(BadArrayError, match="used"):
        ops.use(lambda x: x)
    ops.use(model)
    with pytest.raises(BadArrayError, match="in use already"):
        ops.use(model)


def test_in_use_only_functions_with_kernels_are_other_ones(taken):
    model, x = taken
    gc.collect()  # models of the tests before are in use until they are gone
    places = (
        functional.linear,
        functional.scaled_dot_product_attention,
        functional.softmax,
        torch.matmul,
        torch.Tensor.__matmul__,
    )
    other = copy.deepcopy(model)
    with torch.no_grad():
        wanted = model(x)
        first, second = ops.use(model), ops.use(other)
        assert functional.linear is not places[0]
        functional.linear(x, model.out.weight)  # outside of a model in use
        first.remove()
        assert torch.equal(other(x), wanted)
        assert second.mode.said["linear", ""] == 3
        assert not first.mode.said
        other.qkv.weight = torch.nn.Parameter(torch.ones(192, 63))
        with pytest.raises(RuntimeError, match="cannot be multiplied"):  # as PyTorch says it
            other(x)
        other.qkv.weight = model.qkv.weight
        mapped = torch.vmap(other)(x[:, None])
        second.remove()
    assert any("torch.func" in why for _, why in second.mode.said)
    torch.testing.assert_close(mapped[:, 0], wanted)
    assert places == (
        functional.linear, functional.scaled_dot_product_attention, functional.softmax, torch.matmul, torch.Tensor.__matmul__
    )  # fmt: skip
    assert "__matmul__" not in vars(torch.Tensor)
    assert torch.equal(pickle.loads(pickle.dumps(model))(x), wanted)


def test_a_name_that_a_models_module_imported_is_exchanged_too(taken, monkeypatch):
    monkeypatch.setitem(globals(), "attend", functional.scaled_dot_product_attention)
    plain = attend  # noqa: F821 - set above

    class Attends(torch.nn.Module):
        def forward(self, q):
            return attend(q, q, q)  # noqa: F821

    q, model = torch.randn(1, 2, 7, 64), Attends()
    with torch.no_grad(), ops.use(model) as usage:
        torch.testing.assert_close(model(q), plain(q, q, q))
    assert usage.mode.said == {("scaled_dot_product_attention", ""): 1}
    assert globals()["attend"] is plain


def test_what_was_left_to_pytorch_is_known_again(taken):
    _, x = taken
    with torch.no_grad(), ops.used() as used:
        for _ in range(3):
            torch.matmul(x, x.transpose(1, 2))
    assert used.anew["matmul"] == 1
    assert sum(used.said.values()) == 3


def test_attention_does_not_import_pytorchs_compiler():
    """It takes seconds, and doubles what Python's garbage collector walks through."""
    text = "import sys, torch; from hotloop import ops; q = torch.ones(1, 1, 2, 8); ops.attention(q, q, q); assert 'torch._dynamo' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", text], check=False, capture_output=True).returncode == 0


def test_a_forward_keeps_its_signature_and_may_hang_on_the_module_itself(taken):
    """Programs ask for the signature (generate), and other packages hang their hooks where the forward stands."""
    model, x = taken
    with torch.no_grad():
        wanted, plain = model(x), model.forward
        calls = []
        model.forward = lambda given: calls.append(1) or plain(given)
        hung = model.forward
        usage = ops.use(model)
        assert torch.equal(model(x), wanted)
        assert usage.mode.said["linear", ""] == 3
        usage.remove()
        assert model.__dict__["forward"] is hung
        del model.forward
        usage = ops.use(model)
        assert inspect.signature(model.forward) == inspect.signature(plain)
        assert [node.op for node in torch.fx.symbolic_trace(model.mlp).graph.nodes].count("placeholder") == 1
        kept = model.forward
        usage.remove()
        assert torch.equal(kept(x), wanted)  # as a hook that was hung up meanwhile calls it
    assert len(calls) == 1


def test_a_sequential_takes_its_input_by_name(taken):
    model, x = taken
    with torch.no_grad():
        wanted = model.mlp(input=x)
        with ops.use(model.mlp):
            assert torch.allclose(model.mlp(input=x), wanted, atol=1e-6)


class Packed(torch.Tensor):
    """A weight in another form, whose class computes linear layers itself."""

    @staticmethod
    def __new__(cls, whole):
        return torch.Tensor._make_wrapper_subclass(cls, whole.shape, dtype=torch.float32)

    def __init__(self, whole):
        self.whole = whole

    @classmethod
    def __torch_function__(cls, function, _types, args=(), kwargs=None):
        if function is functional.linear:
            return functional.linear(args[0], args[1].whole.float() / 2, *args[2:])
        with torch._C.DisableTorchFunctionSubclass():
            return function(*args, **(kwargs or {}))

    @classmethod
    def __torch_dispatch__(cls, function, _types, args=(), kwargs=None):
        return cls(args[0].whole) if function is torch.ops.aten.detach.default else NotImplemented


class Attending(torch.nn.Module):
    """Attention with a mask that is an object."""

    def forward(self, q, k, mask):
        return functional.scaled_dot_product_attention(q, k, k, attn_mask=mask)


def test_classes_of_tensors_that_decide_themselves_are_left_to(taken):
    from torch.nn.attention.bias import causal_lower_right

    layer, x = torch.nn.Linear(8, 4, bias=False), torch.randn(3, 8)
    layer.weight = torch.nn.Parameter(Packed(torch.randint(-3, 4, (4, 8))), requires_grad=False)
    stack, wanted = torch.nn.Sequential(layer, torch.nn.ReLU()), layer(x)
    with torch.no_grad():
        with ops.use(layer) as usage:
            assert torch.equal(layer(x), wanted)
        assert [why for _, why in usage.mode.said] == [classes.REASON]
        with ops.use(stack):
            assert torch.equal(stack(x), wanted.relu())
        with ops.used():
            assert torch.equal(layer(x), wanted)
        q, k, mask, model = torch.randn(1, 2, 3, 8), torch.randn(1, 2, 5, 8), causal_lower_right(3, 5), Attending()
        wanted = model(q, k, mask)
        with ops.use(model):
            assert torch.equal(model(q, k, mask), wanted)
            assert torch.equal(functional.scaled_dot_product_attention(q, k, k, attn_mask=mask), wanted)
        ragged = torch.nested.nested_tensor([torch.randn(3, 64), torch.randn(5, 64)], layout=torch.jagged)
        inner = taken[0].out
        wanted = inner(ragged).values()
        with ops.use(inner):
            assert torch.equal(inner(ragged).values(), wanted)


class Scripted(torch.nn.Module):
    """What TorchScript compiles."""

    def forward(self, x):
        return functional.softmax(torch.matmul(x, x), dim=-1) + functional.linear(x, x) + torch.mm(x, x)


def test_torchscript_compiles_other_modules_meanwhile(taken):
    x = torch.randn(3, 3)
    with ops.use(taken[0]):
        scripted = torch.jit.script(Scripted())
    torch.testing.assert_close(scripted(x), Scripted()(x))
