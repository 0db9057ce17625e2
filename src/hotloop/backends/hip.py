"""HIP C++ programs on AMD GPUs: hiprtc compiles them, the HIP runtime runs them; docs/decisions/cuda.md."""

from __future__ import annotations

from hotloop.drivers.gpu import GpuBackend
from hotloop.drivers.hip import HipDriver


class Hip(GpuBackend):
    """Implements the `Backend` port with AMD's own Python bindings."""

    def __init__(self) -> None:
        super().__init__(HipDriver())


BACKEND = Hip
