"""Calls beyond what PyTorch's CUDA functions take at once, or in the form given, on a real GPU: each result beside one computed otherwise."""

from __future__ import annotations

import pytest

from hotloop import ops

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)

functional = torch.nn.functional
pytestmark = [pytest.mark.device, pytest.mark.filterwarnings("ignore")]
CROWD = 65537
"""More than the blocks of a grid's second and third dimension (CUDA programming guide, compute capabilities)."""
HALVES = [torch.bfloat16, torch.float16, torch.float32]


@pytest.fixture(autouse=True)
def no_store(tmp_path, monkeypatch):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))
    torch.manual_seed(21)
    ops.refresh()
    yield
    ops.refresh()


def draw(*shape, dtype=torch.bfloat16):
    return torch.randn(shape, device="cuda").to(dtype)


def near(found, wanted, dtype):
    step = 2 * torch.finfo(dtype).eps if dtype is not torch.float32 else 2e-3
    torch.testing.assert_close(found.double(), wanted.double(), rtol=2 * step, atol=2 * step)


def attended(q, k, v, **options):
    group = q.shape[1] // k.shape[1]
    k, v = (x.double().repeat_interleave(group, 1) for x in (k, v))
    scores = q.double() @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    if options.get("causal"):
        scores.masked_fill_(torch.ones_like(scores, dtype=torch.bool).triu(1), float("-inf"))
    return scores.softmax(-1) @ v


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize(
    ("batch", "heads", "kv"), [(CROWD, 2, 2), (CROWD, 2, 1), (1, CROWD, CROWD), (1, 2 * CROWD, CROWD), (2, CROWD, 1)]
)
@pytest.mark.parametrize("causal", [False, True])
def test_attention_of_crowds(dtype, batch, heads, kv, causal):
    q, k, v = (
        draw(batch, heads, 3, 32, dtype=dtype),
        draw(batch, kv, 4, 32, dtype=dtype),
        draw(batch, kv, 4, 32, dtype=dtype),
    )
    near(ops.attention(q, k, v, causal=causal), attended(q, k, v, causal=causal), dtype)


@pytest.mark.parametrize("dtype", HALVES)
def test_attention_of_crowds_goes_backward(dtype):
    q, k, v = (draw(CROWD, 1, 3, 16, dtype=dtype) for _ in range(3))
    wanting = [x.clone().requires_grad_() for x in (q, k, v)]
    exact = [x.double().requires_grad_() for x in (q, k, v)]
    ops.attention(*wanting).float().sum().backward()
    attended(*exact).sum().backward()
    for found, wanted in zip(wanting, exact, strict=True):
        near(found.grad, wanted.grad, dtype)


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("gradient", [False, True])
def test_more_packed_sequences_than_a_grid_holds(dtype, gradient):
    lengths = torch.randint(0, 4, (CROWD + 5,), device="cuda")
    starts = functional.pad(lengths.cumsum(0), (1, 0)).to(torch.int32)
    rows = int(starts[-1])
    q, k, v = (draw(rows, 2, 32, dtype=dtype) for _ in range(3))
    wanted = torch.empty(rows, 2, 32, dtype=torch.float64, device="cuda")
    for length in (1, 2, 3):
        first = starts[:-1][lengths == length].long()[:, None] + torch.arange(length, device="cuda")
        wanted[first] = attended(*(x[first].transpose(1, 2) for x in (q, k, v))).transpose(1, 2)
    if gradient:
        q.requires_grad_()
    found = ops.attention_packed(q, k, v, starts)
    near(found.detach(), wanted, dtype)
    if gradient:
        found.float().sum().backward()
        assert bool(q.grad.isfinite().all())


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("shared", ["", "a", "b"])
def test_more_products_than_a_grid_holds(dtype, shared):
    a = draw(1 if shared == "a" else CROWD, 5, 16, dtype=dtype)
    b = draw(1 if shared == "b" else CROWD, 16, 8, dtype=dtype)
    wanted = torch.matmul(a.double(), b.double())
    apart = float((ops.gemm_batched(a, b).double() - wanted).abs().max())
    assert apart < (0.1 if dtype is torch.bfloat16 else 0.02)


def grouped(a, b, ends):
    made, first = torch.zeros(a.shape[0], b.shape[2], dtype=torch.float64, device="cuda"), 0
    for i, last in enumerate(ends.tolist()):
        made[first:last] = a[first:last].double() @ b[i].double()
        first = last
    return made


@pytest.mark.parametrize("groups", [1, 63, 1023, 1024, 1025])
@pytest.mark.parametrize("apart", [False, True])
def test_groups_about_the_most_of_pytorchs_product(groups, apart):
    rows = 2 * groups + 1
    ends = torch.sort(torch.randint(0, rows + 1, (groups,), device="cuda")).values.to(torch.int32)
    ends[-1] = rows
    given = ends
    if apart:
        given = torch.zeros(2 * groups, dtype=torch.int32, device="cuda")[::2].copy_(ends)
    a, b = draw(rows, 32), draw(groups, 32, 16)
    near(ops.gemm_grouped(a, b, given) / 8, grouped(a, b, ends) / 8, torch.bfloat16)


