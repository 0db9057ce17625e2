"""Calls with views in a model in use: they are known again as others are, where their memory is an operand and where it is copied."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

from hotloop import ops  # noqa: E402
from hotloop.dispatch import remembered  # noqa: E402
from hotloop.ops import intercepted, replaced  # noqa: E402


@pytest.fixture
def taken(monkeypatch):
    monkeypatch.setattr(intercepted, "KINDS", ["cpu"])
    remembered.forget()
    yield
    remembered.forget()


def never(*_given, **_named):
    raise AssertionError("it was judged anew")


@pytest.mark.parametrize("batch", [1, 2])
def test_a_view_is_judged_once(taken, monkeypatch, batch):
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.GELU(), torch.nn.Linear(16, 8)).eval()
    layer = torch.nn.Linear(8, 4)
    first, second = (torch.randn(batch, 8, 3, 6, 6).movedim(1, -1) for _ in range(2))
    with torch.no_grad():
        wanted = [(model(x), layer(x)) for x in (first, second)]
        usage = ops.use(model)
        with ops.used():
            for _ in range(2):
                found = model(first), layer(first)
            for name in ("_anew", "refusal"):
                monkeypatch.setattr(replaced, name, never)
            monkeypatch.setattr(intercepted.Used, "_routed", never)
            again = model(second), layer(second)
        usage.remove()
    for made, due in zip((*found, *again), (*wanted[0], *wanted[1]), strict=True):
        torch.testing.assert_close(made, due)
