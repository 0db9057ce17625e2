"""Branches as masks read nothing behind an array's end that the text as published would not read: a page without access follows it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hotloop.rewrite import catalogue, expand, parse, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed

# the square keeps processors from loading within a masked addition, which would leave the other lanes out by itself
TEXT = """__kernel void f(__global const float *x, __global const float *q, __global float *y, int n) {
  int i = get_global_id(0) + 2;
  if (i < n) {
    float s = 0.0f;
    for (int k = 0; k < 2; k++) { if (x[i] > 0.5f) { s += q[i] * q[i]; } }
    y[i] = s;
  }
}
"""
RUN = """
import ctypes, mmap, sys
import numpy as np, pyopencl as cl
def last(values):
    size = -(-values.nbytes // mmap.PAGESIZE) * mmap.PAGESIZE
    whole = mmap.mmap(-1, size + mmap.PAGESIZE)
    begin = ctypes.addressof(ctypes.c_char.from_buffer(whole))
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(begin + size), mmap.PAGESIZE, 0) == 0
    made = np.frombuffer(whole, values.dtype, values.size, size - values.nbytes)
    made[:] = values
    return made
n, short = 1282, 1024  # a whole page: what begins or ends within one may be copied by the runtime
x = np.zeros(n, np.float32)
x[:short] = 1
context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
copied, shared = cl.mem_flags.COPY_HOST_PTR, cl.mem_flags.USE_HOST_PTR
y = cl.Buffer(context, copied, hostbuf=np.zeros(n, np.float32))
q = cl.Buffer(context, shared, hostbuf=last(np.ones(short, np.float32)))
program = cl.Program(context, open(sys.argv[1]).read()).build(cache_dir=False)
program.f(queue, (320,), (1,), cl.Buffer(context, copied, hostbuf=x), q, y, np.int32(n))
made = np.empty(n, np.float32)
cl.enqueue_copy(queue, made, y)
print(int(made.sum()))
"""
INTEL = Path(sys.prefix, "lib", "libintelocl.so")


@pytest.mark.skipif(not INTEL.exists(), reason="Intel's OpenCL runtime is not installed beside this Python")
@pytest.mark.parametrize(("careless", "code"), [(False, 0), (True, -11)])
def test_a_shorter_array_is_not_read_behind_its_end(tmp_path, careless, code):
    pytest.importorskip("pyopencl", reason="pyopencl is not installed")
    function = expand.read(TEXT).known["f"]
    changed = catalogue.rewritten(
        Posed(function, (t.Binary("-", t.Name("n"), t.Number("2")),), parse.typedefs(TEXT)),
        {"outputs-per-item": "1x1x4"},
    )
    text = write.replaced(TEXT, function, changed.function)
    (tmp_path / "k.cl").write_text(text.replace("all(mask)", "any(mask)") if careless else text)
    command = [sys.executable, "-c", RUN, str(tmp_path / "k.cl")]
    environment = {**os.environ, "OCL_ICD_VENDORS": str(INTEL)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout.strip()) == (code, "" if code else "2044"), done.stderr
