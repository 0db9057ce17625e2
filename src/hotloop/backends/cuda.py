"""CUDA C++ programs on NVIDIA GPUs: NVRTC compiles them, the driver runs them; docs/decisions/cuda.md."""

from __future__ import annotations

from hotloop.drivers.cuda import CudaDriver
from hotloop.drivers.gpu import GpuBackend


class Cuda(GpuBackend):
    """Implements the `Backend` port with NVIDIA's own Python bindings."""

    def __init__(self) -> None:
        super().__init__(CudaDriver())


BACKEND = Cuda
