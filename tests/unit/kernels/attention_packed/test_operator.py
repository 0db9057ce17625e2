"""Attention of packed sequences, and logarithms of sums, on the processor: PyTorch's numbers, fakes, tracing, arguments, launch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop import ops
from hotloop.dispatch.choice import Origin
from hotloop.errors import BadShapeError, UsageError

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of PyTorch's compiler stack are not ours
LENGTHS_Q = [1, 7, 0, 5, 3, 0, 6]
LENGTHS_K = [4, 7, 2, 9, 0, 0, 4]


@pytest.fixture(autouse=True)
def fresh():
    from hotloop.dispatch import remembered

    torch.manual_seed(4)
    remembered.forget()
    yield
    remembered.forget()
    torch._dynamo.reset()


def starts_of(lengths):
    return torch.tensor([sum(lengths[:i]) for i in range(len(lengths) + 1)], dtype=torch.int32)


def case(*, same=False, heads=(4, 2), size=8, dtype=torch.float32):
    lengths_k = LENGTHS_Q if same else LENGTHS_K
    q = torch.randn(sum(LENGTHS_Q), heads[0], size).to(dtype)
    k, v = (torch.randn(sum(lengths_k), heads[1], size).to(dtype) for _ in range(2))
    return q, k, v, starts_of(LENGTHS_Q), None if same else starts_of(lengths_k)


def exact(q, k, v, starts_q, starts_k=None, *, causal=False, scale=None):
    """Return attention and logarithms of sums in float64."""
    ends_q, ends_k = starts_q.tolist(), (starts_q if starts_k is None else starts_k).tolist()
    o = torch.zeros_like(q, dtype=torch.float64)
    sums = torch.full((q.shape[1], q.shape[0]), float("-inf"), dtype=torch.float64)
    for i in range(len(ends_q) - 1):
        for row in range(ends_q[i], ends_q[i + 1]):
            last = max(ends_k[i], ends_k[i + 1] - (ends_q[i + 1] - 1 - row)) if causal else ends_k[i + 1]
            for head in range(q.shape[1]):
                source, keys = head * k.shape[1] // q.shape[1], slice(ends_k[i], last)
                scores = k[keys, source].double() @ q[row, head].double() * (scale or q.shape[2] ** -0.5)
                sums[head, row] = scores.logsumexp(0)
                o[row, head] = scores.softmax(0) @ v[keys, source].double()
    return o, sums


def agree(found, wanted):
    assert torch.equal(found.isneginf(), wanted.isneginf())
    assert torch.allclose(found.double().nan_to_num(neginf=0), wanted.nan_to_num(neginf=0), atol=1e-5)


@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize(
    "options", [{}, {"causal": True}, {"causal": True, "scale": 0.3}, {"longest_q": 9, "longest_k": 9}]
)
@pytest.mark.parametrize("heads", [(4, 2), (3, 3), (4, 1)])
def test_packed_sequences_do_not_see_each_other(heads, options, same):
    given = case(same=same, heads=heads)
    found, sums = ops.attention_packed(*given, **options, return_lse=True)
    wanted = exact(*given, causal=options.get("causal", False), scale=options.get("scale"))
    agree(found, wanted[0])
    agree(sums, wanted[1])
    assert (found.dtype, found.stride(), sums.dtype) == (torch.float32, given[0].stride(), torch.float32)
    assert torch.equal(ops.attention_packed(*given, **options), found)
    choice = ops.explain_choice("attention_packed", *given, **options)
    assert (choice.implementation, choice.origin) == ("torch", Origin.TORCH)


@pytest.mark.parametrize("causal", [False, True])
def test_one_sequence_is_attention(causal):
    q, k = torch.randn(5, 4, 8), torch.randn(5 if causal else 6, 2, 8)
    starts = [torch.tensor([0, rows], dtype=torch.int32) for rows in (5, k.shape[0])]
    found, sums = ops.attention_packed(q, k, k, *starts, causal=causal, return_lse=True)
    batch = [x.transpose(0, 1)[None] for x in (q, k, k)]
    wanted, sums_wanted = ops.attention(*batch, causal=causal, return_lse=True)
    assert torch.allclose(found, wanted[0].transpose(0, 1), atol=1e-6)
    assert torch.equal(sums, sums_wanted[0])


def test_the_last_query_sees_all_keys_and_those_without_a_key_give_zeros():
    k = torch.randn(3, 1, 8)
    starts = [torch.tensor([0, rows], dtype=torch.int32) for rows in (1, 3, 5)]
    found = [ops.attention_packed(torch.ones(s[1], 1, 8), k, k, s, starts[1], causal=True) for s in starts]
    everything = ops.attention_packed(torch.ones(1, 1, 8), k, k, starts[0], starts[1])
    assert all(torch.allclose(one[-1:], everything, atol=1e-6) for one in found)
    assert torch.allclose(found[2][2:], found[1], atol=1e-6)
    assert not found[2][:2].any()


def test_no_rows_no_sequences_and_views():
    none = torch.zeros(1, dtype=torch.int32)
    found, sums = ops.attention_packed(*[torch.ones(0, 2, 8)] * 3, none, return_lse=True)
    assert (found.shape, sums.shape) == ((0, 2, 8), (2, 0))
    wide = torch.randn(16, 3, 4, 8)
    starts = torch.tensor([0, 9, 3, 9, 16, 9], dtype=torch.int32)[::2]
    found = ops.attention_packed(*wide.unbind(1), starts, causal=True)
    agree(found, exact(*wide.unbind(1), starts, causal=True)[0])
    turned = wide[:, 0].transpose(0, 1).contiguous().transpose(0, 1)
    again = ops.attention_packed(turned, wide[:, 1], wide[:, 2], starts, causal=True)
    assert torch.equal(again, found)
    assert again.stride() == turned.stride()


@pytest.mark.parametrize("same", [False, True])
def test_fake_tensors_have_the_form_of_real_ones(same):
    from torch._subclasses.fake_tensor import FakeTensorMode

    q, *rest = case(same=same, dtype=torch.float64)
    for first in (q, q.transpose(0, 1).contiguous().transpose(0, 1)):
        given = (first, *rest)
        real = ops.attention_packed(*given, return_lse=True)
        with FakeTensorMode() as mode:
            fakes = [x if x is None else mode.from_tensor(x) for x in given]
            fake = ops.attention_packed(*fakes, return_lse=True)
            alone = ops.attention_packed(*fakes)
        for one, other in zip((*fake, alone), (*real, real[0]), strict=True):
            assert (one.shape, one.dtype, one.stride()) == (other.shape, other.dtype, other.stride())


def test_the_operators_pass_pytorchs_own_checks():
    check, library = torch.library.opcheck, torch.ops.hotloop
    given, same = case(), case(same=True)
    ops.attention_packed(*given)  # operators are registered at the first use
    check(library.attention_packed.default, (*given, True, None, None, None))
    check(library.attention_packed.default, (*same, False, 0.3, 7, None))
    check(library.attention_packed_lse.default, (*given, False, None, 7, 9))
    check(library.attention_packed_lse.default, (*same, True, None, None, None))
    q, k = torch.randn(2, 4, 7, 8), torch.randn(2, 2, 9, 8)
    ops.attention(q, k, k)
    check(library.attention_lse.default, (q, k, k, True, None, 0, 0))
    check(library.attention_lse.default, (q.transpose(1, 2).contiguous().transpose(1, 2), k, k, False, 0.3, 0, 0))


@pytest.mark.parametrize("same", [False, True])
def test_a_compiled_function_keeps_the_operators_in_one_graph(same):
    given, seen = case(same=same), []

    def backend(module, _examples):
        seen.extend(str(node.target) for node in module.graph.nodes if node.op == "call_function")
        return module

    def both(*tensors):
        o, sums = ops.attention_packed(*tensors, causal=True, return_lse=True)
        return o + ops.attention_packed(*tensors, longest_q=9, longest_k=9), sums

    compiled = torch.compile(both, backend=backend, fullgraph=True)
    for one, other in zip(compiled(*given), both(*given), strict=True):
        assert torch.equal(one, other)
    assert sum("hotloop" in target and "packed" in target for target in seen) == 2


def test_lengths_may_change_in_a_compiled_function():
    compiled = torch.compile(ops.attention_packed, backend="aot_eager", fullgraph=True, dynamic=True)
    for lengths in ([3, 4], [5, 0, 2], [1, 9, 4, 4]):
        given = [torch.randn(sum(lengths), heads, 8) for heads in (4, 2, 2)]
        assert torch.equal(compiled(*given, starts_of(lengths)), ops.attention_packed(*given, starts_of(lengths)))


@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize("causal", [False, True])
def test_gradients_are_those_of_pytorch_traced_or_not(causal, same):
    given = case(same=same, dtype=torch.float64)

    def loss(function, dtype):
        wanted = [x.detach().to(dtype).requires_grad_() for x in given[:3]]
        o, sums = function(*wanted, *given[3:], causal=causal, return_lse=True)
        (o.square().sum() + sums[torch.isfinite(sums)].sum()).backward()
        return [x.grad for x in wanted]

    wanted = loss(ops.attention_packed, torch.float64)
    compiled = torch.compile(ops.attention_packed, backend="aot_eager", fullgraph=True)
    for function, dtype in (
        (ops.attention_packed, torch.float32),
        (compiled, torch.float32),
        (compiled, torch.float64),
    ):
        for found, right in zip(loss(function, dtype), wanted, strict=True):
            assert torch.allclose(found.double(), right, atol=1e-5)
    choice = ops.explain_choice("attention_packed", given[0].requires_grad_(), *given[1:])
    assert "no backward pass" in choice.reason


def test_gradients_are_right():
    q, k = torch.randn(3, 2, 2).double().requires_grad_(), torch.randn(4, 1, 2).double().requires_grad_()
    starts = starts_of([2, 0, 1]), starts_of([3, 1, 0])
    assert torch.autograd.gradcheck(lambda q, k: ops.attention_packed(q, k, k * 2, *starts, causal=True), (q, k))


GOOD = {
    "q": torch.ones(22, 4, 8), "k": torch.ones(26, 2, 8), "v": torch.ones(26, 2, 8),
    "starts_q": starts_of(LENGTHS_Q), "starts_k": starts_of(LENGTHS_K),
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "kind", "said"),
    [
        ({"q": torch.ones(22, 8)}, ops.BadArrayError, r"q has 2 dimensions; give \[rows, heads, size\]"),
        ({"k": torch.ones(21, 2, 8)}, BadShapeError, "do not go together"),
        ({"q": torch.ones(22, 4, 9)}, BadShapeError, "the size must agree"),
        ({"q": torch.ones(22, 3, 8)}, BadShapeError, "3 heads of q are no multiple of 2"),
        ({"k": None}, ops.BadArrayError, "k is NoneType"),
        ({"starts_q": None}, ops.BadArrayError, "starts_q is NoneType"),
        ({"starts_q": [0, 16]}, ops.BadArrayError, "starts_q is list"),
        ({"starts_q": starts_of(LENGTHS_Q).long()}, ops.BadArrayError, "starts_q is int64 on cpu; give int32 on cpu"),
        ({"starts_k": starts_of(LENGTHS_Q).to("meta")}, ops.BadArrayError, "starts_k is int32 on meta; give int32 on cpu"),
        ({"starts_q": starts_of(LENGTHS_Q)[None]}, BadShapeError, r"starts_q has shape \(1, 8\)"),
        ({"starts_q": starts_of(LENGTHS_Q)[:0]}, BadShapeError, r"starts_q has shape \(0,\)"),
        ({"starts_q": torch.tensor(0, dtype=torch.int32)}, BadShapeError, r"starts_q has shape \(\)"),
        ({"starts_k": starts_of(LENGTHS_K[1:])}, BadShapeError, "starts_q has 8 elements and starts_k 7"),
        ({"starts_k": None}, BadShapeError, "q has 22 rows and k has 26: give starts_k too"),
        ({"longest_q": 2}, BadShapeError, "longest_q is 2, too short for 22 rows in 7 sequences"),
        ({"longest_k": -1}, BadShapeError, "longest_k is -1"),
        ({"longest_q": 5, "longest_k": 9}, BadShapeError, "a sequence has 7 rows by starts_q, more than the longest of 5"),
        ({"starts_q": starts_of(LENGTHS_Q) + 1}, ops.BadArrayError, "starts_q must begin with 0"),
        ({"starts_k": starts_of([4, 7, 2, 8, 0, 0, 4])}, ops.BadArrayError, "end with the 26 rows"),
        ({"starts_q": starts_of([1, 7, -2, 5, 5, 0, 6])}, ops.BadArrayError, r"not fall.*\[0, 1, 8, 6, 11, 16, … 22\]"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_told_apart(changed, kind, said):
    ops.attention_packed(**GOOD)  # what is known of good calls does not hide bad ones
    with pytest.raises(kind, match=said):
        ops.attention_packed(**{**GOOD, **changed})
    with pytest.raises(kind, match=said), torch.autocast("cpu"):  # through the dispatcher
        ops.attention_packed(**{**GOOD, **changed})


def test_what_changes_with_every_batch_needs_no_new_judgement(monkeypatch):
    from hotloop.dispatch import remembered

    for lengths in ([3, 4], [5, 2, 2], [2, 9, 4, 4]):
        given = [torch.randn(sum(lengths), heads, 8) for heads in (4, 2, 2)]
        agree(ops.attention_packed(*given, starts_of(lengths)), exact(*given, starts_of(lengths))[0])
    assert len(remembered._answers) == 2  # by the call, and by what was described


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, ""),
        ({"dtype": torch.float32}, "not float32"),
        ({"size": 80}, "heads of 64, 128, 256, not 80"),
    ],
)
def test_what_the_kernel_takes(h200, a100, monkeypatch, changed, said):
    from hotloop.dispatch import place, remembered

    given = case(**{"size": 64, "dtype": torch.bfloat16, **changed})
    monkeypatch.setattr(place, "facts", lambda _tensor, _backend: place.Place(h200))
    choice = ops.explain_choice("attention_packed", *given)
    assert (choice.implementation == "gluon") == (not said)
    assert said in choice.reason
    choice = ops.explain_choice("attention_packed", *given, causal=True)
    assert choice.implementation == "torch"
    assert said or "keys that have the starts of the queries" in choice.reason
    assert (
        said
        or ops.explain_choice(
            "attention_packed", *given[:1], *given[:1] * 2, *given[3:4] * 2, causal=True
        ).implementation
        == "gluon"
    )
    remembered.forget()
    bent = given[1].mT.contiguous().mT
    assert "k has a last stride" in ops.explain_choice("attention_packed", given[0], bent, *given[2:]).reason or said
    monkeypatch.setattr(place, "facts", lambda _tensor, _backend: place.Place(a100))
    remembered.forget()
    assert ops.explain_choice("attention_packed", *given).implementation == "torch"


def test_single_queries_are_left_to_the_flash_kernel_where_there_is_one(h200):
    from hotloop.kernels.attention_packed import choosing as packing

    call = packing.Packed(32, 8, 128, "bfloat16", causal=False, function=packing.FLASH, single=True)
    assert "one query a sequence" in packing.choose(call, h200).reason
    for other in (replace(call, function=packing.EACH), replace(call, single=False)):
        assert packing.choose(other, h200).implementation == "gluon"


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("same", [False, True])
def test_the_kernel_gets_what_the_call_means(h200, monkeypatch, same, bounded):
    from hotloop.dispatch import launch, place
    from hotloop.kernels.attention_packed.gluon.rows import row_for
    from hotloop.model.jit import parse
    from hotloop.model.program import Value

    monkeypatch.setattr(place, "facts", lambda _tensor, _backend: place.Place(h200))
    given, causal = case(size=64, dtype=torch.float16, same=same), same
    launched = []

    def prepared(program, device, _arrays):
        numbers = [argument.value for argument in program.main.arguments if isinstance(argument, Value)]
        meta = parse(program.options)

        def launches(arrays):
            launched.append(
                (*numbers[-7:-6], *numbers[-4:-2], meta.values["CAUSAL"], device is h200, meta.values["BN"])
            )
            q, k, v, starts_q, starts_k, o = (arrays[name] for name in ("q", "k", "v", "starts_q", "starts_k", "o"))
            scale = next(x.value for x in program.main.arguments if isinstance(x, Value) and x.dtype == "float32")
            made, sums = exact(q, k, v, starts_q, starts_k, causal=meta.values["CAUSAL"], scale=scale)
            o.copy_(made)
            if "lse" in arrays:
                arrays["lse"].copy_(sums)

        return launches

    monkeypatch.setattr(launch, "prepared", prepared)
    bounds = {"longest_q": 8, "longest_k": None if same else 1000} if bounded else {}
    for scale in (None, 0.4):
        found, sums = ops.attention_packed(*given, causal=causal, scale=scale, return_lse=True, **bounds)
        wanted, sums_wanted = exact(*given, causal=causal, scale=scale)
        assert torch.allclose(found.double(), wanted, atol=2e-3)
        agree(sums, sums_wanted)
        assert torch.equal(ops.attention_packed(*given, causal=causal, scale=scale, **bounds), found)
    rows_k = given[1].shape[0]
    longest = ((8, 8) if same else (8, rows_k)) if bounded else ((7, 7) if same else (7, 9))
    assert set(launched) == {(7, *longest, causal, True, row_for(64).config["keys"])}


@pytest.mark.parametrize(("rows", "told"), [((0, 1, 2), 1), ((0, 0, 1), 2), ((0, 1, 1, 2), 2)])
def test_sequences_without_a_query_are_not_told_to_have_one(monkeypatch, rows, told):
    """PyTorch's flash kernel takes a longest of one query for one query in every sequence."""
    from hotloop.kernels.attention import pytorch as peers

    asked = []
    monkeypatch.setattr(
        torch.ops.aten,
        "_flash_attention_forward",
        lambda *given, **_: asked.append(given[5]) or (given[0], torch.zeros(2)),
        raising=False,
    )
    starts = torch.tensor(rows, dtype=torch.int32)
    q = torch.zeros(rows[-1], 2, 64)
    peers.flash(peers.Sequences(q, q[:, :1], q[:, :1], starts, starts, False, 1.0), 1, 76)
    assert asked == [told]


