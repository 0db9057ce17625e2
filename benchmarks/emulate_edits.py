"""Plant bugs in the sources of published Triton kernels, run them through their own host code, and see which are reported.

    PYTHONPATH=PACKAGES:TORCH EMU_TARGET=gfx942 python benchmarks/emulate_edits.py --calls CALLS.toml --each 6 --seed 1 --out edits.json

Calls stand in a file as for `emulate_calls.py`. What ``torch.empty`` and its like return holds nothing until a kernel writes it, as a
person says with ``:fresh``. A bug is one edit of the source of a kernel that the call launches, or of the grid: drawn by the seed among
the places where its kind fits. A row is `reported` (with the first sentence), `changed` (other results and no report), `same`, or
`refused` (it does not compile, or the package's own checks object).
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import json
import math
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import emulate_calls
import numpy as np
import torch
import triton_on_cpu

from hotloop.app.emulate.inputs import unread
from hotloop.app.emulate.outputs import unwritten
from hotloop.app.emulate.task import Step, Task
from hotloop.compilers import executor
from hotloop.emulate.launch import run
from hotloop.emulate.machine import Options, Order
from hotloop.emulate.sanitizer.lost import lost

BUDGET = int(os.environ.get("EMU_BUDGET", "4000000"))
MOST_LAUNCHES = 6
POISON = 0xD7
FRESH: dict[int, np.ndarray] = {}
"""Storages that nobody has written yet, by address: the bytes that they held."""
FILES: set[str] = set()
LEFT: list[str] = []


class Enough(Exception):  # noqa: N818 - the end of a call, no error
    """A call has launched as often as it may."""


# -- what holds nothing yet --------------------------------------------------------------------------------------------


def emptied(make: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Return a function that makes tensors of nothing, remembered as such."""

    def made(*args: Any, **kwargs: Any) -> torch.Tensor:
        kwargs = {k: v for k, v in kwargs.items() if k != "device" and v is not None}
        tensor = make(*args, **kwargs)
        raw = triton_on_cpu.storage(tensor) if tensor.untyped_storage().nbytes() else None
        if raw is not None:
            raw[:] = np.random.default_rng(POISON).integers(1, 255, raw.nbytes, np.uint8)
            FRESH[tensor.untyped_storage().data_ptr()] = raw.copy()
            KEPT.append(tensor)
        return tensor

    return made


KEPT: list[torch.Tensor] = []


def watch_empties() -> None:
    """Replace what returns memory with nothing in it."""
    for owner, name in ((torch, "empty"), (torch, "empty_like"), (torch, "empty_strided")):
        setattr(owner, name, emptied(getattr(owner, name)))
    torch.Tensor.new_empty = lambda self, *s, dtype=None, **_: torch.empty(*s, dtype=dtype or self.dtype)  # type: ignore[method-assign]


def untouched(tensor: torch.Tensor) -> bool:
    """Tell whether a tensor's memory still holds nothing."""
    old = FRESH.get(tensor.untyped_storage().data_ptr())
    raw = triton_on_cpu.storage(tensor)
    return old is not None and old.nbytes == raw.nbytes and bool((old == raw).all())


# -- launching ---------------------------------------------------------------------------------------------------------


def judged(program: Any, listing: str, launch: Any) -> tuple[list[str], list[Any]]:
    """Execute a launch as `hotloop emulate` does; what was found, and what the arrays hold."""
    orders = (Options(budget=BUDGET), Options(late=False, order=Order.DESCENDING, backwards=True, budget=BUDGET))
    done = [run(program, launch, order, backend=executor.native()) for order in orders]
    found = [one for each in done for one in each.findings]
    found += lost(listing, program.name, program.code, done[0].counts)
    told = [f"{one.trouble}: {one.text} (line {one.line})" for one in found]
    arrays = [[np.ascontiguousarray(triton_on_cpu.unpack(v)).tobytes() for v in each.arrays] for each in done]
    if arrays[0] != arrays[1] and not any("atomic" in item.name for item in program.code):
        told.append("depends on order")
    told += outputs(program, listing, launch, done[0])
    return told, list(done[0].arrays)


