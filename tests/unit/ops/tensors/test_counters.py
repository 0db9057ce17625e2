"""Zeros that kernels set back; on the processor there is nothing to keep them for."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")


def test_elsewhere_than_on_a_gpu_they_are_fresh():
    from hotloop.ops.tensors import counters

    first = counters.zeros(torch.device("cpu"), 5, "split")
    first += 1
    second = counters.zeros(torch.device("cpu"), 5, "split")
    assert second.tolist() == [0] * 5
    assert second.dtype == torch.int32


def test_on_a_gpu_they_are_kept_by_stream_and_use_and_grow(monkeypatch):
    from types import SimpleNamespace

    from hotloop.ops.tensors import counters

    stream = SimpleNamespace(cuda_stream=1)
    capturing = [False]
    monkeypatch.setattr(torch.cuda, "is_current_stream_capturing", lambda: capturing[0])
    monkeypatch.setattr(torch.cuda, "current_stream", lambda _device: stream)
    real = torch.zeros
    monkeypatch.setattr(torch, "zeros", lambda size, dtype, device: real(size, dtype=dtype))
    monkeypatch.setattr(counters, "_kept", {})
    device = torch.device("cuda", 0)
    first = counters.zeros(device, 4, "split")
    assert counters.zeros(device, 900, "split") is first
    assert counters.zeros(device, 4, "meet 2") is not first
    assert counters.zeros(device, 5000, "split").numel() >= 5000
    stream.cuda_stream = 2
    other = counters.zeros(device, 4, "split")
    assert other is not counters.zeros(device, 5000, "meet 2")
    capturing[0] = True
    assert counters.zeros(device, 4, "split") is not other
