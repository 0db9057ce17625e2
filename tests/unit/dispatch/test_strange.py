"""Arguments that are tensors of a strange sort or none at all, and calls under autocast."""

from __future__ import annotations

import pytest

from hotloop import ops
from hotloop.errors import BadShapeError

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")
STARTS = torch.tensor([0, 4, 9], dtype=torch.int32)


def good():
    """Return calls with operands that all may become strange."""
    torch.manual_seed(5)
    draw = torch.randn
    stored, scales = ops.pack_int4(draw(128, 64))
    return {
        "gemm": (lambda a, b, bias, c: ops.gemm(a, b, bias=bias, c=c, beta=1.0),
                 [draw(4, 16), draw(16, 8), draw(8), draw(4, 8)]),
        "attention": (ops.attention, [draw(1, 2, 5, 8), draw(1, 2, 6, 8), draw(1, 2, 6, 8)]),
        "attention_lse": (lambda *x: ops.attention(*x, return_lse=True)[1], [draw(1, 2, 5, 8) for _ in range(3)]),
        "attention_packed": (lambda *x: ops.attention_packed(*x, STARTS, causal=True), [draw(9, 2, 8) for _ in range(3)]),
        "depthwise_conv3d": (ops.depthwise_conv3d, [draw(1, 2, 4, 5, 5), draw(2, 1, 3, 3, 3), draw(2)]),
        "softmax": (ops.softmax, [draw(3, 9)]),
        "gemm_int4": (lambda a, s, bias: ops.gemm_int4(a, stored, s, bias=bias), [draw(3, 128), scales, draw(64)]),
        "pack_int4": (ops.pack_int4, [draw(128, 64)]),
    }  # fmt: skip


STRANGE = {
    "sparse": (lambda x: x.to_sparse(), "has the layout sparse_coo; convert it with to_dense"),
    "float8": (lambda x: x.to(torch.float8_e4m3fn), "dtype float8_e4m3fn; use a floating-point type of float16"),
    "nested": (lambda x: torch.nested.nested_tensor([x, x]), "is a nested tensor"),
    "jagged": (lambda x: torch.nested.nested_tensor([x, x], layout=torch.jagged), "nested tensor"),
    "complex": (lambda x: x.to(torch.complex64), "dtype complex64"),
    "list": (lambda x: x.tolist(), "is list; give PyTorch tensors only"),
}


@pytest.mark.parametrize("way", ["seen", "dispatched", "recorded"])
@pytest.mark.parametrize("kind", list(STRANGE))
@pytest.mark.parametrize("name", list(good()))
def test_strange_tensors_are_told_apart(name, kind, way):
    function, given = good()[name]
    function(*given)
    change, said = STRANGE[kind]
    for place in range(len(given)):
        tried = [x.clone().requires_grad_(way == "recorded") for x in given]
        tried[place] = change(given[place])
        with pytest.raises(ops.BadArrayError, match=said), torch.autocast("cpu", enabled=way == "dispatched"):
            function(*tried)


@pytest.mark.parametrize("name", list(good()))
def test_none_is_told_apart_where_a_tensor_is_needed(name):
    function, given = good()[name]
    needed = {"gemm": 2, "depthwise_conv3d": 2, "gemm_int4": 2}.get(name, len(given))
    for place in range(needed):
        tried = [None if i == place else x for i, x in enumerate(given)]
        with pytest.raises(ops.BadArrayError, match="is NoneType; give PyTorch tensors only"):
            function(*tried)
        with pytest.raises(ops.BadArrayError, match="is NoneType"), torch.autocast("cpu"):
            function(*tried)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda x: ops.softmax(x, None), "dim is None; give a whole number"),
        (lambda x: ops.softmax(x, 0.5), "dim is 0.5"),
        (lambda x: ops.gemm(x, x, alpha=None), "alpha is None; give a number"),
        (lambda x: ops.gemm(x, x, beta="1"), "beta is '1'"),
        (lambda x: ops.attention(*[x[None, None]] * 3, scale=[2]), r"scale is \[2\]"),
        (lambda x: ops.attention_packed(*[x[None].mT] * 3, STARTS, longest_q="9"), "longest_q is '9'"),
        (lambda x: ops.depthwise_conv3d(*[x[None, None, None]] * 2, stride=None), "stride is None"),
        (lambda x: ops.depthwise_conv3d(*[x[None, None, None]] * 2, padding="same"), "padding has 4 values"),
    ],
)
def test_what_is_no_number_is_told_apart(call, said):
    with pytest.raises(BadShapeError, match=said):
        call(torch.ones(9, 9))


def test_out_must_be_a_tensor():
    x = torch.ones(4, 4)
    with pytest.raises(ops.BadArrayError, match="out is ndarray"):
        ops.gemm(x, x, out=x.numpy())


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("name", [name for name in good() if name != "pack_int4"])
def test_autocast_changes_no_result(name, recorded, dtype):
    function, given = good()[name]
    given = [x.to(dtype).requires_grad_(recorded) for x in given]
    wanted = function(*given)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = function(*given)
        compiled = torch.compile(function, backend="aot_eager", fullgraph=True)(*given)
    assert found.dtype == compiled.dtype == wanted.dtype
    assert torch.equal(found, wanted)
    # What PyTorch compiles of its own attention may round once more than what it runs.
    assert torch.allclose(compiled, wanted, rtol=2 * torch.finfo(dtype).eps, atol=1e-5)
    torch._dynamo.reset()


