"""What the dispatch of depthwise conv3d is worth: CUDA C++, Triton, other cuts of both and PyTorch over a grid of shapes.

    PYTHONPATH=src python benchmarks/gpu/conv3d_rules.py --build FOLDER              # compile all kernels: needs nvcc, no GPU
    PYTHONPATH=src python benchmarks/gpu/conv3d_rules.py OUT.json.gz --built FOLDER  # on a GPU: verify, then time
    PYTHONPATH=src python benchmarks/gpu/conv3d_rules.py OUT.json.gz --dispatch      # shapes outside the grid, through hotloop.ops

Each kernel is verified against float64 on some channels, poisoned outputs before; then the kernels of a shape, PyTorch and a copy
of the same bytes are timed in interleaved rounds of CUDA graphs whose inputs rotate beyond the second-level cache. With
``--dispatch`` what `hotloop.ops.depthwise_conv3d` runs stands beside the kernels of the two rules.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import random
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from math import exp
from math import log as logarithm
from pathlib import Path
from statistics import median

import conv3d_grid
import harness
from conv3d_cases import SOURCE, Jit

CHECKERS = 12
ROUNDS = 3
SAMPLE_MS, SETS_MOST = 0.4, 24
L2_BYTES = 64 << 20
KEPT = ("grid", "threads", "shared_bytes", "resources")
TAIL = ("torch", "copy", "ops")


def kernels(shape, few: bool) -> dict[str, object]:
    """Return the CUDA kernels and the Triton kernels of a shape by name; the first of each is its rule's."""
    made = (conv3d_grid.cuda_kernels(shape), conv3d_grid.jit_kernels(shape))
    return {name: one for some in made for name, one in (list(some.items())[:1] if few else some.items())}


def stem(shape, kernel) -> str:
    """Return a file name that is another one for every other text, shape or configuration."""
    if isinstance(kernel, Jit):
        from hotloop.kernels.conv3d_depthwise.triton import plan as triton

        text = (triton.source(), repr(shape), sorted(kernel.config.items()))
    else:
        text = (SOURCE, kernel.options, kernel.entry)
    return hashlib.sha1(repr(text).encode()).hexdigest()[:16]


def built(shape, kernel, folder: Path) -> dict[str, object]:
    """Compile a kernel unless that is done already; return what a launch needs."""
    said = folder / f"{stem(shape, kernel)}.json"
    if not said.exists():
        facts = _jit_built(shape, kernel) if isinstance(kernel, Jit) else _cuda_built(kernel, folder, said.stem)
        (folder / f"{said.stem}.cubin").write_bytes(facts.pop("cubin"))
        (folder / f"{said.stem}.new").write_text(json.dumps(facts))
        (folder / f"{said.stem}.new").rename(said)
    return json.loads(said.read_text()) | {"cubin": str(said.with_suffix(".cubin"))}


def _cuda_built(rung, folder: Path, name: str) -> dict[str, object]:
    made = harness.build(SOURCE, rung.options, f"{name}_text", folder)
    if made.path is None:
        raise RuntimeError(made.log[-300:])
    cubin = made.path.read_bytes()
    made.path.unlink()
    (folder / f"{name}_text.cu").unlink()
    used = {"entry": rung.entry, "grid": rung.grid, "threads": rung.threads, "shared_bytes": rung.shared_bytes}
    return {"cubin": cubin, **used, "resources": made.resources}


