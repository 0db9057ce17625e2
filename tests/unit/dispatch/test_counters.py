"""Zeros that kernels set back; on the processor there is nothing to keep them for."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")


def test_elsewhere_than_on_a_gpu_they_are_fresh():
    from hotloop.dispatch import counters

    first = counters.zeros(torch.device("cpu"), 5, "split")
    first += 1
    second = counters.zeros(torch.device("cpu"), 5, "split")
    assert second.tolist() == [0] * 5
    assert second.dtype == torch.int32


@pytest.fixture
def gpu(monkeypatch):
    """What stands for PyTorch's answers about one GPU."""
    from hotloop.dispatch import counters

    said = SimpleNamespace(cuda_stream=1, capturing=False, waited=0)
    said.synchronize = lambda: setattr(said, "waited", said.waited + 1)
    monkeypatch.setattr(torch.cuda, "is_current_stream_capturing", lambda: said.capturing)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda _device: said)
    real = torch.zeros
    monkeypatch.setattr(torch, "zeros", lambda size, dtype, device: real(size, dtype=dtype))
    monkeypatch.setattr(counters, "_kept", {})
    monkeypatch.setattr(counters, "_reserves", {})
    return said


def test_on_a_gpu_they_are_kept_by_stream_and_use_and_grow(gpu):
    from hotloop.dispatch import counters

    device = torch.device("cuda", 0)
    first = counters.zeros(device, 4, "split")
    assert counters.zeros(device, 900, "split") is first
    assert counters.zeros(device, 4, "meet 2") is not first
    assert counters.zeros(device, 5000, "split").numel() >= 5000
    gpu.cuda_stream = 2
    other = counters.zeros(device, 4, "split")
    assert other is not counters.zeros(device, 5000, "meet 2")
    gpu.capturing = True
    assert counters.zeros(device, 4, "split") is not other


def test_each_launch_of_a_graph_has_its_own(gpu):
    from hotloop.dispatch import counters

    device = torch.device("cuda", 0)
    gpu.capturing = True
    assert counters.zeros(device, 4, "split").tolist() == [0] * 4  # nothing was cleared yet: the graph clears its own
    assert not counters._reserves
    gpu.capturing = False
    kept = counters.zeros(device, 4, "split")
    counters.zeros(device, 4, "split")
    assert gpu.waited == 1
    gpu.capturing = True
    first, second = counters.zeros(device, 33, "split"), counters.zeros(device, 5, "split")
    assert second.data_ptr() - first.data_ptr() == 4 * 64  # whole lines
    assert (first.numel(), second.numel()) == (33, 5)
    assert kept.data_ptr() not in (first.data_ptr(), second.data_ptr())
    beyond = counters.zeros(device, counters.RESERVE, "split")
    assert beyond.numel() == counters.RESERVE
    assert counters.zeros(device, 5, "split").data_ptr() == second.data_ptr() + 4 * 32
