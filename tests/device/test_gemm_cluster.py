"""The clustered products in CUDA C++ on a Hopper GPU, through the engine as ``hotloop check`` does."""

from __future__ import annotations

import pytest

from hotloop.kernels.gemm.hopper_cluster.space import SPACE, START, deepest

torch = pytest.importorskip("torch")
if not torch.cuda.is_available() or torch.cuda.get_device_capability()[0] != 9:
    pytest.skip("no Hopper GPU", allow_module_level=True)
pytest.importorskip("cuda.bindings")
pytestmark = pytest.mark.device
LANGUAGE = "cuda"
FORMS = (
    {},
    {"BM": 8},
    {"BM": 16, "SPLITS": 4},
    {"BM": 48, "GROUPS": 2, "SPLITS": 3},
    {"BM": 80, "GROUPS": 3, "SPLITS": 2, "SHARES": 2},
    {"BM": 112, "GROUPS": 2, "BLOCKS": 2, "SPLITS": 5},
    {"BM": 160, "GROUPS": 2, "BLOCKS": 2, "SHARES": 2},
    {"BM": 192, "GROUPS": 3, "SPLITS": 8},
    {"BM": 256, "GROUPS": 2, "SPLITS": 2, "SHARES": 4},
    {"BM": 208, "GROUPS": 1, "SPLITS": 7},
)
SIZES = {"m": 150, "n": 1034, "k": 4104}
"""Of which no tile divides every side."""


@pytest.fixture
def right(checked):
    def told(changes, level="quick", **sizes):
        config = deepest(START.replace(**changes))
        assert SPACE.violation(config) is None
        text = "".join(f",{name}={config[name]}" for name in dict(config))
        shape = {**SIZES, "dtype": "bfloat16", "op": "nt", **sizes}
        checked(f"gemm@hopper-cluster{text}", ",".join(f"{key}={value}" for key, value in shape.items()), level)

    return told


@pytest.mark.parametrize("chain", [0, 1, 3])
@pytest.mark.parametrize("changes", FORMS, ids=str)
def test_every_form_of_a_cluster_is_right(right, changes, chain):
    right({**changes, "CHAIN": chain}, epilogue="bias-gelu-erf")


@pytest.mark.parametrize("changes", FORMS, ids=str)
def test_weights_by_rows_are_right(right, changes):
    right({**changes, "CHAIN": 1}, n=1048, op="nn", epilogue="bias")


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("epilogue", ["none", "bias", "relu", "silu"])
def test_epilogues_and_types_are_right(right, epilogue, dtype):
    right({"BM": 48, "SPLITS": 2, "CHAIN": 1}, level="full", dtype=dtype, epilogue=epilogue)
