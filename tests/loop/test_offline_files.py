"""Files as people publish them: compiled as a launch would, without PyTorch, without a GPU, inside packages."""

from types import SimpleNamespace

import pytest

from hotloop.app.code.offline import compile_offline
from hotloop.compilers import absent, usage
from hotloop.compilers.offer import Compiled
from hotloop.errors import UsageError
from hotloop.host import toolchain

pytestmark = pytest.mark.skipif(toolchain.package("triton") is None, reason="the package triton is not installed")

HALVES = """import numpy as np, triton, triton.language as tl
import hotloop as hl

@triton.jit
def product(a, b, c, n, sa, one, BM: tl.constexpr, BK: tl.constexpr):
    i, k = tl.arange(0, BM), tl.arange(0, BK)
    at, bt = a + i[:, None] * sa + k[None, :] * one, b + k[:, None] * sa + i[None, :] * one
    total = tl.zeros((BM, BM), tl.float32)
    for _ in range(0, n, BK):
        total = tl.dot(tl.load(at), tl.load(bt), total)
        at += BK * one
        bt += BK * sa
    tl.store(c + i[:, None] * sa + i[None, :] * one, total.to(tl.float16))

@hl.kernel(problem=dict(n=4096), work=lambda p: hl.Work(flops=2 * p.n**3, bytes=6 * p.n**2))
class matmul:
    def inputs(p, rng):
        return dict(a=np.zeros((64, p.n), "f2"), b=np.zeros((64, p.n), "f2"), c=hl.empty((64, p.n), "float16"), n=p.n)
    def reference(p, a, b, c, n): return dict(c=c)
    triton = hl.Triton(product, params=dict(BM=[128], BK=[64], num_warps=[8], num_stages=[3]), args=["a", "b", "c", "n"],
        constants=lambda p, c: dict(sa=p.n + c.BM, one=1), grid=lambda p, c: (1,))
"""
TUTORIAL = """import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()
SHARED = triton.runtime.driver.active.utils.get_device_properties(0)["max_shared_mem"]

@triton.jit
def double(x, y, n, SHARED: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2.0 * tl.load(x + i, mask=i < n), mask=i < n)

def doubled(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x)
    double[(4,)](x, y, x.numel(), SHARED, BLOCK=1024)
    return y

class Doubled(torch.autograd.Function):
    @staticmethod
    @torch.no_grad()
    def forward(ctx, x): return doubled(x)

assert doubled(torch.rand(4096, device=DEVICE)).max() < 3
"""
TUNED = """import torch
from .tools import ROWS, helper
from . import __version__
import triton
import triton.language as tl

BIG = torch.cuda.get_device_capability()[0] >= 9

@triton.heuristics({"MASKED": lambda args: args["lengths"] is not None})
@triton.autotune(configs=[triton.Config({"BLOCK": 256 if BIG else 128}, num_warps=2)], key=["n"])
@triton.jit
def scaled(x, y, lengths, scale, n, MASKED: tl.constexpr, BLOCK: tl.constexpr):
    i = helper(BLOCK)
    at = x + i
    value = tl.load(at)
    if MASKED:
        value += tl.load(lengths)
    tl.store(y + i, value * scale)
"""
TOOLS = """import triton
import triton.language as tl
import torch
import einops_that_is_not_installed
ROWS = 4
@triton.jit
def helper(BLOCK: tl.constexpr):
    return tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
"""


@pytest.fixture
def halves(tmp_path):
    path = tmp_path / "halves.py"
    path.write_text(HALVES)
    return str(path)


def parameters(ptx):
    return ptx.partition(".entry")[2].partition(")")[0].count(".param")


def test_types_constants_and_divisibility_are_those_of_the_launch(halves):
    made = compile_offline(halves, "sm_90")
    assert isinstance(made, Compiled), made
    assert "HGMMA" in made.listing
    assert "F32.F16" in made.listing or "F16" in made.listing
    assert "TF32" not in made.listing  # which float32 pointers would give
    assert "cp.async.cg" in made.ptx  # 16 bytes at once: pointers are aligned and strides divisible by 16
    assert ".num_stages" not in "".join(made.options)
    assert {"sa=4224", "one=1", "num_warps=8"} <= set(made.options)


def test_a_stride_of_one_is_a_constant_and_other_numbers_are_arguments(halves):
    whole = compile_offline(halves, "sm_90", parameters={"one": 2})
    folded = compile_offline(halves, "sm_90")
    assert isinstance(whole, Compiled), whole
    assert isinstance(folded, Compiled), folded
    assert parameters(whole.ptx) == parameters(folded.ptx) + 1


