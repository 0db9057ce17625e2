"""What NVIDIA's OpenCL hands out as a program's binary, and what hotloop makes of it, on a machine with such a platform.

    PYTHONPATH=src python3 tests/device/opencl_ptx.py OUT_FOLDER        # pyopencl is needed

``OUT_FOLDER`` gets the binary of each kernel as it is. It is a text of PTX, so the evidence is what the front end wrote, not
what the GPU runs; hotloop says so.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

SOURCE = """
__kernel void saxpy(const float a, __global const float *x, __global float *y) {
  const size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void tile(__global const float4 *a, __global float *c, const int n) {
  __local float4 shared_rows[64];
  float sum = 0.0f;
  for (int k = 0; k < n; k += 64) {
    shared_rows[get_local_id(0)] = a[(size_t)get_group_id(0) * n + k + get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 64; ++j) { const float4 v = shared_rows[j]; sum = fma(v.x, v.y, fma(v.z, v.w, sum)); }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[get_global_id(0)] = sum;
}
"""


def main():
    from hotloop.host import runtimes

    os.environ.update(runtimes.loader_environment())
    import pyopencl as cl

    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    platform = next(p for p in cl.get_platforms() if "NVIDIA" in p.name)
    device = platform.get_devices()[0]
    program = cl.Program(cl.Context([device]), SOURCE).build(options=["-cl-mad-enable", "-cl-nv-verbose"])
    (binary,) = program.get_info(cl.program_info.BINARIES)
    (out / "opencl-program.ptx").write_bytes(binary)
    print(f"{device.name}, {device.driver_version}: {len(binary)} bytes, begins {binary[:60]!r}, ends {binary[-20:]!r}")
    print("build log:", program.get_build_info(device, cl.program_build_info.LOG)[:600])
    try:
        from hotloop.isa.code import select

        for entry in ("saxpy", "tile"):
            found = select(binary, entry, (64,))
            print(entry, found.dialect, found.note, len(getattr(found, "text", "")))
    except Exception as error:
        print(f"hotloop: {type(error).__name__}: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
