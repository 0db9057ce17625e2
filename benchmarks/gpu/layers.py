"""Layers of real models through `ops.warm`: every kernel that dispatch may choose, verified and timed beside PyTorch, in one go.

    PYTHONPATH=src python benchmarks/gpu/layers.py OUT.jsonl [--limit-s 520] [--parts conv,attention,linear,fused,grouped,untuned,large,fresh,host]
    PYTHONPATH=src python benchmarks/gpu/layers.py OUT.jsonl --dry        # no GPU: Triton's interpreter on small shapes

Parts run in order of importance, cases likewise; each case is a line of OUT.jsonl as soon as it is measured, with raw samples, so that
a cut loses nothing; what stands there already is not measured again. `conv`: depthwise conv3d of video models: reference shape plain, with bias, channels last, float32. `attention`: head
sizes, windows, few queries over caches. `linear`: `nn.Linear`'s layout, plain and with bias and GELU, and one shape in all layouts (`fused`: those with bias and GELU alone). `grouped`: batches and experts. `untuned`: shapes that no table
was tuned for. `at_first` is what dispatch runs before anything was measured, beside PyTorch (PyTorch's time over its, as `ratio`).
`fresh`: `nn.Linear`'s layout, every second one with bias and GELU, as dispatch runs it without `ops.warm`; FRESH_SEED=N draws the shapes at random,
(LAYERS_ONLY=attention,softmax: of functions alone) and products in other layouts and float16, attention, convolutions and rows of softmax with them.
`large`: the ten largest attention problems of the tables, errors against float64 computed in blocks on the device. `host`: µs of an eager call, PyTorch's inside `ops.used`, too.
Compilers run ahead in processes of their own, and each part is a process, so that a fault of the device ends one part. Without --keep what was measured is forgotten at the end.
"""

# ruff: noqa: E402, PLW2901 - Triton's interpreter is chosen before Triton is imported; sizes shrink in a dry run
from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import exp, log
from pathlib import Path
from statistics import median

DRY = "--dry" in sys.argv
if DRY:
    os.environ["TRITON_INTERPRET"] = "1"

import shapes
import torch

from hotloop.dispatch import measured, pace, remembered, warming
from hotloop.dispatch.pace import Clock
from hotloop.dispatch.remembered import Answer
from hotloop.kernels.attention.pytorch import Mask
from hotloop.ops import functions, kept
from hotloop.ops.apart import Apart

DEVICE = "cpu" if DRY else "cuda"
SEED = os.environ.get("FRESH_SEED", "")
ONLY = os.environ.get("LAYERS_ONLY", "")
PARTS = ("conv", "attention", "linear", "fused", "grouped", "untuned", "large", "fresh", "host")
COMPILERS = 12
ROUNDS = 9
LEAST_S = 15
"""Below that no part is begun."""
APART = Apart()
FAULT = 3
"""Exit status of a process whose device has gone."""
BLOCK = 512
"""Queries whose scores are in memory in float64 at a time."""
HALF = torch.float16 if DRY else torch.bfloat16


@dataclass(frozen=True)
class Case:
    """One call: the function's name, what makes its arguments, and what is told of it."""

    part: str
    name: str
    told: dict[str, object]
    make: Callable[[], tuple[tuple[object, ...], dict[str, object]]]
    exact: Callable[..., torch.Tensor] | None = None
    """Reference in float64 where the widened call does not fit in memory."""


def drawn(*shape: int, dtype: torch.dtype = HALF) -> torch.Tensor:
    return torch.randn(*shape, device=DEVICE, dtype=torch.float32).to(dtype)


def convolved(n, channels, size, window, dtype, *, bias=False, last=False, **options):
    """Return the arguments of a depthwise convolution."""
    x = drawn(n, channels, *size, dtype=dtype)
    x = x.to(memory_format=torch.channels_last_3d) if last else x
    return (x, drawn(channels, 1, *window, dtype=dtype), drawn(channels, dtype=dtype) if bias else None), options


