"""What Triton makes of the kernels for sm_90, sm_80 and gfx942: registers, spills, shared memory, instructions. No GPU."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CHILD = Path(__file__).with_name("compile_child.py")
SHARED_BYTES = {"sm_90": 227 * 1024, "sm_80": 163 * 1024, "gfx942": 64 * 1024}
REGISTERS = {"sm_90": 255, "sm_80": 255, "gfx942": 512}
PATCHES = {"FORM": "patches", "PLANES": 20}
OTHERS = {
    "strides": ({**PATCHES, "num_stages": 2}, {"stride": (1, 2, 2), "kernel": (3, 3, 3), "padding": (1, 1, 1)}),
    "dilation": (PATCHES, {"stride": (2, 1, 1), "dilation": (2, 2, 1), "kernel": (3, 3, 3)}),
    "one warp": ({**PATCHES, "PATCHES": 32, "num_warps": 1, "num_stages": 3}, {"multiplier": 2}),
    "channels last": ("best", {"channels_last": True, "dtype": "float16"}),
    "large window": (
        "best",
        {"channels_last": True, "dtype": "float16", "kernel": (7, 7, 7), "dilation": (2, 1, 1), "c": 13},
    ),
}
CASES = {
    **{("patches", target): (target, "best", {}) for target in SHARED_BYTES},
    **{("taps", target): (target, "best", {"dtype": "float32"}) for target in SHARED_BYTES},
    **{("others", name): ("sm_90", *case) for name, case in OTHERS.items()},
}
pytestmark = pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """What came of all cases, from one process of their own: Triton keeps state and warns."""
    environment = {**os.environ, "TRITON_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))}
    command = [sys.executable, str(CHILD), json.dumps(list(CASES.values()))]
    ran = subprocess.run(
        command, env={**environment, "TRITON_DEFAULT_FP_FUSION": "1"}, capture_output=True, text=True, timeout=850, check=False
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    return dict(zip(CASES, json.loads(ran.stdout.splitlines()[-1]), strict=True))


@pytest.mark.parametrize("target", SHARED_BYTES)
def test_patches_are_matrix_products_without_spills(compiled, target):
    made = compiled["patches", target]
    assert made["spilled"] == 0
    assert made["registers"] <= REGISTERS[target]
    assert made["shared_bytes"] <= SHARED_BYTES[target]
    assert made["matrix"] >= 4  # 64 inputs, 16 in an instruction; one for all depths
    assert (made["copies"] > 0) == target.startswith("sm_")


@pytest.mark.parametrize("target", SHARED_BYTES)
def test_taps_keep_their_weights_without_spills(compiled, target):
    made = compiled["taps", target]
    assert (made["spilled"], made["shared_bytes"], made["matrix"]) == (0, 0, 0)
    assert made["registers"] <= REGISTERS[target] // 1.4  # 182: two groups of 128 threads and more on a multiprocessor


@pytest.mark.parametrize("name", OTHERS)
def test_other_forms_spill_nothing(compiled, name):
    made = compiled["others", name]
    assert made["spilled"] == 0
    assert (made["matrix"] > 0) == (name not in ("channels last", "large window"))
