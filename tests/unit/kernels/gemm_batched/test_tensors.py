"""``hotloop::gemm_batched``: what PyTorch computes, refusals, what waits for a measurement, the kernel interpreted."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

from hotloop import ops  # noqa: E402
from hotloop.dispatch import place, remembered  # noqa: E402
from hotloop.dispatch.select import PEER  # noqa: E402
from hotloop.errors import BadArrayError, BadShapeError, UsageError  # noqa: E402
from hotloop.kernels.gemm_batched import choosing, tensors  # noqa: E402
from hotloop.kernels.gemm_batched.problem import DEFAULT, awkward  # noqa: E402
from hotloop.kernels.gemm_batched.triton.plan import plan, program  # noqa: E402
from hotloop.kernels.gemm_batched.triton.space import START  # noqa: E402
from hotloop.model.jit import parse  # noqa: E402

TRITON = pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")


def draw(*shape, dtype=torch.float32):
    return torch.randn(*shape).to(dtype)


def ends(*rows):
    return torch.tensor(rows, dtype=torch.int32)


@pytest.fixture(autouse=True)
def fresh():
    torch.manual_seed(4)
    remembered.forget()
    yield
    remembered.forget()


@pytest.mark.parametrize(
    ("shape", "steps", "fits"),
    [
        ((3, 160, 8), (1280, 8, 1), True), ((3, 160, 8), (1280, 1, 160), True), ((336, 160), (160, 1), True),
        ((3, 160, 1), (160, 1, 8), False), ((3, 160, 1), (160, 1, 160), True), ((3, 1, 160), (160, 8, 1), False),
        ((3, 160, 8), (0, 8, 1), True), ((336, 160), (0, 1), False), ((336, 160), (168, 1), True), ((336, 160), (164, 1), False),
        ((3, 160, 8), (1284, 8, 1), False), ((3, 160, 8), (2560, 16, 2), False), ((3, 1, 1), (8, 1, 1), False), ((3, 1, 1), (8, 8, 1), True),
    ],
)  # fmt: skip
def test_pytorchs_grouped_product_is_asked_for_what_it_reads(shape, steps, fits):
    """Strides between lines must hold a line, also those of a single line, which mean nothing."""
    assert tensors._aligned(torch.empty_strided(shape, steps, dtype=torch.bfloat16)) is fits


@pytest.fixture
def grouped(monkeypatch):
    """Put a function in the place of PyTorch's grouped product that notes what it is given, and multiplies like it."""
    seen = []

    def product(a, b, *, offs):
        seen.append((a, b, offs))
        step = -(-b.shape[2] // 8) * 8
        bounds = [0, *offs.tolist()]
        made = torch.cat([a[bounds[i] : bounds[i + 1]] @ b[i] for i in range(len(b))])
        return torch.nn.functional.pad(made, (0, step - b.shape[2]))[:, : b.shape[2]]

    monkeypatch.setattr(torch.nn.functional, "grouped_mm", product, raising=False)
    takes = tensors._grouped_takes
    monkeypatch.setattr(tensors, "_grouped_takes", lambda a, b: takes(OnCard(a), b))
    tangent = tensors.arguments.has_tangent
    monkeypatch.setattr(tensors.arguments, "has_tangent", lambda x: tangent(x.x if isinstance(x, OnCard) else x))
    return seen


class OnCard:
    """Stands for a tensor on a GPU."""

    def __init__(self, x):
        self.x, self.device = x, torch.device("cuda")

    def __getattr__(self, name):
        return getattr(self.x, name)


def test_ends_may_lie_apart(grouped):
    """Neither kernel looks at their stride."""
    a, b = draw(7, 16, dtype=torch.bfloat16), draw(3, 16, 8, dtype=torch.bfloat16)
    wanted = torch.cat([a[:2] @ b[0], a[2:3] @ b[1], a[3:] @ b[2]])
    apart = ends(2, 90, 3, 91, 7, 92)[::2]
    torch.testing.assert_close(ops.gemm_grouped(a, b, apart), wanted)
    assert [offs.is_contiguous() for _, _, offs in grouped] == [True]
    operator, call = tensors.gemm_grouped(a, b, apart)
    assert operator.arrays(call, wanted)["ends"].tolist() == [2, 3, 7]
    assert operator.lying(call) == {}
    assert "ends" in operator.lying(call._replace(ends=ends(2, 3, 7)))


def test_results_and_gradients_of_pytorchs_grouped_product_lie_as_they_must(grouped, monkeypatch):
    """It makes rows at multiples of 16 bytes, and reads such gradients only."""
    a, b = draw(6, 16, dtype=torch.bfloat16).requires_grad_(), draw(2, 5, 16, dtype=torch.bfloat16).transpose(1, 2)
    made = ops.gemm_grouped(a.detach(), b, ends(2, 6))
    assert made.is_contiguous()
    assert len(grouped) == 1
    met, product = [], torch.nn.functional.grouped_mm

    class Noting(torch.autograd.Function):
        @staticmethod
        def forward(_, x):
            return x.clone()

        @staticmethod
        def backward(_, gradient):
            met.append(gradient)
            return gradient

    monkeypatch.setattr(
        torch.nn.functional, "grouped_mm", lambda *given, **named: Noting.apply(product(*given, **named))
    )
    ops.gemm_grouped(a, b, ends(2, 6)).sum().backward()
    assert [tensors._aligned(x) and x.stride(1) == 1 for x in met] == [True]
    ones = torch.ones(6, 5, dtype=torch.bfloat16)
    torch.testing.assert_close(a.grad, torch.cat([ones[:2] @ b[0].t(), ones[2:] @ b[1].t()]))


@pytest.mark.parametrize(
    ("rows", "k", "n", "groups", "fits"),
    [(4, 16, 8, 1023, True), (4, 16, 8, 1024, False), (4, 16, 8, 0, False), (0, 16, 8, 2, False), (4, 0, 8, 2, False),
     (4, 16, 0, 2, False)],
)  # fmt: skip
def test_pytorchs_grouped_product_is_not_asked_for_nothing_or_too_much(rows, k, n, groups, fits):
    a = torch.empty_strided((rows, k), (16, 1), dtype=torch.bfloat16)
    b = torch.empty_strided((groups, k, n), (128, 8, 1), dtype=torch.bfloat16)
    assert tensors._grouped_takes(OnCard(a), b) is fits


def test_tangents_do_not_meet_pytorchs_grouped_product(grouped):
    """It has no derivative in forward mode."""
    a, b = draw(6, 16, dtype=torch.bfloat16), draw(2, 16, 8, dtype=torch.bfloat16)
    made, moved = torch.func.jvp(lambda x: ops.gemm_grouped(x, b, ends(2, 6)), (a,), (a,))
    assert grouped == []
    torch.testing.assert_close(made, moved)


def test_a_recorded_graph_reads_no_ends(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_current_stream_capturing", lambda: True)

    class Card(torch.Tensor):
        is_cuda = True

    _, call = tensors.gemm_grouped(draw(4, 8).as_subclass(Card), draw(2, 8, 8), ends(1, 4))
    with pytest.raises(UsageError, match="ends cannot be read"):
        tensors._OPERATOR.own(call)


def test_batches_are_pytorchs_here():
    a, b, bias, added = draw(3, 4, 5), draw(3, 5, 6), draw(3, 6), draw(3, 4, 6)
    found = ops.gemm_batched(a, b, bias=bias, activation="relu", residual=added)
    torch.testing.assert_close(found, torch.relu(a @ b + bias[:, None]) + added)
    torch.testing.assert_close(ops.gemm_batched(a, b[0]), a @ b[0])
    torch.testing.assert_close(
        ops.gemm_batched(a[0], b[0], bias=bias[0], residual=added[0]), a[0] @ b[0] + bias[0] + added[0]
    )


def test_groups_are_pytorchs_here_and_may_be_empty():
    a, b, bias = draw(7, 5), draw(4, 6, 5).transpose(1, 2), draw(4, 6)
    found = ops.gemm_grouped(a, b, ends(3, 3, 4, 7), bias=bias, activation="silu")
    wanted = torch.cat([a[:3] @ b[0] + bias[0], a[3:4] @ b[2] + bias[2], a[4:] @ b[3] + bias[3]])
    torch.testing.assert_close(found, torch.nn.functional.silu(wanted))


def test_no_rows_give_none():
    b = draw(3, 4, 5)
    assert ops.gemm_grouped(draw(0, 4), b, ends(0, 0, 0)).shape == (0, 5)
    assert ops.gemm_grouped(draw(0, 4), b, ends(0, 0, 0), residual=draw(0, 5), bias=draw(3, 5)).shape == (0, 5)
    assert ops.gemm_batched(draw(0, 2, 4), draw(0, 4, 5)).shape == (0, 2, 5)


def test_gradients_are_pytorchs():
    a, b = draw(2, 3, 4).requires_grad_(), draw(2, 4, 5)
    ops.gemm_batched(a, b).sum().backward()
    torch.testing.assert_close(a.grad, b.sum(2)[:, None].expand(2, 3, 4))


def test_compilers_see_the_form_of_the_result():
    a, b = draw(2, 3, 4), draw(2, 4, 5)
    ops.gemm_batched(a, b)  # the operator is registered at the first use
    torch.library.opcheck(torch.ops.hotloop.gemm_batched.default, (a, b, None, None, None, "none"))


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: ops.gemm_batched(draw(2, 3, 4), draw(3, 4, 5)), BadShapeError, "2 matrices and b 3"),
        (lambda: ops.gemm_batched(draw(2, 3, 4), draw(2, 5, 5)), BadShapeError, "4 columns and b matrices of 5 rows"),
        (
            lambda: ops.gemm_batched(draw(2, 3, 4), draw(2, 4, 5), bias=draw(2, 4)),
            BadShapeError,
            "bias has shape (2, 4)",
        ),
        (lambda: ops.gemm_batched(draw(2, 3, 4), draw(2, 4, 5), residual=draw(2, 3, 4)), BadShapeError, "residual has"),
        (lambda: ops.gemm_batched(draw(4), draw(2, 4, 5)), BadArrayError, "a has 1 dimensions"),
        (lambda: ops.gemm_batched(draw(2, 3, 4), draw(2, 4, 5).half()), BadArrayError, "b is float16"),
        (lambda: ops.gemm_grouped(draw(4, 4), draw(2, 4, 5), ends(4)), BadArrayError, "of shape (1,)"),
        (lambda: ops.gemm_grouped(draw(4, 4), draw(2, 4, 5), ends(1, 4).long()), BadArrayError, "ends is int64"),
        (lambda: ops.gemm_grouped(draw(4, 4), draw(2, 4, 5), None), BadArrayError, "ends is None"),
    ],
)
def test_what_does_not_go_together_is_refused(call, error, said):
    with pytest.raises(error) as raised:
        call()
    assert said in str(raised.value)


