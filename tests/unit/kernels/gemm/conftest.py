from __future__ import annotations

import pytest

from hotloop.model.device import Device


@pytest.fixture
def device() -> Device:
    return Device(
        name="two cores",
        kind="cpu",
        backend="opencl",
        runtime="Intel OpenCL",
        runtime_key="intel",
        target="x86-64-avx2",
        compute_units=2,
        vector_bits=256,
        vector_registers=16,
        local_mem_bytes=256 << 10,
        max_workgroup=8192,
        fp16=True,
        fp64=True,
    )