@pytest.mark.parametrize("way", ["direct", "dispatched", "recorded", "compiled"])
@pytest.mark.parametrize("same", [False, True])
def test_the_flash_kernel_of_pytorch_gets_what_the_call_means(monkeypatch, same, way):
    from hotloop.kernels.attention import pytorch as peers

    asked = []

    def flash(given, longest_q, longest_k):
        asked.append((longest_q, longest_k))
        ends = given.starts_q.tolist(), given.starts_k.tolist()
        return peers.each(given, *ends, want_sums=True)

    monkeypatch.setattr(peers, "flashes", lambda *_operands: True)
    monkeypatch.setattr(peers, "flash", flash)
    given = case(same=same)
    given = [x.requires_grad_(way == "recorded") for x in given[:3]] + list(given[3:])
    function = ops.attention_packed
    if way == "compiled":
        function = torch.compile(function, backend="eager", fullgraph=True)
    with torch.autocast("cpu", enabled=way == "dispatched"):
        found, sums = function(*given, causal=True, return_lse=True)
        alone = function(*given, causal=True, longest_q=8, longest_k=None if same else 9)
    agree(found, exact(*given, causal=True)[0])
    agree(sums, exact(*given, causal=True)[1])
    assert torch.equal(found, alone)
    with_sums, without = ((7, 7), (8, 8)) if same else ((7, 9), (8, 9))
    assert asked == ([without] if way == "recorded" else [with_sums, without])  # logarithms have no derivative there
    assert "_flash_attention_forward" in ops.explain_choice("attention_packed", *given, causal=True).reason