def _jit_built(shape, one: Jit) -> dict[str, object]:
    import triton as compiler
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    from hotloop.kernels.conv3d_depthwise.triton import kernel as jit
    from hotloop.kernels.conv3d_depthwise.triton import plan as triton

    function, values = getattr(jit, str(one.config["FORM"])), triton.constants(shape, one.config)
    pointer = {"bfloat16": "*bf16", "float16": "*fp16", "float32": "*fp32"}[shape.dtype]
    names = function.arg_names
    source = ASTSource(
        function,
        {name: "constexpr" if name in values else pointer for name in names},
        {(place,): values[name] for place, name in enumerate(names) if name in values},
        {(place,): [["tt.divisibility", 16]] for place in range(3)},
    )
    options = {name: one.config.integer(name) for name in ("num_warps", "num_stages")}
    made = compiler.compile(source, target=GPUTarget("cuda", 90, 32), options=options)
    used = {"entry": made.metadata.name, "grid": (triton.programs(shape, one.config), 1, 1)}
    return {
        "cubin": made.asm["cubin"], **used, "threads": 32 * options["num_warps"], "shared_bytes": made.metadata.shared,
        "resources": "",
    }  # fmt: skip


def build_all(
    cases, folder: Path, few: bool, workers: int, limit_s: float | None = None
) -> dict[str, dict[str, dict[str, object]]]:
    """Return the built kernels of every shape; what does not compile is told and left out."""
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(name, kernel, one) for name, shape in cases.items() for kernel, one in kernels(shape, few).items()]
    random.Random(1).shuffle(jobs)  # what there is no time for is spread over the shapes
    ruled = {(name, kernel) for name, shape in cases.items() for kernel in kernels(shape, few=True)}
    costs = {job[:2]: conv3d_grid.cost_s(cases[job[0]], job[2]) for job in jobs}
    if limit_s is None:
        jobs.sort(key=lambda job: costs[job[:2]])
    else:
        jobs.sort(key=lambda job: (costs[job[:2]] < 4, job[:2] not in ruled, -costs[job[:2]]))
    found = {name: {} for name in cases}
    missing = [job for job in jobs if not (folder / f"{stem(cases[job[0]], job[2])}.json").exists()]
    if missing:
        pool = ProcessPoolExecutor(workers)
        waiting = {pool.submit(built, cases[name], one, folder): (name, kernel) for name, kernel, one in missing}
        try:
            for done in as_completed(waiting, limit_s):
                if done.exception():
                    print("not compiled:", *waiting[done], str(done.exception())[-200:], flush=True)
        except TimeoutError:
            print(f"{sum(not one.done() for one in waiting)} kernels are left out: {limit_s:g} s are over", flush=True)
        children = list(pool._processes.values())  # noqa: SLF001 - what compiles at the end of the time is not waited for
        pool.shutdown(wait=limit_s is None, cancel_futures=True)
        for child in children if limit_s is not None else []:
            child.kill()
    for name, kernel, one in jobs:
        if (folder / f"{stem(cases[name], one)}.json").exists():
            found[name][kernel] = built(cases[name], one, folder)
    return found


def launcher(facts):
    """Return what binds a built kernel to x, weights and y."""
    import ctypes

    kernel = harness.driver().load(Path(facts["cubin"]), facts["entry"], facts["shared_bytes"])
    # Triton's kernels take addresses of scratch memory, which these need not, after their own arguments
    nothing = [ctypes.c_void_p(0)] * 2
    return lambda x, w, y: kernel.bind(facts["grid"], facts["threads"], x, w, y, *nothing)


