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
from hotloop.kernels.gemm_batched.triton import plan
from hotloop.kernels.gemm_batched.triton.space import START
from hotloop.model.space import Config

SMALL = START.replace(BM=16, BN=32, BK=16, num_stages=2)
DRAWN = 16
"""Calls whose sizes, layouts and options are drawn."""
PATHS: set[tuple[str, bool, str]] = set()


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
    described = operator.described(call, gradient=False)
    choice: Choice = operator.alternatives(described, call.a)[0]
    path = "descriptors" if plan.describable(described.form, described.steps) else "pointers"
    PATHS.add((path, described.form.uneven, described.form.op))
    return operator.run(call, Answer(replace(choice, config=config.replace(PATH=path))))


def case(number: int, *, uneven: bool, eights: bool) -> float:
    """Return the error over its bound of a drawn call; `eights` draws sizes that tensor descriptors take."""
    rng = random.Random(number)
    torch.manual_seed(number)
    dtype = rng.choice([torch.float16, torch.bfloat16, torch.float32])
    function = rng.choice(list(FINISH))
    sizes = [8, 24, 40] if eights else [1, 7, 16, 37]
    batch, (m, n, k) = rng.choice([1, 3, 4]), (rng.choice(sizes) for _ in range(3))
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


def layouts() -> dict[str, float]:
    """Return the errors by tensor descriptors of all layouts and shared operands, with edges of tiles in rows, columns and steps."""
    found, (batch, m, n, k) = {}, (3, 24, 40, 24)
    for op, ones in (("nn", (3, 3)), ("nt", (1, 3)), ("tn", (3, 1)), ("tt", (3, 3))):
        a = torch.randn(ones[0], *((m, k) if op[0] == "n" else (k, m))).half()
        b = torch.randn(ones[1], *((k, n) if op[1] == "n" else (n, k))).half()
        a, b = (x if letter == "n" else x.transpose(1, 2) for x, letter in zip((a, b), op, strict=True))
        _, call = tensors.gemm_batched(a, b, activation="relu")
        wanted = torch.relu(a.double() @ b.double()).expand(batch, m, n)
        found[f"layout {op}"] = interpreter.error(
            ran(call, SMALL), wanted, 4e-6 * (a.double().abs() @ b.double().abs())
        )
    return found


def main() -> None:
    interpreter.on(replace(interpreter.gpu("sm_90"), runtime_key="interpreter"))
    found: dict[str, object] = {
        f"{'uneven' if number % 2 else 'even'} {number}": case(
            number, uneven=number % 2 == 1, eights=number >= DRAWN // 2
        )
        for number in range(DRAWN)
    }
    found |= layouts()
    found["paths"] = sorted(PATHS)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