@pytest.mark.parametrize(("k", "n", "offset"), [(32, 16, 0), (24, 40, 0), (17, 9, 0), (32, 16, 1)])
@pytest.mark.parametrize("own_output", [False, True])
def test_grouped_products_go_backward(k, n, offset, own_output):
    ends = torch.tensor([3, 3, 40, 64], dtype=torch.int32, device="cuda")
    a = draw(64 * k + offset)[offset:].view(64, k).requires_grad_()
    b = draw(4, k, n).requires_grad_()
    made = ops.gemm_grouped(a, b, ends)
    made.backward(draw(n, 64).t() if own_output else torch.ones_like(made).expand(64, n))
    wide = [x.detach().double().requires_grad_() for x in (a, b)]
    if not own_output:
        firsts = [0, 3, 3, 40]
        torch.cat(
            [
                wide[0][first:last] @ wide[1][i]
                for i, (first, last) in enumerate(zip(firsts, ends.tolist(), strict=True))
            ]
        ).sum().backward()
        near(a.grad / 8, wide[0].grad / 8, torch.bfloat16)
        near(b.grad / 8, wide[1].grad / 8, torch.bfloat16)


@pytest.mark.parametrize(
    "factors",
    [
        lambda: (torch.rand(1, 1, 1), torch.rand(1, 1, 1, 1)),
        lambda: (torch.rand(65, 1)[1:], torch.rand(1, 97)[:, ::2][:, 1:]),
        lambda: (torch.rand(64, 1), torch.rand(2)[1]),
        lambda: (torch.rand(2, 1)[1:], torch.rand(1, 48)),
        lambda: (torch.rand(64, 2)[:, 1:], torch.rand(48, 1).t()),
    ],
)
@pytest.mark.parametrize("columns", [48, 47])
def test_factors_in_any_form(factors, columns):
    a, b = draw(64, 96).to(torch.float8_e4m3fn), draw(48, 96).to(torch.float8_e4m3fn).t()[:, :columns]
    scale_a, scale_b = (x.cuda() for x in factors())
    scale_b = scale_b[:, :columns] if scale_b.numel() > 1 else scale_b
    wide = [x.double().reshape(()) if x.numel() == 1 else x.double() for x in (scale_a, scale_b)]
    wanted = (a.double() @ b.double()) * wide[0] * wide[1]
    found = ops.gemm_fp8(a, b, scale_a, scale_b)
    assert float((found.double() - wanted).abs().max()) <= 2**-7 * float(wanted.abs().max())


@pytest.mark.parametrize("shape", [(1, 9, 64, 2048, 2048), (9, 1, 64, 2048, 2048)])
@pytest.mark.parametrize("dilation", [1, 3])
def test_volumes_of_more_elements_than_32_bits_count(shape, dilation):
    x, weight, bias = (
        draw(*shape, dtype=torch.float16),
        draw(shape[1], 1, 1, 3, 3, dtype=torch.float16),
        draw(shape[1], dtype=torch.float16),
    )
    options = {"padding": (0, dilation, dilation), "dilation": (1, dilation, dilation)}
    found = ops.depthwise_conv3d(x, weight, bias, **options)
    for at in ((0, 0), (shape[0] - 1, shape[1] - 1)):
        part = x[at[0], at[1], -2:][None, None].float()
        wanted = functional.conv3d(part, weight[at[1]][None].float(), bias[at[1]][None].float(), **options)
        near(found[at[0], at[1], -2:][None, None], wanted, torch.float16)


@pytest.mark.parametrize(
    "name", ["gemm", "gemm_batched", "gemm_grouped", "attention", "attention_packed", "softmax", "depthwise_conv3d"]
)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
def test_tangents_and_wrapped_tensors(name, dtype):
    starts = torch.tensor([0, 5, 16], dtype=torch.int32, device="cuda")
    given = {
        "gemm": (draw(16, 32, dtype=dtype), draw(32, 24, dtype=dtype)),
        "gemm_batched": (draw(2, 16, 32, dtype=dtype), draw(2, 32, 24, dtype=dtype)),
        "gemm_grouped": (draw(16, 32, dtype=dtype), draw(2, 32, 24, dtype=dtype), starts[1:]),
        "attention": tuple(draw(1, 2, 16, 32, dtype=dtype) for _ in range(3)),
        "attention_packed": (*(draw(16, 2, 32, dtype=dtype) for _ in range(3)), starts),
        "softmax": (draw(16, 32, dtype=dtype),),
        "depthwise_conv3d": (draw(1, 4, 5, 6, 8, dtype=dtype), draw(4, 1, 3, 3, 3, dtype=dtype)),
    }[name]
    call, (x, *rest) = getattr(ops, name), given
    plain = call(*given)
    made, back = torch.func.vjp(lambda x: call(x, *rest), x)
    near(made, plain, dtype)
    assert back(torch.ones_like(made))[0].shape == x.shape
    if name.startswith("attention") and dtype is torch.bfloat16:
        return  # PyTorch's own attention has no forward mode there
    made, moved = torch.func.jvp(lambda x: call(x, *rest), (x,), (torch.zeros_like(x),))
    near(made, plain, dtype)
    assert float(moved.abs().max()) == 0


def test_nothing_to_compute():
    x = torch.zeros(2, 3, 0, 5, 4, device="cuda", dtype=torch.bfloat16)
    bias = draw(6)
    made = ops.depthwise_conv3d(x, draw(6, 1, 3, 3, 3), bias, padding=(2, 1, 0))
    assert torch.equal(made, bias[None, :, None, None, None].expand_as(made))
    q, k = draw(1, 2, 0, 8), draw(1, 2, 3, 8).requires_grad_()
    ops.attention(q, k, k).sum().backward()
    assert float(k.grad.abs().sum()) == 0
    none = torch.zeros(0, dtype=torch.int32, device="cuda")
    assert ops.gemm_grouped(draw(0, 16), draw(0, 16, 8), none).shape == (0, 8)
    assert ops.gemm_grouped(draw(0, 16), draw(2, 16, 8), torch.zeros(2, dtype=torch.int32, device="cuda")).shape == (
        0,
        8,
    )
