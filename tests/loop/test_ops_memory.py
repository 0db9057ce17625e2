"""`hotloop.ops` works in its caller's memory on CPUs, where arrays begin at any element: kernels may not promise themselves more.

Each case is a process of its own: an access that takes an address for a multiple of a vector's size ends the process.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from hotloop.app import session
from hotloop.errors import MachineError

PROGRAM = """
import sys
import numpy as np
from hotloop import ops

def placed(rows, columns, shift):
    raw = np.zeros(4 * rows * columns + 256, np.uint8)
    begin = -raw.ctypes.data % 64 + 4 * shift
    array = raw[begin : begin + 4 * rows * columns].view(np.float32).reshape(rows, columns)
    array[:] = np.random.default_rng(shift).standard_normal((rows, columns), dtype=np.float32)
    return array

device, shift = sys.argv[1], int(sys.argv[2])
for m, n, k in ((64, 1, 512), (1, 256, 96), (100, 100, 100)):
    a, b, c = placed(m, k, shift), placed(k, n, shift), placed(m, n, shift)
    ops.gemm(a, b, out=c, device=device)
    assert np.allclose(c, a.astype(np.float64) @ b, rtol=1e-4, atol=1e-4), (m, n, k)
"""


def available(name: str) -> bool:
    try:
        with session.desk(session.Options(device=name)):
            return True
    except MachineError:
        return False


@pytest.mark.parametrize("shift", [1, 4, 16])
@pytest.mark.parametrize("device", ["", "pocl"])
def test_arrays_may_begin_at_any_element(device: str, shift: int) -> None:
    if not available(device):
        pytest.skip(f"no OpenCL runtime {device}")
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, device, str(shift)], capture_output=True, text=True, timeout=240, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
