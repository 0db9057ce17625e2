"""`hotloop.ops.depthwise_conv3d` on a real GPU with NaN and infinities: they reach the windows that hold them, and no other."""

from __future__ import annotations

import pytest

from hotloop import ops

torch = pytest.importorskip("torch")
pytest.importorskip("cuda.bindings")
if not torch.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)
from hotloop.dispatch import glance  # noqa: E402 - it needs PyTorch

pytestmark = [pytest.mark.device, pytest.mark.filterwarnings("ignore")]
KINDS = (float("nan"), float("inf"), float("-inf"))
HALF_ULP = {torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11}
CASES = {
    "video": ((1, 24, 11, 45, 80), (3, 5, 5), (0, 2, 2)),
    "padding along depth": ((2, 16, 9, 60, 104), (3, 3, 3), (1, 1, 1)),
    "5 x 5 x 5, ragged": ((1, 9, 6, 37, 22), (5, 5, 5), (2, 2, 2)),
    "one plane at a time": ((1, 7, 4, 90, 160), (1, 5, 5), (0, 2, 2)),
    "no padding": ((1, 9, 8, 34, 48), (3, 3, 3), (0, 0, 0)),
}


def drawn(case, dtype):
    size, window, padding = CASES[case]
    generator = torch.Generator(device="cuda").manual_seed(3)
    x = torch.randn(size, device="cuda", generator=generator).to(dtype)
    weight = torch.randn((size[1], 1, *window), device="cuda", generator=generator).to(dtype)
    return x, weight, padding


def exact(x, weight, padding):
    """Return float64 sums over the zero-padded input, in which every tap multiplies what it sees, and their magnitudes."""
    around = [pad for pad in reversed(padding) for _ in range(2)]
    wide = torch.nn.functional.pad(x.double(), around)
    d, h, w = (n - k + 1 for n, k in zip(wide.shape[2:], weight.shape[2:], strict=True))
    total = torch.zeros((*x.shape[:2], d, h, w), device="cuda", dtype=torch.float64)
    size = torch.zeros_like(total)
    for a, b, e in torch.cartesian_prod(*(torch.arange(k) for k in weight.shape[2:])).tolist():
        term = wide[:, :, a : a + d, b : b + h, e : e + w] * weight[None, :, 0, a, b, e, None, None, None].double()
        total += term
        size += term.abs()
    return total, size


def agree(found, wanted, size):
    assert torch.equal(found.isnan(), wanted.isnan())
    assert torch.equal(found[wanted.isinf()].double(), wanted[wanted.isinf()])
    finite = wanted.isfinite()
    bound = HALF_ULP[found.dtype] * 1.01 * wanted.abs() + 4e-5 * size + 1e-7
    assert ((found.double() - wanted).abs()[finite] <= bound[finite]).all()


@pytest.fixture
def kernels(tmp_path, monkeypatch):
    """Let the kernel that is foreseen run: PyTorch's, which a first look finds faster at some sizes, skips weights beside the input."""
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setattr(glance, "_WANTED", False)
    ops.refresh()
    yield
    monkeypatch.undo()
    ops.refresh()


@pytest.mark.parametrize("dtype", list(HALF_ULP), ids=str)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("kernels")
def test_in_the_input(case, dtype):
    x, weight, padding = drawn(case, dtype)
    places = torch.randint(x.numel(), (30,), generator=torch.Generator().manual_seed(4)).tolist()
    for number, place in enumerate([0, x.numel() - 1, x.shape[-1] - 1, *places]):
        x.view(-1)[place] = KINDS[number % 3]
    assert ops.explain_choice("depthwise_conv3d", x, weight, padding=padding).implementation == "cuda"
    agree(ops.depthwise_conv3d(x, weight, padding=padding), *exact(x, weight, padding))
    x[:, 0] = float("nan")
    x[:, 1] = float("inf")
    agree(ops.depthwise_conv3d(x, weight, padding=padding), *exact(x, weight, padding))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("kernels")
def test_in_the_weights(case):
    x, weight, padding = drawn(case, torch.bfloat16)
    assert ops.explain_choice("depthwise_conv3d", x, weight, padding=padding).implementation == "cuda"
    last = tuple(k - 1 for k in weight.shape[2:])
    weight[0, 0, 0, 0, 0], weight[2, 0, *last], weight[4, 0, 0, 1, 1] = KINDS
    agree(ops.depthwise_conv3d(x, weight, padding=padding), *exact(x, weight, padding))
