"""Execute the OpenCL kernels of an image package beside the same source on this machine's OpenCL, clean and with planted mistakes.

    pip install --no-deps --target FOLDER pyclesperanto-prototype
    python benchmarks/emulate_images.py FOLDER gfx942 --out images.json

The package (BSD) brings some 370 kernels whose images and types are macros. Here an image is a buffer of WIDTH x HEIGHT x DEPTH
floats that is read with coordinates clamped to its edge; the macros are ours, the kernels are read where they lie. Launches have a work-item for
each coordinate that a kernel asks for; a mistake is planted in the macros, the arrays or the launch, and counts only where it changes what the x86
build computes, or shortens an array that is used to its end.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
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
from hotloop.host import runtimes
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.model.outcome import CompileFailed

WIDTH, HEIGHT, DEPTH, GROUP, SPARE = 70, 9, 3, 64, 1 << 14
PIXELS = WIDTH * HEIGHT * DEPTH
os.environ.update(runtimes.loader_environment())
import pyopencl as cl  # noqa: E402 - after the runtimes are known

HEAD = f"""
#define sampler_t int
#define CLK_NORMALIZED_COORDS_FALSE 0
#define CLK_NORMALIZED_COORDS_TRUE 0
#define CLK_ADDRESS_CLAMP_TO_EDGE 0
#define CLK_ADDRESS_CLAMP 0
#define CLK_ADDRESS_NONE 0
#define CLK_FILTER_NEAREST 0
#define CLK_FILTER_LINEAR 0
#define MINMAX_TYPE int
#define MAX_ARRAY_SIZE 1000
#define HL_OVER __attribute__((overloadable)) static inline
HL_OVER int4 hl_at(int4 p) {{ return p; }}
HL_OVER int4 hl_at(float4 p) {{ return (int4)((int)p.x, (int)p.y, (int)p.z, 0); }}
HL_OVER int4 hl_at(int2 p) {{ return (int4)(p.x, p.y, 0, 0); }}
HL_OVER int4 hl_at(float2 p) {{ return (int4)((int)p.x, (int)p.y, 0, 0); }}
HL_OVER float2 hl_get(__global const float *image, int4 p) {{ return (float2)(image[HL_READ_AT(p)], 0.0f); }}
HL_OVER void hl_put(__global float *image, int4 p, float v) {{
    if (p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x < {WIDTH} && p.y < {HEIGHT} && p.z < {DEPTH}) image[HL_WRITE_AT(p)] = v;
}}
#define HL_CLAMPED(v, n) ((v) < 0 ? 0 : (v) >= (n) ? (n) - 1 : (v))
#define HL_PLACE(x, y, z) (((z) * {HEIGHT} + (y)) * {WIDTH} + (x))
#define READ_IMAGE(image, sampler, p) hl_get(image, hl_at(p))
#define WRITE_IMAGE(image, p, v) hl_put(image, hl_at(p), v)
#define GET_IMAGE_WIDTH(image) {WIDTH}
#define GET_IMAGE_HEIGHT(image) {HEIGHT}
#define GET_IMAGE_DEPTH(image) {DEPTH}
"""
READ = f"HL_PLACE(HL_CLAMPED((p).x, {WIDTH}), HL_CLAMPED((p).y, {HEIGHT}), HL_CLAMPED((p).z, {DEPTH}))"
PLAIN = "HL_PLACE((p).x, (p).y, (p).z)"
COUNTED = (
    f"((p).x < 0 || (p).y < 0 || (p).z < 0 || (p).x >= {WIDTH} || (p).y >= {HEIGHT} || (p).z >= {DEPTH} ? 0 : {PLAIN})"
)
"""What the x86 build does in place of a read outside: another pixel, so that its result tells whether there was one."""


@dataclass(frozen=True)
class Kernel:
    """A kernel of the package with its macros resolved."""

    name: str
    text: str
    arguments: tuple[tuple[str, str], ...]
    """Type and name."""
    sizes: tuple[int, int, int]
    read: str = READ
    write: str = PLAIN
    plant: str = ""
    kinds: tuple[str, ...] = ()
    fresh: str = ""
    short: str = ""

    @property
    def images(self) -> tuple[str, ...]:
        """Names of the arguments that are arrays."""
        return tuple(name for kind, name in self.arguments if "*" in kind)

    @property
    def outs(self) -> tuple[str, ...]:
        """Names of the images that are written."""
        return tuple(
            n
            for n in self.images
            if re.search(rf"WRITE_({n}_)?IMAGE\s*\(\s*{n}\b|\b{n}\[[^\]]*\]\s*[-+]?=[^=]", self.text)
        )


def kernels(folder: Path) -> list[Kernel]:
    """Return the package's kernels, each name once."""
    found: dict[str, Kernel] = {}
    for path in sorted(folder.rglob("*.cl")):
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(errors="replace"), flags=re.DOTALL)
        heads = list(re.finditer(r"__kernel\s+void\s+(\w+)\s*\((.*?)\)\s*\{", text, re.DOTALL))
        if len(heads) != 1 or heads[0][1] in found:
            continue
        text = re.sub(r"\bIMAGE_(?!\w+_PIXEL_TYPE)\w+?_TYPE\s+(\w+)", r"__global float *\1", text)
        head = re.search(r"__kernel\s+void\s+(\w+)\s*\((.*?)\)\s*\{", text, re.DOTALL)
        assert head is not None
        pairs = [re.match(r"(.*?)(\w+)\s*$", part.strip(), re.DOTALL) for part in head[2].split(",") if part.strip()]
        if any(pair is None for pair in pairs):
            continue
        arguments = tuple((" ".join(pair[1].split()), pair[2]) for pair in pairs if pair)
        asked = {int(n) for n in re.findall(r"get_global_id\(\s*(\d)\s*\)", text)}
        sizes = tuple(size if n in asked else 1 for n, size in enumerate((WIDTH, HEIGHT, DEPTH)))
        found[head[1]] = Kernel(head[1], text, arguments, sizes)  # type: ignore[arg-type]
    return list(found.values())