def outputs(program: Any, listing: str, launch: Any, done: Any) -> list[str]:
    """Return what is said of fresh arrays that were not written whole, as for a launch from the command line."""
    given = [triton_on_cpu.unpack(v) for v in launch.arguments]
    named = [name if isinstance(v, np.ndarray) else v for name, v in zip(launch.names, given, strict=True)]
    step = Step(program=program, listing=listing, arguments=tuple(named), grid=launch.grid, workgroup=launch.workgroup)
    arrays = {
        name: shaped(v, SHAPES.get(name))
        for name, v in zip(launch.names, given, strict=True)
        if isinstance(v, np.ndarray)
    }
    task = Task(
        label="",
        target="",
        steps=(step,),
        arrays=arrays,
        outputs=frozenset(launch.names[n] for n in launch.fresh),
        inputs=frozenset(launch.names[n] for n in launch.inputs),
        sizes=SIZES,
    )
    LEFT.extend(unread(task, [done]))  # remarks, no findings
    return [f"{one.finding.trouble}: {one.finding.text}" for one in unwritten(task, [done])[0]]


def shaped(array: np.ndarray, shape: tuple[int, ...] | None) -> np.ndarray:
    """Return memory with its tensor's shape, where the tensor is all of it."""
    return array.reshape(shape) if shape and math.prod(shape) == array.size else array


SHAPES: dict[str, tuple[int, ...]] = {}
"""Shapes of the launch's tensors, by name."""
SIZES: frozenset[int] = frozenset()
"""Numbers that the launch's kernel was compiled for, but for powers of two, which are blocks."""


def hook(made: Any, program: Any, launch: Any, row: dict[str, Any]) -> None:
    """Execute instead of the launcher, with fresh arrays named."""
    global SIZES  # noqa: PLW0603 - one launch at a time
    SIZES = frozenset(v for v in row.pop("constants").values() if isinstance(v, int) and v > 1 and v & (v - 1))
    values = row.pop("tensors")
    SHAPES.clear()
    SHAPES.update(
        {
            n: tuple(v.shape)
            for n, v in zip(launch.names, values, strict=True)
            if isinstance(v, torch.Tensor) and v.is_contiguous()
        }
    )
    fresh = frozenset(n for n, v in enumerate(values) if isinstance(v, torch.Tensor) and untouched(v))
    object.__setattr__(launch, "fresh", fresh)
    inputs = frozenset(n for n, v in enumerate(values) if isinstance(v, torch.Tensor)) - fresh
    object.__setattr__(launch, "inputs", inputs)
    row["fresh"] = [launch.names[n] for n in sorted(fresh)]
    row["findings"], after = judged(program, made.asm["amdgcn"], launch)
    row["digest"] = hashlib.sha256(
        b"".join(np.ascontiguousarray(triton_on_cpu.unpack(v)).tobytes() for v in after)
    ).hexdigest()
    for value, new in zip(values, after, strict=True):
        if isinstance(value, torch.Tensor):
            raw = triton_on_cpu.storage(value)
            held = np.ascontiguousarray(triton_on_cpu.unpack(new)).view(np.uint8).reshape(-1)
            raw[: held.nbytes] = held
    raise Enough


def launched(fn: Any, grid: Any, args: Any, kwargs: Any) -> None:
    """Launch a kernel; the first ones of a call only."""
    if len(triton_on_cpu.RECORD) >= MOST_LAUNCHES:
        raise Enough
    FILES.add(fn.fn.__code__.co_filename)
    try:
        triton_on_cpu.execute(fn, grid, args, kwargs)
    except Enough:
        return


def started(self: Any, *args: Any, grid: Any, warmup: bool = False, **kwargs: Any) -> None:
    """Launch a kernel, in the place of Triton's own method."""
    del warmup
    launched(self, grid, args, kwargs)


# -- edits -------------------------------------------------------------------------------------------------------------


