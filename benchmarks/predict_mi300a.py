"""Predicted against measured times of the MI300A programs that stand beside the repository (../shared/measured-amd/mi300a).

    python benchmarks/predict_mi300a.py ../shared/measured-amd/mi300a results/predict-.../mi300a.jsonl [--only NAME] [--library FILE]

The kernels are compiled as they stand there, without their main functions, and a few work-groups of each point are executed on
the CPU. Sequences of launches are added up as in hotloop.predict.sequence: what a call costs alone, then for each further launch what
a launch costs at least. The copy from the host within the timed region of bitonicsort is counted with published figures of pinned memory, which its
is not: such points are not trusted. Points whose kernels would take too long to execute are left out and counted. Nothing in the model was fitted to these times.
With `--library librocmllvm.so` of a package `rocm-llvm-python` that version of ROCm compiles, at -O2 as the measurers' build script has it, instead of the clang here.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import tempfile
import time
from collections.abc import Iterator
from math import sqrt
from pathlib import Path

import numpy as np
from older import listing

from hotloop.app.code.offline import compile_offline
from hotloop.compilers.offer import Compiled
from hotloop.emulate.launch import Launch
from hotloop.emulate.memory import Blank
from hotloop.errors import HotloopError
from hotloop.predict.ask import Kernel, ask, kernel
from hotloop.predict.card import card

CHIP = "MI300A"
COPY_NS, COPY_BYTES_PER_NS = 6000, 58
"""A copy between host and GPU: ROCm/hip issue 3809, rocm-bandwidth-test on an MI300X; AMD's MI300A system optimization guide, the same tool."""


def floats(*counts: int) -> list[Blank]:
    """Return buffers of 32-bit numbers."""
    return [Blank(4 * n) for n in counts]


def launch(arguments: list[object], grid: tuple[int, ...], group: tuple[int, ...], **more: int) -> Launch:
    """Return a launch with missing axes filled up."""
    full = [(*sizes, 1, 1)[:3] for sizes in (grid, group)]
    return Launch(arguments=arguments, grid=full[0], workgroup=full[1], **more)


