"""Layers of real models through `ops.warm`: every kernel that dispatch may choose, verified and timed beside PyTorch, in one go.

    PYTHONPATH=src python benchmarks/gpu/layers.py OUT.jsonl [--limit-s 520] [--parts conv,attention,linear,fused,grouped,untuned,large,fresh,public,wide,batches,host]
    PYTHONPATH=src python benchmarks/gpu/layers.py OUT.jsonl --dry        # no GPU: Triton's interpreter on small shapes

Parts run in order of importance, cases likewise; each case is a line of OUT.jsonl as soon as it is measured, with raw samples, so that
a cut loses nothing; what stands there already is not measured again. `conv`: depthwise conv3d of video models: reference shape plain, with bias, channels last, float32. `attention`: head
sizes, windows, few queries over caches. `linear`: `nn.Linear`'s layout, plain and with bias and GELU, and one shape in all layouts (`fused`: those with bias and GELU alone). `grouped`: batches and experts. `untuned`: shapes that no table
was tuned for. `at_first` is what dispatch runs before anything was measured, beside PyTorch (PyTorch's time over its, as `ratio`).
`fresh`: `nn.Linear`'s layout, every second one with bias and GELU, as dispatch runs it without `ops.warm`; FRESH_SEED=N draws the shapes at random,
(LAYERS_ONLY=attention,softmax: of functions alone) and products in other layouts and float16, attention, convolutions and rows of softmax with them.
`public`: as `fresh`, the layers of public models with bias and GELU alone, 40 of them. `wide`: as `fresh`, products in every layout, type and epilogue, and rows
of softmax. `batches`: batches plain and with what PyTorch needs more passes for. `large`: the ten largest attention problems of the tables, errors against float64 computed in blocks on the device. `host`: µs of an eager call, PyTorch's inside `ops.used`, too.
Compilers run ahead in processes of their own, and each part is a process, so that a fault of the device ends one part. Without --keep what was measured is forgotten at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from statistics import geometric_mean, median

import torch
from cases import DEVICE, DRAWN, DRY, PARTS, Case, cases, drawn

from hotloop.dispatch import measured, pace, remembered, warming
from hotloop.dispatch.pace import Clock
from hotloop.dispatch.remembered import Answer
from hotloop.ops import functions, kept
from hotloop.ops.apart import Apart

COMPILERS = 12
ROUNDS = 9
HOST_CALLS, HOST_ROUNDS = 250, 16
"""Eager calls that are timed together, far fewer than the queue holds, and how often ours and PyTorch's take turns."""
LEAST_S = 15
"""Below that no part is begun."""
APART = Apart()
FAULT = 3
"""Exit status of a process whose device has gone."""


def formed(case: Case):
    given, options = case.make()
    return functions.explained()[case.name].call(case.name, given, options), given, options


def measure(case: Case) -> dict[str, object]:
    """Return what `ops.warm` found, and how far the result of dispatch and of PyTorch is from float64."""
    (operator, call), given, options = formed(case)
    began = time.monotonic()
    with torch.no_grad():
        first = operator.choose(operator.described(call, gradient=False), call[0])
        made = warming.warm(operator, call, *((Clock(),) if DRY else (pace.of(call[0]), APART)))
        middle = {name: median(samples) for name, samples in made.times_ns.items() if samples}
        errors = {}
        if case.exact is not None:
            exact = case.exact(*given, **options)
            for name, result in (("dispatch", operator(call)), ("torch", operator.peer(call))):
                errors[name] = float((result[:, [0, -1]].double() - exact).abs().max())
    mine = [name for name in middle if name != warming.PEER]
    chosen = middle.get(made.source.split(" runs: ")[0])
    before = middle.get(f"{first.implementation} {first.config}".strip())
    return {
        "part": case.part, "name": case.name, **case.told, "runs": made.runs, "why": made.source, "refused": made.refused,
        "ratio": middle[warming.PEER] / chosen if chosen else None, "at_first": middle[warming.PEER] / before if before else None,
        "best": middle[warming.PEER] / min(middle[one] for one in mine) if mine else None,
        "us": {name: ns / 1e3 for name, ns in middle.items()}, "errors": errors, "samples_ns": made.times_ns,
        "took_s": time.monotonic() - began,
    }  # fmt: skip