def test_on_a_gpu_pytorch_runs_until_the_kernel_was_measured(h200, monkeypatch):
    monkeypatch.setattr(place, "facts", lambda _tensor, _backend: place.Place(h200))
    half = torch.float16
    a, b = draw(2, 3, 8, dtype=half), draw(2, 8, 16, dtype=half)
    choice = ops.explain_choice("gemm_batched", a, b)
    assert choice.implementation == PEER
    assert "ops.warm" in choice.source
    _, call = tensors.gemm_batched(a, b)
    operator = tensors._OPERATOR
    tried = operator.alternatives(operator.described(call, gradient=False), a)
    assert len({one.config for one in tried}) == len(tried) > 3
    _, wide = tensors.gemm_batched(a.float(), b.float())
    tried = operator.alternatives(operator.described(wide, gradient=False), a)
    assert "tf32" not in {one.config["PRECISION"] for one in tried}  # PyTorch's flag is off


def test_a_first_call_tries_tiles_by_the_copy_engine_and_one_by_addresses(h200):
    a, b = draw(16, 74, 608, dtype=torch.float16), draw(16, 608, 152, dtype=torch.float16)
    operator = tensors._OPERATOR
    for left, right, paths in (
        (a, b, {"descriptors", "pointers"}),
        (a, b[:, :, :151], {"descriptors", "pointers"}),  # rows are as far apart as before
        (a, b[:, :, :151].contiguous(), {"pointers"}),
        (a[:, :, 1:600], b[:, 1:600], {"pointers"}),
    ):
        _, call = tensors.gemm_batched(left, right)
        described = operator.described(call, gradient=False)
        tried = choosing.alternatives(described, h200)[: operator.glanced]
        assert len(tried) == 3
        assert {one.config.PATH for one in tried} == paths
        tall = [one.config.integer("BM") for one in tried if one.config.PATH == "descriptors"]
        assert all(rows <= 128 for rows in tall)


