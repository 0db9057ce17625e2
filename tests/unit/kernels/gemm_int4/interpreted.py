"""Run the kernel for 4-bit weights in Triton's interpreter and print each case's error over its bound as JSON.

A process of its own, for which `interpreter` in tests/unit is importable.
"""

from __future__ import annotations

import json
from dataclasses import replace

import interpreter
import torch
from interpreter import FINISH

from hotloop import ops
from hotloop.kernels.gemm_int4.tensors import widened

CASES = ((3, 64, 256, "none"), (9, 128, 1024, "gelu"), (70, 128, 128, "silu"))


def case(m: int, n: int, k: int, function: str) -> dict[str, object]:
    """Compute one product and judge it against float64 of what the stored weights mean."""
    a = torch.randn(m, k + 8).half()[:, :k]
    stored, scales = ops.pack_int4(torch.randn(k, n).half())
    bias = None if function == "none" else torch.randn(n).half()
    options = {"bias": bias, "activation": function}
    made = ops.gemm_int4(a, stored, scales, **options)
    w = widened(stored, scales.double())
    wanted = FINISH[function](a.double() @ w + (0 if bias is None else bias.double()))
    choice = ops.explain_choice("gemm_int4", a, stored, scales, **options)
    error = interpreter.error(made, wanted, 4e-6 * (a.double().abs() @ w.abs()))
    return {"ran": f"{choice.implementation} {choice.config['SPLITS']}", "error": error}


def main() -> None:
    """Print all cases."""
    torch.manual_seed(5)
    interpreter.on(replace(interpreter.gpu("sm_90"), runtime_key="interpreter"))
    print(json.dumps({f"{m} {n} {k} {function}": case(m, n, k, function) for m, n, k, function in CASES}))


if __name__ == "__main__":
    main()
