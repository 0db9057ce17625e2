"""`hotloop.ops` on CUDA tensors of a real GPU: what ran, numbers against float64, strides, streams, graphs, torch.compile."""

from __future__ import annotations

import os

import pytest

from hotloop import ops
from hotloop.dispatch.choice import Origin

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)
from hotloop.dispatch import glance  # noqa: E402 - it needs PyTorch

functional = torch.nn.functional
pytestmark = [pytest.mark.device, pytest.mark.filterwarnings("ignore")]
HOPPER = torch.cuda.get_device_capability()[0] == 9
HALF_ULP = {torch.float32: 2.0**-24, torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11}


@pytest.fixture(autouse=True)
def no_store(tmp_path, monkeypatch):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setattr(glance, "_WANTED", False)  # the kernels that tables name are the ones to test
    torch.manual_seed(11)
    ops.refresh()
    yield
    ops.refresh()


def draw(*shape, dtype=torch.bfloat16):
    return torch.randn(shape, device="cuda").to(dtype)


def within(found, wanted, slack):
    bound = HALF_ULP[found.dtype] * 1.01 * wanted.abs() + slack + 1e-7
    assert torch.isfinite(found).all()
    worst = float(((found.double() - wanted).abs() / bound).max())
    assert worst <= 1, f"error is {worst} of its bound"


def product_is_right(a, b, found, bias=None, finish=None):
    total, size = a.double() @ b.double(), a.double().abs() @ b.double().abs()
    total = total if bias is None else total + bias.double()
    within(found, finish(total) if finish else total, 2.0**-20 * size + 1e-6)


SHAPES = [
    (1, 4096, 4096), (16, 8192, 8192), (64, 4096, 14336), (256, 8192, 8192), (512, 512, 16384), (1024, 1024, 1024),
    (2048, 2048, 2048), (4096, 4096, 4096), (3, 72, 136), (100, 264, 1000), (1000, 1000, 1000), (4100, 2056, 520),
]  # fmt: skip


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_products(shape, dtype):
    m, n, k = shape
    a, b = draw(m, k, dtype=dtype), draw(k, n, dtype=dtype)
    product_is_right(a, b, ops.gemm(a, b))
    choice = ops.explain_choice("gemm", a, b)
    assert choice.origin in (Origin.PRESET, Origin.START, Origin.TORCH), str(choice)
    assert torch.equal(ops.gemm(a, b), ops.gemm(a, b))


@pytest.mark.parametrize("activation", ["none", "relu", "gelu", "silu"])
@pytest.mark.parametrize("shape", [(16, 4096, 4096), (256, 14336, 4096), (2048, 2048, 2048)], ids=str)
def test_products_with_bias_and_activation(shape, activation):
    m, n, k = shape
    a, b, bias = draw(m, k), draw(k, n), draw(n)
    finish = {"relu": torch.relu, "gelu": functional.gelu, "silu": functional.silu}.get(activation)
    product_is_right(a, b, ops.gemm(a, b, bias=bias, activation=activation), bias, finish)


def test_every_kernel_of_the_table_computes_its_shape(monkeypatch):
    if not HOPPER:
        pytest.skip("the table is for sm_90")
    from dataclasses import replace

    from hotloop.kernels.gemm import products

    rows = tuple(
        (name, replace(row, ratio=1.0)) for name, row in products.TABLE
    )  # cuBLAS where it was faster would hide some kernels
    monkeypatch.setattr(products, "TABLE", rows)
    ops.refresh()
    for name, row in rows:
        (m, n, k), fused = row.shape, row.epilogue != "none"
        a, b, bias = draw(m, k), draw(k, n), draw(n) if fused else None
        options = {"bias": bias, "activation": "gelu" if fused else "none"}
        found = ops.gemm(a, b, **options)
        choice = ops.explain_choice("gemm", a, b, **options)
        assert (choice.implementation, choice.exact) == (name, True), str(choice)
        some = torch.randperm(m, device="cuda")[:64]
        product_is_right(a[some], b, found[some], bias, functional.gelu if fused else None)


def test_views_and_other_types_are_right_whoever_computes_them():
    a, b = draw(256, 512), draw(384, 512)
    product_is_right(a, b.t(), ops.gemm(a, b, transpose_b=True))
    assert ops.explain_choice("gemm", a, b, transpose_b=True).implementation == "torch"
    product_is_right(a[:, 64:192], b.t()[64:192].contiguous(), ops.gemm(a[:, 64:192], b.t()[64:192].contiguous()))
    wide = draw(33, 40, dtype=torch.float64)
    assert torch.allclose(ops.gemm(wide, wide.t()), wide @ wide.t())


