"""Small kernels in Triton whose limits are known beforehand: a copy, the same copy by columns, softmax, and RMS norm.

A profile of them is a test of the profile's reader: the copy must be limited by device memory, the copy by columns by
sectors of which it uses a fraction. Tensors are contiguous, row after row; `width` is the length of a row.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined"
from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import triton
import triton.language as tl


@triton.jit
def copy(x, y, length, BLOCK: tl.constexpr):
    """Copy BLOCK neighbouring values in each program."""
    where = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = where < length
    tl.store(y + where, tl.load(x + where, mask=inside), mask=inside)


@triton.jit
def columns(x, y, height, width, BLOCK: tl.constexpr):
    """Copy BLOCK values of one column in each program: neighbouring threads touch different rows."""
    rows = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    where = rows.to(tl.int64) * width + tl.program_id(0)
    inside = rows < height
    tl.store(y + where, tl.load(x + where, mask=inside), mask=inside)


def _of_the_project():
    """Return the row kernels, by path: hotloop need not be installed where they are profiled."""
    path = Path(__file__).resolve().parents[2] / "src" / "hotloop" / "kernels" / "reduction" / "jit.py"
    spec = importlib.util.spec_from_file_location("hotloop_reduction_jit", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


_rows = _of_the_project()
softmax, rmsnorm = _rows.softmax, _rows.rmsnorm
