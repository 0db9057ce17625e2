"""The tables of the README in one run: every shipped kernel beside what a user would otherwise call, by the product itself.

    OUT=FOLDER PYTHONPATH=src python benchmarks/gpu/tables.py                        # all rows that are not in FOLDER yet
    OUT=FOLDER PYTHONPATH=src python benchmarks/gpu/tables.py --only gemm,fp8 --limit-s 400
    OUT=FOLDER PYTHONPATH=src python benchmarks/gpu/tables.py --only fp32 --device intel --quick

A row is a problem of a family and the configuration that hotloop ships for it: the shipped row of that shape, else what the family's
rule gives. `hotloop.app.run.faceoff.contest` verifies it and the family's peers against float64, times all of them in the same
interleaved rounds (the engine's clock, CUDA graphs, inputs rotated beyond the second-level cache) and judges what the timed calls
wrote. Processes work on rows side by side, so that references are computed and kernels compiled while another one has the card.
Cheap rows come first. Raw samples and conditions of all contenders go to $OUT/tables.json.gz as they come; rows that are there
already are not measured again. Exit status 1: a kernel of ours was wrong or did not run.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from math import exp, log
from multiprocessing import TimeoutError as LateError
from multiprocessing import get_context
from multiprocessing.util import Finalize
from pathlib import Path
from statistics import fmean, median

ROOT = Path(__file__).resolve().parents[2]
OUT = Path(os.environ.get("OUT", ROOT / "build" / "gpu"))
FILE = "tables.json.gz"
GRACE_S = 40.0
"""For rows that are under way when the time is over."""
JOBS_MOST = 6
"""Each holds arrays and graphs of several rows on the device."""
LARGE_BYTES = 3e8
"""Arrays of a row after which a process gives its workers up, and with them the device's memory."""
QUICK_FLOPS = 3e10
"""Rows of more work are left out of a quick run."""


@dataclass(frozen=True)
class Row:
    """One problem of a family, in a group of the table."""

    group: str
    family: str
    sizes: dict[str, object] = field(hash=False)
    language: str = "gluon"
    """Whose device the desk selects; the worker runs the others beside it."""

    @property
    def name(self):
        """What distinguishes it, for people and for the file."""
        return f"{self.group} {' '.join(f'{name}={value}' for name, value in self.sizes.items())}"


# --- the rows ------------------------------------------------------------------------------------------------------------