def jitted(node: ast.FunctionDef) -> bool:
    """Tell whether a function is a kernel or a part of one."""
    return any("jit" in ast.unparse(one) for one in node.decorator_list)


def called(node: ast.AST, *names: str) -> bool:
    """Tell whether a node calls one of these functions of the language."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) in [f"tl.{n}" for n in names] + [
        f"triton.{n}" for n in names if n == "cdiv"
    ]


def without(call: ast.Call, *words: str, most: int) -> ast.Call:
    """Return a call without these arguments."""
    made = copy.deepcopy(call)
    made.keywords = [one for one in made.keywords if one.arg not in words]
    made.args = made.args[:most]
    return made


def shifted(call: ast.Call) -> ast.Call:
    """Return an access one element further."""
    made = copy.deepcopy(call)
    if made.args:
        made.args[0] = ast.BinOp(made.args[0], ast.Add(), ast.Constant(1))
    else:
        one = next(k for k in made.keywords if k.arg == "pointer")
        one.value = ast.BinOp(one.value, ast.Add(), ast.Constant(1))
    return made


def masked(call: ast.AST) -> bool:
    """Tell whether an access has a mask."""
    return isinstance(call, ast.Call) and any(one.arg == "mask" for one in call.keywords)


def added(node: ast.AST, by: int) -> ast.AST:
    """Return a comparison whose bound is another one."""
    made = copy.deepcopy(node)
    assert isinstance(made, ast.Compare)
    made.comparators[0] = ast.BinOp(made.comparators[0], ast.Add() if by > 0 else ast.Sub(), ast.Constant(1))
    return made


def summed(call: ast.Call) -> ast.Call:
    """Return an addition that is no atomic any more."""
    made = copy.deepcopy(call)
    made.func = ast.parse("tl.store", mode="eval").body
    made.keywords = [one for one in made.keywords if one.arg not in ("sem", "scope")]
    mask = [one for one in made.keywords if one.arg == "mask"]
    load = ast.Call(ast.parse("tl.load", mode="eval").body, [made.args[0]], mask)
    made.args[1] = ast.BinOp(load, ast.Add(), made.args[1])
    return made


def edits(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the bugs that can be planted at a node of a kernel."""
    if called(node, "load") and masked(node):
        yield "load without its mask", without(node, "mask", "other", most=1)
    if called(node, "store") and masked(node):
        yield "store without its mask", without(node, "mask", most=2)
    if called(node, "load"):
        yield "load one element further", shifted(node)
    if called(node, "store"):
        yield "store one element further", shifted(node)
    if called(node, "atomic_add") and isinstance(node, ast.Call) and len(node.args) > 1:
        yield "addition that is no atomic", summed(node)
    if called(node, "cdiv"):
        yield "division that drops the tail", ast.BinOp(node.args[0], ast.FloorDiv(), node.args[1])  # type: ignore[attr-defined]
    if called(node, "program_id"):
        yield "two programs at one place", ast.BinOp(copy.deepcopy(node), ast.FloorDiv(), ast.Constant(2))
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Lt):
        yield "bound of a mask one more", added(node, 1)
        yield "bound of a mask one less", added(node, -1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and "stride" in ast.unparse(node.right).lower():
        yield "wrong stride", ast.BinOp(node.left, ast.Mult(), ast.BinOp(node.right, ast.Add(), ast.Constant(1)))


def lines(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the bugs that take a statement away."""
    if isinstance(node, ast.Expr) and called(node.value, "store"):
        yield "store less", ast.Pass()
    if isinstance(node, ast.Expr) and called(node.value, "debug_barrier"):
        yield "barrier less", ast.Pass()


def used(tree: ast.Module, names: set[str]) -> set[str]:
    """Return the names of functions that were launched and of all that they name."""
    texts = {
        one.name: {n.id for n in ast.walk(one) if isinstance(n, ast.Name)}
        for one in ast.walk(tree)
        if isinstance(one, ast.FunctionDef)
    }
    while more := {name for one in names for name in texts.get(one, ()) if name in texts} - names:
        names = names | more
    return names


def places(tree: ast.Module, names: set[str]) -> Iterator[tuple[str, ast.AST, ast.AST]]:
    """Yield kind, node and what stands there then, for the kernels of a file that were launched and the sizes of grids."""
    names = used(tree, names)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or (jitted(function) and function.name not in names):
            continue
        if not jitted(function):
            for node in ast.walk(function):
                if called(node, "cdiv"):
                    yield "grid that drops the tail", node, ast.BinOp(node.args[0], ast.FloorDiv(), node.args[1])  # type: ignore[attr-defined]
            continue
        for node in ast.walk(function):
            for kind, new in (*edits(node), *lines(node)):
                yield kind, node, new


class Swap(ast.NodeTransformer):
    """Puts a node in another one's place."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        if node is self.old:
            return ast.copy_location(self.new, node)
        return self.generic_visit(node)


def edited(text: str, number: int, names: set[str]) -> tuple[str, str, str, str]:
    """Return a file with its bug of a number: text, kind, what stood there, what stands there."""
    tree = ast.parse(text)
    kind, node, new = list(places(tree, names))[number]
    was, now = ast.unparse(node), ast.unparse(ast.fix_missing_locations(new))
    made = ast.fix_missing_locations(Swap(node, new).visit(tree))
    return ast.unparse(made), kind, was, now


# -- running -----------------------------------------------------------------------------------------------------------


def root(file: str) -> Path:
    """Return the folder on the path of modules in which a file's package stands."""
    return next(Path(folder) for folder in sys.path if folder and file.startswith(folder.rstrip("/") + "/"))


def child(name: str, text: str, limit_s: int, edit: tuple[str, str] | None) -> dict[str, Any]:
    """Run one call in a process of its own, with an edited file in its package's place."""
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as file:
        if edit is not None:
            path, new = edit
            top = Path(path).relative_to(root(path)).parts[0]
            source = root(path) / top
            if source.is_dir():
                shutil.copytree(source, Path(folder, top), ignore=shutil.ignore_patterns("__pycache__"), symlinks=True)
            Path(folder, Path(path).relative_to(root(path))).write_text(new, encoding="utf-8")
        process = os.fork()
        if process == 0:
            if edit is not None:
                sys.path.insert(0, folder)
            row = ran(name, text, limit_s)
            Path(file.name).write_text(json.dumps(row, default=str), encoding="utf-8")
            os._exit(0)
        _, code = os.waitpid(process, 0)
        told = Path(file.name).read_text(encoding="utf-8")
    return json.loads(told) if told else {"failed": f"ended with {code}", "kernels": [], "files": []}


def ran(name: str, text: str, limit_s: int) -> dict[str, Any]:
    """Run one call; its launches, and why it ended."""
    row: dict[str, Any] = {"call": name}
    torch.manual_seed(7)
    signal.alarm(limit_s)
    scope = {"torch": torch, "new": emulate_calls.new, "ints": emulate_calls.ints, "hollow": emulate_calls.hollow}
    try:
        exec(text, {**scope, "alike": lambda *_: None, "__name__": "call"})
    except Enough:
        row["cut"] = True
    except BaseException as error:  # noqa: BLE001 - a package may raise whatever it likes
        row["failed"] = f"{type(error).__name__}: {error}"[:300]
        row["where"] = traceback.format_exc(limit=-2)[-300:]
    finally:
        signal.alarm(0)
    kept = ("kernel", "status", "reason", "findings", "notes", "digest", "fresh", "grid")
    row["kernels"] = [{k: v for k, v in one.items() if k in kept} for one in triton_on_cpu.RECORD]
    row["files"] = sorted(FILES)
    return row


def verdict(clean: dict[str, Any], row: dict[str, Any], *, before: bool = False) -> tuple[str, str]:
    """Return what became of a bug, and the first sentence about it; `before`: as versions say that do not look at outputs."""
    every = [one for launch in row["kernels"] for one in launch.get("findings", ())]
    found = [one for one in every if not (before and one.startswith("never written"))]
    if found:
        return "reported", found[0][:240]
    endless = [
        one.get("reason", "")
        for one in row["kernels"]
        if "budget" in str(one.get("reason", "")) or "instructions" in str(one.get("reason", ""))
    ]
    if endless:
        return "endless", endless[0][:200]
    if "failed" in row and row["failed"] != clean.get("failed"):
        return "refused", row["failed"]
    same = [one.get("digest") for one in row["kernels"]] == [one.get("digest") for one in clean["kernels"]]
    return ("same" if same else "changed"), ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--each", type=int, default=6, help="bugs of a call, of different kinds as far as there are")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=60, help="seconds of a call at most")
    parser.add_argument("--seconds", type=float, default=3000.0)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    signal.signal(signal.SIGALRM, emulate_calls.late)
    triton_on_cpu.install()
    triton_on_cpu.jit.JITFunction.run = started
    triton_on_cpu.HOOK = hook
    watch_empties()
    torch.set_num_threads(1)
    torch.cuda.device = torch.cuda._DeviceGuard = emulate_calls.Nothing  # type: ignore[assignment,misc,attr-defined]  # noqa: SLF001
    torch.cuda.current_device = lambda: 0
    torch.cuda.is_available = lambda: False
    torch.cuda.synchronize = lambda *_: None
    executor.native()
    rows, rng, began = list[dict[str, Any]](), random.Random(chosen.seed), time.monotonic()
    for package, texts in tomllib.loads(chosen.calls.read_text()).items():
        for name, text in texts.items():
            if chosen.only not in f"{package} {name}" or time.monotonic() - began > chosen.seconds:
                continue
            clean = child(name, text, chosen.limit, None)
            found = [one for launch in clean["kernels"] for one in launch.get("findings", ())]
            tally = Counter(one.get("status", "executed" if "digest" in one else "?") for one in clean["kernels"])
            print(
                "clean:",
                package,
                name,
                dict(tally),
                clean.get("failed", ""),
                clean.get("where", "")[-120:] if "failed" in clean else "",
                found[:3],
                flush=True,
            )
            rows.append(
                {
                    "package": package,
                    "call": name,
                    "kind": "",
                    "status": "found"
                    if found
                    else "clean"
                    if any("digest" in one for one in clean["kernels"])
                    else "not executed",
                    "first": (found or [clean.get("failed", "")])[0],
                    "kernels": len(clean["kernels"]),
                }
            )
            if found or not any("digest" in one for one in clean["kernels"]):
                continue
            names = {one["kernel"].rpartition(".")[2] for one in clean["kernels"]}
            options = [
                (kind, file, number)
                for file in clean["files"]
                for number, (kind, _, _) in enumerate(places(ast.parse(Path(file).read_text()), names))
            ]
            by_kind: dict[str, list[tuple[str, str, int]]] = {}
            for one in options:
                by_kind.setdefault(one[0], []).append(one)
            kinds = rng.sample(sorted(by_kind), min(chosen.each, len(by_kind)))
            for kind, file, number in [rng.choice(by_kind[kind]) for kind in kinds]:
                new, _, was, now = edited(Path(file).read_text(), number, names)
                row = child(name, text, chosen.limit, (file, new))
                status, first = verdict(clean, row)
                old, _ = verdict(clean, row, before=True)
                rows.append(
                    {
                        "package": package,
                        "call": name,
                        "kind": kind,
                        "old": old,
                        "file": Path(file).name,
                        "number": number,
                        "was": was[:160],
                        "now": now[:160],
                        "status": status,
                        "first": first,
                    }
                )
                print(f"  {status}: {kind}: {was[:70]} -> {now[:90]} | {first[:150]}", flush=True)
                if chosen.out:
                    chosen.out.write_text(json.dumps(rows, indent=1) + "\n")
    print(Counter((one["kind"], one["status"]) for one in rows if one["kind"]))
    print("before:", Counter(one["old"] for one in rows if one["kind"]))
    print(
        Counter(one["status"] for one in rows if one["kind"]), Counter(one["status"] for one in rows if not one["kind"])
    )


if __name__ == "__main__":
    main()