def as_it_is(case: Case) -> dict[str, object]:
    """Return how fast what dispatch runs is beside PyTorch, in alternating rounds, after a first call."""
    (operator, call), given, options = formed(case)
    with torch.no_grad():
        began = time.monotonic()
        operator(call)  # a first call takes a glance
        choice, first_s = operator.explain(call), time.monotonic() - began
        answer, told = Answer(choice), {"part": case.part, "name": case.name, **case.told, "why": choice.source}
        told |= {"first_s": round(first_s, 4)}
        runs = f"{choice.implementation} {choice.config}".strip()
        theirs = choice.implementation == warming.PEER
        ours = partial(operator.peer, call) if theirs else partial(operator.run, call, answer)
        others = {} if theirs else {"torch": partial(operator.peer, call)}
        others |= {name: run for name, run in rivals(case.name, given, options) if possible(run)}
        if not others:
            return {**told, "runs": runs, "ratio": 1.0}
        wanted = operator.peer(call).float()
        apart = float((ours().float() - wanted).abs().max() / wanted.abs().max())
        clock = Clock() if DRY else pace.of(call[0])
        samples = {name: clock.timed(run) for name, run in {"runs": ours, **others}.items()}
        rounds = [{name: sample() for name, sample in samples.items()} for _ in range(ROUNDS)]
        us = {name: median(each[name] for each in rounds) / 1e3 for name in samples}
        same = [name for name, run in others.items() if theirs and launched(run) == launched(ours) != ()]
    beside = {f"ratio_{name}": 1.0 if name in same else us[name] / us["runs"] for name in others if name != "torch"}
    ratio = us.get("torch", us["runs"]) / us["runs"]
    return {**told, "runs": runs, "ratio": ratio, **beside, "same_kernels": same, "us": us, "apart": apart}


def launched(run: Callable[[], object]) -> tuple[str, ...]:
    """Return the names of the kernels of a call, in order: where PyTorch runs, its own choice may be the rival, and two timings of one kernel are no ratio."""
    if DRY:
        return ()
    activity = torch.profiler.ProfilerActivity
    with torch.profiler.profile(activities=[activity.CUDA]) as seen:
        run()
        torch.cuda.synchronize()
    on_device = [event for event in seen.events() if event.device_type == torch.autograd.DeviceType.CUDA]
    return tuple(event.name for event in sorted(on_device, key=lambda event: event.time_range.start))


def rivals(name, given, options) -> Iterator[tuple[str, Callable[[], torch.Tensor]]]:
    """Yield what else of PyTorch's computes a call: cuDNN's attention, and of products of experts one after the other, their bounds known."""
    if name == "attention" and not options["window"] and DEVICE == "cuda":
        q, k, v = given
        causal = options["causal"] and q.shape[2] == k.shape[2]
        if causal or not options["causal"]:
            yield "cudnn", partial(by_cudnn, q, k, v, causal)
    if name == "gemm_grouped":
        a, b, ends = given
        bounds = [0, *ends.tolist()]
        yield "loop", lambda: torch.cat([a[bounds[i] : bounds[i + 1]] @ b[i] for i in range(len(b))])


def by_cudnn(q, k, v, causal) -> torch.Tensor:
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.CUDNN_ATTENTION):
        return torch.nn.functional.scaled_dot_product_attention(
            q, k, v, is_causal=causal, enable_gqa=q.shape[1] != k.shape[1]
        )


def possible(run) -> bool:
    """Tell whether PyTorch computes a call in a way."""
    try:
        run()
    except RuntimeError:
        return False
    return True


def compiled(parts: list[str], share: int) -> None:
    """Compile what the cases of a share may launch; Triton keeps it on disk."""
    from hotloop.dispatch import launch

    for case in cases(parts)[share::COMPILERS]:
        (operator, call), *_ = formed(case)
        made = operator.fake(call)
        described = operator.described(call, gradient=False)
        as_is = dict.fromkeys((usual := operator.chosen(described, call[0]), *usual.unsure))
        for choice in as_is if case.part in DRAWN else operator.alternatives(described, call[0]):
            try:
                launch.prepared(
                    operator.program(call, Answer(choice).choice), choice.device, operator.arrays(call, made)
                )
            except Exception as error:  # noqa: BLE001 - the measurement will say so
                print(case.told, choice.config, str(error)[:100], file=sys.stderr)