def source(one: Kernel, number: int) -> str:
    """Return a kernel as text that stands beside others: its functions and macros are its own."""
    text = one.text
    for name in {
        *re.findall(
            r"^\s*(?:inline\s+|static\s+)*(?!__kernel)(?:\w+\s+)+\*?(\w+)\s*\([^;]*?\)\s*\{", text, re.MULTILINE
        )
    } - {one.name}:
        text = re.sub(rf"\b{name}\b(?=\s*\()", f"{name}_{number}", text) if name not in ("if", "for", "while") else text
    text = re.sub(r"\bsampler\b", f"sampler_{number}", text)
    text = re.sub(r"((?:__)?const(?:ant)?\s+)*sampler_t\s+(\w+)\s*=[^;]*;", "", text)
    text = re.sub(r"\bREAD_(?:\w+?_)?IMAGE\s*\(", "READ_IMAGE(", text)
    text = re.sub(r"\bWRITE_(?:\w+?_)?IMAGE\s*\(", "WRITE_IMAGE(", text)
    text = re.sub(r"POS_\w+?_INSTANCE\s*\(", "(int4)(", text)
    text = re.sub(r"POS_\w+?_TYPE\b", "int4", text)
    text = re.sub(r"CONVERT_\w+?_PIXEL_TYPE\b", "(float)", text)
    text = re.sub(r"IMAGE_\w+?_PIXEL_TYPE\b", "float", text)
    text = re.sub(rf"(__kernel\s+void\s+){one.name}\b", rf"\g<1>{one.name}_{number}", text)
    return f"#define HL_READ_AT(p) {one.read}\n#define HL_WRITE_AT(p) {one.write}\n{text}\n#undef HL_READ_AT\n#undef HL_WRITE_AT\n"


def whole(chosen: list[Kernel]) -> tuple[str, list[int]]:
    """Return the text of several kernels and the line at which each begins; hl_get and hl_put are macros of each kernel's own places."""
    head = HEAD
    head = re.sub(r"HL_OVER float2 hl_get.*?\}\n", "", head, flags=re.DOTALL)
    head = re.sub(r"HL_OVER void hl_put.*?\n\}\n", "", head, flags=re.DOTALL)
    text, starts = head, []
    for number, one in enumerate(chosen):
        starts.append(text.count("\n") + 1)
        own = source(one, number)
        get = f"HL_OVER float2 hl_get{number}(__global const float *image, int4 p) {{ return (float2)(image[HL_READ_AT(p)], 0.0f); }}\n"
        put = (
            f"HL_OVER void hl_put{number}(__global float *image, int4 p, float v) {{ if (p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x < {WIDTH} && "
            f"p.y < {HEIGHT} && p.z < {DEPTH}) image[HL_WRITE_AT(p)] = v; }}\n"
        )
        lines = own.split("\n", 2)
        body = re.sub(r"\bREAD_IMAGE\(", f"HL_GET{number}(", re.sub(r"\bWRITE_IMAGE\(", f"HL_PUT{number}(", lines[2]))
        macros = f"#define HL_GET{number}(image, sampler, p) hl_get{number}(image, hl_at(p))\n#define HL_PUT{number}(image, p, v) hl_put{number}(image, hl_at(p), v)\n"
        text += f"{lines[0]}\n{lines[1]}\n{get}{put}{macros}{body}"
    return text, starts


