"""Execute the Triton kernels that PyTorch's compiler writes for operators and small networks; each must be clean and right.

    PYTHONPATH=TORCH EMU_TARGET=gfx942 python benchmarks/emulate_inductor.py [--half first --seed 1] --out rows.json

The operators are those of PyTorch's own tests (`torch.testing`), with the inputs that these make; the networks stand below. Inductor
writes Triton for this processor's tensors as for a GPU's; its launcher is replaced by the executor, once with the wait for memory late
and once early, as `hotloop emulate` does it. A kernel counts once for each text. The whole call's results are compared with PyTorch's
own. A coin of an operator's name says which half its kernels are in. Rows: `clean`, `found`, `not compiled`, `not executed`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import emulate_calls
import emulate_edits
import emulate_plants
import torch
import triton_on_cpu
from torch._inductor import config as inductor
from torch._inductor.async_compile import AsyncCompile
from torch._inductor.codecache import PyCodeCache
from torch._inductor.runtime.triton_heuristics import GridExpr, config_to_dict
from torch.nn import functional
from triton.backends.compiler import GPUTarget
from triton.runtime.driver import driver

from hotloop.compilers import executor

MOST_ELEMENTS = 200_000
"""Inputs beyond it are left out: their kernels are those of smaller ones."""
TOLERANCE = {torch.float32: 2e-3, torch.float16: 1e-2, torch.bfloat16: 5e-2, torch.float64: 1e-6}
ROWS: dict[str, dict[str, Any]] = {}
"""What was seen of each kernel, by its text."""
CALL = [""]


class _Driver:
    """Stands for the driver of a GPU, of which the compiler asks the name only."""

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("hip", triton_on_cpu.TARGET, triton_on_cpu.WAVE)

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, _: Any = None) -> int:
        return 0

    def is_active(self) -> bool:
        return True


class Kernel:
    """One generated kernel, launched on the executor."""

    def __init__(self, name: str, source: str) -> None:
        self.tuner = getattr(PyCodeCache.load(source), name)
        self.name = name
        text = re.sub(r"triton_\w+|'kernel_name': '[^']*'|'backend_hash': '[^']*'", "", source)
        self.key = hashlib.sha256(text.encode()).hexdigest()[:16]

    def run(self, *args: Any, stream: Any = None, **kwargs: Any) -> None:
        """Execute a launch and write its results back."""
        del stream
        chosen = self.tuner.configs[0]
        names = [p.name for p in self.tuner.fn.params if p.name not in chosen.kwargs]
        constants = {
            k: v for k, v in self.tuner.triton_meta["constants"].items() if isinstance(k, str) and k not in names
        }
        given = dict(zip(names, args, strict=False)) | kwargs
        meta = config_to_dict(chosen) | {k: v for k, v in given.items() if isinstance(v, int)}
        grid = GridExpr.from_meta(self.tuner.inductor_meta, chosen).eval_slow(meta)
        for name, v in given.items():
            if isinstance(v, torch.Tensor) and name.startswith("in_ptr"):  # what is only read is no result
                emulate_edits.FRESH.pop(v.untyped_storage().data_ptr(), None)
        alone = {name: own(v) for name, v in given.items() if isinstance(v, torch.Tensor) and partial(v)}
        row = ROWS.setdefault(
            self.key, {"kernel": self.name, "of": CALL[0], "launches": 0, "findings": [], "notes": [], "reason": ""}
        )
        size = len(triton_on_cpu.RECORD)
        try:
            triton_on_cpu.execute(
                self.tuner.fn, grid, (), {**constants, **chosen.kwargs, **given, **alone, "num_warps": chosen.num_warps}
            )
        except emulate_edits.Enough:  # executed by the hook
            seen = triton_on_cpu.RECORD[-1]
            row["launches"] += 1
            for name, made in alone.items():
                given[name].copy_(made)
            row["findings"] += [one for one in seen["findings"] if one not in row["findings"]]
            row["notes"] += [one for one in seen["notes"] if one not in row["notes"]]
        except Exception as error:
            row["reason"] = row["reason"] or f"{type(error).__name__}: {error}"[:300]
            if len(triton_on_cpu.RECORD) > size:
                row["reason"] = triton_on_cpu.RECORD[-1].get("reason", row["reason"])
            raise


def extent(tensor: torch.Tensor) -> int:
    """Return how many elements lie between a tensor's first and last one, both included."""
    return 1 + sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride(), strict=True)) if tensor.numel() else 0


