"""The 16-bit matrix products on a Hopper GPU, through the engine as ``hotloop check`` does: starts and all shipped configurations."""

from __future__ import annotations

import pytest

from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.rows import TABLE
from hotloop.kernels.gemm.surveyed import STREAM, STREAMS
from hotloop.model.space import Config

torch = pytest.importorskip("torch")
if not torch.cuda.is_available() or torch.cuda.get_device_capability()[0] != 9:
    pytest.skip("no Hopper GPU", allow_module_level=True)
pytestmark = pytest.mark.device
LANGUAGE = "gluon"
SIZES = {
    "persistent": (300, 520, 1096),
    "split": (37, 520, 4104),
    "meet": (128, 256, 4104),
    "hopper": (300, 520, 1096),
    "hopper-skinny": (8, 520, 4104),
    "hopper-stream": (300, 520, 4104),
}
"""Of which no tile divides every side."""
CONFIGS = sorted(
    {(name, row.config) for name, row in TABLE} | {(STREAM, Config(**tile, CHAIN=1)) for *_, tile in STREAMS}, key=repr
)


@pytest.fixture
def right(checked):
    def told(name, config=(), level="quick", **sizes):
        shape = dict(zip("mnk", SIZES[name], strict=True)) | {"dtype": "bfloat16"} | sizes
        changes = "".join(f",{key}={value}" for key, value in dict(config).items())
        checked(f"gemm@{name}{changes}", ",".join(f"{key}={value}" for key, value in shape.items()), level)

    return told


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("epilogue", ["none", "bias", "relu", "bias-gelu-erf", "silu"])
@pytest.mark.parametrize("name", list(SIZES))
def test_what_optimize_begins_with_is_right(right, name, epilogue, dtype):
    level = "quick" if "gelu" in epilogue else "full"  # GELU of minus infinity is its limit here, NaN in the reference
    right(name, level=level, dtype=dtype, epilogue=epilogue)


@pytest.mark.parametrize(("name", "config"), CONFIGS, ids=str)
def test_every_shipped_configuration_is_right(right, name, config):
    right(name, config, epilogue="bias-gelu-erf")


@pytest.mark.parametrize("splits", [2, 4])
def test_slices_that_a_second_kernel_adds_are_right(right, splits):
    config = KERNEL.implementation("hopper").start.replace(SPLITS=splits, BM=128, BN=128, GROUPS=2)
    right("hopper", config, m=256, epilogue="bias-gelu-erf")