def test_the_familys_own_tile_computes_as_a_winner_of_the_store(monkeypatch):
    from hotloop.dispatch import place
    from hotloop.dispatch.choice import Candidate
    from hotloop.kernels.gemm.problem import DEFAULT
    from hotloop.kernels.gemm.triton.space import START

    a, b, c = draw(300, 520), draw(264, 520), draw(300, 264)
    sizes = DEFAULT.replace(m=300, n=264, k=520, dtype="bfloat16", op="nt", beta=2.0).sizes
    config = START.replace(BM=64, BN=64, SPLITS=2, num_stages=3)
    won = Candidate(origin=Origin.STORE, implementation="triton", config=config, sizes=sizes, source="store")
    monkeypatch.setattr(place, "winners", lambda _family, _device: place.Winners((won,)))
    ops.refresh()
    found = ops.gemm(a, b, transpose_b=True, alpha=0.5, beta=2.0, c=c)
    assert ops.explain_choice("gemm", a, b, transpose_b=True, alpha=0.5, beta=2.0, c=c).implementation == "triton"
    wanted = 0.5 * (a.double() @ b.double().t()) + 2.0 * c.double()
    within(found, wanted, 2.0**-20 * (a.double().abs() @ b.double().abs().t()) + 1e-6)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("size", [64, 128, 256])
@pytest.mark.parametrize("heads", [(8, 8), (8, 2)], ids=str)
def test_attention(size, causal, heads):
    q, k, v = draw(2, heads[0], 777, size), draw(2, heads[1], 777, size), draw(2, heads[1], 777, size)
    found = ops.attention(q, k, v, causal=causal)
    wide = functional.scaled_dot_product_attention(
        q.double(), k.double(), v.double(), is_causal=causal, enable_gqa=True
    )
    within(found, wide, 0.02)
    choice = ops.explain_choice("attention", q, k, v, causal=causal)
    assert choice.implementation == ("gluon" if HOPPER else "triton"), str(choice)
    turned = q.transpose(1, 2).contiguous().transpose(1, 2)
    again = ops.attention(turned, k, v, causal=causal)
    assert again.stride() == turned.stride()
    assert torch.equal(again, found)
    odd = draw(1, 2, 33, 80)
    assert torch.allclose(ops.attention(odd, odd, odd), functional.scaled_dot_product_attention(odd, odd, odd))
    assert "heads of 64, 128, 256, not 80" in ops.explain_choice("attention", odd, odd, odd).reason


CONVOLUTIONS = [
    ((1, 512, 61, 45, 80), (512, 1, 3, 5, 5), {"padding": (0, 2, 2)}, torch.bfloat16),
    ((2, 24, 17, 60, 104), (24, 1, 3, 3, 3), {"padding": 1}, torch.float16),
    ((1, 16, 9, 30, 52), (16, 1, 3, 5, 5), {"padding": (1, 2, 2)}, torch.float32),
    ((2, 3, 7, 11, 13), (6, 1, 2, 3, 4), {"stride": 2, "padding": (1, 2, 0), "dilation": (1, 2, 1)}, torch.float32),
]


@pytest.mark.parametrize(("shape", "window", "options", "dtype"), CONVOLUTIONS, ids=lambda x: str(x)[:24])
def test_convolutions(shape, window, options, dtype):
    pytest.importorskip("cuda.bindings")
    x, weight = draw(*shape, dtype=dtype), draw(*window, dtype=dtype)
    found = ops.depthwise_conv3d(x, weight, **options)
    assert ops.explain_choice("depthwise_conv3d", x, weight, **options).implementation == "cuda"
    bias = draw(window[0], dtype=dtype)
    added = ops.depthwise_conv3d(x, weight, bias, **options)
    for at in range(0, shape[1], 64):  # float64 of everything would not fit beside it
        part, fan = slice(at, at + 64), window[0] // shape[1]
        wide, taps = x[:, part].double(), weight[at * fan : (at + 64) * fan].double()
        wanted = functional.conv3d(wide, taps, groups=wide.shape[1], **options)
        size = functional.conv3d(wide.abs(), taps.abs(), groups=wide.shape[1], **options)
        mine = slice(at * fan, (at + 64) * fan)
        within(found[:, mine], wanted, 4e-5 * size)
        more = bias[mine].double().view(1, -1, 1, 1, 1)  # added before the one rounding
        within(added[:, mine], wanted + more, 4e-5 * (size + more.abs()))


@pytest.mark.parametrize("dtype", list(HALF_ULP))
@pytest.mark.parametrize("shape", [(4096, 4096), (3, 5, 127), (3, 70000), (1, 1), (8192, 16384)], ids=str)
def test_softmax(shape, dtype):
    x = draw(*shape, dtype=dtype)
    found = ops.softmax(x)
    wanted = x.double().softmax(-1)
    within(found, wanted, 6e-5 * wanted)
    own = shape[-1] >= 128  # PyTorch was measured to be faster on short rows
    assert (ops.explain_choice("softmax", x).implementation in ("cuda", "triton")) == own


