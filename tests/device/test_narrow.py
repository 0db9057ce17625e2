"""Products of 8-bit floats and with 4-bit weights through the engine on a real GPU: starts and shipped configurations."""

from __future__ import annotations

import pytest

from hotloop.kernels.gemm_fp8.rule import EXACT, FAST, FEW, MANY
from hotloop.kernels.gemm_int4.rule import SHIPPED

torch = pytest.importorskip("torch")
if not torch.cuda.is_available() or torch.cuda.get_device_capability() != (9, 0):
    pytest.skip("no Hopper GPU", allow_module_level=True)
pytestmark = [pytest.mark.device, pytest.mark.filterwarnings("ignore")]
LANGUAGE = "gluon"
CONFIGS = {
    "gemm_fp8@triton": ("", FEW, FEW.replace(SPLITS=4), MANY),
    "gemm_fp8@gluon": ("", EXACT, FAST),
    "gemm_int4@triton": ("", SHIPPED, SHIPPED.replace(SPLITS=4), SHIPPED.replace(BM=64, BN=128)),
}


@pytest.mark.parametrize(
    ("name", "config"), [(name, config) for name, several in CONFIGS.items() for config in several], ids=str
)
def test_every_case_of_a_full_check_passes(checked, name, config):
    changes = "".join(f",{key}={value}" for key, value in dict(config or {}).items())
    checked(f"{name}{changes}", "256x512x1024", "full")
