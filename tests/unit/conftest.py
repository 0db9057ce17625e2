from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hotloop.model.device import Device

HERE = Path(__file__).parent
os.environ.pop("COLUMNS", None)  # pytest-xdist gives its processes a narrow one


@pytest.fixture(scope="session")
def interpreted():
    """What runs a program that computes with Triton's interpreter, and returns the JSON that it prints last."""

    def run(program: Path):
        path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, "PYTHONPATH": path, "TRITON_INTERPRET": "1", "PYTHONWARNINGS": "ignore"}
        ran = subprocess.run(
            [sys.executable, str(program)], env=environment, capture_output=True, text=True, timeout=850, check=False
        )
        assert ran.returncode == 0, ran.stderr[-3000:]
        return json.loads(ran.stdout.splitlines()[-1])

    return run


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


@pytest.fixture(scope="session")
def elsewhere():
    """Return a function that starts a witness on a device that is none, see `tests/fakes/elsewhere.py`."""

    def start(device=""):
        from hotloop.engine.witness.link import Witness

        fakes = Path(__file__).parents[1] / "fakes"
        path = os.pathsep.join(filter(None, (str(fakes), os.environ.get("PYTHONPATH", ""))))
        return Witness({**os.environ, "PYTHONPATH": path}, device, module="elsewhere")

    return start
