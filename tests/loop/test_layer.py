"""Programs that find OpenCL through a loader and know nothing of pyopencl: heard by the layer, patched so that their hosts stay as they are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from typed import run

from hotloop.app.bare import kernel as bare
from hotloop.app.capture import adopt
from hotloop.app.captured import load as captured
from hotloop.app.captured import opencl
from hotloop.app.run.kept import patch as patches
from hotloop.app.run.kept.result import Hosted
from hotloop.captures import folder as folders
from hotloop.errors import MachineError, UsageError
from hotloop.host import runtimes, toolchain
from hotloop.model.codec import decode
from hotloop.model.kernel import Variant
from hotloop.model.verdict import Comparison, Verdict

LIMIT_S = 60.0
LIBRARIES = Path(sys.prefix, "lib")
LOADERS = [*LIBRARIES.glob("libOpenCL.so.1"), *Path("/usr/lib/x86_64-linux-gnu").glob("libOpenCL.so.1")]
"""Loaders with layers: the one that Intel's package brings, the system's."""
SOURCE = """#ifndef SCALE
#error no scale
#endif
__kernel void spread(__global float *y, __global const float *x, const int n) {
    int i = get_global_id(0);
    if (i < n) {
        float sum = 0.0f;
        for (int k = 0; k < 8; k++) sum += SCALE * x[i * 8 + k];
        y[i] = sum;
    }
}
__kernel void parts(__global float *y, __local float *own, __global int *none) {
    own[get_local_id(0)] = 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_global_id(0)] += none ? 100.0f : own[get_local_id(0)];
}
"""
PROGRAM = """import ctypes, os, sys, threading
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_ulong, c_void_p, sizeof
cl = ctypes.CDLL(sys.argv[1])
for name in ("Context", "CommandQueue", "ProgramWithSource", "Kernel", "Buffer", "SubBuffer", "UserEvent"):
    getattr(cl, "clCreate" + name).restype = c_void_p
P = lambda value: c_void_p(value)
platform, device, failed = c_void_p(), c_void_p(), c_int()
cl.clGetPlatformIDs(1, byref(platform), None)
cl.clGetDeviceIDs(platform, c_ulong(0xFFFFFFFF), 1, byref(device), None)
context = P(cl.clCreateContext(None, 1, byref(device), None, None, byref(failed)))
queue = P(cl.clCreateCommandQueue(context, device, c_ulong(0), None))
loose = P(cl.clCreateCommandQueue(context, device, c_ulong(1), None))
text = open("k.cl", "rb").read()
pieces = (c_char_p * 2)(text[:20], text[20:])
lengths = (c_size_t * 2)(20, 0)
program = P(cl.clCreateProgramWithSource(context, 2, pieces, lengths, None))
assert cl.clBuildProgram(program, 1, byref(device), b"-DSCALE=%g" % 0.5, None, None) == 0
spread, parts = (P(cl.clCreateKernel(program, name, None)) for name in (b"spread", b"parts"))
N = 1000
x = (c_float * (8 * N))(*[i % 7 for i in range(8 * N)])
whole = P(cl.clCreateBuffer(context, c_ulong(1 | 32), c_size_t(sizeof(x)), x, None))
y = P(cl.clCreateBuffer(context, c_ulong(1), c_size_t(4 * N), None, None))
region = lambda first, size: P(cl.clCreateSubBuffer(whole, c_ulong(0), 0x1220, (c_size_t * 2)(first, size), None))
def give(kernel, at, value):
    assert cl.clSetKernelArg(kernel, at, c_size_t(sizeof(value)), byref(value)) == 0
def launch(where, kernel, items, local=None, offset=None, before=None):
    one = lambda size: None if size is None else byref(c_size_t(size))
    waits = byref(before) if before else None
    assert cl.clEnqueueNDRangeKernel(where, kernel, 1, one(offset), one(items), one(local), 1 if before else 0, waits, None) == 0
give(spread, 0, y), give(spread, 1, whole), give(spread, 2, c_int(N))
gate = P(cl.clCreateUserEvent(context, None))
launch(loose, spread, 1024, before=gate)
threading.Timer(0.1, lambda: cl.clSetUserEventStatus(gate, 0)).start()
cl.clFinish(loose)
for _ in range(300):
    launch(queue, spread, 1024)
