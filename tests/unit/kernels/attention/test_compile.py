"""What Triton and ptxas make of the kernels for sm_90: registers, spills, shared memory, instructions. No GPU."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hotloop.kernels.attention.plan import FEW, SHARED_BYTES, config_for

CHILD = Path(__file__).with_name("compile_child.py")
pytestmark = pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")


def compiled(tmp_path, name, **choices):
    """Compile in a process of its own: Triton keeps state and warns."""
    environment = {**os.environ, "TRITON_CACHE_DIR": str(tmp_path), "TRITON_DEFAULT_FP_FUSION": "1"}
    command = [sys.executable, str(CHILD), name, json.dumps(choices)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=280, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(ran.stdout.splitlines()[-1])


@pytest.mark.parametrize(("size", "causal", "packed"), [(128, False, False), (128, True, True), (256, False, False)])
def test_the_specialized_kernel_keeps_everything_in_registers(tmp_path, size, causal, packed):
    made = compiled(tmp_path, "gluon", size=size, causal=causal, packed=packed)
    config = config_for(size)
    assert made["registers"] <= 168  # 65536 registers for 384 threads; the groups trade them with setmaxnreg
    # A few numbers of a tile may leave registers between tiles; an accumulator would be some hundred bytes.
    assert made["stack_bytes"] <= 128
    assert config.shared_bytes(size) < made["shared_bytes"] <= SHARED_BYTES
    scores, output = size // 16, config.keys // 16
    # First block, the masked loop of a causal kernel, the other loop; the last output product. Twice, once per group.
    steps = 2 + causal  # the first and last half step count as one
    assert made["wgmma"] == 2 * (steps * scores + steps * output)
    # The first scores, the last output, and two waits a step: more would mean that ptxas waits for every product.
    assert made["waits"] == 2 * (2 * steps)
    assert made["setmaxnreg"] >= 2


def test_the_plain_kernel_fits(tmp_path):
    made = compiled(tmp_path, "jit", size=128, causal=True)
    assert made["registers"] <= 255
    assert made["stack_bytes"] == 0
    assert made["wgmma"] > 0


def test_the_kernel_of_few_queries_has_more_bytes_under_way(tmp_path):
    made = compiled(tmp_path, "gluon", size=128, causal=False, cut=True)
    assert made["stack_bytes"] <= 128
    assert FEW[128].shared_bytes(128) < made["shared_bytes"] <= SHARED_BYTES
    assert FEW[128].stages > config_for(128).stages
