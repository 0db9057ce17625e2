"""Seconds of first calls of operators with empty caches of compilers: kernels of a call compiled one after the other, and side by side.

PYTHONPATH=src python benchmarks/gpu/firsts.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import torch

from hotloop import ops
from hotloop.dispatch import glance

PRODUCTS = (
    (1, 4096, 1024),
    (24, 14336, 3584),
    (200, 3072, 768),
    (1500, 5120, 1280),
    (4000, 8192, 3072),
    (77, 2752, 2752),
)
"""Rows, columns, depth."""
COMPILERS = (1, 4, 1, 4)
LIMIT_S = 90


def drawn(*shape):
    return torch.randn(*shape, device="cuda", dtype=torch.bfloat16)


def calls():
    """Yield first calls."""
    for m, n, k in PRODUCTS:
        x, w, bias = drawn(m, k), drawn(n, k), drawn(n)
        yield lambda x=x, w=w, bias=bias: ops.gemm(x, w.t(), bias=bias, activation="gelu")
        yield lambda x=x, w=w: ops.gemm(x, w.t())
    q, narrow = drawn(1, 12, 1500, 64), drawn(2, 8, 900, 80)
    yield lambda: ops.attention(q, q, q)
    yield lambda: ops.attention(q[:, :, :1], q, q)
    yield lambda: ops.attention(narrow, narrow, narrow, causal=True)
    video, taps = drawn(1, 96, 8, 40, 40), drawn(96, 1, 3, 3, 3)
    yield lambda: ops.depthwise_conv3d(video, taps, padding=1)


def told(compilers):
    """Print the seconds of all first calls with so many compilers at once."""
    glance._COMPILERS = compilers  # noqa: SLF001 - what is measured
    drawn(64, 64) @ drawn(64, 64)
    times = []
    with torch.no_grad():
        for call in calls():
            torch.cuda.synchronize()
            began = time.monotonic()
            call()
            torch.cuda.synchronize()
            times.append(round(time.monotonic() - began, 2))
    print(f"{compilers} compilers: {sum(times):.1f} s {times}", flush=True)


def main():
    if len(sys.argv) > 1:
        told(int(sys.argv[1]))
        return
    for compilers in COMPILERS:
        with tempfile.TemporaryDirectory() as folder:
            empty = {"TRITON_CACHE_DIR": folder, "XDG_CACHE_HOME": f"{folder}/cache", "XDG_DATA_HOME": f"{folder}/data"}
            command = [sys.executable, __file__, str(compilers)]
            subprocess.run(command, env={**os.environ, **empty}, timeout=LIMIT_S, check=True)


if __name__ == "__main__":
    main()
