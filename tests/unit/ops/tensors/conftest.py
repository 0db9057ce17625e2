from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.model.device import Device

collect_ignore = ["interpreted.py", "interpreted_fp8.py"]  # a program for a process of its own, which needs PyTorch


@pytest.fixture
def h200():
    """A device that the shipped tables know."""
    return Device(
        name="NVIDIA H200",
        kind="gpu",
        backend="triton",
        runtime="Triton 3.6, PyTorch 2.11",
        runtime_key="cuda",
        driver="13.0",
        target="sm_90",
        compute_units=132,
        local_mem_bytes=232448,
        max_workgroup=1024,
    )


@pytest.fixture
def a100(h200):
    """A device that has the instructions and no measurements."""
    return replace(h200, name="NVIDIA A100", target="sm_80", compute_units=108, local_mem_bytes=166912)
