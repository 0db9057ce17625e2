"""OpenCL C programs on the oclgrind simulator: like any runtime, but every array is a buffer of its own size.

Elsewhere canary bands lie in the same buffer as the array. A simulator that knows where each buffer ends finds accesses
beyond it by itself, reads that change nothing included, if there is no band to hide them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyopencl as cl

from hotloop.drivers.icd import OpenCL
from hotloop.drivers.opencl import BandedBuffer, Handle
from hotloop.errors import first_line
from hotloop.model.device import Device
from hotloop.ports import BAND_BYTES, Buffer, LaunchError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NAME = "oclgrind"


class Oclgrind(OpenCL):
    """Implements the `Backend` port on the simulator."""

    def devices(self) -> Sequence[Device]:
        """List nothing: the simulator is asked for by name, never offered for timing."""
        return []

    def select(self, device_name: str) -> Device:  # noqa: ARG002 - there is one simulator
        """Use the simulator."""
        return super().select(_NAME)

    def allocate(self, banded_bytes: int) -> Buffer:
        """Return device memory for an array, its bands kept on the host."""
        return ExactBuffer(self.handle, banded_bytes)


class ExactBuffer(BandedBuffer):
    """A device buffer as large as the payload."""

    def __init__(self, handle: Handle, banded_bytes: int) -> None:
        self._queue = handle.queue
        self._banded = np.zeros(banded_bytes, np.uint8)
        self._inside = slice(BAND_BYTES, banded_bytes - BAND_BYTES)
        size_bytes = max(banded_bytes - 2 * BAND_BYTES, 1)
        try:
            self.payload = cl.Buffer(handle.context, cl.mem_flags.READ_WRITE, size=size_bytes)
        except cl.Error as error:
            raise LaunchError(f"cannot allocate {size_bytes} bytes: {first_line(error)}") from error

    def write(self, banded: NDArray[np.uint8]) -> None:
        """Copy the payload to the device and keep the bands."""
        self._banded[:] = banded
        if self._banded[self._inside].size:
            cl.enqueue_copy(self._queue, self.payload, self._banded[self._inside])

    def read(self, banded: NDArray[np.uint8]) -> None:
        """Copy the payload back between the bands."""
        banded[:] = self._banded
        if banded[self._inside].size:
            cl.enqueue_copy(self._queue, banded[self._inside], self.payload)


BACKEND = Oclgrind