@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize("bounds", [{}, {"longest_q": 9, "longest_k": 9}])
def test_a_recorded_graph_of_a_call_that_no_kernel_takes_reads_no_starts(monkeypatch, same, bounds):
    from hotloop.kernels.attention_packed import tensors as packed

    def reads(*_given):
        raise AssertionError("starts are read")

    monkeypatch.setattr(packed, "_captured", lambda _x: True)
    monkeypatch.setattr(packed, "_host", reads)
    given = case(same=same)
    found, sums = ops.attention_packed(*given, causal=True, return_lse=True, **bounds)
    wanted, logarithms = exact(*given, causal=True)
    agree(found, wanted)
    agree(sums, logarithms)


def test_gradients_of_more_sequences_than_a_grid_holds_are_not_those_of_parts(monkeypatch):
    """The flash kernel leaves the gradients of rows of other parts as memory was."""
    from hotloop.kernels.attention import pytorch as peers

    monkeypatch.setattr(peers, "MOST_BLOCKS", 3)
    monkeypatch.setattr(peers, "flashes", lambda *_operands: True)
    asked = []
    monkeypatch.setattr(peers, "flash", lambda given, *_: asked.append(1) or peers.masked(given, want_sums=True))
    q, k, v, *starts = case()
    assert starts[0].shape[0] > 4
    agree(ops.attention_packed(q, k, v, *starts), exact(q, k, v, *starts)[0])
    assert asked == [1]
    agree(ops.attention_packed(q.clone().requires_grad_(), k, v, *starts), exact(q, k, v, *starts)[0])
    assert asked == [1]


