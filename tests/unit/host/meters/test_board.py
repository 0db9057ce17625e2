import sys
from types import ModuleType

import pytest

from hotloop.errors import MachineError
from hotloop.host.meters import board, gpuclock
from hotloop.model.energy import Unmetered


@pytest.fixture
def nvml(monkeypatch):
    """A fake NVML with one GPU that has taken 5 kJ so far."""
    made = ModuleType("pynvml")
    made.NVMLError = type("NVMLError", (Exception,), {})
    made.taken_mj, made.divided = 5_000_000, 0
    made.nvmlInit = lambda: None
    made.nvmlDeviceGetCount = lambda: 1
    made.nvmlDeviceGetHandleByIndex = lambda index: index
    made.nvmlDeviceGetName = lambda handle: "H"
    made.nvmlDeviceGetMigMode = lambda handle: (made.divided, made.divided)
    made.nvmlDeviceGetTotalEnergyConsumption = lambda handle: made.taken_mj
    monkeypatch.setitem(sys.modules, "pynvml", made)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    gpuclock.handle.cache_clear()
    yield made
    gpuclock.handle.cache_clear()


def refused(*_):
    raise sys.modules["pynvml"].NVMLError("Not Supported")


def test_joules_since_it_was_opened(nvml):
    meter = board.meter("H")
    assert (meter.source, meter.joules()) == ("NVML, board of H", 0.0)
    nvml.taken_mj += 12_345
    assert meter.joules() == pytest.approx(12.345)


def test_cards_that_do_not_count(nvml, monkeypatch):
    monkeypatch.setattr(nvml, "nvmlDeviceGetTotalEnergyConsumption", refused)
    assert board.meter("H") == Unmetered("H has no energy counter that NVML reads: Not Supported")


def test_a_card_before_mig_existed(nvml, monkeypatch):
    monkeypatch.setattr(nvml, "nvmlDeviceGetMigMode", refused)
    assert board.meter("H").joules() == 0.0


def test_parts_of_a_card_share_its_counter(nvml):
    nvml.divided = 1
    assert board.meter("H") == Unmetered("H is divided by MIG, and its parts share one energy counter")


def test_no_such_card_and_no_nvml(nvml, monkeypatch):
    assert "no GPU named Other" in board.meter("Other").reason
    gpuclock.handle.cache_clear()
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert board.meter("H") == Unmetered("energy of NVIDIA GPUs is read through NVML: pip install nvidia-ml-py")


def test_a_card_that_falls_off_the_bus(nvml, monkeypatch):
    meter = board.meter("H")
    monkeypatch.setattr(nvml, "nvmlDeviceGetTotalEnergyConsumption", refused)
    with pytest.raises(MachineError, match="NVML, board of H cannot be read any more: Not Supported"):
        meter.joules()