def compiled(chosen: list[Kernel], target: str, folder: Path) -> tuple[list[Kernel], str, dict[str, str]]:
    """Compile as many as compile together; return them, the listing, and why others do not."""
    left, why = list(chosen), dict[str, str]()
    while left:
        text, starts = whole(left)
        path = folder / f"images-{target}.cl"
        path.write_text(text)
        made = compile_offline(f"{path}:{left[0].name}_0", target, options=("-ferror-limit=0",), limit_s=900)
        if not isinstance(made, CompileFailed):
            return left, made.listing, why  # type: ignore[union-attr]
        bad = {int(line): said for line, said in re.findall(r"\.cl:(\d+):\d+: (?:fatal )?error: ([^\n]*)", made.log)}
        if not bad:
            raise SystemExit(made.log[:2000])
        places = {
            max(n for n, start in enumerate(starts) if start <= line): said
            for line, said in bad.items()
            if line >= starts[0]
        }
        why |= {left[n].name: said for n, said in places.items()}
        left = [one for n, one in enumerate(left) if n not in places]
    return left, "", why


def values(one: Kernel, seed: int) -> dict[str, Any]:
    """Return random images and small scalars."""
    rng, made = np.random.default_rng(seed), {}
    for kind, name in one.arguments:
        if "*" in kind:
            whole_numbers = rng.integers(0, 5, PIXELS) if "label" in name + one.name else rng.uniform(0.25, 4.0, PIXELS)
            made[name] = whole_numbers.astype(np.int32 if "int" in kind else np.float32)
        else:
            made[name] = np.int32(2) if "int" in kind else np.float32(1.25)
    return made


class Host:
    """This machine's OpenCL: the x86 build of the same text."""

    def __init__(self) -> None:
        device = next(d for p in cl.get_platforms() for d in p.get_devices() if d.type & cl.device_type.CPU)
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)

    def built(self, chosen: list[Kernel]) -> cl.Program:
        """Compile kernels together."""
        return cl.Program(self.context, whole(chosen)[0]).build(["-cl-std=CL2.0"])

    def run(self, made: cl.Program, one: Kernel, number: int, given: dict[str, Any]) -> dict[str, Any]:
        """Return the images afterwards."""
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        padded = {n: np.concatenate((v, np.zeros(SPARE, v.dtype))) for n, v in given.items() if v.ndim}
        buffers = {n: cl.Buffer(self.context, flags, hostbuf=v) for n, v in padded.items()}
        kernel = getattr(made, f"{one.name}_{number}")
        kernel(self.queue, one.sizes, None, *(buffers.get(name, given[name]) for _, name in one.arguments))
        for name, buffer in buffers.items():
            cl.enqueue_copy(self.queue, padded[name], buffer)
        self.queue.finish()
        return {n: v[:PIXELS] for n, v in padded.items()}


