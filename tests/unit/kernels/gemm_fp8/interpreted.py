"""Run the kernels for 8-bit floats in Triton's interpreter and print each case's error over its bound as JSON.

A process of its own, for which `interpreter` in tests/unit is importable. Gluon has no interpreter, hence a device that is no
Hopper. It takes 8-bit operands as they are; results are float16, because it cuts bfloat16 off where a GPU rounds.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import interpreter
import torch
from interpreter import FINISH

from hotloop import ops

SHAPES = ((3, 40, 96), (20, 64, 2048), (70, 136, 272), (130, 264, 128))
FORMS = ((False, False, "none"), (True, False, "gelu"), (False, True, "silu"), (True, True, "relu"))


def case(m: int, n: int, k: int, rows: bool, columns: bool, function: str, fast: bool) -> dict[str, object]:
    a, w = torch.randn(m, k + 16).to(torch.float8_e4m3fn)[:, :k], torch.randn(n, k).to(torch.float8_e4m3fn)
    scale_a = torch.rand(m, 1) + 0.5 if rows else torch.tensor(0.7)
    scale_b = torch.rand(1, n) + 0.5 if columns else torch.tensor([1.3])
    bias = None if function == "none" else torch.randn(n).half()
    options = {"bias": bias, "activation": function, "dtype": torch.float16, "fast_accum": fast}
    found = ops.gemm_fp8(a, w.t(), scale_a, scale_b, **options)
    factor = scale_a.double() * scale_b.double()
    total, size = a.double() @ w.double().t() * factor, a.double().abs() @ w.double().t().abs() * factor
    wanted = FINISH[function](total if bias is None else total + bias.double())
    choice = ops.explain_choice("gemm_fp8", a, w.t(), scale_a, scale_b, **options)
    cut = f"{choice.config['SPLITS']}" if choice.config["SWAP"] else "many"
    return {"ran": f"{choice.implementation} {cut}", "error": interpreter.error(found, wanted, 4e-6 * size)}


def main() -> None:
    torch.manual_seed(5)
    interpreter.on(replace(interpreter.gpu("sm_100"), runtime_key="interpreter"))
    found = {}
    for (m, n, k), (rows, columns, function) in itertools.product(SHAPES, FORMS):
        fast = function == "silu"
        found[f"{m} {n} {k} {rows} {columns} {function}"] = case(m, n, k, rows, columns, function, fast)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
