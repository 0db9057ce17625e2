"""Execute published Triton kernels launch by launch beside Triton's interpreter, from calls of one to three lines; predict each, too.

    pip install --no-deps --target FOLDER conch-triton-kernels flashnn torchao liger-kernel fla-core einops sageattention bitsandbytes \
        cut-cross-entropy lightning-attn xformers unsloth
    PYTHONPATH=FOLDER:TORCH EMU_TARGET=gfx942 python benchmarks/emulate_calls.py --out calls-gfx942.json

The calls stand in `emulate_calls.toml`; a package's own host code launches. Of each launch the memory before it is kept, Triton's
interpreter computes the same from that, and every array that either has changed is compared. So a row is a compiled kernel, and right
means: all its launches agree. `predict` is asked about the same launch; anything but a prediction or a designed refusal is a defect.
"""

from __future__ import annotations

import argparse
import inspect
import json
import math
import os
import pickle
import signal
import sys
import tempfile
import time
import tomllib
import traceback
import types
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import interpreted
import torch
import triton_on_cpu
from triton.runtime import interpreter, jit

from hotloop.emulate.launch import Launch
from hotloop.errors import HotloopError
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.predict.ask import Kernel, ask
from hotloop.predict.card import card

RELATIVE = {
    torch.float64: 1e-9,
    torch.float32: 5e-4,
    torch.float16: 4e-3,
    torch.bfloat16: 2e-2,
    torch.float8_e4m3fn: 0.13,
    torch.float8_e4m3fnuz: 0.13,
    torch.float8_e5m2: 0.26,
}
"""Of an element and of the root mean square of its array: half of what two roundings may be apart, and single sums in another order."""
KEEP = os.environ.get("EMU_KEEP", "")
"""A folder in which each kernel's first launch is kept, for `emulate_mutants.py`."""
APART = "EMU_NO_INTERPRETER"
"""Set where a call says what is right itself, as the interpreter would crash."""
SOFAR = Path(tempfile.gettempdir()) / f"emulate-calls-{os.getpid()}.json"
"""Launches of the call that runs, for the case that the interpreter crashes: it reads where it is told to."""
OFF_BY_ONE = 0.02
"""Share of whole numbers that may be off by one, where they are rounded quotients."""


class Nothing(nullcontext[None]):
    """Stands for a choice of a device where there is none."""

    def __init__(self, *_: object, **__: object) -> None:
        super().__init__()


def hollow(name: str) -> types.ModuleType:
    """Make a package importable without what its ``__init__`` does, which may need a GPU or packages that are not here."""
    for folder in sys.path:
        place = Path(folder, *name.split("."))
        if place.is_dir() and name not in sys.modules:
            made = types.ModuleType(name)
            made.__path__ = [str(place)]
            sys.modules[name] = made
    return sys.modules[name]


def new(*shape: int, dtype: torch.dtype = torch.float32, low: float = -2.0, high: float = 2.0) -> torch.Tensor:
    """Return random numbers."""
    return (torch.rand(*shape) * (high - low) + low).to(dtype)


def ints(low: int, high: int, *shape: int, dtype: torch.dtype = torch.int32) -> torch.Tensor:
    """Return random whole numbers."""
    return torch.randint(low, high, shape, dtype=dtype)


def tensors(values: Any) -> list[torch.Tensor]:
    """Return the tensors among arguments."""
    return [v for v in values if isinstance(v, torch.Tensor)]


def copies(values: list[torch.Tensor]) -> dict[int, torch.UntypedStorage]:
    """Return copies of the tensors' memory, by its address."""
    return {t.untyped_storage().data_ptr(): t.untyped_storage().clone() for t in values}


def moved(value: Any, to: dict[int, torch.UntypedStorage]) -> Any:
    """Return an argument with its memory replaced."""
    if not isinstance(value, torch.Tensor):
        return value
    return torch.empty(0, dtype=value.dtype).set_(
        to[value.untyped_storage().data_ptr()], value.storage_offset(), value.shape, value.stride()
    )


