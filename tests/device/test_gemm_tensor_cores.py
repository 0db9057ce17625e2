"""The 16-bit matrix products on a Hopper GPU, through the engine as ``hotloop check`` does: starts and all shipped configurations."""

from __future__ import annotations

import pytest

from hotloop.app.events import Silent
from hotloop.app.run import faceoff
from hotloop.app.session import Options
from hotloop.app.spec import Spec
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.kernels.gemm.rows import TABLE

torch = pytest.importorskip("torch")
if not torch.cuda.is_available() or torch.cuda.get_device_capability()[0] != 9:
    pytest.skip("no Hopper GPU", allow_module_level=True)
pytestmark = pytest.mark.device
SIZES = {
    "persistent": (300, 520, 1096),
    "split": (37, 520, 4104),
    "meet": (128, 256, 4104),
    "hopper": (300, 520, 1096),
    "hopper-skinny": (8, 520, 4104),
}
"""Of which no tile divides every side."""
CONFIGS = sorted({(name, row.config) for name, row in TABLE}, key=repr)


def verified(name, config, level="quick", **sizes):
    m, n, k = SIZES[name]
    problem = DEFAULT.replace(**{"m": m, "n": n, "k": k, "dtype": "bfloat16", **sizes})
    asked = Spec(f"gemm@{name}", KERNEL, tuple(config.items()), implementation=name)
    return faceoff.check(asked, problem, Options(), Silent(), level)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("epilogue", ["none", "bias", "relu", "bias-gelu-erf", "silu"])
@pytest.mark.parametrize("name", list(SIZES))
def test_what_optimize_begins_with_is_right(name, epilogue, dtype):
    level = "quick" if "gelu" in epilogue else "full"  # GELU of minus infinity is its limit here, NaN in the reference
    found = verified(name, KERNEL.implementation(name).start, level, dtype=dtype, epilogue=epilogue)
    assert found.passed, found.answer


@pytest.mark.parametrize(("name", "config"), CONFIGS, ids=str)
def test_every_shipped_configuration_is_right(name, config):
    found = verified(name, config, epilogue="bias-gelu-erf")
    assert found.passed, found.answer


@pytest.mark.parametrize("splits", [2, 4])
def test_slices_that_a_second_kernel_adds_are_right(splits):
    config = KERNEL.implementation("hopper").start.replace(SPLITS=splits, BM=128, BN=128, GROUPS=2)
    found = verified("hopper", config, m=256, epilogue="bias-gelu-erf")
    assert found.passed, found.answer