GLANCED = {
    "product": lambda: (ops.gemm, (draw(48, 768), draw(1152, 768).t()), {}),
    "product with a function": lambda: (ops.gemm, (draw(77, 1600), draw(2240, 1600).t()), {"activation": "silu"}),
    "attention": lambda: (ops.attention, [draw(1, 4, 500, 80) for _ in "qkv"], {"causal": True}),
    "convolution": lambda: (ops.depthwise_conv3d, (draw(1, 24, 6, 20, 20), draw(24, 1, 3, 3, 3)), {"padding": 1}),
    "softmax": lambda: (ops.softmax, (draw(777, 233),), {}),
}


@pytest.mark.parametrize("name", list(GLANCED))
def test_a_first_call_that_can_be_measured_is_and_no_other(name, monkeypatch):
    monkeypatch.setattr(glance, "_WANTED", True)
    function, given, options = GLANCED[name]()
    wanted = function(*given, **options)
    ops.refresh()
    asked = function.__name__, *given
    assert ops.explain_choice(*asked, **options).unsure
    stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        graph.capture_begin()
        captured = function(*given, **options)
        graph.capture_end()
    assert ops.explain_choice(*asked, **options).unsure  # nothing can be measured while a graph is captured
    found = function(*given, **options)
    choice = ops.explain_choice(*asked, **options)
    assert not choice.unsure
    assert "at a first call" in choice.source
    graph.replay()
    for made in (found, captured, function(*given, **options)):
        assert float((made - wanted).abs().max()) <= 0.02 * float(wanted.abs().max())
    spent = glance.ALLOWANCE.spent_s
    for _ in range(5):
        function(*given, **options)
    assert spent == glance.ALLOWANCE.spent_s


def test_calls_follow_the_current_stream():
    x, side = draw(4096, 4096), torch.cuda.Stream()
    ops.softmax(x)
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.cuda._sleep(20_000_000)  # what runs on another stream would be done before the input is there
        late = x * 2
        found = ops.softmax(late)
        product = ops.gemm(late, late)
    torch.cuda.current_stream().wait_stream(side)
    assert torch.allclose(found, (x * 2).softmax(-1), atol=1e-2)
    product_is_right(late, late, product)


def test_calls_can_be_captured_in_a_graph():
    a, b = draw(64, 4096), draw(4096, 4096)

    def work():
        return ops.softmax(ops.gemm(a, b, activation="relu"))

    work()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        found = work()
    for _ in range(3):
        a.copy_(torch.randn_like(a))
        graph.replay()
        assert torch.equal(found, work())


@pytest.mark.skipif("HOTLOOP_SKIP_INDUCTOR" in os.environ, reason="HOTLOOP_SKIP_INDUCTOR is set")
def test_a_compiled_function_keeps_the_operators():
    def block(x, w, bias):
        hidden = ops.gemm(x, w, bias=bias, activation="gelu")
        q = hidden.view(1, -1, 4, 64).transpose(1, 2)
        return ops.softmax(ops.attention(q, q, q, causal=True) * 2)

    given = draw(512, 256), draw(256, 256), draw(256)
    compiled = torch.compile(block, fullgraph=True)
    assert torch.allclose(compiled(*given), block(*given), atol=1e-2)


def test_pytorch_computes_what_needs_a_gradient():
    q = draw(1, 2, 64, 64).requires_grad_()
    ops.attention(q, q, q, causal=True).sum().backward()
    assert q.grad is not None
    assert "no backward pass" in ops.explain_choice("attention", q, q, q, causal=True).reason


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("m", [1, 5, 16, 33, 64, 100])
@pytest.mark.parametrize(("n", "k"), [(4096, 4096), (1024, 8192), (192, 384)])
def test_products_with_weights_of_four_bits(m, n, k, dtype):
    from hotloop.kernels.gemm_int4.tensors import widened

    stored, scales = ops.pack_int4(draw(k, n, dtype=dtype))
    a, bias = draw(m, k, dtype=dtype), draw(n, dtype=dtype)
    assert ops.explain_choice("gemm_int4", a, stored, scales, bias=bias, activation="silu").implementation == "triton"
    w = widened(stored, scales.double())
    total, size = a.double() @ w + bias.double(), a.double().abs() @ w.abs()
    for _ in range(2):  # the counters of slices are used again
        found = ops.gemm_int4(a, stored, scales, bias=bias, activation="silu")
        within(found, functional.silu(total), 2.0**-20 * size + 1e-6)
    assert torch.equal(found, ops.gemm_int4(a, stored, scales, bias=bias, activation="silu"))


@pytest.mark.parametrize(
    ("heads", "kv_heads", "queries", "keys", "size"), [(32, 8, 1, 5000, 128), (8, 8, 3, 300, 64), (16, 2, 7, 4097, 256)]
)
def test_few_queries_with_many_keys(heads, kv_heads, queries, keys, size):
    q = draw(2, heads, queries, size)
    k, v = draw(2, kv_heads, keys, size), draw(2, kv_heads, keys, size)
    found = ops.attention(q, k, v)
    wide = functional.scaled_dot_product_attention(q.double(), k.double(), v.double(), enable_gqa=True)
    within(found, wide, 2.0**-8)
    assert found.stride() == torch.empty_like(q).stride()