@pytest.mark.parametrize(
    ("shape", "strides", "usual"),
    [
        ((2, 3, 8, 1, 48), (1152, 384, 48, 2304, 1), (1152, 384, 48, 48, 1)),
        ((2, 3, 8, 1, 4), (96, 1, 12, 700, 3), (96, 1, 12, 12, 3)),  # channels lie last
        ((2, 3, 8, 5, 4), (480, 160, 20, 4, 1), (480, 160, 20, 4, 1)),
        ((2, 3, 8, 1, 4), (96, 32, 4, 9, 1), (96, 32, 4, 4, 1)),
    ],
)
def test_pytorchs_convolution_gets_usual_strides_where_an_extent_is_1(monkeypatch, shape, strides, usual):
    given = []
    conv3d = torch.nn.functional.conv3d
    monkeypatch.setattr(
        torch.nn.functional, "conv3d", lambda x, *rest, **named: given.append(x) or conv3d(x, *rest, **named)
    )
    x = torch.randn(6000).as_strided(shape, strides)
    weight = torch.randn(3, 1, 2, 2, 2)
    made = ops.depthwise_conv3d(x, weight, padding=(0, 1, 0))
    assert [one.stride() for one in given] == [usual]
    assert given[0].data_ptr() == x.data_ptr()
    assert torch.equal(made, conv3d(x.contiguous(), weight, padding=(0, 1, 0), groups=3))


class OnCard(torch.Tensor):
    """A tensor that says that it is on a GPU."""

    is_cuda = True


@pytest.mark.parametrize(
    ("n", "channels", "multiplier", "biased"), [(2, 5, 2, True), (3, 1, 2, True), (1, 4, 1, False)]
)
def test_a_convolution_of_too_many_elements_is_several(monkeypatch, n, channels, multiplier, biased):
    """PyTorch's CUDA kernel counts elements in 32 bits."""
    from hotloop.kernels.conv3d_depthwise import tensors

    most, given, conv3d = 4 * 5 * 6 * multiplier, [], torch.nn.functional.conv3d
    monkeypatch.setattr(tensors, "_MOST_ELEMENTS", most)
    x, weight = torch.randn(n, channels, 4, 5, 6), torch.randn(channels * multiplier, 1, 3, 3, 3)
    bias = torch.randn(channels * multiplier) if biased else None
    wanted = conv3d(x, weight, bias, padding=1, groups=channels)
    monkeypatch.setattr(
        torch.nn.functional, "conv3d", lambda x, *rest, **named: given.append(x.numel()) or conv3d(x, *rest, **named)
    )
    _, call = tensors.depthwise_conv3d(x.as_subclass(OnCard), weight, bias, padding=1)
    found = tensors._OPERATOR.own(call)
    torch.testing.assert_close(found.as_subclass(torch.Tensor), wanted)
    assert len(given) > 1
    assert max(given) * multiplier <= most


def test_a_product_times_zero_has_gradients_that_are_zeros():
    a, b = torch.full((3, 4), float("nan"), requires_grad=True), torch.randn(4, 5)
    made = ops.gemm(a, b, alpha=0.0, bias=torch.ones(5))
    made.sum().backward()
    assert torch.equal(made, torch.ones(3, 5))
    assert torch.equal(a.grad, torch.zeros(3, 4))


def test_attention_of_no_query_has_gradients():
    q, k = torch.randn(1, 2, 0, 8), torch.randn(1, 2, 3, 8, requires_grad=True)
    ops.attention(q, k, k).sum().backward()
    assert torch.equal(k.grad, torch.zeros(1, 2, 3, 8))


@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last_3d])
def test_a_convolution_of_padding_alone_gives_the_bias(layout):
    x, weight = torch.zeros(2, 3, 0, 5, 4).to(memory_format=layout).requires_grad_(), torch.randn(6, 1, 3, 3, 3)
    bias = torch.randn(6)
    made = ops.depthwise_conv3d(x.detach(), weight, bias, padding=(2, 1, 0), stride=(1, 2, 1))
    assert torch.equal(made, bias[None, :, None, None, None].expand(2, 6, 2, 3, 2))
    ops.depthwise_conv3d(x, weight, bias, padding=2).sum().backward()
    assert x.grad.shape == x.shape


@pytest.mark.parametrize("name", [name for name in good() if name != "pack_int4"])
def test_functions_of_functions_compute_gradients(name):
    """`torch.func.grad` wraps tensors, and the wrapped ones have no memory of their own."""
    function, given = good()[name]
    wanted = given[0].clone().requires_grad_()
    function(wanted, *given[1:]).sum().backward()
    found = torch.func.grad(lambda x: function(x, *given[1:]).sum())(given[0])
    torch.testing.assert_close(found, wanted.grad)