def conv() -> Iterator[Case]:
    forms = [("bias", HALF, False), ("plain", HALF, False)]
    forms += [("bias, channels last", HALF, True), ("bias, float32", torch.float32, False)]
    for number, (channels, size, window, padding) in enumerate(shapes.VIDEOS):
        channels, size = (min(channels, 3), tuple(min(extent, 5) for extent in size)) if DRY else (channels, size)
        for form, dtype, last in forms if number < 2 or DRY else forms[:1] + forms[2:]:
            options = {"bias": "bias" in form, "last": last, "padding": padding}
            make = partial(convolved, 1, channels, size, window, dtype, **options)
            words = {"channels": channels, "size": size, "window": window, "form": form}
            yield Case("conv", "depthwise_conv3d", words, make)


def attended(batch, heads, kv, queries, keys, size, causal, window, shift):
    """Return the arguments of attention."""
    q, k, v = drawn(batch, heads, queries, size), drawn(batch, kv, keys, size), drawn(batch, kv, keys, size)
    return (q, k, v), {"causal": bool(causal), "window": window, "shift": shift}


def attention(rows=shapes.ATTENTION, part="attention") -> Iterator[Case]:
    for row in rows:
        sizes = dict(zip(shapes.HEADS, row, strict=True))
        if DRY:
            least = {"batch": 1, "heads": 2, "kv": 1, "queries": 9, "keys": 40, "window": 7}
            sizes |= {name: min(sizes[name], most) for name, most in least.items()}
            sizes["shift"] = sizes["keys"] - sizes["queries"] if sizes["shift"] else 0
        yield Case(part, "attention", sizes, partial(attended, **sizes), in_blocks)