SQUARES = [(n, n, n) for n in (1024, 2048, 4096, 8192)]
LLM = [(m, n, k) for m in (1, 16, 64, 256) for n, k in ((4096, 4096), (14336, 4096), (4096, 14336), (8192, 8192))]
TALL = [(512, 512, 16384), (256, 1024, 32768)]
ENCODERS = [(8192, 4096, 1024), (16384, 3072, 768), (4096, 5120, 1280), (4096, 6400, 1600)]
"""First layers of feed-forward blocks that have GELU: BERT large, BERT base and GPT-2, GPT-2 large and ViT-H, GPT-2 XL."""
FP8 = [
    (1, 8192, 8192), (16, 4096, 4096), (64, 8192, 8192), (256, 14336, 4096), (2048, 2048, 2048), (4096, 4096, 4096),
    (8192, 8192, 8192),
]  # fmt: skip
FP8_GELU = [(256, 14336, 4096), (4096, 4096, 4096)]
INT4_LAYERS = ((4096, 4096), (14336, 4096), (4096, 14336), (8192, 8192), (1024, 8192))
INT4 = [(m, n, k) for m in (1, 16, 32, 64) for n, k in INT4_LAYERS] + [(128, 4096, 4096), (256, 8192, 8192)]
FP32 = [
    *((n, n, n) for n in (256, 512, 1024, 2048, 4096, 8192)),
    # of the rest no table knows; few tiles and a long k come behind what no tile divides, then few rows or columns
    *((n, n, n) for n in (1000, 777, 2000, 1300, 3001, 1200)), (2500, 900, 1700), (600, 5000, 1100),
    (64, 4096, 1024), (128, 128, 4096), (256, 256, 8192), (64, 512, 8192), (32, 32, 16384), (16, 4096, 4096), (100, 333, 5000),
    (1, 4096, 4096), (4096, 1, 4096), (1, 4096, 4096, "nt"), (4096, 1, 4096, "tn"), (1, 512, 512), (1, 11008, 4096),
    (1, 1536, 8960), (1, 6000, 2500), (1, 32000, 4096), (1, 200, 30000), (11008, 1, 4096), (3000, 1, 777), (1536, 1, 8960),
    (16, 1, 1000000), (2, 5120, 5120), (5120, 2, 5120), (3, 1000, 50000), (5120, 4, 5120, "nt"), (4, 4096, 4096),
    (1000000, 1, 4), (2, 8, 500000),
]  # fmt: skip
"""m, n, k, and where a matrix is transposed BLAS' two letters."""
# batch, heads, kv heads, length, head size, causal
ATTENTION = [
    (1, 64, 64, 8192, 128, 1), (1, 64, 64, 8192, 128, 0), (1, 16, 16, 16384, 128, 1), (1, 16, 16, 16384, 128, 0),
    (4, 32, 8, 4096, 128, 1), (4, 32, 32, 2048, 128, 1), (8, 32, 32, 1024, 128, 0), (8, 32, 8, 1024, 128, 1),
    (2, 32, 32, 2048, 64, 1), (1, 32, 32, 8192, 64, 1), (4, 32, 32, 4096, 64, 0), (1, 16, 16, 4096, 256, 1),
    (1, 16, 16, 8192, 256, 0), (2, 8, 1, 3001, 128, 1), (3, 5, 5, 777, 64, 0), (1, 32, 32, 512, 128, 1),
]  # fmt: skip
# batch, heads, kv heads, queries, keys, head size
FEW_QUERIES = [
    (1, 32, 8, 1, 8192, 128), (1, 64, 8, 1, 32768, 128), (16, 32, 8, 1, 4096, 128), (64, 32, 8, 1, 2048, 128),
    (8, 64, 8, 1, 16384, 128), (4, 32, 8, 4, 5000, 128), (16, 32, 32, 1, 4096, 128), (32, 16, 16, 1, 2048, 64),
    (8, 16, 4, 8, 4100, 256),
]  # fmt: skip
# lengths, sequences, longest, heads, kv heads, head size, causal
PACKED = [
    ("random", 16, 4096, 32, 8, 128, 1), ("random", 16, 4096, 32, 32, 128, 0), ("halving", 8, 8192, 32, 8, 128, 1),
    ("random", 64, 512, 32, 8, 128, 1), ("random", 32, 1024, 16, 16, 64, 0), ("random", 16, 2048, 32, 32, 64, 1),
    ("random", 12, 2048, 16, 4, 256, 1),
]  # fmt: skip
# channels, depth, height, width, window, padding, stride, type; the first is the reported problem
CONV3D = [
    (512, (61, 45, 80), (3, 5, 5), (0, 2, 2), (1, 1, 1), "bfloat16"),
    (384, (21, 60, 104), (3, 3, 3), (1, 1, 1), (1, 1, 1), "bfloat16"),
    (256, (16, 64, 64), (3, 7, 7), (1, 3, 3), (1, 1, 1), "bfloat16"),
    (96, (33, 120, 208), (3, 3, 3), (1, 1, 1), (1, 2, 2), "float16"),
]
COLUMNS = [1024 << step for step in range(7)]


def rows() -> Iterator[Row]:
    """Yield all rows of the table."""
    for group, epilogue, shapes in (("gemm", "none", SQUARES + TALL + LLM), ("gemm-gelu", "bias-gelu-erf", SQUARES + TALL + LLM + ENCODERS)):  # fmt: skip
        yield from (Row(group, "gemm", {**mnk(shape), "dtype": "bfloat16", "epilogue": epilogue}) for shape in shapes)
    for epilogue, shapes in (("none", FP8), ("bias-gelu-erf", FP8_GELU)):
        for shape in shapes:
            for fast in (False, True):
                yield Row("fp8", "gemm_fp8", {**mnk(shape), "fast_accum": fast, "epilogue": epilogue})
    yield from (Row("int4", "gemm_int4", mnk(shape), "triton") for shape in INT4)
    for batch, heads, kv_heads, length, size, causal in ATTENTION:
        yield Row("attention", "attention", heads_of(batch, heads, kv_heads, length, length, size, causal))
    yield from (Row("few-queries", "attention", heads_of(*shape, 0)) for shape in FEW_QUERIES)
    for lengths, sequences, longest, heads, kv_heads, size, causal in PACKED:
        sizes = {"sequences": sequences, "lengths": lengths, "longest_q": longest, "longest_k": longest}
        more = {"heads": heads, "kv_heads": kv_heads, "size": size, "causal": causal}
        yield Row("packed", "attention_packed", {**sizes, **more})
    for operation in ("softmax", "rmsnorm"):
        for columns in COLUMNS:
            sizes = {"rows": 4096, "columns": columns, "dtype": "bfloat16"}
            yield Row(operation, "reduction", {"operation": operation, **sizes}, "cuda")
    for channels, *triples, dtype in CONV3D:
        names = ("d h w", "kd kh kw", "pd ph pw", "sd sh sw")
        sizes = {
            n: v for text, triple in zip(names, triples, strict=True) for n, v in zip(text.split(), triple, strict=True)
        }
        yield Row("conv3d", "conv3d_depthwise", {"c": channels, **sizes, "dtype": dtype}, "cuda")
    for *shape, op in ((*sides, "nn") if len(sides) == 3 else sides for sides in FP32):
        yield Row("fp32", "gemm", {**mnk(shape), **({"op": op} if op != "nn" else {})}, "opencl")