def test_what_is_a_multiple_of_eight_is_said_to_the_compiler(h200):
    for k, n, eights in ((1272, 520, True), (1272, 521, False), (1271, 520, False)):
        _, call = tensors.gemm_batched(draw(2, 33, k, dtype=torch.float16), draw(2, k, n, dtype=torch.float16))
        described = tensors._OPERATOR.described(call, gradient=False)
        made = program(described.form, described.steps, START, h200)
        assert parse(made.options).values["EIGHT"] is eights


def test_uneven_rows_end_where_the_tensor_does(h200):
    """Five rows for three products: a descriptor of 3 · 2 rows would read behind the tensor."""
    _, call = tensors.gemm_grouped(draw(5, 8, dtype=torch.float16), draw(3, 8, 8, dtype=torch.float16), ends(1, 2, 5))
    described = tensors._OPERATOR.described(call, gradient=False)
    made = program(described.form, described.steps, START.replace(PATH="descriptors"), h200)
    assert parse(made.options).descriptors["a"].shape == (5, 8)


def test_every_awkward_problem_has_a_program(h200):
    for problem in awkward(DEFAULT):
        (launch,) = plan(problem, START, h200).launches
        assert launch.work_items


@TRITON
def test_the_kernel_is_right_in_the_interpreter(interpreted):
    errors = interpreted(Path(__file__).with_name("interpreted.py"))
    paths = errors.pop("paths")
    assert {tuple(path) for path in paths if path[0] == "descriptors"} >= {
        ("descriptors", False, op) for op in ("nn", "nt", "tn", "tt")
    }
    assert ["descriptors", True, "nt"] in paths or ["descriptors", True, "nn"] in paths
    assert len(errors) == 20
    assert {case: error for case, error in errors.items() if error > 1} == {}
