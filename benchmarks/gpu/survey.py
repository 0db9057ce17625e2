"""Random products of model layers, each by every kernel that might be fastest and by PyTorch: what dispatch learns from.

    PYTHONPATH=src python benchmarks/gpu/survey.py OUT.jsonl --seed 4242 --count 250 [--limit-s 400] [--only hopper-stream] [--most-rows 2048]

Shapes are drawn by `shapes.drawn`, so nobody chose them; each is multiplied plainly and with bias and GELU, in `nn.Linear`'s layout.
A kernel's result may be no further from PyTorch's than rounding explains, or it is left out; what is right is timed by replays of a
graph, in alternating rounds. Kernels are compiled ahead, each once, in processes of their own. A line for each product as soon as it
is measured; what stands in OUT.jsonl already is not measured again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

import shapes
import torch

from hotloop.dispatch import arguments, launch, pace
from hotloop.dispatch.remembered import Answer
from hotloop.kernels.gemm import KERNEL, products
from hotloop.model.jit import parse
from hotloop.model.space import Config
from hotloop.ops import functions

COMPILERS, ROUNDS = 16, 5
"""Processes that compile; rounds of a measurement."""
FAR = 0.02
"""Share of the largest result that a right one may be away from PyTorch's: both round to 8 bits."""


def made(m: int, n: int, k: int, *, fused: bool, fill: Callable[..., torch.Tensor] = torch.randn):
    """Return the operator and a call of a product."""
    a, b, bias = (fill(*size, device="cuda", dtype=torch.bfloat16) for size in ((m, k), (n, k), (n,)))
    options = {"bias": bias, "activation": "gelu"} if fused else {}
    return functions.explained()["gemm"].call("gemm", (a, b.t().div_(k**0.5)), options)


def rivals(product: products.Product, device, only: str) -> Iterator[object]:
    """Yield the choices that are expected to take least time, each configuration once, of kernels whose name begins with `only`.

    `only` that ends in a colon stands for all configurations of a kernel with as many stages as fit and tiles of which no half is empty.
    """
    asked = products.Asked(problem=product.problem, device=device, function="torch.matmul")
    pairs = whole(only[:-1], product) if only.endswith(":") else products.surveyed(product, device)
    for pair in pairs:
        if not pair[0].startswith(only.rstrip(":")):
            continue
        guess = products.guess(*pair)
        made = products.select(asked, (), guess, lambda each: products.fitted(each, product, device))
        if made.implementation == pair[0]:
            yield made


def whole(name: str, product: products.Product) -> Iterator[tuple[str, Config]]:
    deepest: dict[Config, Config] = {}
    space = KERNEL.implementation(name).space
    for values in itertools.product(*(parameter.values for parameter in space.parameters)):
        config = Config({parameter.name: value for parameter, value in zip(space.parameters, values, strict=True)})
        if not space.valid(config):
            continue
        if (
            config["CHAIN"] == 1
            and product.m <= max(config.integer("BM"), 128)
            and config.integer("BM") < max(64, 2 * product.m)
        ):
            key = config.replace(STAGES=0)
            if key not in deepest or config.integer("STAGES") > deepest[key].integer("STAGES"):
                deepest[key] = config
    for config in deepest.values():
        yield name, config


def cases(asked: argparse.Namespace) -> Iterator[tuple[int, int, int, bool]]:
    for m, n, k in shapes.drawn(asked.seed, asked.count):
        if asked.least_rows <= m <= asked.most_rows:
            for fused in (False, True):
                yield m, n, k, fused


def compiled(asked: argparse.Namespace, share: int) -> None:
    """Compile this process's share of the kernels, each where it is met first."""
    met: dict[object, None] = {}
    for m, n, k, fused in cases(asked):
        operator, call = made(m, n, k, fused=fused, fill=torch.empty)
        product, out = operator.described(call, gradient=False), None
        device = operator.choose(product, call[0]).device
        for choice in rivals(product, device, asked.only):
            program = operator.program(call, Answer(choice).choice)
            key = (
                program.build_key
                if program.language == "cuda"
                else (str(dict(parse(program.options).values)), choice.config, m % 16 == 0, m == 1)
            )
            if key in met:
                continue
            met[key] = None
            if (len(met) - 1) % COMPILERS != share:
                continue
            out = operator.fake(call) if out is None else out
            try:
                launch.prepared(program, choice.device, operator.arrays(call, out))
            except Exception as error:  # noqa: BLE001 - the measurement will say so
                print(m, n, k, choice.config, str(error)[:100], file=sys.stderr)