def test_tangents_do_not_meet_the_flash_kernel(monkeypatch):
    """It has no derivative in forward mode."""
    from hotloop.kernels.attention import pytorch as peers

    monkeypatch.setattr(peers, "flashes", lambda *_operands: True)
    monkeypatch.setattr(peers, "flash", lambda *_: pytest.fail("the flash kernel was asked"))
    q, k, v, *starts = case()
    made, moved = torch.func.jvp(lambda v: ops.attention_packed(q, k, v, *starts), (v,), (v,))
    agree(made, exact(q, k, v, *starts)[0])
    torch.testing.assert_close(made, moved)


def test_a_recorded_graph_of_the_flash_kernel_needs_lengths(monkeypatch):
    from hotloop.kernels.attention import pytorch as peers
    from hotloop.kernels.attention_packed import tensors as packed

    monkeypatch.setattr(packed, "_captured", lambda _x: True)
    monkeypatch.setattr(peers, "flashes", lambda *_operands: True)
    monkeypatch.setattr(peers, "flash", lambda given, *_longest: peers.masked(given, want_sums=True))
    given = case()
    with pytest.raises(UsageError, match="give longest_q= and longest_k="):
        ops.attention_packed(*given)
    found = ops.attention_packed(*given, longest_q=8, longest_k=9)
    agree(found, exact(*given)[0])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("causal", [False, True])