def partial(tensor: torch.Tensor) -> bool:
    """Tell whether a tensor is a part of its memory only."""
    return extent(tensor) * tensor.element_size() != tensor.untyped_storage().nbytes()


def own(tensor: torch.Tensor) -> torch.Tensor:
    """Return a view with memory of its own, which holds nothing yet where the view is whole and did so."""
    flat = torch.as_strided(tensor, (extent(tensor),), (1,), tensor.storage_offset())
    made = flat.clone()
    if extent(tensor) == tensor.numel() and emulate_edits.untouched(tensor):
        emulate_edits.FRESH[made.untyped_storage().data_ptr()] = triton_on_cpu.storage(made).copy()
        emulate_edits.KEPT.append(made)
    return made.as_strided(tensor.shape, tensor.stride())


def prepare() -> None:
    """Put the executor behind Inductor."""
    kept = {name: getattr(torch, name) for name in ("empty", "empty_like", "empty_strided")}
    new_empty = torch.Tensor.new_empty
    emulate_plants.prepare()
    for name, made in kept.items():  # Dynamo makes tensors without memory by them
        setattr(torch, name, made)
    torch.Tensor.new_empty = new_empty  # type: ignore[method-assign]
    driver.set_active(_Driver())
    inductor.cpu_backend = "triton"
    inductor.force_disable_caches = True
    inductor.compile_threads = 1
    inductor.triton.autotune_pointwise = False
    AsyncCompile.triton = lambda self, name, source, device_str="": Kernel(name, source)  # type: ignore[method-assign]  # noqa: ARG005
    guards = torch._C._dynamo.guards  # noqa: SLF001
    guards._empty_strided_cpu = emulate_edits.emptied(guards._empty_strided_cpu)  # noqa: SLF001
    executor.native()


# -- what is compiled --------------------------------------------------------------------------------------------------


def amount(value: Any) -> int:
    """Return how many numbers stand in tensors."""
    if isinstance(value, torch.Tensor):
        return value.numel()
    return sum(map(amount, value)) if isinstance(value, list | tuple) else 0


def operators(op_db: Any) -> Iterator[tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]]:
    """Yield PyTorch's operators with inputs of its tests: one that is large and odd for each."""
    for op in op_db:
        kind = torch.float32 if torch.float32 in op.dtypes else torch.int32
        if kind not in op.dtypes:
            continue
        try:
            samples = list(op.sample_inputs("cpu", kind, requires_grad=False))[:12]
        except Exception:  # noqa: BLE001 - samples of an operator may need what is not here
            continue
        samples = [one for one in samples if 1 < amount([one.input, *one.args]) <= MOST_ELEMENTS]
        if samples:
            best = max(samples, key=lambda one: amount([one.input, *one.args]))
            name = f"{op.name} {op.variant_test_name}".strip()
            yield name, op.op, (best.input, *best.args), best.kwargs