def mnk(shape):
    return dict(zip("mnk", shape, strict=True))


def heads_of(batch, heads, kv_heads, length_q, length_k, size, causal):
    sizes = {"batch": batch, "heads": heads, "kv_heads": kv_heads, "length_q": length_q, "length_k": length_k}
    return {**sizes, "size": size, "dtype": "bfloat16", "causal": causal}


# --- what hotloop ships for a row -------------------------------------------------------------------------------------------


def shipped(kernel, problem, device, language):
    """Return the shipped row of this very problem, what the family's rule gives, or the nearest row of the language's kernels."""
    from hotloop.app.run import seeds
    from hotloop.model.kernel import Variant

    for preset in kernel.presets:
        if preset.target == device.target and preset.sizes == problem.sizes:
            return Variant(kernel.implementation(preset.implementation), preset.config)
    if kernel.family in RULES:
        name, cut = RULES[kernel.family](problem, device)
        implementation = kernel.implementation(name)
        return ruled(implementation, cut) if callable(cut) else Variant(implementation, cut)
    if language == "opencl":
        return dispatched(kernel, problem, device)
    for implementation in kernel.implementations:
        near = seeds.pick(kernel, problem, implementation, device, ()) if implementation.language == language else ()
        if near:
            return Variant(implementation, near[0])
    raise ValueError(f"hotloop ships nothing for {problem.key} on {device.name}")


def dispatched(kernel, problem, device):
    """Return what `hotloop.ops` takes for arrays when the user's store knows nothing."""
    from hotloop.dispatch.family import find
    from hotloop.model.kernel import Variant
    from hotloop.ops import book, choose

    family = find(kernel.family)
    choice = next(choose.choices(family, problem, device, book.presets(family, problem, device)))
    return Variant(kernel.implementation(choice.implementation), choice.config)


def fp8_rule(problem, device):
    from hotloop.kernels.gemm_fp8.rule import variant

    made = variant(problem, device)
    return made.implementation.name, made.config


def int4_rule(problem, device):
    from hotloop.kernels.gemm_int4.rule import variant

    made = variant(problem, device)
    return made.implementation.name, made.config


def attention_rule(problem, _device):
    from hotloop.kernels.attention.gluon.rows import few_queries, row_for
    from hotloop.kernels.attention.problem import shape_of

    shape = shape_of(problem)
    few = few_queries(shape, row_for(shape.size, few=True).config)
    return "gluon", row_for(shape.size, few=few).config


def packed_rule(problem, _device):
    from hotloop.kernels.attention_packed.gluon.rows import row_for

    return "gluon", row_for(problem.integer("size")).config


def conv3d_rule(problem, device):
    """Return what dispatch runs: a rung of the CUDA ladder, cut anew for every shape, or Triton's kernel."""
    from hotloop.kernels.conv3d_depthwise import choosing
    from hotloop.kernels.conv3d_depthwise.cuda import plan, rungs
    from hotloop.kernels.conv3d_depthwise.problem import shape_of
    from hotloop.kernels.conv3d_depthwise.triton.plan import best

    if choosing.aside(shape_of(problem)):
        return "triton", best(shape_of(problem), device.runtime)
    return "cuda", lambda asked, _device: plan.program_of("cuda", rungs.best(shape_of(asked)))


def reduction_rule(_problem, _device):
    """Return the geometry of `Rows`, anew for every shape."""
    from hotloop.kernels.reduction.cuda.plan import by_rule

    return "cuda", lambda asked, _device: by_rule("cuda", asked)


def ruled(implementation, program):
    """Return an implementation without parameters, whose rule cuts every problem anew."""
    from hotloop.model.kernel import Variant
    from hotloop.model.space import Config, Space

    plan = lambda problem, _config, device: program(problem, device)  # noqa: E731
    made = replace(implementation, name=f"{implementation.name} by rule", space=Space(()), start=Config(), plan=plan)
    return Variant(made, Config())


