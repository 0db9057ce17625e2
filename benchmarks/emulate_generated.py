"""Execute OpenCL kernels that a code generator writes, clean and with planted mistakes, beside x86 builds of the same expressions.

    pip install --target FOLDER tinygrad
    python benchmarks/emulate_generated.py FOLDER gfx942 gfx1030 --out generated.json

tinygrad's package (MIT) turns tensor expressions into OpenCL C for a GPU and into C for this machine. Both are compiled by the
clang of the package ziglang; the executor runs the one, this machine the other, on the same random arrays. A clean
kernel must agree and raise no report in two orders. Each plant is one mistake in one kernel that must be reported.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from hotloop.app.code.offline import compile_offline
from hotloop.app.emulate.execute import Adversary, execute
from hotloop.app.emulate.task import Step, Task
from hotloop.emulate import program
from hotloop.emulate.program import load
from hotloop.errors import HotloopError
from hotloop.isa.dialects.amdgcn import DIALECT

TYPES = {
    "float": np.float32, "int": np.int32, "unsigned int": np.uint32, "char": np.int8, "signed char": np.int8, "unsigned char": np.uint8,
    "short": np.int16, "unsigned short": np.uint16, "bool": np.bool_, "long": np.int64, "unsigned long": np.uint64,
}  # fmt: skip


@dataclass(frozen=True)
class Kernel:
    """One generated kernel."""

    name: str
    expression: str
    source: str
    host: str
    host_name: str
    grid: tuple[int, int, int]
    group: tuple[int, int, int]
    buffers: tuple[tuple[Any, int], ...]
    """Type and elements, in the order of the arguments."""
    outs: tuple[int, ...]
    plant: str = ""
    """What was made wrong; empty: nothing."""
    less: int = -1
    """Argument that is one element too short."""
    fresh: int = -1
    """Input that nobody has filled."""
    kinds: tuple[str, ...] = field(default=())
    """Findings of which one is expected."""


def expressions(tensor: Any, types: Any) -> Iterator[tuple[str, Any]]:
    """Yield expressions over shapes that are no powers of two, too."""
    e = tensor.empty
    for m, k, n in ((16, 32, 8), (7, 13, 5), (33, 65, 17), (64, 64, 64), (1, 100, 9), (48, 20, 40)):
        yield f"matmul {m}x{k}x{n}", lambda m=m, k=k, n=n: e(m, k) @ e(k, n)
        yield f"linear relu {m}x{k}x{n}", lambda m=m, k=k, n=n: (e(m, k) @ e(k, n) + e(n)).relu()
    for rows, columns in ((5, 100), (17, 64), (3, 1000), (64, 33)):
        shape = f"{rows}x{columns}"
        yield f"softmax {shape}", lambda r=rows, c=columns: e(r, c).softmax(-1)
        yield f"log_softmax {shape}", lambda r=rows, c=columns: e(r, c).log_softmax(-1)
        yield f"layernorm {shape}", lambda r=rows, c=columns: e(r, c).layernorm()
        yield f"sum {shape}", lambda r=rows, c=columns: e(r, c).sum(-1)
        yield f"sum of columns {shape}", lambda r=rows, c=columns: e(r, c).sum(0)
        yield f"max {shape}", lambda r=rows, c=columns: e(r, c).max(-1)
        yield f"argmax {shape}", lambda r=rows, c=columns: e(r, c).argmax(-1)
        yield f"var {shape}", lambda r=rows, c=columns: e(r, c).var(-1)
        yield f"cumsum {shape}", lambda r=rows, c=columns: e(r, c).cumsum(-1)
        yield f"transpose {shape}", lambda r=rows, c=columns: e(r, c).permute(1, 0).contiguous()
    for name in (
        "gelu",
        "silu",
        "tanh",
        "sigmoid",
        "exp",
        "log",
        "sqrt",
        "sin",
        "softplus",
        "mish",
        "hardswish",
        "erf",
        "round",
        "floor",
        "reciprocal",
        "square",
        "abs",
        "sign",
        "elu",
        "relu6",
    ):
        yield name, lambda name=name: getattr(e(1003), name)()
    for h, c, o, f in ((12, 3, 8, 3), (9, 4, 4, 1), (16, 2, 6, 5)):
        yield f"conv {h} {c} {o} {f}", lambda h=h, c=c, o=o, f=f: e(1, c, h, h).conv2d(e(o, c, f, f))
        yield f"depthwise conv {h} {c}", lambda h=h, c=c, f=f: e(1, c, h, h).conv2d(e(c, 1, f, f), groups=c)
        yield f"max_pool {h}", lambda h=h, c=c: e(1, c, h, h).max_pool2d()
        yield f"avg_pool {h}", lambda h=h, c=c: e(1, c, h, h).avg_pool2d()
    i = {"dtype": types.int32}
    yield "integer sum", lambda: e(70, 33, **i).sum(-1)
    yield "integer divide", lambda: e(500, **i) // 7
    yield "integer modulo", lambda: e(500, **i) % 13
    yield "shift and xor", lambda: (e(500, **i) * 4 ^ e(500, **i)) & 255
    yield "where", lambda: (e(500) > 0).where(e(500), e(500) * 2)
    yield "clip", lambda: e(777).clip(-0.5, 0.5)
    yield "gather", lambda: e(40, 6).gather(0, (e(9, 6, **i) % 40).abs())
    yield "one hot", lambda: (e(33, **i) % 10).abs().one_hot(10)
    yield "pad and shift", lambda: e(20, 21).pad(((1, 2), (3, 0))).contiguous()
    yield "flip", lambda: e(20, 21).flip(1).contiguous()
    yield "outer", lambda: e(31, 1) * e(1, 45)
    yield "attention", lambda: e(1, 2, 17, 16).scaled_dot_product_attention(e(1, 2, 17, 16), e(1, 2, 17, 16))
    yield "bytes", lambda: (e(999, dtype=types.uint8) + e(999, dtype=types.uint8)).cast(types.int32)
    yield "short", lambda: (e(333, dtype=types.int16) * 3).cast(types.float32)
    yield "long", (e(333, dtype=types.int64) * 5).sum


def generated(folder: str) -> list[Kernel]:
    """Return the kernels that the package makes."""
    sys.path.insert(0, folder)
    os.environ["DEV"] = "NULL"
    from tinygrad import Tensor, device, dtypes
    from tinygrad.codegen import to_program
    from tinygrad.helpers import Target
    from tinygrad.renderer.cstyle import ClangRenderer, OpenCLRenderer

    device.Compiler.compile_cached = lambda _self, _source: b""
    gpu, cpu = OpenCLRenderer(Target("CL", "", "gfx942")), ClangRenderer(Target("CPU", "", "x86_64,x86-64-v3"))
    found: dict[str, Kernel] = {}
    for expression, make in expressions(Tensor, dtypes):
        try:
            calls = [one for one in make().schedule_linear().src if len(one.src) > 1]
        except Exception as error:  # noqa: BLE001 - whatever the package does not offer
            print("left out:", expression, type(error).__name__, error)
            continue
        for call in calls:
            try:
                there, here = to_program(call.src[0], gpu), to_program(call.src[0], cpu)
            except Exception as error:  # noqa: BLE001
                print("left out:", expression, type(error).__name__)
                continue
            texts = ["\n".join(str(part.arg) for part in one.src if "SOURCE" in str(part.op)) for one in (there, here)]
            entry = re.search(r"__kernel void (\w+)\((.*?)\)", texts[0])
            host = re.search(r"^void (\w+)\((.*?)\)", texts[1], re.MULTILINE)
            if entry is None or host is None or there.arg.vars:
                continue
            kinds = [re.sub(r"__global |restrict|const |\*.*", "", part).strip() for part in host[2].split(", ")]
            if any(kind not in TYPES for kind in kinds):
                continue
            sizes = [int(np.prod(one.shape)) for one in call.src[1:]]
            args = [one.rsplit("_", 1)[-1] for one in entry[2].split(", ")]
            buffers = tuple((TYPES[kind], int(size)) for kind, size in zip(kinds, args, strict=True))
            assert len(sizes) == len(buffers)
            key = re.sub(r"\b\w*" + entry[1] + r"\b", "k", texts[0])
            if key not in found:
                name = f"k{len(found)}_{entry[1]}"
                found[key] = Kernel(
                    name, expression, texts[0].replace(f"void {entry[1]}(", f"void {name}("), texts[1].replace(f"void {host[1]}(", f"void {name}("), name,
                    _three(there.arg.global_size), _three(there.arg.local_size), buffers, tuple(there.arg.outs),
                )  # fmt: skip
    return list(found.values())


def _three(sizes: Any) -> tuple[int, int, int]:
    x, y, z = (*(int(n) for n in sizes or (1,)), 1, 1, 1)[:3]
    return x, y, z


def planted(kernels: list[Kernel]) -> Iterator[Kernel]:
    """Yield kernels with one mistake each: a barrier dropped, a buffer too short or never filled, a gap in local memory, an index off by one."""
    for one in kernels:
        waves = int(np.prod(one.group)) // 64
        bare = one.source.replace("barrier(CLK_LOCAL_MEM_FENCE);", "")
        if bare != one.source and waves > 1:
            yield _copy(one, "barrier dropped", bare, "race in local memory", "depends on order")
        # A private sum that begins with nothing is no plant: the compiler leaves the whole sum out.
        part = re.sub(r"(\*\(buf\d+\+(lidx\d+)\) = [^;]+;)(?=\s*barrier)", r"if (\2 != 1) { \1 }", one.source, count=1)
        if part != one.source:
            yield _copy(one, "place of local memory not written", part, "uninitialised")
        written = one.outs[0]
        yield replace(_copy(one, "output one element short", one.source, "out of bounds"), less=written)
        for number in range(len(one.buffers)):
            if number not in one.outs:
                yield replace(_copy(one, "input one element short", one.source, "out of bounds"), less=number)
                yield replace(_copy(one, "input never filled", one.source, "uninitialised"), fresh=number)
                break
        if re.search(r"= get_group_id\(0\);", one.source):
            moved = re.sub(r"= get_group_id\(0\);", "= get_group_id(0)+1;", one.source, count=1)
            yield _copy(one, "work-group number off by one", moved, "out of bounds")


_COPIES: Counter[str] = Counter()


def _copy(one: Kernel, plant: str, source: str, *kinds: str) -> Kernel:
    _COPIES[one.name] += 1
    name = f"{one.name}_p{_COPIES[one.name]}"
    return replace(
        one, name=name, plant=plant, source=source.replace(f"void {one.name}(", f"void {name}("), kinds=kinds
    )


def listing(kernels: list[Kernel], target: str, folder: Path) -> str:
    """Compile all kernels at once for a target."""
    text = "\n".join(re.sub(r"typedef .*?;\n", "", one.source) for one in kernels)
    typedefs = sorted({line for one in kernels for line in re.findall(r"typedef .*?;\n", one.source)})
    path = folder / f"all-{target}.cl"
    path.write_text("".join(typedefs) + text)
    return compile_offline(f"{path}:{kernels[0].name}", target).listing


def built(kernels: list[Kernel], folder: Path) -> ctypes.CDLL:
    """Compile the same for this machine."""
    for one in kernels:
        (folder / f"{one.host_name}.c").write_text(one.host)
    options = ("-shared", "-fPIC", "-O1", "-ffp-contract=off", "-lm", "-o", "host.so")
    files = [f"{one.host_name}.c" for one in kernels]
    subprocess.run(
        [sys.executable, "-m", "ziglang", "cc", *files, *options], cwd=folder, check=True, capture_output=True
    )
    return ctypes.CDLL(str(folder / "host.so"))


def arrays(one: Kernel, seed: int) -> list[Any]:
    """Return random arguments; floats away from the poles of what is computed."""
    rng = np.random.default_rng(seed)
    made = []
    for dtype, size in one.buffers:
        if np.issubdtype(dtype, np.floating):
            made.append(
                (
                    rng.uniform(0.1, 2.0, size)
                    * rng.choice((1.0, 1.0, 1.0 if "log" in one.expression or "sqrt" in one.expression else -1.0), size)
                ).astype(dtype)
            )
        elif dtype is np.bool_:
            made.append(rng.integers(0, 2, size).astype(np.bool_))
        else:
            made.append(rng.integers(0, 9, size).astype(dtype))
    return made


def row(one: Kernel, text: str, target: str, host: ctypes.CDLL, seed: int) -> dict[str, Any]:
    """Execute one kernel and compare."""
    given = arrays(one, seed)
    told: dict[str, Any] = {"kernel": one.name, "expression": one.expression, "target": target, "plant": one.plant}
    cut = [value[:-1].copy() if number == one.less else value.copy() for number, value in enumerate(given)]
    names = [f"b{number}" for number in range(len(given))]
    fresh = frozenset([f"b{number}" for number in one.outs] + ([f"b{one.fresh}"] if one.fresh >= 0 else []))
    began = time.perf_counter()
    try:
        loaded = load(text, one.name)
        step = Step(program=loaded, listing=text, arguments=tuple(names), grid=one.grid, workgroup=one.group)
        task = Task(
            label=one.name, target=target, steps=(step,), arrays=dict(zip(names, cut, strict=True)), fresh=fresh
        )
        answer = execute(task, Adversary(budget=20_000_000))
    except HotloopError as error:
        return {**told, "status": "not executed", "reason": str(error)[:300]}
    told |= {"seconds": round(time.perf_counter() - began, 3), "instructions": answer.executed}
    told["findings"] = [f"{f.finding.trouble}: {f.finding.text}: {f.finding.instruction}" for f in answer.findings][:5]
    if one.plant:
        found = {str(f.finding.trouble) for f in answer.findings}
        return {**told, "status": "found" if found & set(one.kinds) else "other finding" if found else "missed"}
    getattr(host, one.host_name)(*(value.ctypes.data_as(ctypes.c_void_p) for value in given))
    pairs = [(given[number].astype(np.float64), answer.arrays[f"b{number}"].astype(np.float64)) for number in one.outs]
    with np.errstate(all="ignore"):
        right = all(np.allclose(a, b, rtol=2e-4, atol=2e-4, equal_nan=True) for a, b in pairs)
        exact = sum(int((a == b).sum()) for a, b in pairs) / max(1, sum(a.size for a, _ in pairs))
    return {**told, "status": "right" if right else "wrong", "bitwise_equal_share": round(exact, 4)}


class Once:
    """Reads a listing once: all kernels of a target stand in one."""

    parse = staticmethod(lru_cache(DIALECT.parse))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--plants", type=int, default=120)
    parser.add_argument("--only-plants", action="store_true")
    chosen = parser.parse_args()
    program.DIALECT = Once  # type: ignore[assignment]
    kernels = generated(chosen.folder)
    wrong = list(planted(kernels))
    wrong = wrong[:: max(1, len(wrong) // chosen.plants)][: chosen.plants]
    print(f"{len(kernels)} kernels, {len(wrong)} plants", flush=True)
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        host = ctypes.CDLL(None) if chosen.only_plants else built(kernels, folder)
        for target in chosen.targets:
            print("compiling", target, flush=True)
            some = [*([] if chosen.only_plants else kernels), *(wrong if target == chosen.targets[0] else [])]
            text = listing(some, target, folder)
            for seed, one in enumerate(some):
                rows.append(row(one, text, target, host, seed))
                if rows[-1]["status"] not in ("right", "found") or (not one.plant and rows[-1]["findings"]):
                    print(json.dumps(rows[-1])[:500], flush=True)
                if chosen.out:
                    chosen.out.write_text(json.dumps(rows, indent=1) + "\n")
            print(
                target,
                Counter(("plant " if r["plant"] else "") + r["status"] for r in rows if r["target"] == target),
                flush=True,
            )


if __name__ == "__main__":
    main()
