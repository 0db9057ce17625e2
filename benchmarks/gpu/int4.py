"""Products with 4-bit weights beside cuBLAS on the same weights in bfloat16, and beside PyTorch's own int4 product.

    PYTHONPATH=src python benchmarks/gpu/int4.py OUT.json [--limit-s 60]

The peers store the weights in forms of their own, which the family's buffers do not hold, so `tables.py` cannot measure them. Each shape:
the result against float64 (before and after the timed rounds) and the device's time in interleaved rounds of CUDA graphs (ABBA,
inputs rotated beyond the second-level cache).
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from statistics import geometric_mean, median

import torch

from hotloop import ops
from hotloop.dispatch import pace
from hotloop.kernels.gemm_int4.storage import GROUP
from hotloop.kernels.gemm_int4.tensors import widened
from hotloop.model.dtype import roundoff

DEVICE, L2_BYTES = "cuda", 64 << 20
ROUNDS = 12
SHAPES = [
    *((m, n, k) for m in (1, 16, 32, 64) for n, k in ((4096, 4096), (14336, 4096), (4096, 14336), (8192, 8192), (1024, 8192))),
    (128, 4096, 4096),
    (256, 8192, 8192),
]  # fmt: skip


def tinygemm(stored, scales):
    """Return PyTorch's own int4 form of the same weights: q in pairs by row of n, scales and zeros by group."""
    q = ((widened(stored, torch.ones_like(scales, dtype=torch.float32)) + 8).to(torch.int32)).t().contiguous()
    packed = ((q[:, ::2] << 4) | q[:, 1::2]).to(torch.uint8)
    weights = torch.ops.aten._convert_weight_to_int4pack(packed, 8)  # noqa: SLF001 - PyTorch names these operators so
    return weights, torch.stack([scales, torch.zeros_like(scales)], -1).contiguous()


def drawn(m, n, k):
    """Return operands: activations, our form of the weights, PyTorch's, and the same numbers in bfloat16."""
    stored, scales = ops.pack_int4(torch.randn((k, n), device=DEVICE).to(torch.bfloat16))
    return (
        torch.randn((m, k), device=DEVICE).to(torch.bfloat16),
        stored,
        scales,
        *tinygemm(stored, scales),
        widened(stored, scales),
    )


FUNCTIONS = {
    "ours": lambda a, stored, scales, *_: ops.gemm_int4(a, stored, scales),
    "PyTorch": lambda a, _stored, _scales, form, zeros, _wide: torch.ops.aten._weight_int4pack_mm(a, form, GROUP, zeros),  # noqa: SLF001
    "cuBLAS": lambda a, _stored, _scales, _form, _zeros, wide: torch.matmul(a, wide),
}  # fmt: skip


def error(made, a, stored, scales, *_):
    """Return the largest error over its bound: half an ulp of the result and what the sums may lose."""
    weights = widened(stored, scales.double())
    exact, terms = a.double() @ weights, a.double().abs() @ weights.abs()
    bound = 1.01 * roundoff("bfloat16") * exact.abs() + 2.0**-20 * terms + 1e-7
    return float(((made.double() - exact).abs() / bound).nan_to_num(torch.inf).max())


def study(m, n, k):
    """Return the row of a shape."""
    sets = [drawn(m, n, k) for _ in range(max(2, min(8, -(-2 * L2_BYTES // (k * n // 2 + 2 * m * (k + n))))))]
    errors = [error(FUNCTIONS["ours"](*sets[0]), *sets[0])]
    clock = pace.of(sets[0][0])
    samples = {
        name: clock.timed(
            lambda call=call: [call(*each) for each in sets]
        )  # each in turn, beyond the second-level cache
        for name, call in FUNCTIONS.items()
    }
    times: dict[str, list[float]] = {name: [] for name in samples}
    for number in range(ROUNDS):
        for name in list(samples)[:: 1 if number % 2 == 0 else -1]:
            times[name].append(samples[name]() / len(sets) / 1e6)
    errors.append(error(FUNCTIONS["ours"](*sets[0]), *sets[0]))
    ratios = {
        name: sorted(theirs / ours for ours, theirs in zip(times["ours"], times[name], strict=True))
        for name in ("PyTorch", "cuBLAS")
    }
    choice = ops.explain_choice("gemm_int4", *sets[0][:3])
    return {
        "shape": [m, n, k], "choice": str(choice), "errors": errors, "times_ms": times,
        "ratio": {name: {"median": median(each), "low": each[0], "high": each[-1]} for name, each in ratios.items()},
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit-s", type=float, default=60)
    given = parser.parse_args()
    torch.manual_seed(7)
    began, rows = time.monotonic(), []
    for shape in SHAPES:
        if time.monotonic() - began > given.limit_s:
            print("out of time before", shape, flush=True)
            break
        try:
            rows.append(study(*shape))
            print(shape, rows[-1]["ratio"], f"error {max(rows[-1]['errors']):.2f}", flush=True)
        except Exception as reason:  # noqa: BLE001 - a failure is a result
            rows.append({"shape": shape, "failed": str(reason)[:200] or repr(reason)})
            print(rows[-1], flush=True)
        conditions = {"device": torch.cuda.get_device_name(), "torch": torch.__version__}
        given.out.write_text(json.dumps({"conditions": conditions, "rows": rows}))
    sound = [row for row in rows if "ratio" in row]
    for name in ("PyTorch", "cuBLAS") if sound else ():
        medians = [row["ratio"][name]["median"] for row in sound]
        print(
            f"over {name}: geometric mean {geometric_mean(medians):.3f}, least {min(medians):.3f}, {len(medians)} shapes"
        )
    print("wrong:", [row["shape"] for row in sound if max(row["errors"]) > 1])


if __name__ == "__main__":
    main()