def in_blocks(q, k, v, *, causal, window, shift) -> torch.Tensor:
    """Return attention of the first and last head in float64, some queries at a time."""
    made = []
    for head in (0, q.shape[1] - 1):
        key, value = (x[:, head * k.shape[1] // q.shape[1]].double() for x in (k, v))
        parts = []
        for first in range(0, q.shape[2], BLOCK):
            last = min(first + BLOCK, q.shape[2])
            scores = q[:, head, first:last].double() @ key.transpose(1, 2) * q.shape[3] ** -0.5
            hidden = Mask(q.shape[2], k.shape[2], causal, shift, window, q.device).hidden(first, last)
            weights = scores.masked_fill(hidden, float("-inf")).softmax(-1).nan_to_num(0.0)
            parts.append(weights @ value)
        made.append(torch.cat(parts, 1))
    return torch.stack(made, 1)


def multiplied(m, n, k, op="nt", fused=False, dtype=HALF):
    """Return the arguments of a product, with bias and GELU if it is fused, its operands stored as `op` says."""
    a = drawn(k, m, dtype=dtype).t() if op[0] == "t" else drawn(m, k, dtype=dtype)
    b = drawn(n, k, dtype=dtype).t() if op[1] == "t" else drawn(k, n, dtype=dtype)
    return (a, b / k**0.5), {"bias": drawn(n, dtype=dtype), "activation": "gelu"} if fused else {}


def products(part, rows) -> Iterator[Case]:
    for row in rows:
        sizes = dict(zip(("m", "n", "k", "op", "fused", "dtype"), row, strict=False))
        sizes |= {"m": min(sizes["m"], 5), "n": 24, "k": 32} if DRY else {}
        shown = {name: str(value) if name == "dtype" else value for name, value in sizes.items()}
        yield Case(part, "gemm", shown, partial(multiplied, **sizes))


def linear() -> Iterator[Case]:
    """Yield `nn.Linear`'s layout, plain and with bias and GELU, and one shape in all four layouts."""
    yield from products("linear", [(*row, "nt", fused) for fused in (False, True) for row in shapes.LINEAR])
    yield from products("linear", [(2048, 4096, 4096, op) for op in ("nn", "tn", "tt")])


def fused() -> Iterator[Case]:
    """Yield those of `linear` that have bias and GELU, alone."""
    yield from products("fused", [(*row, "nt", True) for row in shapes.LINEAR])


def fresh() -> Iterator[Case]:
    """Yield calls of which nothing was measured before, for dispatch as it is: products of models, and if shapes are drawn other calls, too."""
    rows = shapes.drawn(int(SEED), 60) if SEED else shapes.FRESH
    yield from products("fresh", [(*row, "nt", number % 2 == 1) for number, row in enumerate(rows)])
    if not SEED:
        return
    yield from products("fresh", [(*row[:3], "nt", row[3]) for row in shapes.drawn_public(int(SEED) + 5)])
    yield from several("fresh", shapes.drawn_experts(int(SEED) + 6, 16), shapes.drawn_batches(int(SEED) + 7, 12))
    forms = [(op, dtype) for op in ("nn", "nt", "tn") for dtype in (torch.float16, HALF) if (op, dtype) != ("nt", HALF)]
    others = shapes.drawn(int(SEED) + 1, 20)
    yield from products(
        "fresh",
        [(*row, op, n % 2 == 1, dtype) for n, row in enumerate(others) for op, dtype in forms[n % 5 : n % 5 + 1]],
    )
    yield from attention(shapes.drawn_attention(int(SEED) + 2, 24), "fresh")
    for channels, size, window, form in shapes.drawn_videos(int(SEED) + 3, 20):
        options = {"bias": "bias" in form, "last": "last" in form, "padding": tuple(extent // 2 for extent in window)}
        channels, size = (3, (5, 5, 5)) if DRY else (channels, size)
        words = {"channels": channels, "size": size, "window": window, "form": form}
        yield Case("fresh", "depthwise_conv3d", words, partial(convolved, 1, channels, size, window, HALF, **options))
    for shape in shapes.drawn_rows(int(SEED) + 4, 12):
        yield Case(
            "fresh", "softmax", {"shape": shape}, lambda shape=shape: ((4 * drawn(*((3, 70) if DRY else shape)),), {})
        )


def experts(groups, rows, n, k):
    """Return the arguments of a product of rows in groups, each with a matrix of its own."""
    cuts = sorted(random.Random(groups).sample(range(rows + 1), groups - 1))
    ends = torch.tensor([*cuts, rows], dtype=torch.int32, device=DEVICE)
    return (drawn(rows, k), drawn(groups, n, k).transpose(1, 2) / k**0.5, ends), {}


def batched(batch, m, n, k):
    """Return the arguments of a batch of products."""
    return (drawn(batch, m, k), drawn(batch, k, n) / k**0.5), {}


def grouped() -> Iterator[Case]:
    yield from several("grouped", shapes.EXPERTS, shapes.BATCHES)


def several(part, of_experts, of_batches) -> Iterator[Case]:
    """Yield products of experts and of batches."""
    for row in of_experts:
        sizes = dict(zip(("groups", "rows", "n", "k"), (3, 9, 16, 24) if DRY else row, strict=True))
        yield Case(part, "gemm_grouped", sizes, partial(experts, **sizes))
    for row in of_batches:
        sizes = dict(zip(("batch", "m", "n", "k"), (2, 9, 16, 24) if DRY else row, strict=True))
        yield Case(part, "gemm_batched", sizes, partial(batched, **sizes))


def kind(name):
    """Return a type by its name; a dry run has one only, because the interpreter cuts bfloat16 off instead of rounding."""
    return HALF if DRY else getattr(torch, name)


def untuned() -> Iterator[Case]:
    """Yield shapes that no table was tuned for."""
    part = "untuned"
    yield from products(part, [(*row[:3], "nn", row[4], kind(row[3])) for row in shapes.UNTUNED_GEMM])
    yield from attention([(*row, 0, 0) for row in shapes.UNTUNED_ATTENTION], part)
    for n, channels, size, window, options, dtype in shapes.UNTUNED_CONV3D:
        words = {"n": n, "channels": channels, "size": size, "window": window, "dtype": dtype, **options}
        make = partial(convolved, n, channels, size, window, kind(dtype), **options)
        yield Case(part, "depthwise_conv3d", words, make)
    for shape, dtype in shapes.UNTUNED_SOFTMAX:
        make = lambda shape=shape, dtype=dtype: ((4 * drawn(*shape, dtype=kind(dtype)),), {})  # noqa: E731
        yield Case(part, "softmax", {"shape": shape, "dtype": dtype}, make)


def cases(parts: list[str]) -> list[Case]:
    made = {
        "conv": conv,
        "attention": attention,
        "linear": linear,
        "grouped": grouped,
        "untuned": untuned,
        "large": lambda: attention(shapes.LARGE, "large"),
        "fresh": fresh,
        "fused": fused,
    }
    asked = [case for part in PARTS if part in parts and part in made for case in made[part]()]
    asked = [case for case in asked if not ONLY or case.name in ONLY.split(",")]
    return list({(case.part, case.name): case for case in reversed(asked)}.values())[::-1] if DRY else asked


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
    beside = {f"ratio_{name}": us[name] / us["runs"] for name in others if name != "torch"}
    ratio = us.get("torch", us["runs"]) / us["runs"]
    return {**told, "runs": runs, "ratio": ratio, **beside, "us": us, "apart": apart}


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
        for choice in as_is if case.part == "fresh" else operator.alternatives(described, call[0]):
            try:
                launch.prepared(
                    operator.program(call, Answer(choice).choice), choice.device, operator.arrays(call, made)
                )
            except Exception as error:  # noqa: BLE001 - the measurement will say so
                print(case.told, choice.config, str(error)[:100], file=sys.stderr)


def host_us(call: Callable[[], object], count: int = 2000) -> float:
    for _ in range(20):
        call()
    if not DRY:
        torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(5 if DRY else count):
        call()
    spent = time.perf_counter() - began
    return 1e6 * spent / (5 if DRY else count)


def overhead() -> Iterator[dict[str, object]]:
    """Yield µs of host time of calls whose kernels take nothing; the queue never fills up."""
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
            row = {"part": "host", "name": name, "hotloop_us": host_us(ours), "torch_us": host_us(theirs)}
            with ops.used():
                yield {**row, "used_us": host_us(theirs)}


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
                told((as_it_is if case.part == "fresh" else measure)(case))
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


def gone() -> bool:
    """Tell whether nothing can be computed on the device any more."""
    try:
        return not DRY and torch.cuda.synchronize() is not None
    except RuntimeError:
        return True


def mean(ratios: list[float]) -> float:
    return exp(sum(map(log, ratios)) / len(ratios))


def summary(rows: list[dict[str, object]], missing: int) -> None:
    """Print mean and least of what dispatch runs from now on, and what went wrong; of drawn calls by what is called."""
    for row in rows:
        if row["part"] == "fresh":
            row["part"] = (
                f"fresh {row['name']} {row.get('op', row.get('form', ''))}{' bias and GELU' if row.get('fused') else ''}"
            )
    for part in dict.fromkeys(
        (*PARTS, *sorted(str(row["part"]) for row in rows if str(row["part"]).startswith("fresh ")))
    ):
        ratios = [row["ratio"] for row in rows if row["part"] == part and row.get("ratio")]
        if ratios:
            best = [row["best"] for row in rows if row["part"] == part and row.get("best")]
            alone = f"; kernels alone {min(best):.3f} to {max(best):.3f}" if best else ""
            print(f"{part}: {len(ratios)} cases, mean {mean(ratios):.3f}, least {min(ratios):.3f}{alone}")
    for name in ("ratio_cudnn", "ratio_loop"):
        if ratios := [row[name] for row in rows if name in row]:
            print(f"{name}: {len(ratios)} cases, mean {mean(ratios):.3f}, least {min(ratios):.3f}")
    print("failed:", [row["failed"] for row in rows if "failed" in row] or "none", "| not reached:", missing)


if __name__ == "__main__":
    main()
