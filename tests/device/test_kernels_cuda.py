"""The CUDA rungs of conv3d and the row operations on a real GPU, through the engine, with NaN and infinities among the inputs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.app.run import checking
from hotloop.app.run.inputs.workload import Workload
from hotloop.kernels import conv3d_depthwise, reduction
from hotloop.kernels.conv3d_depthwise.choosing import sizes_of
from hotloop.kernels.conv3d_depthwise.cuda import rungs
from hotloop.kernels.conv3d_depthwise.cuda.plan import program_of
from hotloop.kernels.conv3d_depthwise.shape import VIDEO, Shape
from hotloop.kernels.reduction.cuda.plan import by_rule
from hotloop.kernels.reduction.geometry import OPERATIONS
from hotloop.model.subject import Subject

pytestmark = pytest.mark.device
LANGUAGE = "cuda"
ODD = Shape(2, 3, (7, 11, 13), (2, 3, 4), (1, 2, 0), (2, 1, 2), (1, 2, 1), 2, "float32")
LAST = Shape(2, 6, (5, 9, 10), (3, 3, 3), (1, 1, 1), dtype="float16", channels_last=True)
FLOAT32 = Shape(1, 16, (9, 30, 52), (3, 5, 5), (1, 2, 2), dtype="float32")
SMALL = Shape(1, 16, (9, 16, 20), (3, 5, 5), (1, 2, 2), dtype="float32")
CUBIC = Shape(2, 24, (17, 60, 104), (3, 3, 3), (1, 1, 1), dtype="float16")
RAGGED = Shape(1, 5, (6, 37, 22), (5, 5, 5), (2, 2, 2))
FLAT = Shape(2, 7, (4, 90, 160), (1, 5, 5), (0, 2, 2))
VALID = Shape(1, 9, (8, 34, 48), (3, 3, 3), (0, 0, 0))
LARGE = Shape(1, 12, (17, 90, 160), (3, 3, 3), (1, 1, 1))
WIDER = Shape(1, 9, (7, 33, 46), (3, 3, 3), (1, 1, 1))
REPORTED = replace(VIDEO, c=16)
"""The reported problem with fewer channels, which decide nothing but the time of a reference."""
t = rungs.toeplitz
RUNGS = {
    "direct fp32 stride dilation x2": (ODD, rungs.direct(ODD)),
    "direct fp16 channels last": (LAST, rungs.direct(LAST)),
    "strip fp32": (FLOAT32, rungs.strip(FLOAT32, width=4, planes=3)),
    "tile fp32": (SMALL, rungs.tile(SMALL)),
    "toeplitz fp16 3x3x3": (CUBIC, t(CUBIC, quads=4)),
    "toeplitz ragged 5x5x5": (RAGGED, t(RAGGED, quads=3, stages=3)),
    "toeplitz 1x5x5": (FLAT, t(FLAT, quads=4)),
    "toeplitz no padding bulk": (VALID, t(VALID, quads=2, loader="bulk")),
    "toeplitz bands": (LARGE, t(LARGE, quads=3, planes=6, vertical=1, blocks=2)),
    "toeplitz bands bulk": (LARGE, t(LARGE, quads=2, stages=3, loader="bulk", vertical=2)),
    "toeplitz bands ragged 5x5x5": (RAGGED, t(RAGGED, quads=2, stages=3, vertical=1)),
    "toeplitz bands no padding": (VALID, t(VALID, quads=1, loader="registers", vertical=2)),
    "toeplitz odd quarter, few planes": (WIDER, t(WIDER, quads=2, planes=3, loader="registers")),
    "best of 3x3x3": (CUBIC, rungs.best(CUBIC)),
    "best of large planes": (LARGE, rungs.best(LARGE)),
    "best of the reported problem": (REPORTED, rungs.best(REPORTED)),
}
ROWS = ((37, 127, "float32"), (3, 70000, "float16"), (1, 1, "bfloat16"), (1000, 24, "float16"), (5, 8192, "float32"))


def verified(made, kernel, problem, program):
    """Check a program with every distribution of inputs on this problem alone: a rung is cut for one shape."""
    workload = Workload(made.engine, replace(kernel, awkward=lambda _problem: ()), problem, made.device, made.seed)
    subject = Subject("rung", lambda _problem, _device: program, problem, made.device, "rung")
    try:
        return checking.check(made, workload, subject, "full")
    finally:
        workload.discard()


@pytest.mark.parametrize("name", list(RUNGS))
def test_conv3d_rungs_agree_with_float64(made, name):
    shape, rung = RUNGS[name]
    kernel = conv3d_depthwise.KERNEL
    found = verified(made, kernel, kernel.problem.replace(**sizes_of(shape)), program_of("cuda", rung))
    assert found.report, found.answer


@pytest.mark.parametrize(("rows", "columns", "dtype"), ROWS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_row_operations_agree_with_float64(made, operation, rows, columns, dtype):
    problem = reduction.KERNEL.problem.replace(operation=operation, rows=rows, columns=columns, dtype=dtype)
    found = verified(made, reduction.KERNEL, problem, by_rule("cuda", problem))
    assert found.report, found.answer
