"""What first calls of depthwise convolutions with large windows take, and what runs then beside PyTorch.

    PYTHONPATH=src python benchmarks/gpu/windows.py OUT.jsonl

Each line: seconds of the first call with its compilations, µs of calls in a row (ten at a time, sorted), errors against float64, hotloop's and PyTorch's.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch.nn import functional

from hotloop import ops

SHAPES = (  # images, channels, size, window, padding, dilation, stride, channels last, type
    (2, 13, (35, 35, 38), (7, 7, 7), 1, 6, 1, True, torch.float16),
    (2, 22, (2, 40, 5), (7, 7, 7), (8, 0, 8), (2, 1, 2), (3, 3, 6), True, torch.bfloat16),
    (1, 64, (16, 56, 56), (7, 7, 7), 3, 1, 1, True, torch.float16),
    (2, 96, (16, 28, 28), (3, 7, 7), (1, 3, 3), 1, 1, True, torch.bfloat16),
    (2, 48, (16, 40, 40), (7, 7, 7), 3, 1, 1, False, torch.float32),
    (2, 48, (16, 40, 40), (7, 7, 7), (6, 6, 6), 2, 1, False, torch.bfloat16),
    (1, 32, (20, 30, 30), (5, 6, 7), (2, 3, 3), 1, 2, True, torch.float32),
    (1, 40, (24, 24, 24), (6, 6, 6), 5, (2, 1, 1), 1, True, torch.bfloat16),
)
SAMPLES, TOGETHER = 9, 10


def timed_us(call: Callable[[], object]) -> list[float]:
    """Return µs of a call, sorted, by events around several."""
    for _ in range(3):
        call()
    samples = []
    for _ in range(SAMPLES):
        begins, ends = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begins.record()
        for _ in range(TOGETHER):
            call()
        ends.record()
        torch.cuda.synchronize()
        samples.append(begins.elapsed_time(ends) * 1e3 / TOGETHER)
    return sorted(samples)


def measured(n, channels, size, window, padding, dilation, stride, last, dtype) -> dict[str, object]:
    """Return the row of one shape."""
    x = torch.randn(n, channels, *size, device="cuda", dtype=dtype)
    x = x.to(memory_format=torch.channels_last_3d) if last else x
    weight = torch.randn(channels, 1, *window, device="cuda", dtype=dtype)
    ways = {"padding": padding, "dilation": dilation, "stride": stride}
    began = time.monotonic()
    made = ops.depthwise_conv3d(x, weight, **ways)
    torch.cuda.synchronize()
    first_s = time.monotonic() - began
    exact = functional.conv3d(x.double().contiguous(), weight.double(), groups=channels, **ways)
    theirs = functional.conv3d(x, weight, groups=channels, **ways)
    return {
        "shape": str((n, channels, size, window, padding, dilation, stride, last, dtype)), "first_s": first_s,
        "ours_us": timed_us(lambda: ops.depthwise_conv3d(x, weight, **ways)),
        "torch_us": timed_us(lambda: functional.conv3d(x, weight, groups=channels, **ways)),
        "error": [float((one.double() - exact).abs().max()) for one in (made, theirs)],
        "choice": str(ops.explain_choice("depthwise_conv3d", x, weight, **ways)),
    }  # fmt: skip


def main() -> None:
    torch.manual_seed(3)
    with Path(sys.argv[1]).open("w", encoding="utf-8") as sink, torch.no_grad():
        for shape in SHAPES:
            row = measured(*shape)
            print(json.dumps(row), file=sink, flush=True)
            middle = [sorted(row[name])[SAMPLES // 2] for name in ("ours_us", "torch_us")]
            print(
                f"{row['shape']}: first call {row['first_s']:.1f} s, then {middle[0]:.1f} us, PyTorch {middle[1]:.1f}"
            )


if __name__ == "__main__":
    main()