give(parts, 0, y), cl.clSetKernelArg(parts, 1, c_size_t(32), None), give(parts, 2, c_void_p(0))
launch(queue, parts, 800, 8)
launch(queue, parts, 64, 8, offset=256)
give(spread, 0, region(0, 4096)), give(spread, 1, region(0, 8192)), give(spread, 2, c_int(1))
launch(queue, spread, 64)
got = (c_float * N)()
cl.clEnqueueReadBuffer(queue, y, 1, c_size_t(0), c_size_t(4 * N), got, 0, None, None)
print("sum", sum(got), got[N - 1], file=sys.stderr)
if "leave" in sys.argv:
    os._exit(3)
"""


@pytest.fixture(scope="module", autouse=True)
def runtime():
    if not LOADERS or toolchain.system_compiler() is None:
        pytest.skip("no OpenCL loader or no C compiler")
    try:
        bare._engine(LIMIT_S)
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime: {reason}")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    (folder / "p.py").write_text(PROGRAM)
    (folder / "k.cl").write_text(SOURCE)
    return folder


@pytest.fixture(scope="module")
def made(place):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        patch.setenv("LD_LIBRARY_PATH", str(LIBRARIES))
        code = run(
            "capture", "--no-roof", "--out", place / "p.capture", "--", sys.executable, "p.py", LOADERS[0], "leave"
        )
    assert code == 1
    return place / "p.capture"


def test_launches_are_heard_below_every_program(made, place):
    capture = folders.read(made)
    assert (capture.returncode, capture.problems) == (3, ())
    by_name = {one.name: one for one in capture.kernels}
    spread, parts = by_name["spread"], by_name["parts"]
    assert (made / spread.source).read_text() == SOURCE
    assert (spread.options, Path(spread.folder), spread.native) == (("-DSCALE=0.5",), place, True)
    usual, small = sorted(spread.launches, key=lambda one: -one.grid[0])
    assert (usual.grid, usual.group, usual.offset) == ((1024,), None, ())
    assert usual.calls > 250, "a process that just leaves loses the last counts only"
    assert [(one.grid, one.offset, one.calls) for one in parts.launches] == [((800,), (), 1), ((64,), (256,), 1)]
    assert small.calls == 1
    y, x, n = usual.arguments
    np.testing.assert_array_equal(folders.values(made, x, "float32"), (np.arange(8000) % 7).astype("f4"))
    assert (n.kind, n.text, y.whole) == ("bytes", "e8030000", True)
    assert small.arguments[1].overlaps == ("0",), "parts of one buffer"
    assert [one.kind for one in parts.launches[0].arguments] == ["array", "local", "bytes"]
    assert parts.launches[0].group == (8,)


def test_a_pointer_without_memory_is_given_again_as_none(made):
    capture = folders.read(made)
    (parts,) = (one for one in capture.kernels if one.name == "parts")
    kernel = opencl.load(made, parts, parts.launches[0], LIMIT_S)
    (launch,) = kernel.implementations[0].plan(kernel.problem, kernel.implementations[0].start, None).launches
    assert launch.arguments[2] is None or "Null" in type(launch.arguments[2]).__name__


def test_a_patch_leaves_the_host_as_it_is(made, place):
    kernel = captured.load(made, "spread", LIMIT_S)
    own = kernel.implementations[0]
    device = bare._engine(LIMIT_S).select("")
    wide = own.start.replace(**{"spread.outputs-per-item": "2x1x1"})
    gain = Comparison(
        verdict=Verdict.FASTER, speedup=2.0, low=1.9, high=2.1, confidence=0.95, margin=0.02, log_ratios=()
    )  # fmt: skip
    hosted = Variant(replace(own, plan=own.hosted), wide)
    assert (
        hosted.program(kernel.problem, device).launches
        == Variant(own, own.start).program(kernel.problem, device).launches
    )
    rows: list[str] = []
    journal = SimpleNamespace(record=lambda _key, text: rows.append(text))
    steps = tuple(SimpleNamespace(implementation=own.name, config=config) for config in (own.start, wide))
    patches.record(journal, kernel, kernel.problem, device, steps, "", gain, Hosted(variant=hosted, comparison=gain))
    found = decode(json.loads(rows[0]), patches.Patch)
    assert "the host may stay as it is" in found.launches[0]
    assert "return;" in found.diff
    with pytest.raises(UsageError, match="not in Python"):
        adopt.adoption(found)
    before = _said(place)
    found.write()
    try:
        assert _said(place) == before
    finally:
        (place / "k.cl").write_text(SOURCE)


def _said(place: Path) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "p.py", str(LOADERS[0])], cwd=place, capture_output=True, text=True, check=True,
        env={**os.environ, "LD_LIBRARY_PATH": str(LIBRARIES), **runtimes.loader_environment()},
    )  # fmt: skip
    return [line for line in ran.stderr.splitlines() if line.startswith("sum")]
