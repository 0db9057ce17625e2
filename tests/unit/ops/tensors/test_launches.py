"""What each launch of a matrix product passes, held against the kernels' own parameters; nothing is launched."""

from __future__ import annotations

import contextlib
import inspect

import pytest

from hotloop.kernels.gemm.known_hopper import TABLE
from hotloop.model.space import Config
from hotloop.ops.tensors.products import NAMES

torch = pytest.importorskip("torch")
pytest.importorskip("triton")
pytestmark = pytest.mark.filterwarnings("ignore")

COMPILER = {"num_warps", "num_stages", "maxnreg", "launch_cooperative_grid", "launch_pdl"}
CONSTANTS = {row.kind: row.config for row in TABLE} | {
    "skinny": (16, 64, 256, 5),
    "hopper": (128, 256, 64, 4, 2, False, 2, 16),
    "hopper-ahead": (128, 256, 64, 4, 2, False, 2, 8, 2),
    "hopper-split": (128, 128, 64, 6, 2, False, 1, 8, 4),
}


class Recorder:
    """Stands where a kernel is, and checks a launch against the kernel's signature."""

    def __init__(self, kernel) -> None:
        self.signature = inspect.signature(kernel.fn)
        self.launches = []

    def __getitem__(self, grid):
        def launch(*given, **named):
            options = {name: named.pop(name) for name in COMPILER & set(named)}
            bound = self.signature.bind(*given, **named)
            assert set(bound.arguments) == set(self.signature.parameters)
            self.launches.append((grid, bound.arguments, options))

        return launch


@pytest.fixture
def kernels(monkeypatch):
    from hotloop.kernels.gemm import gluon_hopper, gluon_skinny, jit

    monkeypatch.setattr(torch.cuda, "device", lambda _device: contextlib.nullcontext())
    made = {}
    for module, names in (
        (jit, ("persistent", "split", "meet", "add_slices")),
        (gluon_hopper, ("hopper",)),
        (gluon_skinny, ("skinny",)),
    ):
        for name in names:
            made[name] = Recorder(getattr(module, name))
            monkeypatch.setattr(module, name, made[name])
    return made


@pytest.mark.parametrize("with_bias", [False, True])
@pytest.mark.parametrize("kind", list(NAMES))
def test_every_kind_gives_its_kernel_every_parameter(kernels, kind, with_bias):
    from hotloop.ops.tensors import products_launch

    m, n, k = (16 if kind == "skinny" else 256), 512, 1024
    config = Config(dict(zip(NAMES[kind], CONSTANTS[kind], strict=True)))
    a, b = torch.zeros(m, k, dtype=torch.bfloat16), torch.zeros(k, n, dtype=torch.bfloat16)
    bias = torch.zeros(n, dtype=torch.bfloat16) if with_bias else None
    made = products_launch.run(kind, config, 132, a, b, bias, "gelu-erf")
    assert (tuple(made.shape), made.dtype) == ((m, n), torch.bfloat16)
    (grid, given, options), *more = kernels[kind.removesuffix("-split").removesuffix("-ahead")].launches
    assert not more
    assert (given["m"], given["n"], given["k"]) == (m, n, k)
    programs = grid[0] * (grid[1] if len(grid) > 1 else 1)
    assert 0 < programs <= 132 or kind in ("persistent", "split")
    last = kernels["add_slices"].launches[0][1] if kind == "hopper-split" else given
    assert (last["BIAS"], last["ACT"]) == (with_bias, 2)
    assert last["bias"] is bias or not with_bias
    for name in ("BM", "BN", "BK"):
        if name in given:
            assert given[name] == config[name]
    left, right = given["a"], given["b"]
    assert (left.shape, left.strides) == ([m, k], [k, 1])
    assert left.block_shape == [config["BM"], config["BK"]]
    assert right.block_shape == [config["BK"], config["BN"]]
    assert options["num_warps"] in (4, 8)
    if "work" in given:
        tiles = grid[0] if len(grid) > 1 else -(-n // config.integer("BN"))
        assert given["arrived"].numel() == tiles
        assert not given["arrived"].any()
        parts = config.integer("SPLITS") * tiles if len(grid) > 1 else 2 * grid[0]
        assert given["work"].numel() >= parts * config.integer("BM") * config.integer("BN")


def test_a_single_row_may_have_any_stride(kernels):
    from hotloop.ops.tensors import products_launch

    config = Config(dict(zip(NAMES["split"], (16, 64, 256, 1, 4, 3, 2), strict=True)))
    a = torch.zeros(8, 3, dtype=torch.float16).t()[:1].expand(1, 8).as_strided((1, 8), (5, 1))
    products_launch.run("split", config, 132, a, torch.zeros(8, 8, dtype=torch.float16), None, "none")
    assert kernels["split"].launches[0][1]["a"].strides == [8, 1]


@pytest.mark.parametrize("chain", [0, 1, 2])
def test_a_chain_is_asked_for_where_the_device_knows_it(kernels, monkeypatch, chain):
    from hotloop.ops.tensors import products_launch

    config = Config(dict(zip(NAMES["split"], (16, 64, 256, 1, 4, 3, 2), strict=True)) | {"CHAIN": chain})
    a, b = torch.zeros(1, 64, dtype=torch.bfloat16), torch.zeros(64, 64, dtype=torch.bfloat16)
    for known in (True, False):
        monkeypatch.setattr(products_launch, "chains", lambda _device, known=known: known)
        products_launch.run("split", config, 132, a, b, None, "none")
        _, given, options = kernels["split"].launches.pop()
        assert given["CHAIN"] == (chain if known else 0)
        assert options.get("launch_pdl", False) is (known and chain > 0)
