from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
collect_ignore = ["interpreter.py"]  # importing it chooses Triton's interpreter for the whole process


@pytest.fixture(scope="session")
def interpreted():
    """What runs a program that computes with Triton's interpreter, and returns the JSON that it prints last."""

    def run(program: Path):
        path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, "PYTHONPATH": path, "TRITON_INTERPRET": "1", "PYTHONWARNINGS": "ignore"}
        ran = subprocess.run(
            [sys.executable, str(program)], env=environment, capture_output=True, text=True, timeout=280, check=False
        )
        assert ran.returncode == 0, ran.stderr[-3000:]
        return json.loads(ran.stdout.splitlines()[-1])

    return run