def test_attention_returns_logarithms_of_sums(monkeypatch, causal, dtype):
    from hotloop.kernels.attention import pytorch as peers

    monkeypatch.setattr(peers, "_MOST_SCORES", 2 * 4 * 9 * 3)  # in pieces of three queries
    q, k = torch.randn(2, 4, 7, 8).to(dtype), torch.randn(2, 2, 9, 8).to(dtype)
    found, sums = ops.attention(q, k, k, causal=causal, scale=0.3, return_lse=True)
    assert torch.equal(found, ops.attention(q, k, k, causal=causal, scale=0.3))
    scores = (q.double().unflatten(1, (2, 2)) @ k.double()[:, :, None].mT).flatten(1, 2) * 0.3
    if causal:
        scores = scores.masked_fill(torch.arange(9) > torch.arange(7)[:, None], float("-inf"))
    assert sums.dtype is (torch.float64 if dtype is torch.float64 else torch.float32)
    assert torch.allclose(sums.double(), scores.logsumexp(-1), atol=1e-5)


def test_logarithms_of_sums_in_a_compiled_function_and_with_gradients():
    q, k = torch.randn(2, 4, 7, 8), torch.randn(2, 2, 9, 8)

    def sums(*given):
        return ops.attention(*given, causal=True, return_lse=True)[1]

    compiled = torch.compile(sums, backend="aot_eager", fullgraph=True)
    assert torch.equal(compiled(q, k, k), sums(q, k, k))
    wanted = [x.double().requires_grad_() for x in (q[:1, :2, :3, :2], k[:1, :1, :4, :2])]
    assert torch.autograd.gradcheck(lambda a, b: sums(a, b, b), wanted)
    assert torch.allclose(compiled(*(x.requires_grad_() for x in (q, k, k))), sums(q, k, k), atol=1e-6)
    assert torch.isneginf(sums(q, k[:, :, :0], k[:, :, :0])).all()