def host_us(call: Callable[[], object]) -> float:
    """Return µs of host time of a call whose kernels take nothing, over as many as the queue holds with ease."""
    count = 5 if DRY else HOST_CALLS
    if not DRY:
        torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(count):
        call()
    return 1e6 * (time.perf_counter() - began) / count


def overhead() -> Iterator[dict[str, object]]:
    """Yield µs of host time of calls, of ours and PyTorch's in turns: a lent host's speed drifts by a factor of two within a run.

    The medians of all rounds stand beside the medians of what ours takes beyond PyTorch's in the same round, by name and inside `ops.used`.
    """
    from hotloop import ops

    a, b, q = drawn(64, 64), drawn(64, 64), drawn(1, 4, 64, 64)
    x, w = drawn(1, 8, 4, 8, 8), drawn(8, 1, 3, 3, 3)
    functional = torch.nn.functional
    for name, ours, theirs in (
        ("gemm", lambda: ops.gemm(a, b), lambda: torch.matmul(a, b)),
        ("linear", lambda: ops.gemm(a, b.t()), lambda: functional.linear(a, b)),
        ("attention", lambda: ops.attention(q, q, q), lambda: functional.scaled_dot_product_attention(q, q, q)),
        ("softmax", lambda: ops.softmax(a), lambda: torch.softmax(a, -1)),
        ("conv3d", lambda: ops.depthwise_conv3d(x, w, padding=1), lambda: functional.conv3d(x, w, padding=1, groups=8)),
    ):
        with torch.no_grad():
            turns = 1 + (1 if DRY else HOST_ROUNDS)
            rounds = [hosted(ours, theirs, ops.used) for _ in range(turns)][1:]  # the first one decides and compiles
        mine, its, used = (median(column) for column in zip(*rounds, strict=True))
        over, over_used = (median([row[i] - row[1] for row in rounds]) for i in (0, 2))
        yield {
            "part": "host", "name": name, "hotloop_us": mine, "torch_us": its, "used_us": used, "over_us": over,
            "over_used_us": over_used, "samples_us": rounds,
        }  # fmt: skip


