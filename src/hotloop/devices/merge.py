"""One description of a CPU from two witnesses: its OpenCL runtime and the operating system."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hotloop.devices.detect import Processor
    from hotloop.model.device import Device


def with_processor(device: Device, processor: Processor) -> Device:
    """Return a CPU device with instruction set, registers, caches and usable cores of the processor under it.

    Everybody who keeps or looks up results must go through here, because the device's key contains some of these facts.
    """
    return replace(
        device,
        target=processor.target,
        vector_bits=processor.vector_bits,
        vector_registers=processor.vector_registers,
        compute_units=min(device.compute_units, processor.cores),
        cache_line_bytes=device.cache_line_bytes or processor.cache_line_bytes,
        l1_bytes=processor.l1_bytes,
        l2_bytes=processor.l2_bytes,
        llc_bytes=processor.llc_bytes,
    )