RULES: dict[str, Callable] = {
    "gemm_fp8": fp8_rule,
    "gemm_int4": int4_rule,
    "attention": attention_rule,
    "attention_packed": packed_rule,
    "conv3d_depthwise": conv3d_rule,
    "reduction": reduction_rule,
}


# --- one row, in a process that keeps its desks ------------------------------------------------------------------------------

DESKS = {}
"""Open desks by language, each with what closes it."""


def desk_of(language, device):
    """Return this process's desk for a language: a worker is started once."""
    from hotloop.app.session import Options, desk

    if language not in DESKS:
        if not DESKS:
            Finalize(None, leave, exitpriority=10)  # a pool's processes end without `atexit`
        stack = ExitStack()
        DESKS[language] = stack, stack.enter_context(desk(Options(device=device, language=language, limit_s=90.0)))
    return DESKS[language][1]


def leave():
    """Close all desks: a worker keeps graphs of its latest calls, and with them the arrays."""
    while DESKS:
        DESKS.popitem()[1][0].close()


def problem_of(row):
    from hotloop import registry

    kernel = registry.load("hotloop.kernels", row.family, "KERNEL")
    return kernel, kernel.problem.replace(**row.sizes)


def measure(asked):
    """Return a row's name and what was measured, or why nothing was; None when the time was over before it began."""
    row, device, deadline = asked
    began = time.monotonic()
    if time.time() > deadline:
        return row, None
    try:
        answer = contested(row, device)
    except Exception as reason:  # noqa: BLE001 - a failure is a result, and other rows go on
        return row, {"name": row.name, "group": row.group, "failed": f"{type(reason).__name__}: {str(reason)[:400]}"}
    return row, {"name": row.name, "group": row.group, **answer, "took_s": round(time.monotonic() - began, 1)}


def contested(row, device):
    """Return the contenders of a row with their raw samples."""
    from hotloop.app.run import faceoff
    from hotloop.app.run.workload import Workload
    from hotloop.model.codec import encode
    from hotloop.model.outcome import Measured, Outcome, describe

    kernel, problem = problem_of(row)
    made = desk_of(row.language, device)
    variant = shipped(kernel, problem, made.device, row.language)
    if variant.implementation.language != made.device.backend:
        made = desk_of(variant.implementation.language, device)
    workload = Workload(made.engine, with_peers(kernel, made.device), problem, made.device, made.seed)
    try:
        answer = faceoff.contest(made, workload, [(variant.label, variant)])
    finally:
        workload.discard()
        if kernel.work(problem).bytes > LARGE_BYTES:
            leave()
    contenders = [
        {
            "name": one.name,
            "ours": one.name.startswith(variant.label),
            "outcome": describe(one.outcome),
            "call_ns": one.outcome.call_ns if isinstance(one.outcome, Measured) else None,
            "flops_per_s": one.flops_per_s,
            "over_ours": [1 / ratio for ratio in one.ratios],
            "raw": encode(one.outcome, Outcome),
        }
        for one in answer.rows
    ]
    work = kernel.work(problem)
    return {"problem": problem.key, "device": encode(made.device), "mode": answer.mode, "bytes": work.bytes, "contenders": contenders}  # fmt: skip


def with_peers(kernel, device):
    """Return the family with cuBLAS beside OpenCL on NVIDIA's GPUs, where only who compares looks for it."""
    from hotloop.kernels.gemm import cublas

    there = any(peer.name == "cuBLAS" for peer in kernel.peers_on(device))
    if kernel.family != "gemm" or device.backend != "opencl" or device.kind != "gpu" or there:
        return kernel
    return replace(kernel, peers=(*kernel.peers, replace(cublas.PEERS[0], exists=lambda _device: True)))


# --- the run -----------------------------------------------------------------------------------------------------------------


def kept():
    """Return the rows of the file by name; one that failed is measured again."""
    path = OUT / FILE
    data = json.loads(gzip.decompress(path.read_bytes())) if path.exists() else []
    return {one["name"]: one for one in data if sound(one)}


def write(measured):
    """Replace the file by a whole one."""
    OUT.mkdir(parents=True, exist_ok=True)
    new = OUT / f"{FILE}.new"
    new.write_bytes(gzip.compress(json.dumps(list(measured.values())).encode(), 6))
    new.replace(OUT / FILE)


def ours(one):
    return next(iter([c for c in one.get("contenders", ()) if c["ours"]]), None)