def test_a_parameter_of_the_command_line_reaches_the_files_own_functions(halves):
    made = compile_offline(halves, "sm_90", parameters={"BM": 64, "num_warps": 4})
    assert isinstance(made, Compiled), made
    assert {"BM=64", f"sa={4096 + 64}", "num_warps=4"} <= set(made.options)


@pytest.mark.parametrize("target", ["gfx942", "sm_80"])
def test_a_tutorial_loads_without_pytorch_and_launches_nothing(tmp_path, target):
    path = tmp_path / "tutorial.py"
    path.write_text(TUTORIAL)
    made = compile_offline(str(path), target, parameters={"BLOCK": 512, "x": "*fp16", "SHARED": 1})
    assert isinstance(made, Compiled), made
    assert made.kernel == "double"
    notes = " ".join(made.notes)
    assert "types guessed from the source" in notes
    assert "y: *fp32, n: i32" in notes
    assert "x:" not in notes
    if toolchain.package("torch") is None:
        assert "torch not installed: stand-ins took their places" in notes
    assert "raises NothingLaunchedError" in notes or toolchain.package("torch")


def test_a_module_of_a_package_is_loaded_by_its_own_name_without_the_packages_init(tmp_path):
    folder = tmp_path / "pack" / "ops"
    folder.mkdir(parents=True)
    (tmp_path / "pack" / "__init__.py").write_text("raise RuntimeError('not needed')\n")
    (folder / "__init__.py").write_text("__version__ = '1'\nraise RuntimeError('not needed')\n")
    (folder / "tools.py").write_text(TOOLS)
    (folder / "scaled.py").write_text(TUNED)
    made = compile_offline(str(folder / "scaled.py"), "sm_90", parameters={"lengths": "None"})
    assert isinstance(made, Compiled), made
    assert {"BLOCK=256", "MASKED=False", "num_warps=2"} <= set(made.options)
    assert "einops_that_is_not_installed" in " ".join(made.notes)
    older = compile_offline(str(folder / "scaled.py"), "sm_80")
    assert isinstance(older, Compiled), older
    assert {"BLOCK=128", "MASKED=True"} <= set(older.options)
    assert "lengths: *i32" in " ".join(older.notes)


def test_what_raises_before_any_kernel_is_still_an_error(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("import triton\nimport torch\nx = 1 / 0\n")
    with pytest.raises(UsageError, match="raises ZeroDivisionError when it is loaded"):
        compile_offline(str(path), "sm_90")


def test_pointers_are_followed_through_sums_blocks_and_calls():
    def inner(base, i):
        tl.store(base + i, 1)

    def outer(a, b, c, d, n, eps, seq_lens):
        a += n
        where = b + n * 4
        block = tl.make_block_ptr(base=c, shape=(n,), strides=(1,))
        x = tl.load(a) + tl.load(where) + tl.load(block) + eps
        tl.load(seq_lens + n)
        tl.store(d if n else a, x)

    assert usage.types(outer) == {
        "eps": "fp32", "a": "*fp32", "b": "*fp32", "c": "*fp32", "d": "*fp32", "seq_lens": "*i32",
    }  # fmt: skip
    assert usage.pointers(inner) == {"base"}


def shifted(at, i):
    return tl.load(at + i) >> 4


unpacked = SimpleNamespace(fn=shifted)


def test_what_counts_shifts_or_bounds_a_loop_is_a_whole_number():
    def kernel(X, W, LO, table, mask, y, P, scale, theta, n, packed):
        LO += n
        first = tl.load(LO + n) * 4
        words = tl.load(W + n)
        words = tl.reshape(words, (4, 4))
        row = tl.load(table + n).to(tl.int64)
        x = tl.load(X + row * n, mask=tl.load(mask + n) & (row < n))
        for start in range(first, n, P * 4):
            x += ((words >> 4) & 15).to(tl.float32) * scale + theta + unpacked(packed + n, start)
            tl.store(y + start, x)

    assert usage.types(kernel) == {
        "X": "*fp32", "W": "*i32", "LO": "*i32", "table": "*i32", "mask": "*i32", "y": "*fp32", "scale": "fp32", "theta": "fp32",
        "packed": "*i32",
    }  # fmt: skip


def test_a_stand_in_is_what_files_use_it_for():
    torch = absent.stand_in("torch")
    made = torch.no_grad()(len)
    assert made(()) == 0 or isinstance(made, absent.Meta)
    assert torch.rand(3) >= torch.Tensor
    assert list(torch.x.y[0]) == []
    assert str(torch.float16) == "torch.float16"

    class Layer(torch.nn.Module):
        pass

    assert isinstance(Layer(), absent.Meta)
    with pytest.raises(AttributeError):
        torch.__wrapped__  # noqa: B018


tl = absent.stand_in("tl")