def row(
    one: Kernel, number: int, listing: str, target: str, given: dict[str, Any], expected: dict[str, Any], budget: int
) -> dict[str, Any]:
    """Execute one kernel and compare."""
    told: dict[str, Any] = {"kernel": one.name, "target": target, "plant": one.plant}
    arrays = {
        n: v[: one.sizes[0] * HEIGHT * DEPTH - 1].copy() if n == one.short else v.copy()
        for n, v in given.items()
        if v.ndim
    }
    arguments = tuple(name if "*" in kind else given[name] for kind, name in one.arguments)
    group = (min(GROUP, one.sizes[0]), 1, 1)
    grid = tuple(-(-size // part) for size, part in zip(one.sizes, group, strict=True))
    if one.sizes[0] % group[0]:
        group, grid = (one.sizes[0], 1, 1), (1, one.sizes[1], one.sizes[2])
    began = time.perf_counter()
    try:
        step = Step(
            program=load(listing, f"{one.name}_{number}"),
            listing=listing,
            arguments=arguments,
            grid=grid,
            workgroup=group,
        )  # type: ignore[arg-type]
        fresh = frozenset({one.fresh} if one.fresh else ())
        answer = execute(
            Task(label=one.name, target=target, steps=(step,), arrays=arrays, fresh=fresh), Adversary(budget=budget)
        )
    except HotloopError as error:
        return {**told, "status": "not executed", "reason": str(error)[:300]}
    told |= {"seconds": round(time.perf_counter() - began, 3), "instructions": answer.executed}
    told["findings"] = [f"{f.finding.trouble}: {f.finding.text}: {f.finding.instruction}" for f in answer.findings][:4]
    if one.plant:
        named = {str(f.finding.trouble) for f in answer.findings}
        return {**told, "status": "found" if named & set(one.kinds) else "other finding" if named else "missed"}
    wrong = {
        n: float(np.nanmax(np.abs(answer.arrays[n].astype(float) - v)))
        for n, v in expected.items()
        if not _equal(answer.arrays[n], v)
    }
    return {**told, "status": "wrong" if wrong else "right", "wrong": wrong}


def _equal(one: Any, two: Any) -> bool:
    return bool(np.allclose(one.astype(np.float64), two.astype(np.float64), rtol=5e-5, atol=5e-5, equal_nan=True))


def planted(clean: list[Kernel]) -> list[Kernel]:
    """Return the kernels with a mistake each."""
    found = []
    for number, one in enumerate(clean):
        inputs = [n for n in one.images if n not in one.outs]
        if one.read in one.text or "READ" not in one.text or not one.outs or not inputs:
            continue
        kinds = (
            replace(one, read=PLAIN, plant="coordinates not clamped", kinds=("out of bounds",)),
            replace(one, plant="input never filled", fresh=inputs[0], kinds=("uninitialised",)),
            replace(
                one,
                write="HL_PLACE((p).x, 0, (p).z)",
                plant="rows written to one place",
                kinds=("race in global memory", "depends on order"),
            ),
            replace(one, plant="output one pixel short", short=one.outs[0], kinds=("out of bounds",)),
        )
        chosen = kinds[number % len(kinds)]
        if chosen.read == PLAIN and one.sizes[2] == 1:
            chosen = kinds[1]  # what leaves a plane is still inside the image
        found.append(chosen)
    return found


def effective(
    host: Host, plants: list[Kernel], seeds: dict[str, int], clean: dict[str, dict[str, Any]]
) -> list[Kernel]:
    """Return the plants that matter: reads outside happen, rows differ, the last pixel is written, the input's values reach an output."""
    kept, probes = [], []
    for one in plants:
        probes.append(replace(one, read=COUNTED if one.read == PLAIN else READ))
    made = host.built(probes)
    for number, one in enumerate(probes):
        given = values(one, seeds[one.name])
        if one.fresh:
            given[one.fresh] = given[one.fresh] * np.float32(1.5) + np.float32(0.75)
        after, before = host.run(made, one, number, given), clean[one.name]
        if one.short:
            changed = after[one.short][-1] != given[one.short][-1]
        elif one.write != PLAIN:
            rows = clean[one.name][one.outs[0]].reshape(DEPTH, HEIGHT, WIDTH)[: one.sizes[2]]
            changed = one.sizes[1] > 1 and bool((rows[:, 1:] != rows[:, :1]).any())
        else:
            changed = any(not _equal(after[n], before[n]) for n in one.outs)
        if changed:
            kept.append(plants[number])
    return kept


def batch(some: list[Kernel], target: str, host: Host, chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield the rows of kernels that are compiled together, then of the plants in those that are right and clean."""
    good, listing, why = compiled(some, target, chosen.work)
    yield from (
        {"kernel": n, "target": target, "plant": "", "status": "not compiled", "reason": said}
        for n, said in why.items()
    )
    made, seeds, results, clean = host.built(good), {one.name: n for n, one in enumerate(good)}, {}, []
    for number, one in enumerate(good):
        given = values(one, number)
        results[one.name] = host.run(made, one, number, given)
        told = row(one, number, listing, target, given, results[one.name], chosen.budget)
        if told["status"] == "right" and not told["findings"]:
            clean.append(one)
        yield told
    if not chosen.plants:
        return
    wrong = effective(host, planted(clean), seeds, results)
    wrong, listing, _ = compiled(wrong, target, chosen.work)
    for number, one in enumerate(wrong):
        yield row(one, number, listing, target, values(one, seeds[one.name]), {}, chosen.budget)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=60, help="kernels compiled together")
    parser.add_argument("--budget", type=int, default=20_000_000, help="wave instructions of a kernel at most")
    parser.add_argument("--plants", action="store_true", help="plant mistakes in those that are clean, too")
    parser.add_argument("--work", type=Path, default=Path("/tmp"))
    chosen = parser.parse_args()
    program.DIALECT = type("Once", (), {"parse": staticmethod(lru_cache(DIALECT.parse))})  # type: ignore[assignment]
    every, host = kernels(chosen.folder)[chosen.first :][: chosen.most], Host()
    print(len(every), "kernels in the package", flush=True)
    rows: list[dict[str, Any]] = []
    for target in chosen.targets:
        for begin in range(0, len(every), chosen.batch):
            for one in batch(every[begin : begin + chosen.batch], target, host, chosen):
                rows.append(one)
                if one["status"] not in ("right", "found", "not compiled") or (
                    not one["plant"] and one.get("findings")
                ):
                    print(json.dumps(one)[:420], flush=True)
                if chosen.out:
                    chosen.out.write_text(json.dumps(rows, indent=1) + "\n")
            counts = Counter(("plant " if r["plant"] else "") + str(r["status"]) for r in rows if r["target"] == target)
            print(target, dict(counts), flush=True)


if __name__ == "__main__":
    main()