def measured(m: int, n: int, k: int, *, fused: bool, only: str) -> dict[str, object]:
    operator, call = made(m, n, k, fused=fused)
    product = operator.described(call, gradient=False)
    device, clock = operator.choose(product, call[0]).device, pace.of(call[0])
    wanted = operator.peer(call).float()
    runs: dict[str, Callable[[], object]] = {"torch": lambda: operator.peer(call)}
    refused: dict[str, str] = {}
    for choice in rivals(product, device, only):
        name = f"{choice.implementation} {choice.config}"
        run = partial(operator.run, call, Answer(choice))  # one answer, which keeps what a launch prepares
        try:
            far = float((run().float() - wanted).abs().max() / wanted.abs().max())
        except Exception as error:
            if not (trouble := arguments.compile_trouble(error)):
                raise
            refused[name] = trouble
            continue
        if far > FAR:
            refused[name] = f"{far:.3g} of the largest result away"
        else:
            runs[name] = run
    samples = {name: clock.timed(run) for name, run in runs.items()}
    times: dict[str, list[float]] = {name: [] for name in samples}
    for number in range(ROUNDS):
        for name in list(samples)[:: 1 if number % 2 == 0 else -1]:
            times[name].append(samples[name]())
    us = {name: round(median(each) / 1e3, 3) for name, each in times.items()}
    return {"m": m, "n": n, "k": k, "fused": fused, "us": us, "refused": refused}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=4242)
    parser.add_argument("--count", type=int, default=250)
    parser.add_argument("--limit-s", type=float, default=400.0)
    parser.add_argument(
        "--only",
        default="",
        metavar="NAME",
        help="kernels whose name begins so; with a colon behind it all configurations of that kernel",
    )
    parser.add_argument("--least-rows", type=int, default=1)
    parser.add_argument("--most-rows", type=int, default=1 << 30)
    parser.add_argument("--compile", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    ends = time.monotonic() + asked.limit_s
    if asked.compile is not None:
        compiled(asked, asked.compile)
        return
    ahead(asked, asked.limit_s / 2)
    print(f"compiled, {ends - time.monotonic():.0f} s left", flush=True)
    rows = [json.loads(line) for line in asked.out.read_text().splitlines()] if asked.out.exists() else []
    known = {(row["m"], row["n"], row["k"], row["fused"]) for row in rows if "us" in row}
    with asked.out.open("a", encoding="utf-8") as sink, torch.no_grad():
        if not rows:
            sink.write(
                json.dumps({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "seed": asked.seed})
                + "\n"
            )
        for case in cases(asked):
            if case in known:
                continue
            if time.monotonic() > ends:
                print("no time left", flush=True)
                break
            row = measured(*case[:3], fused=case[3], only=asked.only)
            sink.write(json.dumps(row) + "\n")
            sink.flush()
            best = min((us, name) for name, us in row["us"].items())
            print(*case, f"{row['us']['torch']:.2f}", *best, len(row["us"]), len(row["refused"]), flush=True)


def ahead(asked: argparse.Namespace, limit_s: float) -> None:
    """Compile side by side."""
    options = [str(asked.out), "--seed", str(asked.seed), "--count", str(asked.count), "--only", asked.only]
    options += ["--least-rows", str(asked.least_rows), "--most-rows", str(asked.most_rows)]
    shares = [
        subprocess.Popen([sys.executable, __file__, *options, "--compile", str(share)]) for share in range(COMPILERS)
    ]
    ends = time.monotonic() + limit_s
    for share in shares:
        try:
            share.wait(max(0.1, ends - time.monotonic()))
        except subprocess.TimeoutExpired:
            share.kill()


if __name__ == "__main__":
    main()