def sound(one):
    """Tell whether our kernel was measured: verified before and after."""
    return bool((mine := ours(one)) and mine["call_ns"])


def peers(one):
    return [c for c in one["contenders"] if not c["ours"] and c["over_ours"]]


def said(one):
    """Return a row of the table as text."""
    if not sound(one):
        mine = ours(one)
        return f"{one['name']}\n    FAILED: {mine['outcome'] if mine else one.get('failed', 'no answer')}"
    mine = ours(one)
    rates = f"{1e-12 * mine['flops_per_s']:.4g} TFLOP/s, {1e-3 * one['bytes'] / mine['call_ns']:.3g} TB/s"
    lines = [f"{one['name']}\n    {1e-3 * mine['call_ns']:.2f} us, {rates}  {mine['name']}  ({one.get('took_s', 0)} s)"]
    for peer in one["contenders"]:
        if peer["ours"]:
            continue
        ratios = peer["over_ours"]
        told = f"{median(ratios):.3f} [{min(ratios):.3f}, {max(ratios):.3f}]" if ratios else peer["outcome"][:120]
        lines.append(f"    {told}  {peer['name']}")
    return "\n".join(lines)


def summary(measured):
    """Print geometric mean and least of each group beside each peer, and beside the fastest of them."""
    groups = {}
    for one in filter(sound, measured):
        medians = {peer["name"].partition(" (")[0]: median(peer["over_ours"]) for peer in peers(one)}
        for name, ratio in {**medians, **({"the fastest": min(medians.values())} if medians else {})}.items():
            groups.setdefault((one["group"], name), []).append(ratio)
    for (group, name), ratios in groups.items():
        mean = exp(fmean(map(log, ratios)))
        print(f"== {group} beside {name}: geometric mean {mean:.3f}, least {min(ratios):.3f}, {len(ratios)} rows")


def wanted(only, quick, done):
    """Return the rows to measure, cheap ones first."""
    texts = [text.strip() for text in only.split(",") if text.strip()]
    chosen = [row for row in rows() if not texts or any(matches(row, text) for text in texts)]
    costs = {row.name: problem_of(row)[0].work(problem_of(row)[1]).flops for row in chosen}
    left = [row for row in chosen if row.name not in done and not (quick and costs[row.name] > QUICK_FLOPS)]
    return sorted(left, key=lambda row: costs[row.name])


def matches(row, text):
    """Tell whether a text names a row's group, or is part of its name where it has a blank or an equals sign."""
    return text in row.name if " " in text or "=" in text else text == row.group


def measured_in_time(left, given):
    """Yield rows with their answers as they come."""
    deadline = time.time() + given.limit_s
    jobs = min(len(left), given.jobs)
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(
        max(1, 2 * len(os.sched_getaffinity(0)) // jobs)
    )
    with get_context("spawn").Pool(jobs) as pool:
        answers = pool.imap_unordered(measure, [(row, given.device, deadline) for row in left])
        for _ in left:
            try:
                yield answers.next(timeout=max(1.0, deadline + GRACE_S - time.time()))
            except LateError:
                return
        pool.close()
        pool.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    groups = ", ".join(dict.fromkeys(row.group for row in rows()))
    parser.add_argument(
        "--only", default="", help=f"groups ({groups}) or parts of names such as 'gemm m=4096', by commas"
    )
    parser.add_argument(
        "--limit-s", type=float, default=540.0, help=f"rows begin until then and end {GRACE_S:g} s later"
    )
    parser.add_argument("--quick", action="store_true", help="only rows of little work")
    parser.add_argument("--device", default="", help="part of a device's name or runtime, as elsewhere in hotloop")
    parser.add_argument("--jobs", type=int, default=max(1, min(JOBS_MOST, len(os.sched_getaffinity(0)) // 2)))
    parser.add_argument("--table", action="store_true", help="measure nothing, print what is there")
    given = parser.parse_args()
    measured = kept()
    left = [] if given.table else wanted(given.only, given.quick, measured)
    answered = set()
    for row, answer in measured_in_time(left, given) if left else ():
        if answer is not None:
            answered.add(row.name)
            measured[row.name] = answer
            write(measured)
            print(said(answer), flush=True)
    if given.table:
        print("\n".join(map(said, measured.values())))
    summary(measured.values())
    missing = [row.name for row in left if row.name not in answered]
    print(f"no time for {len(missing)} rows: {'; '.join(missing)}" if missing else "every row was measured", flush=True)
    wrong = [name for name, one in measured.items() if not sound(one)]
    if wrong:
        print(f"FAILED: {'; '.join(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
