"""The CUDA C++ that the operators launch, compiled for sm_90 without a GPU: it takes what the launch gives it."""

from __future__ import annotations

import re

import pytest

from hotloop.app.code.offline import compile_offline
from hotloop.compilers.offer import Compiled
from hotloop.host import toolchain
from hotloop.kernels.conv3d_depthwise import choosing as convolution
from hotloop.kernels.conv3d_depthwise.choosing import Convolution
from hotloop.kernels.conv3d_depthwise.shape import VIDEO, Shape
from hotloop.kernels.reduction import softmax as rows
from hotloop.kernels.reduction.softmax import Softmax

pytestmark = pytest.mark.skipif(
    toolchain.package("triton") is None or (toolchain.nvcc() is None and toolchain.package("ziglang") is None),
    reason="neither nvcc nor ziglang is installed, or no ptxas",
)


def compiled(tmp_path, program):
    """Compile as nvcc or clang does; NVRTC, which the operators use, is not here."""
    path = tmp_path / "job.cu"
    path.write_text(program.source)
    parameters = dict(option.removeprefix("-D").split("=", 1) for option in program.options)
    made = compile_offline(str(path), "sm_90", parameters=parameters)
    assert isinstance(made, Compiled), made
    return made


def parameters(ptx, entry):
    """Return the types of a kernel's parameters."""
    found = re.search(rf"\.entry {entry}\((.*?)\)", ptx, re.DOTALL)
    assert found, f"no {entry}"
    return re.findall(r"\.param \.(\w+)", found[1])


@pytest.mark.parametrize(
    "shape",
    [
        VIDEO,
        Shape(2, 3, (7, 11, 13), (2, 3, 4), (1, 2, 0), (2, 1, 2), (1, 2, 1), 2, "float32"),
        Shape(1, 16, (9, 30, 52), (3, 5, 5), (1, 2, 2), dtype="float32"),
    ],
    ids=["video", "direct", "strip"],
)
def test_convolutions_take_three_addresses(tmp_path, h200, shape):
    choice = convolution.choose(Convolution(shape), h200)
    program = convolution.program(Convolution(shape), choice)
    made = compiled(tmp_path, program)
    assert parameters(made.ptx, program.launches[0].entry) == ["u64"] * 3


@pytest.mark.parametrize(("count", "columns", "dtype"), [(32768, 4096, "bfloat16"), (37, 131, "float16")])
def test_softmax_takes_four_addresses_and_a_count(tmp_path, h200, count, columns, dtype):
    call = Softmax(count, columns, dtype)
    program = rows.program(call, rows.choose(call, h200))
    made = compiled(tmp_path, program)
    entry = next(name for name in re.findall(r"\.entry (\w+)\(", made.ptx) if program.launches[0].entry in name)
    assert parameters(made.ptx, entry) == ["u64", "u64", "u64", "u64", "u32"]