def check(cases, made) -> None:
    """Verify the kernels of some shapes and print a line for each."""
    import torch
    from conv3d_check import judged, reference, tensors, tensors_out

    for name, all_made in made.items():
        shape = cases[name]
        x, weights, _ = tensors(shape, 11)
        outputs = shape.c * shape.multiplier
        some = sorted({0, 1 % outputs, outputs // 2, outputs - 1})
        parts = [reference(shape, x, weights, at, at + 1) for at in some]
        want, size = (torch.cat([part[i] for part in parts], 1) for i in range(2))
        for kernel, facts in all_made.items():
            row = {"case": name, "kernel": kernel}
            try:
                y, runs = tensors_out(shape), []
                launch = launcher(facts)(x, weights, y)
                for _ in range(2):
                    y.fill_(float("nan"))
                    launch()
                    torch.cuda.synchronize()
                    runs.append(y.clone())
                got = y.movedim(-1, 1)[:, some] if shape.channels_last else y[:, some]
                worst, _, _ = judged(conv3d_grid.first(shape), got, want, size)
                row |= {"error": worst, "written": not bool(y.isnan().any()), "repeats": torch.equal(*runs)}
            except Exception as error:  # noqa: BLE001 - a failure is a result
                row["why"] = f"{type(error).__name__}: {str(error)[:160]}"
            print(json.dumps(row), flush=True)
            if "why" in row:
                torch.cuda.synchronize()  # raises when a fault has spoilt the context


def checkers(given, cases) -> list[tuple[Path, subprocess.Popen]]:
    """Start the processes that verify; they load PyTorch while kernels are compiled, and wait for the plan."""
    names = sorted(cases, key=lambda name: -cases[name].flops)
    plan_of(given).unlink(missing_ok=True)
    children = []
    for part in range(CHECKERS):
        log = given.out.with_suffix(f".check{part}")
        command = [sys.executable, __file__, *sys.argv[1:], "--check", json.dumps(names[part::CHECKERS])]
        with log.open("w") as sink:
            children.append((log, subprocess.Popen(command, stdout=sink, stderr=subprocess.STDOUT)))
    return children


def plan_of(given) -> Path:
    """Return the file of what is to be verified."""
    return given.out.with_suffix(".plan")


def checked(given, cases, made, children) -> dict[str, dict[str, dict[str, object]]]:
    """Return what the processes say that verify, by case and kernel."""
    new = given.out.with_suffix(".plan-new")
    new.write_text(json.dumps(made))
    new.rename(plan_of(given))
    import gemm  # noqa: F401 - and with it PyTorch, while the others verify

    end, found = time.monotonic() + given.check_s, {name: {} for name in cases}
    for log, child in children:
        try:
            child.wait(max(0.1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        text = log.read_text()
        for line in text.splitlines():
            if line.startswith("{"):
                row = json.loads(line)
                found[row["case"]][row["kernel"]] = row
        if child.returncode:
            print(f"check ended with {child.returncode}: {text[-400:]}", flush=True)
        log.unlink()
    plan_of(given).unlink()
    return found


def good(row) -> bool:
    """Tell whether a verified kernel may be timed."""
    return bool(row) and "why" not in row and row["error"] <= 1 and row["written"] and row["repeats"]


def callers(shape, all_made, given):
    """Return calls over rotated inputs by contender."""
    import torch
    from conv3d_check import tensors

    count = max(2, min(SETS_MOST, -(-2 * L2_BYTES // shape.compulsory_bytes)))
    sets = [tensors(shape, seed) for seed in range(count)]
    calls = {}
    for kernel, facts in all_made.items():
        bind = launcher(facts)
        calls[kernel] = [bind(*one) for one in sets]
    options = {"stride": shape.stride, "padding": shape.padding, "dilation": shape.dilation}
    wide = [(x.movedim(-1, 1) if shape.channels_last else x, w.unsqueeze(1)) for x, w, _ in sets]
    convolve = partial(torch.nn.functional.conv3d, groups=shape.c, **options)
    calls["torch"] = [keeping(partial(convolve, *one)) for one in wide]
    size = shape.compulsory_bytes // 2
    pairs = [
        (torch.empty(size, dtype=torch.int8, device="cuda"), torch.ones(size, dtype=torch.int8, device="cuda"))
        for _ in sets
    ]
    calls["copy"] = [partial(to.copy_, source) for to, source in pairs]
    if given.dispatch:
        from hotloop import ops

        calls["ops"] = [keeping(partial(ops.depthwise_conv3d, *one, **options)) for one in wide]
    return calls


def keeping(call):
    """Return a call whose last result stays, so that results rotate through memory as the kernels' do."""
    kept = []

    def run():
        kept[:] = [call()]

    return run


def timed(calls) -> dict[str, list[float]]:
    """Return raw ms of a call for each contender, in interleaved rounds of graphs; slow ones take part in fewer."""
    from gemm import graphed

    graphs, repeats, rough = {}, {}, {}
    for name, each in calls.items():
        each[0]()
        once = harness.sample_ms(each, 2)
        graphs[name] = graphed(each[: max(2, min(len(each), round(2 * SAMPLE_MS / once)))], 1)
        rough[name] = graphs[name].sample(1)
        repeats[name] = max(1, min(200, round(SAMPLE_MS / (rough[name] * graphs[name].calls))))
    best = min((ms for name, ms in rough.items() if name not in TAIL), default=rough["torch"])
    times = {name: [] for name in graphs}
    for index in range(ROUNDS):
        order = [name for name in graphs if index == 0 or rough[name] < 2.5 * best or name == "ops"]
        for name in (*order, *reversed(order)):
            times[name].append(graphs[name].sample(repeats[name]))
    return times


def summary(shape, times, first) -> str:
    """Return one line: microseconds of both rules, the best kernel, PyTorch and the copy."""
    us = {name: 1e3 * median(values) for name, values in times.items()}
    ours = {name: value for name, value in us.items() if name not in TAIL} or us
    best = min(ours, key=ours.get)
    ruled = " ".join(f"{ours[name]:.1f}" if name in ours else "-" for name in first)
    dispatch = f" ops {us['ops']:.1f}" if "ops" in us else ""
    return f"{conv3d_grid.text(shape)}: {ruled}{dispatch} torch {us['torch']:.1f} copy {us['copy']:.1f} best {us[best]:.1f} {best}"


def study_dispatch(shape) -> dict[str, object]:
    """Return what dispatch chooses for a shape, why, and the error of its result."""
    import torch
    from conv3d_check import judged, reference, tensors

    from hotloop import ops

    x, weights, _ = tensors(shape, 11)
    wide = x.movedim(-1, 1) if shape.channels_last else x
    options = {"stride": shape.stride, "padding": shape.padding, "dilation": shape.dilation}
    choice = ops.explain_choice("depthwise_conv3d", wide, weights.unsqueeze(1), **options)
    y = ops.depthwise_conv3d(wide, weights.unsqueeze(1), **options)
    some = sorted({0, shape.c // 2, shape.c - 1})
    parts = [reference(shape, x, weights, at, at + 1) for at in some]
    want, size = (torch.cat([part[i] for part in parts], 1) for i in range(2))
    worst, _, _ = judged(conv3d_grid.first(shape), y[:, some], want, size)
    return {"choice": str(choice), "implementation": choice.implementation, "error": worst}


def geometric(values) -> float:
    return exp(sum(map(logarithm, values)) / len(values))


def write(out: Path, data) -> None:
    """Write what is known so far."""
    with gzip.open(out, "wt") as sink:
        json.dump(data, sink)


def verdict(rows, cases) -> None:
    """Print how long dispatch takes against the better of both rules, the fastest kernel of all, and PyTorch."""
    against = {"the better rule": {}, "the fastest kernel": {}, "PyTorch": {}}
    for row in rows:
        if "ops" not in row["times_ms"] or not any(name not in TAIL for name in row["times_ms"]):
            continue
        us = {name: median(values) for name, values in row["times_ms"].items()}
        ours = {name: value for name, value in us.items() if name not in TAIL}
        ruled = [ours[name] for name in kernels(cases[row["case"]], few=True) if name in ours] or list(ours.values())
        for name, best in (
            ("the better rule", min(ruled)),
            ("the fastest kernel", min(ours.values())),
            ("PyTorch", us["torch"]),
        ):
            against[name][row["case"]] = us["ops"] / best
    for name, ratios in against.items():
        if ratios:
            worst = sorted(ratios, key=ratios.get, reverse=True)[:3]
            text = ", ".join(f"{ratios[case]:.3f} {case}" for case in worst)
            print(f"against {name}: geometric mean {geometric(ratios.values()):.3f}, worst {text}")


def check_all(given, cases) -> None:
    """Wait for the plan and verify; a process whose CUDA context is spoilt starts anew with the shapes that are left."""
    import torch

    torch.zeros(1, device="cuda")
    while not plan_of(given).exists():
        time.sleep(0.05)
    made, left = json.loads(plan_of(given).read_text()), json.loads(given.check)
    while left:
        name, left = left[0], left[1:]
        try:
            if given.dispatch:
                study_dispatch(cases[name])  # fills Triton's cache
            check(cases, {name: made[name]})
        except RuntimeError as error:
            print(f"{name}: {str(error)[:200]}", flush=True)
            at = sys.argv.index("--check")
            if left:
                os.execv(sys.executable, [sys.executable, __file__, *sys.argv[1:at], "--check", json.dumps(left)])


def measure(given, cases, made, data, end) -> None:
    """Time shape by shape, in an order that has no order, and write what is known from time to time."""
    rows, order = data["rows"], list(cases)
    random.Random(5).shuffle(order)
    for name in order:
        if time.monotonic() > end:
            print("out of time before", name)
            return
        shape = cases[name]
        left = {kernel: facts for kernel, facts in made[name].items() if good(data["verified"][name].get(kernel))}
        row = {"case": name, "shape": repr(shape)}
        try:
            if given.dispatch:
                row |= study_dispatch(shape)
            row["times_ms"] = timed(callers(shape, left, given))
        except Exception as error:  # noqa: BLE001 - a failure is a result
            print("failed:", name, f"{type(error).__name__}: {str(error)[:200]}", flush=True)
            if "CUDA error" in str(error):
                return
            continue
        rows.append(row)
        if len(rows) % 16 == 0:
            write(given.out, data)
        print(summary(shape, row["times_ms"], list(kernels(shape, few=True))), flush=True)


def arguments() -> argparse.Namespace:
    """Return what was asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--build", type=Path, help="compile into this folder, and no more")
    parser.add_argument("--built", type=Path, default=Path("/tmp/hotloop_conv3d_rules"))
    parser.add_argument("--dispatch", action="store_true")
    parser.add_argument("--few", action="store_true", help="only the kernels of the rules")
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--limit-s", type=float, default=75)
    parser.add_argument("--build-s", type=float, default=32)
    parser.add_argument("--check-s", type=float, default=40)
    parser.add_argument("--check", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    given, began = arguments(), time.monotonic()
    cases = conv3d_grid.second_grid() if given.dispatch else conv3d_grid.first_grid()
    if given.check:
        check_all(given, cases)
        return 0
    children = [] if given.build else checkers(given, cases)
    few, limit_s = given.few, None if given.build else given.build_s
    made = build_all(cases, given.build or given.built, few, given.workers, limit_s)
    count = sum(map(len, made.values()))
    print(f"{count} kernels of {len(cases)} shapes built after {time.monotonic() - began:.1f} s", flush=True)
    if given.build:
        return 0
    right = checked(given, cases, made, children)
    wrong = [row for rows in right.values() for row in rows.values() if not good(row)]
    for row in wrong[:8]:
        print(f"WRONG {row['case']} {row['kernel']} {row.get('why', '')[:90]} {row.get('error', 0):.2f}")
    print(f"verified after {time.monotonic() - began:.1f} s, {len(wrong)} wrong", flush=True)
    data = {"conditions": harness.conditions(), "verified": right, "rows": []}
    data["kernels"] = {name: {k: {x: f[x] for x in KEPT} for k, f in some.items()} for name, some in made.items()}
    measure(given, cases, made, data, began + given.limit_s)
    write(given.out, data)
    verdict(data["rows"], cases)
    print(f"took {time.monotonic() - began:.1f} s")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("TRITON_DISABLE_LINE_INFO", "1")
    sys.exit(main())