def networks() -> Iterator[tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]]:
    """Yield small networks and expressions of several operators."""
    new, f = emulate_calls.new, functional
    x, w, b = new(37, 130), new(130), new(130)
    half = new(37, 130, dtype=torch.float16)
    picture = new(2, 6, 13, 15)

    def add(name: str, call: Callable[..., Any], *args: Any) -> tuple[str, Callable[..., Any], tuple[Any, ...], Any]:
        return f"net {name}", call, args, {}

    yield add("gelu norm", lambda x, w, b: f.layer_norm(f.gelu(x), (130,), w, b), x, w, b)
    yield add("rms half", lambda x, w: f.rms_norm(x, (130,), w.half()) * 2, half, w)
    yield add("softmax mask", lambda x: torch.softmax(x.masked_fill(x > 1, -1e9), -1), x)
    yield add("log sum", lambda x: torch.logsumexp(x * 3, 0), x)
    yield add("loss", f.cross_entropy, x, emulate_calls.ints(0, 130, 37, dtype=torch.int64))
    yield add("long rows", lambda x: f.layer_norm(x, (5000,)), new(3, 5000))
    yield add("long sum", lambda x: (x.sum(), x.amax(), x.var()), new(40_001))
    yield add("columns", lambda x: (x.mean(0), x.std(0)), new(700, 19))
    yield add("batch norm", lambda x: f.batch_norm(x, None, None, training=True).relu(), picture)
    yield add("group norm", lambda x: f.silu(f.group_norm(x, 3)), picture)
    yield add("pool", lambda x: f.avg_pool2d(f.max_pool2d(x, 3, 2, 1), 2), picture)
    yield add("resize", lambda x: f.interpolate(x, scale_factor=1.7, mode="bilinear"), picture)
    yield add("cubic", lambda x: f.interpolate(x, size=(9, 11), mode="bicubic"), picture)
    yield add("glu", lambda x: f.glu(x, -1).tanh() + x[:, :65], x)
    yield add("turn", lambda x: torch.cat([-x[..., 65:], x[..., :65]], -1) * x.cos(), x)
    yield add("transposed", lambda x: x.t().contiguous() + 1, x)
    yield add("running", lambda x: torch.cumsum(x, 1).exp2().log1p(), x)
    yield add("products", lambda x: torch.cumprod(x * 0.5 + 1, 0), x)
    yield add("sorted", lambda x: torch.sort(x, 1), new(9, 64))
    yield add("bags", lambda t, i: f.embedding(i, t).sum(1), new(50, 33), emulate_calls.ints(0, 50, 7, 5).long())
    yield add(
        "scatter",
        lambda x, i: torch.zeros(20, 33).index_add(0, i, x),
        new(70, 33),
        emulate_calls.ints(0, 20, 70).long(),
    )
    yield add("quantized", lambda x: ((x / x.abs().amax(1, keepdim=True)) * 127).round().to(torch.int8), x)
    yield add("brain", lambda x, y: (x * y.bfloat16()).float().sum(-1), x.bfloat16(), x)
    yield add("double", lambda x: torch.erf(x) + torch.lgamma(x.abs() + 1), new(501, dtype=torch.float64))
    yield add(
        "whole", lambda x, y: (x // y, x % y, x ^ y), emulate_calls.ints(-99, 99, 777), emulate_calls.ints(1, 9, 777)
    )
    yield add("wide", lambda x: (x * 2654435761) >> 7, emulate_calls.ints(0, 1 << 30, 333).long())
    yield add("welford", lambda x: torch.var_mean(x, (1, 2), keepdim=True), new(5, 33, 129))
    yield add("argmax", lambda x: (x.argmax(1), x.argmin(0)), x)
    yield add("nan", lambda x: torch.nan_to_num(torch.where(x > 0, x.log(), x / 0)), x)
    yield add(
        "attention",
        lambda q, k, v: torch.softmax((q[:, :, None] * k[:, None]).sum(-1) / 4, -1) @ v,
        new(2, 17, 16),
        new(2, 19, 16),
        new(2, 19, 16),
    )
    yield add("padded", lambda x: f.pad(x, (3, 2, 1, 4), mode="reflect").sigmoid(), picture)
    yield add("shuffled", lambda x: f.pixel_shuffle(x[:, :4], 2) * 3, picture)
    yield add("rolled", lambda x: torch.roll(x, (3, -2), (0, 1)).flip(0), x)
    yield add("triangles", lambda x: torch.tril(x) + torch.triu(x, 3), x)
    yield add("outer", lambda x, w: (x[:, :1] * w).sin().amax(0), x, w)
    yield add("distances", lambda x: (x[:, None] - x[None]).square().sum(-1).sqrt(), new(23, 40))
    yield add("smooth", lambda x, y: f.smooth_l1_loss(x, y) + f.huber_loss(x, y), x, x.flip(0))
    yield add(
        "divergence", lambda x: f.kl_div(f.log_softmax(x, 1), torch.softmax(x.flip(1), 1), reduction="batchmean"), x
    )
    yield add("dropout", lambda x: f.dropout(x, 0.5, training=True) * 0, x)
    yield add("complex", lambda x: torch.view_as_real(torch.view_as_complex(x) * 2), new(50, 2))
    for size in (1, 2, 31, 257, 1025):
        yield add(f"norm {size}", lambda x: f.normalize(x, dim=-1).softmax(0), new(9, size))


def gradients() -> Iterator[tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]]:
    """Yield the same networks with the gradients of their first input."""
    for name, call, args, _ in networks():
        first = args[0]
        if not first.is_floating_point():
            continue

        def both(first: torch.Tensor, *rest: Any, call: Callable[..., Any] = call) -> Any:
            leaf = first.detach().requires_grad_()
            out = call(leaf, *rest)
            out = next(o for o in out if o.is_floating_point()) if isinstance(out, tuple) else out
            return torch.autograd.grad(out.float().sum() if out.dtype != torch.float64 else out.sum(), leaf)

        yield f"grad {name[4:]}", both, args, {}