def over(n: int, size: int) -> int:
    """Return how many groups cover n."""
    return -(-n // size)


def numbers(text: str) -> list[int]:
    """Return the numbers in a problem's name."""
    return [int(n) for n in re.findall(r"\d+", text)]


def launches(name: str, size: list[int]) -> Iterator[tuple[str, Launch, int]]:
    """Yield the launches of a point: part of the kernel's name, the launch, how often it is repeated."""
    n = size[0]
    if name == "vectoradd":
        yield "vectoradd_float", launch([*floats(n, n, n), n, 1], (over(n, 256),), (256,)), 1
    elif name == "relu":
        yield "ReLUForward", launch([n, *floats(n, n)], (over(n, 256),), (256,)), 1
    elif name == "fir":
        yield "FIR", launch([*floats(n, size[1], n, size[1]), size[1]], (n // 256,), (256,)), 1
    elif name == "kmeans":
        f, k = size[1], size[2]
        yield "kmeans_kernel_compute", launch([*floats(n * f, k * f, n), n, k, f, 0, n], (over(n, 256),), (256,)), 1
    elif name == "atax":
        yield "atax_kernel1", launch([*floats(n * n, n, n), n, n], (over(n, 256),), (256,)), 1
        yield "atax_kernel2", launch([*floats(n * n, n, n), n, n], (over(n, 256),), (256,)), 1
    elif name == "nbody":
        sizes = floats(4 * n, 4 * n)
        rest = floats(4 * n, 4 * n, 4 * n)
        yield "nbody_sim", launch([*sizes, n, 0.005, 50.0, *rest], (over(n, 256),), (256,)), 1
    elif name == "simpleconvolution":
        mask, wide = size[2], n + size[2] - 1
        arguments = [*floats(wide * wide, mask * mask, n * n), n, n, mask, mask, wide]
        yield "simpleNonSeparable", launch(arguments, (over(n * n, 64),), (64,)), 1
    elif name == "bitonicsort":
        stages = n.bit_length() - 1
        pairs = stages * (stages + 1) // 2
        middle = max(1, stages // 2)
        yield "BitonicSort", launch([*floats(n), stages, middle, 1], (over(n // 2, 64),), (64,)), pairs
    elif name == "matrixmultiplication":
        grid = n // 4 // 8
        arguments = [*floats(n * n, n * n, n * n), n, *floats(max(1, grid * grid) * 256 * 4)]
        yield "mmmKernel_local", launch(arguments, (max(1, grid), max(1, grid)), (8, 8)), 1
    elif name == "stencil2d":
        columns = n + 2 + (16 - (n + 2) % 16) % 16
        arguments = [*floats(columns * (n + 2), columns * (n + 2)), 16, 0.25, 0.15, 0.05]
        yield "StencilKernel", launch(arguments, (n // 16, n // 64), (1, 64)), 1
    elif name == "matrixtranspose":
        block = 16
        blocks = max(1, n // 4 // block)
        arguments = [*floats(n * n, n * n), None, n // 4, n // 4, blocks, 0, 0]
        yield (
            "matrixTranspose",
            launch(arguments, (blocks, blocks), (block, block), dynamic_lds_bytes=block * block * 64),
            1,
        )


def source(path: Path) -> str:
    """Return a program without its host side."""
    text = path.read_text(encoding="utf-8").replace('#include "bench_common.h"', "#include <hip/hip_runtime.h>")
    return text[: text.index("int main(")]


def compiled(path: Path, library: Path | None) -> str:
    """Return the listing of a program's kernels."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / f"{path.stem}.hip"
        kept.write_text(source(path))
        if library is not None:
            return listing(library, kept, "gfx942", 2)
        made = compile_offline(str(kept), "gfx942")
    if not isinstance(made, Compiled):
        raise TypeError(str(made)[:500])
    return made.listing


def length(name: str, size: list[int]) -> int:
    """Return about how many loop iterations one wave runs."""
    if name == "kmeans":
        return size[1] * size[2]
    return size[0] if name in ("atax", "nbody", "matrixmultiplication") else 1


def point(kernels: dict[str, Kernel], code: str, name: str, size: list[int]) -> dict[str, object]:
    """Return the prediction of one point."""
    device = card(CHIP)
    gap = device.launch_ns.low
    total, low, high, parts = device.launch_ns.middle, device.launch_ns.low, device.launch_ns.high, []
    doubts: list[str] = []
    for part, launched, repeat in launches(name, size):
        full = next(symbol for symbol in re.findall(r"^(\w+):", code, re.MULTILINE) if part in symbol)
        if full not in kernels:
            kernels[full] = kernel(code, full)
        prediction = ask(kernels[full], launched, device)
        each = sqrt(sum(term.ns**2 for term in prediction.terms))
        total += each * repeat + gap * (repeat - (not parts))
        low += (prediction.low_ns - device.launch_ns.low) * repeat + (repeat - 1) * gap
        high += (prediction.high_ns - device.launch_ns.high) * repeat + (repeat - 1) * device.launch_ns.high
        parts.append({"bound": prediction.bound, "terms": {t.name: t.ns for t in prediction.terms}, "waves": prediction.waves_per_simd,
                      "l1_hit": prediction.l1_hit, "l2_hit": prediction.l2_hit, "moved_bytes": prediction.moved_bytes})  # fmt: skip
        doubts += prediction.doubts
    if name == "bitonicsort":
        copied = COPY_NS + 4 * size[0] / COPY_BYTES_PER_NS
        total, low, high = total + copied, low + copied, high + copied
        doubts.append("the timed region copies from pageable memory of the host")
    if name == "atax":  # two fills
        total, low, high = total + 2 * gap, low + 2 * gap, high + 2 * device.launch_ns.high
    return {
        "predicted_ms": total / 1e6,
        "low_ms": low / 1e6,
        "high_ms": high / 1e6,
        "parts": parts,
        "doubts": sorted(set(doubts)),
    }


def main() -> None:
    """Predict every point that can be executed in time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--library", type=Path)
    parser.add_argument(
        "--longest", type=int, default=20_000, help="loop iterations of a wave that are executed at most"
    )
    given = parser.parse_args()
    with (given.folder / "mi300a.csv").open() as file:
        rows = list(csv.DictReader(file))
    for name in sorted({row["kernel_name"] for row in rows if given.only in row["kernel_name"]}):
        code = compiled(given.folder / f"{name}.cpp", given.library)
        kernels: dict[str, Kernel] = {}
        for row in (r for r in rows if r["kernel_name"] == name):
            size = numbers(row["problem_size"])
            answer: dict[str, object] = {"kernel": name, "size": row["problem_size"], "measured_ms": float(row["avg_ms"]),
                                         "least_ms": float(row["min_ms"])}  # fmt: skip
            begin = time.time()
            if length(name, size) > given.longest:
                answer["left_out"] = "too long to execute here"
            else:
                try:
                    answer |= point(kernels, code, name, size)
                except (HotloopError, MemoryError, StopIteration) as error:
                    answer["left_out"] = f"{type(error).__name__}: {error}"
            answer["seconds"] = round(time.time() - begin, 2)
            with given.out.open("a") as file:
                file.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    np.seterr(all="ignore")
    main()
