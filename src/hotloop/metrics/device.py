"""Facts about the device that rules weigh a variant against."""

from __future__ import annotations

from hotloop.metrics.fact import absent, evidence, fact
from hotloop.model.device import Device
from hotloop.model.evidence import Evidence, Provenance


def device_facts(device: Device) -> Evidence:
    """Return the ``device.*`` facts; what the device does not tell is absent."""
    values = {
        "device.vector_bits": device.vector_bits,
        "device.vector_registers": device.vector_registers,
        "device.local_dedicated": float(device.local_mem_dedicated),
        "device.l1_bytes": device.l1_bytes,
        "device.l2_bytes": device.l2_bytes,
        "device.compute_units": device.compute_units,
    }
    source = f"{device.name}, {device.runtime}"
    return evidence(
        absent(name, "the device does not tell") if value is None else fact(name, value, Provenance.DERIVED, source)
        for name, value in values.items()
    )
