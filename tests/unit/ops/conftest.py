from __future__ import annotations

import pytest

from hotloop.dispatch.family import find
from hotloop.model.device import Device


@pytest.fixture
def cpu():
    """A device that the shipped table knows."""
    return Device(
        name="Test CPU",
        kind="cpu",
        backend="opencl",
        runtime="Test 1.0",
        runtime_key="test",
        driver="1",
        target="x86-64-avx2",
        compute_units=2,
        vector_bits=256,
        max_workgroup=4096,
        local_mem_bytes=1 << 20,
        fp64=True,
    )


@pytest.fixture
def gemm():
    return find("gemm")
