"""From OpenCL source through a real CPU runtime to facts; each runtime is used in a process of its own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hotloop.isa import code
from hotloop.isa.static import static_evidence
from hotloop.model.program import Launch

SOURCE = """
#define PASTE(a, b) a##b
#define VECTOR(n) PASTE(float, n)
#define LOAD(n) PASTE(vload, n)
#define STORE(n) PASTE(vstore, n)
__attribute__((reqd_work_group_size(1, 1, 1)))
__kernel void tile(int n, __global const float *a, __global const float *b, __global float *c) {
  const int j = get_global_id(0) * 16, i = get_global_id(1) * ROWS;
  VECTOR(8) sum[ROWS][2];
  for (int r = 0; r < ROWS; r++) { sum[r][0] = 0; sum[r][1] = 0; }
  for (int k = 0; k < n; k++) {
    const VECTOR(8) b0 = LOAD(8)(0, b + k * n + j), b1 = LOAD(8)(0, b + k * n + j + 8);
    #pragma unroll
    for (int r = 0; r < ROWS; r++) {
      const VECTOR(8) x = (VECTOR(8))(a[(i + r) * n + k]);
      sum[r][0] = fma(x, b0, sum[r][0]);
      sum[r][1] = fma(x, b1, sum[r][1]);
    }
  }
  for (int r = 0; r < ROWS; r++) {
    STORE(8)(sum[r][0], 0, c + (i + r) * n + j);
    STORE(8)(sum[r][1], 0, c + (i + r) * n + j + 8);
  }
}
__kernel void naive(int n, __global const float *a, __global const float *b, __global float *c) {
  const int j = get_global_id(0), i = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}
__kernel void shared(int n, __global const float *a, __global float *c, __local float *t) {
  const int l = get_local_id(0), g = get_global_id(0);
  t[l] = a[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  c[g] = t[get_local_size(0) - 1 - l] * 3.0f + 1.0f;
}
"""
COMPILE = """
import sys
from pathlib import Path
import numpy as np, pyopencl as cl
platform, rows, folder = sys.argv[1:]
device = next(d for p in cl.get_platforms() if platform in p.name for d in p.get_devices())
context = cl.Context([device])
program = cl.Program(context, Path(folder, "k.cl").read_text()).build(["-DROWS=" + rows], cache_dir=False)
if platform == "Portable":
    queue, n = cl.CommandQueue(context), 16 * int(rows)
    a, b, c = (cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * n * n) for _ in range(3))
    cl.Kernel(program, "tile")(queue, (n // 16, n // int(rows)), (1, 1), np.int32(n), a, b, c)
    queue.finish()
Path(folder, "k.bin").write_bytes(program.get_info(cl.program_info.BINARIES)[0])
"""
LAUNCH = """
import sys
from pathlib import Path
import numpy as np, pyopencl as cl
folder, size = sys.argv[1], int(sys.argv[2])
context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
program = cl.Program(context, context.devices, [Path(folder, "patched.bin").read_bytes()]).build(cache_dir=False)
queue = cl.CommandQueue(context)
a, c = (cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * 48) for _ in range(2))
cl.Kernel(program, "shared")(queue, (48,), (size,), np.int32(48), a, c, cl.LocalMemory(4 * size))
queue.finish()
"""
INTEL = Path(sys.prefix, "lib", "libintelocl.so")
POCL = Path("/etc/OpenCL/vendors/pocl.icd")
needs_intel = pytest.mark.skipif(
    not INTEL.exists(), reason="Intel's OpenCL runtime is not installed beside this Python"
)
needs_pocl = pytest.mark.skipif(not POCL.exists(), reason="PoCL is not installed")


def child(script, icd, folder, *arguments):
    environment = {**os.environ, "OCL_ICD_VENDORS": str(icd), "POCL_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)


def compiled(platform, icd, rows, folder):
    pytest.importorskip("pyopencl", reason="pyopencl is not installed")
    (folder / "k.cl").write_text(SOURCE)
    done = child(COMPILE, icd, folder, platform, str(rows), str(folder))
    assert done.returncode == 0, done.stderr
    return (folder / "k.bin").read_bytes()


def facts(binary, entry, local_size):
    found = static_evidence(binary, Launch(entry, (), (1,), local_size))
    assert found.facts, found.absent
    return found


@needs_intel
def test_a_register_tile_that_fits_and_one_that_does_not(tmp_path):
    fits = facts(compiled("Intel", INTEL, 6, tmp_path), "tile", (1, 1))
    assert fits.get("static.fma_bits") == 256
    assert fits.get("static.spills") == 0
    assert fits.get("static.fma_share") > 0.35
    spilling = facts(compiled("Intel", INTEL, 40, tmp_path), "tile", (1, 1))  # 80 accumulators fit in no register file
    assert spilling.get("static.spills") > 20
    assert spilling.get("static.loads_per_fma") > fits.get("static.loads_per_fma")


@needs_intel
def test_the_naive_kernel_loads_element_by_element(tmp_path):
    binary = compiled("Intel", INTEL, 6, tmp_path)
    naive, tile = facts(binary, "naive", (16, 16)), facts(binary, "tile", (1, 1))
    assert naive.get("static.scalar_load_share") > 0.5 or naive.get("static.gathers") > 0
    assert naive.get("static.fma_share") < tile.get("static.fma_share") / 3


@needs_intel
@pytest.mark.parametrize("size", [48, 12])  # a multiple of 8 and of 16, and of neither
def test_the_chosen_function_is_the_one_that_runs(tmp_path, size):
    """Plant traps: in the function that is said to run they kill the process, in the other one they do nothing."""
    binary = compiled("Intel", INTEL, 6, tmp_path)
    fate = {}
    for chosen_by in (48, 12):
        body = code.select(binary, "shared", (chosen_by,)).code
        assert binary.count(body) == 1
        (tmp_path / "patched.bin").write_bytes(binary.replace(body, b"\xcc" * len(body)))
        fate[chosen_by] = child(LAUNCH, INTEL, tmp_path, str(tmp_path), str(size)).returncode
    assert fate == {chosen_by: -signal.SIGTRAP if chosen_by == size else 0 for chosen_by in (48, 12)}


@needs_pocl
def test_pocl_gives_code_for_the_size_that_was_launched(tmp_path):
    found = facts(compiled("Portable", POCL.parent, 6, tmp_path), "tile", (1, 1))
    assert "local size 1-1-1" in found.facts[0].source
    assert found.get("static.fma_bits") == 256
    assert found.get("static.spills") == 0
