"""`hotloop.ops.attention_packed`, and logarithms of sums, on a real GPU: what ran, float64, strides, graphs, torch.compile."""

from __future__ import annotations

import os

import pytest

from hotloop import ops
from hotloop.errors import UsageError

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)
from hotloop.dispatch import glance  # noqa: E402 - it needs PyTorch

functional = torch.nn.functional
pytestmark = [pytest.mark.device, pytest.mark.filterwarnings("ignore")]
HOPPER = torch.cuda.get_device_capability()[0] == 9
LENGTHS_Q = [1, 700, 0, 129, 64, 900, 333, 128]
LENGTHS_K = [5, 700, 17, 300, 64, 900, 100, 0]


@pytest.fixture(autouse=True)
def no_store(tmp_path, monkeypatch):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setattr(glance, "_WANTED", False)  # the kernels that tables name are the ones to test
    torch.manual_seed(12)
    ops.refresh()
    yield
    ops.refresh()


def starts_of(lengths):
    return torch.tensor([sum(lengths[:i]) for i in range(len(lengths) + 1)], dtype=torch.int32, device="cuda")


def draw(rows, heads, size, dtype=torch.bfloat16):
    return torch.randn((rows, heads, size), device="cuda").to(dtype)


def case(size=128, heads=(8, 2), dtype=torch.bfloat16, *, same=False):
    lengths_k = LENGTHS_Q if same else LENGTHS_K
    q, *kv = (
        draw(sum(rows), many, size, dtype)
        for rows, many in ((LENGTHS_Q, heads[0]), (lengths_k, heads[1]), (lengths_k, heads[1]))
    )
    return q, *kv, starts_of(LENGTHS_Q), None if same else starts_of(lengths_k)


def exact(q, k, v, starts_q, starts_k=None, *, causal=False, scale=None):
    """Return attention and logarithms of sums in float64."""
    ends_q, ends_k = starts_q.tolist(), (starts_q if starts_k is None else starts_k).tolist()
    o, sums = torch.zeros_like(q, dtype=torch.float64), torch.full((q.shape[1], q.shape[0]), float("-inf")).cuda()
    for i in range(len(ends_q) - 1):
        rows, keys = slice(*ends_q[i : i + 2]), slice(*ends_k[i : i + 2])
        if rows.start == rows.stop or keys.start == keys.stop:
            continue
        wide = [x.double().transpose(0, 1) for x in (q[rows], k[keys], v[keys])]
        many = q.shape[1] // k.shape[1]
        left, right, value = wide[0], *(x.repeat_interleave(many, 0) for x in wide[1:])
        scores = left @ right.transpose(1, 2) * (scale or q.shape[2] ** -0.5)
        if causal:
            keys_left = torch.arange(right.shape[1], 0, -1, device="cuda")
            later = keys_left < torch.arange(left.shape[1], 0, -1, device="cuda")[:, None]
            scores = scores.masked_fill(later, float("-inf"))
        o[rows] = (scores.softmax(-1).nan_to_num() @ value).transpose(0, 1)
        sums[:, rows] = scores.logsumexp(-1).float()
    return o, sums


def right(found, wanted, slack=0.02):
    assert torch.isfinite(found).all()
    error = (found.double() - wanted).abs() - 2.0**-8 * wanted.abs()
    assert float(error.max()) <= slack


def same_sums(found, wanted):
    assert torch.equal(found.isneginf(), wanted.isneginf())
    assert float((found - wanted).nan_to_num().abs().max()) < 2e-3


@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("heads", [(8, 8), (8, 2)], ids=str)
@pytest.mark.parametrize("size", [64, 128, 256])
def test_packed_sequences(size, heads, causal, bounded, same):
    given = case(size, heads, torch.float16 if size == 64 else torch.bfloat16, same=same)
    options = {"causal": causal} | ({"longest_q": 900, "longest_k": 1000} if bounded else {})
    found, sums = ops.attention_packed(*given, **options, return_lse=True)
    wanted, sums_wanted = exact(*given, causal=causal)
    right(found, wanted)
    same_sums(sums, sums_wanted)
    assert torch.equal(ops.attention_packed(*given, **options), found)
    choice = ops.explain_choice("attention_packed", *given, **options)
    assert choice.implementation == ("gluon" if HOPPER and (same or not causal) else "torch"), str(choice)


def test_one_token_and_parts_of_a_wider_tensor():
    wide = draw(640, 3 * 4, 128)
    q, k, v = wide.split(4, 1)
    starts = torch.arange(0, 641, 1, dtype=torch.int32, device="cuda")
    for begin in (starts, starts[::64].contiguous(), starts[::64], starts[::640]):
        right(ops.attention_packed(q, k, v, begin, causal=True), exact(q, k, v, begin, causal=True)[0])
        if HOPPER:
            assert ops.explain_choice("attention_packed", q, k, v, begin, causal=True).implementation == "gluon"
    turned = q.transpose(0, 1).contiguous().transpose(0, 1)
    found = ops.attention_packed(turned, k, v, starts[::64], scale=0.2)
    right(found, exact(q, k, v, starts[::64], scale=0.2)[0])
    assert found.stride() == torch.empty_like(turned).stride()


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize(("size", "dtype"), [(80, torch.bfloat16), (36, torch.float16), (64, torch.float32)])
def test_what_the_kernel_does_not_take_runs_in_pytorch(size, dtype, same, causal):
    given = case(size, (4, 2), dtype, same=same)
    found, sums = ops.attention_packed(*given, causal=causal, return_lse=True)
    wanted, sums_wanted = exact(*given, causal=causal)
    right(found, wanted)
    same_sums(sums, sums_wanted)
    assert torch.allclose(ops.attention_packed(*given, causal=causal), found, atol=1e-3)
    choice = ops.explain_choice("attention_packed", *given, causal=causal)
    assert choice.implementation == "torch"
    assert ("_flash_attention_forward" in choice.reason) == (
        size == 80 and torch.cuda.get_device_capability() >= (8, 0)
    )


