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
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from multiprocessing import TimeoutError as LateError
from multiprocessing import get_context
from multiprocessing.util import Finalize
from pathlib import Path
from statistics import geometric_mean, median

from problems import rows  # beside this file

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
    from hotloop.app.run.inputs.workload import Workload
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
            "name": contender.name,
            "ours": contender.name.startswith(variant.label),
            "outcome": describe(contender.outcome),
            "call_ns": contender.outcome.call_ns if isinstance(contender.outcome, Measured) else None,
            "flops_per_s": contender.flops_per_s,
            "over_ours": [1 / ratio for ratio in contender.ratios],
            "raw": encode(contender.outcome, Outcome),
        }
        for contender in answer.rows
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
    return {row["name"]: row for row in data if sound(row)}


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
        cell = f"{median(ratios):.3f} [{min(ratios):.3f}, {max(ratios):.3f}]" if ratios else peer["outcome"][:120]
        lines.append(f"    {cell}  {peer['name']}")
    return "\n".join(lines)


def summary(measured):
    """Print geometric mean and least of each group beside each peer, and beside the fastest of them."""
    groups = {}
    for row in filter(sound, measured):
        medians = {peer["name"].partition(" (")[0]: median(peer["over_ours"]) for peer in peers(row)}
        for name, ratio in {**medians, **({"the fastest": min(medians.values())} if medians else {})}.items():
            groups.setdefault((row["group"], name), []).append(ratio)
    for (group, name), ratios in groups.items():
        mean = geometric_mean(ratios)
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
