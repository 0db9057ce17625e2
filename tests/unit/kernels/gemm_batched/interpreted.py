"""Run the kernel for products of a batch in Triton's interpreter and print each case's error over its bound as JSON.

A process of its own, for which `interpreter` in tests/unit is importable.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace

import interpreter
import torch
from interpreter import FINISH

from hotloop.dispatch.choice import Choice
from hotloop.dispatch.remembered import Answer
from hotloop.kernels.gemm_batched import tensors
from hotloop.kernels.gemm_batched.triton.space import START
from hotloop.model.space import Config

SMALL = START.replace(BM=16, BN=32, BK=16, num_stages=2)
DRAWN = 10
"""Calls whose sizes, layouts and options are drawn."""


def matrices(rng: random.Random, count: int, rows: int, columns: int, dtype: torch.dtype) -> torch.Tensor:
    """Return matrices by rows, by columns, with gaps and an offset, or of which the batch is the inner dimension."""
    made = (
        lambda: torch.randn(count, rows, columns),
        lambda: torch.randn(count, columns, rows).transpose(1, 2),
        lambda: torch.randn(count, rows + 3, 2 * columns)[:, 1 : rows + 1, 1 : columns + 1],
        lambda: torch.randn(rows, count, columns).transpose(0, 1),
    )
    return rng.choice(made)().to(dtype)


def ran(call: tensors.Call, config: Config) -> torch.Tensor:
    operator = tensors._OPERATOR
    operator.check(call)
    choice: Choice = operator.alternatives(operator.described(call, gradient=False), call.a)[0]
    return operator.run(call, Answer(replace(choice, config=config)))


def case(number: int, *, uneven: bool) -> float:
    rng = random.Random(number)
    torch.manual_seed(number)
    dtype = rng.choice([torch.float16, torch.bfloat16, torch.float32])
    function = rng.choice(list(FINISH))
    batch, (m, n, k) = rng.choice([1, 3, 4]), (rng.choice([1, 7, 16, 37]) for _ in range(3))
    rows = batch * m
    bias = torch.randn(batch, n).to(dtype) if rng.random() < 0.5 else None
    if uneven:
        a, b = matrices(rng, 1, rows, k, dtype)[0], matrices(rng, batch, k, n, dtype)
        ends = torch.sort(torch.randint(0, rows + 1, (batch,), dtype=torch.int32))[0]
        ends[-1] = rows
        added = torch.randn(rows, n + 5).to(dtype)[:, :n] if rng.random() < 0.5 else None
        _, call = tensors.gemm_grouped(a, b, ends, bias=bias, activation=function, residual=added)
        whose = torch.searchsorted(ends.long(), torch.arange(rows), right=True)
        left, right = a[:, None], b[whose]
    else:
        a, b = (matrices(rng, rng.choice([1, batch]), *size, dtype) for size in ((m, k), (k, n)))
        a = a if a.shape[0] == batch or b.shape[0] == batch else a.expand(batch, -1, -1).contiguous()
        added = torch.randn(batch, m, n).to(dtype) if rng.random() < 0.5 else None
        _, call = tensors.gemm_batched(a, b, bias=bias, activation=function, residual=added)
        left, right, whose = a, b, torch.arange(batch)
    total, size = left.double() @ right.double(), left.double().abs() @ right.double().abs()
    total = total if bias is None else total + bias.double()[whose][:, None]
    total, size = (x.reshape(rows, n) if uneven else x.expand(batch, m, n) for x in (total, size))
    more = 0 if added is None else added.double()
    wanted = FINISH["gelu" if function == "gelu-erf" else function](total) + more
    return interpreter.error(ran(call, SMALL), wanted, 4e-6 * (size + total.abs() + abs(more) + 1))


def main() -> None:
    interpreter.on(replace(interpreter.gpu("sm_90"), runtime_key="interpreter"))
    found = {
        f"{'uneven' if number % 2 else 'even'} {number}": case(number, uneven=number % 2 == 1)
        for number in range(DRAWN)
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
