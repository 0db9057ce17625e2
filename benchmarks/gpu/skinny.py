"""The skinny OpenCL GEMM on an NVIDIA GPU: every strip of a grid on products with few rows or columns, against cuBLAS and dispatch.

    python benchmarks/gpu/skinny.py OUT.json [--limit-s S] [--shapes 4096x1x4096,1x4096x4096:nt,...]

Each variant is checked against float64 before it is timed. Times are the device's, of a batch that was submitted before it
began (`ahead`), inputs larger than the second-level cache where they are large enough; a quick look at all, then the best few and
what dispatch takes, interleaved with cuBLAS called from PyTorch (TF32 off). Builds go first, in processes (`--build I N`).
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from hotloop.kernels.gemm.problem import gemm
from hotloop.kernels.gemm.skinny import SKINNY
from hotloop.kernels.gemm.skinny.plan import shape as shape_of
from hotloop.kernels.gemm.skinny.sides import Sides
from hotloop.kernels.gemm.skinny.space import SPACE, START
from hotloop.model.kernel import Variant

BUILDERS = 14
SHAPES = (
    "4096x1x4096,8192x1x8192,64x1x65536,1000x1x3001,512x1x512,2048x1x2048,300x1x7000,5000x1x300,100000x1x64,30000x1x1000,4096x1x4095,"
    "3000x1x777,20000x1x333,777x1x1501,100x1x999,300x1x300,1024x1x1024,"
    "1x4096x4096,1x14336x4096,1x4096x14336,1x3001x1000,1x1000x1000,1x2048x2048,1x300x7000,1x5000x300,1x100000x64,1x64x65536,"
    "1x30000x1000,1x4097x4096,1x512x512,1x256x1024,1x300x300,"
    "4096x2x4096,4096x3x4096,3x4096x4096,2x4096x4096,4096x2x4096:nt,4096x4x4096:nt,2x1000x1001"
)
"""First those whose long operand lies along k, then those across it, then more rows or columns than one."""
ALONG_K = tuple(
    itertools.product(
        ((1, 256), (1, 128), (2, 128), (2, 64), (4, 32), (8, 32), (8, 16), (16, 16)), (1, 2), (1, 2, 4, 8)
    )
)
ACROSS = tuple(
    itertools.product(
        ((8, 32), (16, 16), (32, 8), (8, 64), (8, 128), (16, 64), (32, 32), (4, 128), (4, 256), (16, 32)),
        (1,),
        (2, 4, 8, 16),
    )
)
"""ODIM and KDIM, OWI, KUNROLL."""
MORE_ALONG_K = tuple(itertools.product(((4, 32), (8, 32), (1, 256), (1, 128), (2, 128)), (1, 2), (1, 2, 4)))
MORE_ACROSS = tuple(itertools.product(((32, 8), (16, 16), (8, 32), (8, 64)), (1,), (2, 4, 8)))
"""The same for FEW beyond 1."""
SLICES = {True: (1, 2, 4, 8, 16), False: (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)}
ROUNDS = 5
AHEAD = 24
"""Calls that are submitted before the first of them begins."""


def grid(problem):
    """Return the variants without slices that are tried on a problem."""
    sides = Sides.of(gemm(problem))
    few = next(size for size in SPACE["FEW"].values if size >= min(16, sides.few))
    vector = 4 if sides.aligned(4) and (sides.along_k or sides.outputs % 4 == 0) else 1
    one = few == 1
    ways = (ALONG_K if one else MORE_ALONG_K) if sides.along_k else (ACROSS if one else MORE_ACROSS)
    configs = [
        START.replace(ODIM=odim, KDIM=kdim, OWI=owi, KUNROLL=unroll * (1 if width > 1 else 2), VW=width, FEW=few)
        for (odim, kdim), owi, unroll in ways
        for width in ((vector,) if vector > 1 else (1, 2))
    ]
    return [Variant(SKINNY, config) for config in configs if SPACE.valid(config)]


def sliced(variant, problem, units):
    """Return a variant without slices and with some numbers of them: not too many groups, of a whole round of reads each."""
    form = gemm(problem)
    tile = shape_of(form, variant.config)
    found = []
    for slices in SLICES[Sides.of(form).along_k]:
        steps = form.k / (slices * tile.stage_k * variant.config.integer("KUNROLL"))
        if slices == 1 or (steps >= 1 and tile.groups * slices <= 32 * units):
            found.append(Variant(SKINNY, variant.config.replace(SPLIT=slices, ARRIVE=int(slices > 1))))
    return found


def build(shapes, index, count):
    """Build every `count`th variant from `index` on, for the driver's cache."""
    from sgemm_configs import built, chosen, cl, open_device, parsed, problem_of

    facts, context, _, _ = open_device()
    texts = {}
    for name in shapes.split(","):
        problem = problem_of(parsed(name))
        program = chosen(facts, parsed(name)).program(problem, facts)
        texts[program.options] = program.source
        for variant in grid(problem):
            for config in (variant.config, variant.config.replace(SPLIT=2, ARRIVE=1)):
                program = SKINNY.plan(problem, config, facts)
                texts[program.options] = program.source
    for options in list(texts)[index::count]:
        try:
            built(context, texts[options], options)
        except cl.Error as reason:
            print(str(reason)[:300], flush=True)
    print(len(texts), "programs", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--build", type=int, nargs=2)
    parser.add_argument("--limit-s", type=float, default=200)
    parser.add_argument("--shapes", default=SHAPES)
    given = parser.parse_args()
    if given.build:
        build(given.shapes, *given.build)
        return
    if not given.out:
        parser.error("OUT.json is missing")
    began = time.monotonic()
    script = str(Path(__file__))
    builders = [
        subprocess.Popen(
            [sys.executable, script, "--shapes", given.shapes, "--build", str(i), str(BUILDERS)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for i in range(BUILDERS)
    ]
    for said in [builder.communicate()[0] for builder in builders]:
        print(said.strip()[-400:], flush=True)
    print(f"built in {time.monotonic() - began:.0f} s", flush=True)
    search(given.out, given.shapes, began + given.limit_s)


def search(out, shapes, until):
    import ahead
    import numpy as np
    import torch
    from sgemm_configs import chosen, cl, open_device, parsed, problem_of
    from sgemm_opencl import inputs, looked

    opened = open_device()
    facts, context, _, plain = opened
    clock = ahead.Clock(cl, context, plain)
    generator, rows = np.random.default_rng(7), []
    torch.backends.cuda.matmul.allow_tf32 = False

    def device_ms(ours, batch):
        return clock.ms(lambda index: ours.enqueue(plain, index), min(batch, AHEAD), len(ours.calls[0]))

    for name in shapes.split(","):
        if time.monotonic() > until:
            print("out of time before", name, flush=True)
            break
        shape = parsed(name)
        problem = problem_of(shape)
        sets, tensors = inputs(context, shape, generator)
        keep = [chosen(facts, shape)]
        for variant in grid(problem):
            keep += sliced(variant, problem, facts.compute_units)
        looks = looked(shape, opened, list(dict.fromkeys(keep)), sets, tensors, device_ms)
        result = torch.empty(shape[:2], device="cuda")
        calls = [lambda a=a, b=b, c=result: torch.matmul(a, b, out=c) for a, b in tensors]
        finalists = [*looks[:4], *(look for look in looks[4:] if look[1] == keep[0])]
        measure = [lambda ours=look[2]: device_ms(ours, AHEAD) for look in finalists]
        measure.append(lambda calls=calls: ahead.torch_ms(calls, AHEAD))
        for take in measure:
            take()
        times = [[] for _ in measure]
        for index in range(ROUNDS):
            order = list(range(len(measure)))[:: -1 if index % 2 else 1]
            for i in (*order, *reversed(order)):
                times[i].append(measure[i]())
        m, n, k = shape[:3]
        peer = median(times[-1])
        moved = 4 * (m * k + k * n + m * n)
        print(
            f"{name}: cuBLAS {1e3 * peer:.2f} us, {moved / peer * 1e-9:.2f} TB/s; {len(keep)} tried; {until - time.monotonic():.0f} s left",
            flush=True,
        )
        for look, took in zip(finalists, times, strict=False):
            config = dict(look[1].config)
            print(
                f"    {1e3 * median(took):.2f} us {peer / median(took):.3f} {look[1].implementation.name} {config}",
                flush=True,
            )
        rows.append({
            "shape": shape, "cublas_ms": times[-1],
            "finalists": [(look[1].implementation.name, dict(look[1].config), took) for look, took in zip(finalists, times, strict=False)],
            "looks": [(took, tried.implementation.name, list(tried.config.values()), made.log) for took, tried, made, _ in looks],
        })  # fmt: skip
        conditions = {
            "device": facts.name,
            "driver": context.devices[0].driver_version,
            "torch": torch.__version__,
            "parameters": list(START),
        }
        out.write_text(json.dumps({"conditions": conditions, "rows": rows}))


if __name__ == "__main__":
    main()
