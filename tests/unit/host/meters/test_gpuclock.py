import sys
from types import ModuleType

import pytest

from hotloop.host.meters import gpuclock


@pytest.fixture
def nvml(monkeypatch):
    """A fake NVML with two GPUs, the second of them throttled."""
    made = ModuleType("pynvml")
    made.NVMLError = type("NVMLError", (Exception,), {})
    made.NVML_CLOCK_SM, made.NVML_CLOCK_MEM, made.NVML_TEMPERATURE_GPU = 1, 2, 0
    made.nvmlInit = lambda: None
    made.nvmlDeviceGetCount = lambda: 3
    made.nvmlDeviceGetHandleByIndex = lambda index: index
    made.nvmlDeviceGetName = lambda handle: [b"Other", "H", "H"][handle]
    made.nvmlDeviceGetClockInfo = lambda handle, kind: 1000 * handle + kind
    made.nvmlDeviceGetTemperature = lambda handle, kind: 40 + handle
    made.nvmlDeviceGetPowerUsage = lambda handle: 123_400
    made.nvmlDeviceGetCurrentClocksThrottleReasons = lambda handle: 0x4 if handle == 2 else 0x1
    monkeypatch.setitem(sys.modules, "pynvml", made)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    gpuclock.handle.cache_clear()
    yield made
    gpuclock.handle.cache_clear()


def test_the_first_gpu_of_the_name(nvml):
    assert gpuclock.state("H") == "SM 1001 MHz, memory 1002 MHz, 41 °C, 123 W, not throttled"
    assert gpuclock.state("Other").startswith("SM 1 MHz")
    assert gpuclock.state("Another") == ""


def test_the_one_that_cuda_may_use(nvml, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2,1")
    assert gpuclock.state("H") == "SM 2001 MHz, memory 2002 MHz, 42 °C, 123 W, throttled: power cap"


@pytest.mark.parametrize(("asked", "told"), [("GPU-b71c", "SM 2001 MHz"), ("GPU-b", "SM 1001 MHz"), ("GPU-f", "")])
def test_the_one_that_cuda_is_told_by_its_identity(nvml, monkeypatch, asked, told):
    """As some schedulers name it; the energy of another GPU of the same kind would be told as its."""
    monkeypatch.setattr(nvml, "nvmlDeviceGetUUID", lambda handle: ["GPU-a1", "GPU-b70c-4", "GPU-b71c-4"][handle], False)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", asked)
    assert gpuclock.state("H").startswith(told)
    assert bool(gpuclock.state("H")) is bool(told)


def test_of_several_engines_each_tells_the_clock_of_its_own(nvml, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,2")
    assert gpuclock.state("H", "2").startswith("SM 2001 MHz")


def test_what_nvml_does_not_tell(nvml, monkeypatch):
    def refuse(*_):
        raise nvml.NVMLError

    monkeypatch.setattr(nvml, "nvmlDeviceGetPowerUsage", refuse)
    assert gpuclock.state("H") == ""
    gpuclock.handle.cache_clear()
    monkeypatch.setattr(nvml, "nvmlInit", refuse)
    assert gpuclock.state("H") == ""


def test_without_nvml(nvml, monkeypatch):
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert gpuclock.state("H") == ""
