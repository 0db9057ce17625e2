"""The state of an NVIDIA GPU right after a measurement: clocks, temperature, power, and what holds the clocks down.

Through NVML (package nvidia-ml-py), which needs no privileges for reading; without it the state is not known.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

_HELD_DOWN = {
    0x4: "power cap",
    0x8: "hardware slowdown",
    0x20: "thermal slowdown",
    0x40: "hardware thermal slowdown",
    0x80: "power brake",
}
"""Reasons that are no choice of the user's, by bit: NVML API reference, nvmlClocksEventReasons."""
VISIBLE = "CUDA_VISIBLE_DEVICES"


def state(name: str, visible: str | None = None) -> str:
    """Return clocks, temperature, power and throttling of the GPU of this name in words; empty where NVML does not tell.

    Of several GPUs with one name it is the first that CUDA may use; `visible` says which those are, None: what this process's
    environment says.
    """
    nvml, gpu = handle(name, visible)
    if gpu is None:
        return ""
    try:
        core = nvml.nvmlDeviceGetClockInfo(gpu, nvml.NVML_CLOCK_SM)
        memory = nvml.nvmlDeviceGetClockInfo(gpu, nvml.NVML_CLOCK_MEM)
        heat = nvml.nvmlDeviceGetTemperature(gpu, nvml.NVML_TEMPERATURE_GPU)
        power = nvml.nvmlDeviceGetPowerUsage(gpu) / 1000
        held = described(nvml.nvmlDeviceGetCurrentClocksThrottleReasons(gpu))
    except nvml.NVMLError:
        return ""
    return f"SM {core} MHz, memory {memory} MHz, {heat} °C, {power:.0f} W, {held}"


def described(reasons: int) -> str:
    """Return what holds the clocks down.

    >>> described(0x1), described(0x24)
    ('not throttled', 'throttled: power cap, thermal slowdown')
    """
    active = [text for bit, text in _HELD_DOWN.items() if reasons & bit]
    return f"throttled: {', '.join(active)}" if active else "not throttled"


@cache
def handle(name: str, visible: str | None = None) -> tuple[Any, Any]:
    """Return NVML and its handle of the GPU of this name, each None where there is none."""
    try:
        import pynvml
    except ImportError:
        return None, None
    try:
        pynvml.nvmlInit()
        handles = [pynvml.nvmlDeviceGetHandleByIndex(i) for i in range(pynvml.nvmlDeviceGetCount())]
        named = [h for h in handles if _text(pynvml.nvmlDeviceGetName(h)) == name]
        first = (os.environ.get(VISIBLE, "") if visible is None else visible).partition(",")[0].strip()
        if first.startswith("GPU-"):  # an identity, or so much of it that no other GPU begins with it
            return pynvml, next((h for h in named if _text(pynvml.nvmlDeviceGetUUID(h)).startswith(first)), None)
    except pynvml.NVMLError:
        return pynvml, None
    chosen = handles[int(first)] if first.isdigit() and int(first) < len(handles) else None
    return pynvml, chosen if chosen in named else next(iter(named), None)


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
