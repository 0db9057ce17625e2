"""Products of 8-bit floats and with 4-bit weights through the engine on a real GPU: starts and shipped configurations."""

from __future__ import annotations

import pytest

from hotloop.cli.main import main
from hotloop.kernels.gemm_fp8.rule import EXACT, FAST, FEW, MANY
from hotloop.kernels.gemm_int4.rule import SHIPPED

torch = pytest.importorskip("torch")
if not torch.cuda.is_available() or torch.cuda.get_device_capability() != (9, 0):
    pytest.skip("no Hopper GPU", allow_module_level=True)
pytestmark = [pytest.mark.device, pytest.mark.filterwarnings("ignore")]
CONFIGS = {
    "gemm_fp8@triton": ("", FEW, FEW.replace(SPLITS=4), MANY),
    "gemm_fp8@gluon": ("", EXACT, FAST),
    "gemm_int4@triton": ("", SHIPPED, SHIPPED.replace(SPLITS=4), SHIPPED.replace(BM=64, BN=128)),
}


@pytest.fixture
def run(capfd, tmp_path, monkeypatch):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.delenv("TRITON_INTERPRET", raising=False)

    def ran(*arguments):
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return left.value.code, captured.out + captured.err

    return ran


@pytest.mark.parametrize(
    ("name", "config"), [(name, config) for name, several in CONFIGS.items() for config in several], ids=str
)
def test_every_case_of_a_full_check_passes(run, name, config):
    family, _, implementation = name.partition("@")
    changes = ",".join(f"{key}={value}" for key, value in dict(config or {}).items())
    spec = f"{family}@{implementation}" + (f",{changes}" if changes else "")
    code, text = run("check", spec, "--shape", "256x512x1024")
    assert code == 0, text
