"""The energy that an NVIDIA GPU takes, its whole board, as NVML counts it since the driver was loaded, in mJ.

The counter is for Volta and newer (NVML API reference, nvmlDeviceGetTotalEnergyConsumption), and it moves in steps of tens of
milliseconds, so whoever measures with it must find out how long they are.
"""

from __future__ import annotations

from typing import Any

from hotloop.errors import MachineError
from hotloop.host.meters import gpuclock
from hotloop.model.energy import Unmetered

MILLIJOULE = 1e-3


class Board:
    """A `Meter` of one GPU."""

    resolution_j = MILLIJOULE
    period_s: float | None = None

    def __init__(self, nvml: Any, handle: Any, name: str) -> None:  # noqa: ANN401 - NVML has no types
        self._nvml, self._handle = nvml, handle
        self.source = f"NVML, board of {name}"
        self._first = int(nvml.nvmlDeviceGetTotalEnergyConsumption(handle))

    def joules(self) -> float:
        """Return what the board took since the meter was opened."""
        try:
            return MILLIJOULE * (int(self._nvml.nvmlDeviceGetTotalEnergyConsumption(self._handle)) - self._first)
        except self._nvml.NVMLError as error:
            raise MachineError(f"the energy counter {self.source} cannot be read any more: {error}.") from error


def meter(name: str) -> Board | Unmetered:
    """Return the meter of the GPU of this name, or why there is none; of several it is the one that CUDA may use."""
    nvml, handle = gpuclock.handle(name)
    if nvml is None:
        return Unmetered("energy of NVIDIA GPUs is read through NVML: pip install nvidia-ml-py")
    if handle is None:
        return Unmetered(f"NVML knows no GPU named {name}: its driver's libnvidia-ml is missing or does not list it")
    try:
        if _shared(nvml, handle):
            return Unmetered(f"{name} is divided by MIG, and its parts share one energy counter")
        return Board(nvml, handle, name)
    except nvml.NVMLError as error:
        return Unmetered(f"{name} has no energy counter that NVML reads: {error}")


def _shared(nvml: Any, handle: Any) -> bool:  # noqa: ANN401
    try:
        return bool(nvml.nvmlDeviceGetMigMode(handle)[0])
    except nvml.NVMLError:  # not supported: it cannot be divided
        return False
