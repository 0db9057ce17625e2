"""Kernels are launched first in a process of their own: what faults there is told, and harms nobody."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

from hotloop.model.space import Config  # noqa: E402
from hotloop.ops import apart, functions  # noqa: E402


@pytest.fixture
def tried(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    import planted_operator

    memory = torch.empty(512, dtype=torch.bfloat16)
    first = -memory.data_ptr() % 256 // 2 + 5
    x = memory.as_strided((3, 4), (8, 2), first)
    call = planted_operator.Call(x, torch.tensor([2, 3], dtype=torch.int32), 0.5)
    one = apart.Apart(module="planted_operator")
    yield lambda *kinds: one.troubles(planted_operator.PLANTED, call, [planted_operator.choice(kind) for kind in kinds])
    one.close()
    sys.modules.pop("planted_operator")


def test_a_fault_is_told_and_the_next_kernel_has_a_process_of_its_own(tried, monkeypatch):
    fine, fault, raised, unknown, again = tried("fine", "fault", "raise", "unknown", "fine")
    assert "unknown is not offered" in unknown
    assert (fine, again) == ("", "")
    assert fault.startswith("it ended the process that tried it: ")
    assert raised == "RuntimeError: no such tile"
    monkeypatch.setattr(apart, "LIMIT_S", 0.5)
    (late,) = tried("endless")
    assert "did not end" in late


def test_the_child_knows_the_operators_that_users_call():
    given = {
        "softmax": [torch.randn(4, 8)],
        "gemm": [torch.randn(4, 8), torch.randn(8, 4)],
        "attention": [torch.randn(1, 1, 4, 64)] * 3,
        "depthwise_conv3d": [torch.randn(1, 2, 3, 4, 4), torch.randn(2, 1, 1, 1, 1)],
    }
    nobody = SimpleNamespace(implementation="nobody", config=Config())
    one = apart.Apart()
    try:
        for name, operands in given.items():
            operator, call = functions.explained()[name].call(name, tuple(operands), {})
            assert one.troubles(operator, call, [nobody]) == [
                "LookupError: nobody is not offered for such a call in another process"
            ]
    finally:
        one.close()