def test_single_queries_with_many_keys():
    lengths = [700, 3, 0, 1200]
    q, k, v = draw(4, 8, 128), draw(sum(lengths), 2, 128), draw(sum(lengths), 2, 128)
    given = q, k, v, starts_of([1] * 4), starts_of(lengths)
    for causal in (False, True):
        for bounds in ({}, {"longest_q": 1, "longest_k": 1200}):
            found, sums = ops.attention_packed(*given, causal=causal, return_lse=True, **bounds)
            right(found, exact(*given)[0])
            same_sums(sums, exact(*given)[1])
            assert torch.equal(ops.attention_packed(*given, causal=causal, **bounds), found)


@pytest.mark.parametrize("heads", [(4, 4), (4, 2)], ids=str)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
def test_pytorch_computes_gradients(dtype, heads):
    given = case(64, heads, dtype, same=True)
    wanted = [x.clone().requires_grad_() for x in given[:3]]
    ops.attention_packed(*wanted, given[3], causal=True, longest_q=900).square().sum().backward()
    again = [x.double().requires_grad_() for x in given[:3]]
    ops.attention_packed(*again, given[3], causal=True).square().sum().backward()
    for one, other in zip(wanted, again, strict=True):
        error = float((one.grad.double() - other.grad).abs().max() / other.grad.abs().max())
        assert error < (2e-2 if dtype is torch.bfloat16 else 1e-3)


def test_calls_can_be_captured_when_the_lengths_are_given():
    given, bounds = case(same=True), {"causal": True, "longest_q": 1000}
    ops.attention_packed(*given, **bounds)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        found = ops.attention_packed(*given, **bounds)
    shorter = [700, 1, 64, 0, 129, 900, 333, 128]
    given[3].copy_(starts_of(shorter))
    given[0].copy_(torch.randn_like(given[0]))
    graph.replay()
    right(found, exact(*given, causal=True)[0])
    with pytest.raises(UsageError, match="give longest_q"), torch.cuda.graph(torch.cuda.CUDAGraph()):
        ops.attention_packed(*given)


@pytest.mark.skipif("HOTLOOP_SKIP_INDUCTOR" in os.environ, reason="HOTLOOP_SKIP_INDUCTOR is set")
def test_a_compiled_function_keeps_the_operators():
    given = case(64, (4, 2), same=True)

    def block(*tensors):
        o, sums = ops.attention_packed(*tensors, causal=True, return_lse=True)
        other = ops.attention_packed(*tensors, causal=True, longest_q=900)
        return o + other, sums * 2

    compiled = torch.compile(block, fullgraph=True)
    for one, other in zip(compiled(*given), block(*given), strict=True):
        assert torch.allclose(one, other, atol=1e-2)


@pytest.mark.parametrize("longest", [None, 900])
def test_a_compiled_function_has_gradients(longest):
    given = case(64, (4, 2), same=True)
    compiled = torch.compile(
        lambda *x: ops.attention_packed(*x, causal=True, longest_q=longest), fullgraph=True, backend="aot_eager"
    )
    wanted = [x.clone().requires_grad_() for x in given[:3]]
    found = compiled(*wanted, given[3])
    right(found, exact(*given, causal=True)[0])
    found.sum().backward()
    assert all(torch.isfinite(x.grad).all() for x in wanted)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("queries", "keys"), [(777, 777), (3, 5000), (130, 70)])
@pytest.mark.parametrize("size", [64, 128, 256, 80])
def test_logarithms_of_sums(size, queries, keys, causal):
    q = torch.randn((2, 8, queries, size), device="cuda").bfloat16()
    k, v = (torch.randn((2, 2, keys, size), device="cuda").bfloat16() for _ in range(2))
    found, sums = ops.attention(q, k, v, causal=causal, return_lse=True)
    assert torch.equal(found, ops.attention(q, k, v, causal=causal))
    scores = (q.double().unflatten(1, (2, 4)) @ k.double()[:, :, None].mT).flatten(1, 2) * size**-0.5
    if causal:
        later = torch.arange(keys, device="cuda") > torch.arange(queries, device="cuda")[:, None]
        scores = scores.masked_fill(later, float("-inf"))
    right(found, scores.softmax(-1) @ v.double().repeat_interleave(4, 1))
    same_sums(sums, scores.logsumexp(-1).float())
    choice = ops.explain_choice("attention", q, k, v, causal=causal)
    assert (choice.implementation == "torch") == (size == 80), str(choice)