def called(self: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function of a kernel inside the interpreter."""
    scope = interpreter._patch_lang(self.fn)  # noqa: SLF001 - its own call leaves the language changed
    try:
        return interpreter.InterpretedFunction(self.fn).rewrite()(*args, **kwargs)
    finally:
        scope.restore()


def worst(got: torch.Tensor, wanted: torch.Tensor) -> float:
    """Return by how much one array differs, in units of what it may: at most 1 is right."""
    if not got.dtype.is_floating_point:
        apart = (got.long() - wanted.long()).abs()
        few = apart.max() <= 1 and (apart > 0).double().mean() <= OFF_BY_ONE
        return float(apart.max() > 0) / 2 if few or not apart.any() else math.inf
    one, two = got.double(), wanted.double()
    strange = ~(torch.isfinite(one) & torch.isfinite(two))
    if not bool(((one == two) | (one.isnan() & two.isnan()))[strange].all()):
        return math.inf
    one, two = one.masked_fill(strange, 0), two.masked_fill(strange, 0)
    size = float(two.square().mean().sqrt()) if two.numel() else 0.0
    bound = RELATIVE[got.dtype] * (two.abs() + max(size, 1e-6))
    return float(((one - two).abs() / bound).max()) if two.numel() else 0.0


def alike(got: torch.Tensor, wanted: torch.Tensor) -> None:
    """Compare what the last launch wrote with PyTorch's float64, where the interpreter does not know a function."""
    row = triton_on_cpu.RECORD[-1]
    row["off"] = {"result": worst(got, wanted.to(torch.float64) if got.dtype.is_floating_point else wanted)}
    row["right"], row["reference"] = row["off"]["result"] <= 1.0, "PyTorch, float64"


EXECUTE = triton_on_cpu.execute


def judged(fn: Any, grid: Any, args: Any, kwargs: Any) -> None:
    """Launch on the executor, and the same in the interpreter; compare."""
    bound = inspect.signature(fn.fn).bind(*args, **{k: v for k, v in kwargs.items() if k in fn.arg_names})
    given = tensors(bound.arguments.values())
    before, other = copies(given), copies(given)
    EXECUTE(fn, grid, args, kwargs)
    row = triton_on_cpu.RECORD[-1]
    if callable(grid):
        row["grid"] = tuple(grid({**bound.arguments, **kwargs}))
    if APART in os.environ:
        return
    if any("bounds" in found for found in row.get("findings", ())):
        row["reference"] = "the interpreter would read out of bounds, too, without a word"
        return
    SOFAR.write_text(json.dumps(triton_on_cpu.RECORD, default=str))
    try:
        # A nested function is called as plain Python while the interpreter runs.
        jit.JITFunction.__call__ = called
        there = [moved(a, other) for a in args]
        interpreter.InterpretedFunction(fn.fn).run(
            *there,
            grid=tuple(int(g) for g in row["grid"]),
            warmup=False,
            **{k: moved(v, other) for k, v in kwargs.items()},
        )
    except Exception as error:  # noqa: BLE001 - the interpreter does not know all that the compiler knows
        row["reference"] = f"{type(error).__name__}: {error}"[:200]
        return
    finally:
        del jit.JITFunction.__call__
    named = [(name, v) for name, v in bound.arguments.items() if isinstance(v, torch.Tensor)]
    off: dict[str, float] = {}
    for name, value in named:
        place = value.untyped_storage().data_ptr()
        now, then, wanted = (bytes(s) for s in (value.untyped_storage(), before[place], other[place]))
        if now == then == wanted:
            continue
        flat = [torch.frombuffer(bytearray(b), dtype=value.dtype) for b in (now, wanted)]
        off[name] = worst(*flat)
    row["off"] = off
    row["right"] = all(o <= 1.0 for o in off.values()) and bool(off)


def foreseen(made: Any, program: Any, launch: Launch, row: dict[str, Any]) -> None:
    """Ask for a prediction of a launch, once for each compiled kernel."""
    if not row.get("new"):
        return
    if KEEP:
        kept = Path(KEEP, f"{row['kernel']}-{triton_on_cpu.TARGET}-{len(triton_on_cpu.RECORD)}.pickle")
        kept.write_bytes(pickle.dumps((made.asm["amdgcn"], made.metadata.name, launch)))
    try:
        function = next(f for f in DIALECT.parse(made.asm["amdgcn"]) if f.name == program.name)
        answer = ask(Kernel(program, function), launch, card(triton_on_cpu.TARGET))
    except HotloopError as error:
        row["predict"] = f"refused: {error}"[:300]
        return
    except Exception:  # noqa: BLE001 - what this is after
        row["predict"] = "DEFECT: " + traceback.format_exc(limit=-3)[-600:]
        return
    sane = (
        0 < answer.low_ns <= answer.time_ns <= answer.high_ns < 1e12
        and all(
            math.isfinite(t.ns) and 0 <= t.low_ns <= t.ns * (1 + 1e-9) <= t.high_ns * (1 + 1e-9) for t in answer.terms
        )
        and 0 <= answer.l1_hit <= 1
        and 0 <= answer.l2_hit <= 1
        and answer.moved_bytes >= 0
    )
    row["predict"] = f"{answer.time_ns:.0f} ns, {answer.bound}, {'trusted' if answer.trusted else answer.doubts[0]}"
    if not sane:
        row["predict"] = f"DEFECT: impossible: {answer}"


def late(*_: object) -> None:
    raise TimeoutError("longer than it may take")


def run(name: str, text: str, limit_s: int) -> dict[str, Any]:
    """Run one call; a row with its launches."""
    first, began = len(triton_on_cpu.RECORD), time.perf_counter()
    row: dict[str, Any] = {"call": name}
    torch.manual_seed(7)
    signal.alarm(limit_s)
    try:
        exec(text, {"torch": torch, "new": new, "ints": ints, "hollow": hollow, "alike": alike})
    except Exception as error:  # noqa: BLE001 - a package may raise whatever it likes
        row["failed"] = f"{type(error).__name__}: {error}"[:300]
        row["where"] = traceback.format_exc(limit=-2)[-300:]
    finally:
        signal.alarm(0)
    return {**row, "seconds": round(time.perf_counter() - began, 1), "kernels": triton_on_cpu.RECORD[first:]}


def apart(name: str, text: str, limit_s: int) -> dict[str, Any]:
    """Run one call in a process of its own: what breaks it breaks nothing else."""
    SOFAR.unlink(missing_ok=True)
    with tempfile.NamedTemporaryFile() as file:
        child = os.fork()
        if child == 0:
            row = run(name, text, limit_s)
            Path(file.name).write_text(json.dumps(row, default=str), encoding="utf-8")
            os._exit(0)
        _, code = os.waitpid(child, 0)
        told = Path(file.name).read_text(encoding="utf-8")
    launches = json.loads(SOFAR.read_text()) if SOFAR.exists() else []
    SOFAR.unlink(missing_ok=True)
    return (
        json.loads(told)
        if told
        else {"call": name, "failed": f"ended with {code}", "seconds": 0.0, "kernels": launches}
    )


def status(row: dict[str, Any]) -> str:
    """Return what became of a launch."""
    if "right" in row:
        return "right" if row["right"] else "wrong"
    return str(row.get("status")) if row.get("status") != "clean" else "executed, no reference"


def summary(rows: list[dict[str, Any]]) -> Counter[str]:
    """Count compiled kernels: each is what its worst launch was."""
    order = ["right", "executed, no reference", "found", "wrong", "not executed", "not compiled", "None"]
    kernels: dict[str, str] = {}
    for row in rows:
        for one in row["kernels"]:
            now = status(one)
            key = f"{one['kernel']} {row['call']}"
            if key not in kernels or order.index(now) > order.index(kernels[key]):
                kernels[key] = now
    return Counter(kernels.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument(
        "--calls", type=Path, default=Path(__file__).with_suffix(".toml"), help="other calls, in the same form"
    )
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=int, default=100, help="seconds of a call at most")
    parser.add_argument("--seconds", type=float, default=3600.0)
    chosen = parser.parse_args()
    signal.signal(signal.SIGALRM, late)
    triton_on_cpu.install()
    interpreted.mend()
    triton_on_cpu.execute, triton_on_cpu.HOOK = judged, foreseen
    torch.set_num_threads(1)
    torch.cuda.device = torch.cuda._DeviceGuard = Nothing  # type: ignore[assignment,misc,attr-defined]  # noqa: SLF001
    torch.cuda.current_device = lambda: 0
    torch.cuda.is_available = lambda: False
    calls = tomllib.loads(chosen.calls.read_text())
    rows: list[dict[str, Any]] = []
    began = time.monotonic()
    for package, texts in calls.items():
        for name, text in texts.items():
            if chosen.only not in f"{package} {name}" or time.monotonic() - began > chosen.seconds:
                continue
            rows.append({"package": package, **apart(f"{package} {name}", text, chosen.limit)})
            last = rows[-1]
            for one in last["kernels"]:
                if status(one) != "right" or one.get("findings") or "DEFECT" in one.get("predict", ""):
                    print(
                        json.dumps(
                            {k: v for k, v in one.items() if k not in ("compile_s", "execution_s")}, default=str
                        )[:900]
                    )
            print(
                last["call"],
                last["seconds"],
                last.get("failed", ""),
                last.get("where", "")[-200:],
                Counter(map(status, last["kernels"])),
                flush=True,
            )
            if chosen.out:
                chosen.out.write_text(json.dumps(rows, indent=1, default=str) + "\n")
    print(triton_on_cpu.TARGET, dict(summary(rows)))


if __name__ == "__main__":
    main()