def hosted(
    ours: Callable[[], object], theirs: Callable[[], object], used: Callable[[], AbstractContextManager[object]]
) -> tuple[float, float, float]:
    """Return µs of host time of one round: by name, PyTorch's, and PyTorch's name inside the context."""
    mine, its = host_us(ours), host_us(theirs)
    with used():
        return mine, its, host_us(theirs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--limit-s", type=float, default=520.0)
    parser.add_argument("--dry", action="store_true")
    parser.add_argument("--keep", action="store_true", help="let dispatch know on this machine what was measured")
    parser.add_argument("--compile", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    parts = asked.parts.split(",")
    torch.manual_seed(7)
    if DRY:
        stand_in()
    if asked.compile is not None:
        compiled(parts, asked.compile)
        return
    with tempfile.TemporaryDirectory() as folder:
        if not asked.keep:
            os.environ["HOTLOOP_STORE"] = str(Path(folder) / "store.sqlite")
        measured.hand_in(kept)
        if DRY or asked.alone:
            run(asked.out, parts, asked.limit_s)
            return
        began = time.monotonic()
        ahead(asked.out, parts, asked.limit_s)
        for part in (name for name in PARTS if name in parts):
            code: int | str = FAULT
            while code == FAULT:  # the fault of one case took the process; the others get one of their own
                left = asked.limit_s - (time.monotonic() - began)
                alone = ["--parts", part, "--alone", "--keep", "--limit-s", f"{left:.0f}"]
                command = [sys.executable, __file__, str(asked.out), *alone]
                code = subprocess.run(command, check=False).returncode if left > LEAST_S else "no time left"
            print(f"== {part}: exit status {code}", flush=True)


def stand_in() -> None:
    """Put a GPU in the place of the processor for which Triton kernels are chosen, for these can be interpreted."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "unit"))
    from dataclasses import replace

    import interpreter

    interpreter.on(replace(interpreter.gpu("sm_100"), runtime_key="interpreter"))


def ahead(out: Path, parts: list[str], limit_s: float) -> None:
    """Compile side by side, a third of the time at most."""
    shares = [
        subprocess.Popen([sys.executable, __file__, str(out), "--parts", ",".join(parts), "--compile", str(share)], stderr=subprocess.DEVNULL)
        for share in range(COMPILERS)
    ]  # fmt: skip
    try:
        for share in shares:
            share.wait(max(1.0, limit_s / 3))
    except subprocess.TimeoutExpired:
        print("compilers still run; what is left is compiled when it is measured", flush=True)
    for share in shares:
        share.kill()


def run(out: Path, parts: list[str], limit_s: float) -> None:
    """Measure until the limit; a line for each case."""
    ends, missing = time.monotonic() + limit_s, 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] if out.exists() else []
    with out.open("a", encoding="utf-8") as sink:

        def told(row: dict[str, object]) -> None:
            rows.append(row)
            sink.write(json.dumps(row) + "\n")
            sink.flush()
            shown = {name: value for name, value in row.items() if name not in ("samples_ns", "us", "refused")}
            print(shown, flush=True)

        device = "interpreter" if DRY else torch.cuda.get_device_name()
        told({"part": "machine", "device": device, "torch": torch.__version__})
        for case in cases(parts):
            named = {"part": case.part, "name": case.name, **json.loads(json.dumps(case.told))}
            if any(named.items() <= row.items() for row in rows):
                continue
            if time.monotonic() > ends:
                missing += 1
                continue
            try:
                told((as_it_is if case.part in DRAWN else measure)(case))
            except Exception as error:  # noqa: BLE001 - a benchmark tells and goes on
                where = " < ".join(f"{f.name}:{f.lineno}" for f in reversed(traceback.extract_tb(error.__traceback__)))
                told({**named, "failed": f"{type(error).__name__}: {str(error)[:200]}", "where": where})
                if gone():
                    sys.exit(FAULT)
            remembered.forget()
        if "host" in parts and time.monotonic() < ends:
            for row in overhead():
                told(row)
    summary(rows, missing)


FEW = 16
"""Most queries of a call that decodes rather than reads a prompt."""


def beside_rivals(rows: list[dict[str, object]]) -> Iterator[tuple[str, str, list[float]]]:
    """Yield ratios beside what else of PyTorch's computes a call, of attention prompts and few queries apart."""
    for name in ("ratio_cudnn", "ratio_loop"):
        kinds: dict[str, list[float]] = {}
        for row in rows:
            if name in row:
                which = "" if "queries" not in row else " prompts" if row["queries"] > FEW else " few queries"
                kinds.setdefault(which, []).append(row[name])
        yield from ((name, which, ratios) for which, ratios in sorted(kinds.items()))


def gone() -> bool:
    """Tell whether nothing can be computed on the device any more."""
    try:
        return not DRY and torch.cuda.synchronize() is not None
    except RuntimeError:
        return True


def summary(rows: list[dict[str, object]], missing: int) -> None:
    """Print mean and least of what dispatch runs from now on, and what went wrong; of drawn calls by what is called."""
    for row in rows:
        if row["part"] in ("fresh", "wide", "batches"):
            ends = row.get("ends", "bias and GELU" if row.get("fused") else "")
            row["part"] = " ".join(filter(None, (row["part"], row["name"], row.get("op", row.get("form", "")), ends)))
    for part in dict.fromkeys((*PARTS, *sorted(str(row["part"]) for row in rows if " " in str(row["part"])))):
        ratios = [row["ratio"] for row in rows if row["part"] == part and row.get("ratio")]
        if ratios:
            best = [row["best"] for row in rows if row["part"] == part and row.get("best")]
            alone = f"; kernels alone {min(best):.3f} to {max(best):.3f}" if best else ""
            print(f"{part}: {len(ratios)} cases, mean {geometric_mean(ratios):.3f}, least {min(ratios):.3f}{alone}")
    for name, which, ratios in beside_rivals(rows):
        print(f"{name}{which}: {len(ratios)} cases, mean {geometric_mean(ratios):.3f}, least {min(ratios):.3f}")
    print("failed:", [row["failed"] for row in rows if "failed" in row] or "none", "| not reached:", missing)


if __name__ == "__main__":
    main()