# -- comparing ---------------------------------------------------------------------------------------------------------


def flat(value: Any) -> list[torch.Tensor]:
    """Return the tensors of a result."""
    if isinstance(value, torch.Tensor):
        return [value.detach()]
    return [one for part in value for one in flat(part)] if isinstance(value, list | tuple) else []


def right(got: Any, wanted: Any) -> bool:
    """Tell whether results agree within their types' roundings."""
    pairs = list(zip(flat(got), flat(wanted), strict=True))
    return all(
        bool(torch.allclose(a.double(), b.double(), *[TOLERANCE.get(a.dtype, 0.0)] * 2, equal_nan=True))
        if not a.is_complex()
        else bool(torch.allclose(a, b, 1e-3, 1e-3, equal_nan=True))
        for a, b in pairs
    )


def called(name: str, call: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any], limit_s: int) -> str:
    """Compile and execute one call; say what became of its results."""
    CALL[0] = name
    torch._dynamo.reset()  # noqa: SLF001
    triton_on_cpu.RECORD.clear()
    signal.alarm(limit_s)
    try:
        torch.manual_seed(7)
        wanted = call(*copied(args), **more)
        torch.manual_seed(7)
        got = torch.compile(call)(*copied(args), **more)
        if not triton_on_cpu.RECORD:
            return "no kernel"
        return "right" if right(got, wanted) else "WRONG"
    except BaseException as error:  # noqa: BLE001 - a compiler may raise whatever it likes
        return f"failed: {type(error).__name__}: {str(error)[:160]!r}"
    finally:
        signal.alarm(0)


def copied(value: Any) -> Any:
    """Return arguments with tensors of their own."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone(memory_format=torch.preserve_format)
    return type(value)(copied(one) for one in value) if isinstance(value, list | tuple) else value


def half(seed: int, name: str) -> str:
    """Throw the coin of an operator."""
    return "first" if random.Random(f"{seed}:{name}").random() < 0.5 else "second"


def main() -> None:
    """Write a row for each kernel."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=int, default=40, help="seconds of a call at most")
    parser.add_argument("--seconds", type=float, default=3000.0)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    from torch.testing._internal import common_methods_invocations  # takes seconds, and asks for a GPU's version

    prepare()
    began, calls = time.monotonic(), list[dict[str, Any]]()
    for name, call, args, more in chain(networks(), gradients(), operators(common_methods_invocations.op_db)):
        if chosen.only not in name or chosen.half not in ("", half(chosen.seed, name)):
            continue
        if time.monotonic() - began > chosen.seconds:
            break
        before = set(ROWS)
        told = called(name, call, args, more, chosen.limit)
        fresh = [ROWS[key] for key in ROWS if key not in before]
        calls.append({"call": name, "half": half(chosen.seed, name), "result": told, "kernels": len(fresh)})
        for row in fresh:
            row["half"], row["result"] = half(chosen.seed, name), told.partition(":")[0]
            row["status"] = "found" if row["findings"] else "clean" if row["launches"] else "not executed"
        said = [(row["kernel"][:50], row["status"], row["reason"], row["findings"], row["notes"]) for row in fresh]
        print(told, name, [one for one in said if any(one[2:])] or [one[1] for one in said], flush=True)
        if chosen.out:
            chosen.out.write_text(json.dumps({"calls": calls, "kernels": list(ROWS.values())}, indent=1) + "\n")
    print(Counter(row["status"] for row in ROWS.values()), Counter(one["result"].partition(":")[0] for one in calls))


if __name__ == "__main__":
    main()
