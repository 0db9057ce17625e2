"""Execute recorded OpenCL launches for AMD targets beside what this machine's OpenCL computed in the same launch.

    (see opencl_recorder.c for the recording)
    python benchmarks/emulate_recorded.py FOLDER gfx942 gfx1100 --out recorded.json

A kernel is one source with one set of options. Arrays are compared byte for byte first; floats with a tolerance of their magnitude
where the bytes differ, as the order of sums and fused operations are the compiler's. Which bytes are floats is asked of the
kernel's own declaration.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from hotloop.app.code.offline import compile_offline
from hotloop.app.emulate.execute import Adversary, execute
from hotloop.app.emulate.task import Step, Task
from hotloop.app.predict.answer import of_task
from hotloop.compilers.offer import Compiled
from hotloop.emulate.launch import visible
from hotloop.emulate.program import load
from hotloop.errors import HotloopError
from hotloop.predict.card import card

HOST_ONLY = re.compile(
    r"^-(cl-(std|opt|fast|mad|no-signed|unsafe|finite|denorms|fp32|kernel-arg|uniform)\S*|w$|Werror$|g$|O\d$)"
)
SIZES = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def launch_of(folder: Path) -> dict[str, Any]:
    """Read one recorded launch."""
    told: dict[str, Any] = {"arguments": {}}
    for line in (folder / "launch.txt").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word in ("global", "local"):
            told[word] = tuple(int(n) for n in rest.split())
        elif word in ("array", "value", "shared"):
            number, bytes_, *value = rest.split()
            told["arguments"][int(number)] = (word, int(bytes_), bytes.fromhex(value[0]) if value else b"")
        else:
            told[word] = rest
    return told


def same(folder: Path, number: int, arrays: dict[str, Any]) -> str:
    """Return the earlier argument that is the same buffer: it changed, and from the same bytes to the same bytes; empty: none."""
    mine = [(folder / f"arg{number}.{when}").read_bytes() for when in ("before", "after")]
    others = [
        n for n in arrays if [(folder / f"arg{n[1:]}.{when}").read_bytes() for when in ("before", "after")] == mine
    ]
    return others[0] if others and mine[0] != mine[1] else ""


def kinds(source: str, options: str, kernel: str) -> dict[int, str]:
    """Return the element type of each array argument, as far as the text of the kernel says it."""
    macros = dict(re.findall(r"-D\s*(\w+)=(\S+)", options))
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", source, flags=re.DOTALL)
    head = re.search(rf"\b{kernel}\s*\((.*?)\)\s*\{{", text, re.DOTALL)
    found = {}
    for number, part in enumerate(head[1].split(",") if head else ()):
        words = [macros.get(w, w) for w in re.findall(r"\w+", part)]
        if "*" in part:
            found[number] = " ".join(words)
    return found


def alike(
    got: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any], before: np.ndarray[Any, Any], kind: str, options: str
) -> bool:
    """Compare an array's bytes: equal, or floats of one width that are near."""
    if np.array_equal(got, wanted):
        return True
    precision = (re.search(r"PRECISION[ =](\d+)", options) or ["", ""])[1]
    wide = "double" in kind or precision in ("64", "6464")
    for float_type in ((np.float64,) if wide else (np.float32,)) if got.nbytes % 4 == 0 else ():
        size = np.dtype(float_type).itemsize
        if got.nbytes % size:
            continue
        one, two, old = got.view(float_type), wanted.view(float_type), before.view(float_type)
        with np.errstate(all="ignore"):
            scale = max(1.0, float(np.nanmax(np.abs(np.where(np.isfinite(two), two, 0.0)))))
            close = np.isclose(
                one,
                two,
                rtol=2e-4 if size == 4 else 1e-9,
                atol=(2e-5 if size == 4 else 1e-11) * min(scale, 1e6),
                equal_nan=True,
            )
        untouched = two.view(SIZES[size]) == old.view(SIZES[size])
        if bool((close | (untouched & (one.view(SIZES[size]) == old.view(SIZES[size])))).all()):
            return True
    return False


def foreseen(task: Task) -> str:
    """Return the predicted time in words, a designed refusal, or that there is a defect."""
    try:
        one = of_task(task, card(task.target))
    except HotloopError as error:
        return f"refused: {error}"
    except Exception as error:  # noqa: BLE001 - what this is after
        return f"DEFECT: {type(error).__name__}: {error}"
    sane = 0 < one.low_ns <= one.time_ns <= one.high_ns < 1e12
    return f"{'' if sane else 'DEFECT: '}{one.time_ns:.0f} ns, {'trusted' if one.trusted else 'not trusted'}"


def row(folder: Path, target: str, budget: int, made: dict[Any, Any]) -> dict[str, Any]:
    """Execute one launch."""
    asked = launch_of(folder)
    told: dict[str, Any] = {"launch": folder.name, "kernel": asked["kernel"], "target": target}
    options = tuple(w for w in re.sub(r"-([DI])\s+", r"-\1", asked["options"]).split() if not HOST_ONLY.match(w))
    source = (folder / "source.cl").read_text(errors="replace")
    key = (hash(source), options, asked["kernel"], target)
    began = time.perf_counter()
    try:
        if key not in made:
            code = compile_offline(
                f"{folder / 'source.cl'}:{asked['kernel']}", target, options=(*options, "-gline-tables-only")
            )
            if not isinstance(code, Compiled):
                made[key] = str(getattr(code, "log", code))[-600:]
            else:
                made[key] = code.listing, load(code.listing, asked["kernel"])
        if isinstance(made[key], str):
            return {**told, "status": "not compiled", "reason": made[key]}
        listing, program = made[key]
        arrays: dict[str, Any] = {}
        arguments: list[Any] = []
        shared = 0
        for number, (word, bytes_, value) in sorted(asked["arguments"].items()):
            if word == "array":
                name = same(folder, number, arrays) or f"a{number}"
                arrays.setdefault(name, np.fromfile(folder / f"arg{number}.before", np.uint8))
                arguments.append(name)
            elif word == "shared":
                shared += bytes_
            else:
                arguments.append(
                    np.frombuffer(value, SIZES[bytes_])[0]
                    if bytes_ in SIZES
                    else np.frombuffer(value, np.void(bytes_).dtype)[0]
                )
        said = kinds(source, asked["options"], asked["kernel"])
        for number, kind in said.items():
            name = f"a{number}"
            size = (
                8
                if "double" in kind or "long" in kind
                else 1
                if "char" in kind
                else 2
                if "short" in kind or "half" in kind
                else 4
            )
            if name in arrays and arrays[name].nbytes % size == 0:
                arrays[name] = arrays[name].view(SIZES[size])
        local = asked["local"] or tuple(
            next(n for n in (64, 32, 16, 8, 4, 2, 1) if g % n == 0) if d == 0 else 1
            for d, g in enumerate(asked["global"])
        )
        grid = tuple(-(-g // n) for g, n in zip(asked["global"], local, strict=True))
        step = Step(
            program=program,
            listing=listing,
            arguments=tuple(arguments),
            grid=(*grid, 1, 1)[:3],
            workgroup=(*local, 1, 1)[:3],
            shared_bytes=shared,
        )  # type: ignore[arg-type]
        task = Task(label=asked["kernel"], target=target, steps=(step,), arrays=arrays)
        told["predict"] = foreseen(task)
        answer = execute(task, Adversary(budget=budget))
    except HotloopError as error:
        return {**told, "status": "not executed", "reason": str(error)[:400]}
    wrong = []
    for name, array in answer.arrays.items():
        number = int(name[1:])
        wanted = np.fromfile(folder / f"arg{number}.after", np.uint8)
        before = np.fromfile(folder / f"arg{number}.before", np.uint8)
        if not alike(
            np.ascontiguousarray(array).reshape(-1).view(np.uint8),
            wanted,
            before,
            said.get(number, ""),
            asked["options"] + source[:400],
        ):
            wrong.append(name)
    findings = [f"{f.finding.trouble}: {f.finding.text}: {f.finding.instruction}" for f in answer.findings][:4]
    return {
        **told,
        "status": "wrong" if wrong else "right",
        "wrong": wrong,
        "findings": findings,
        "instructions": answer.executed,
        "arguments": len(visible(program)),
        "seconds": round(time.perf_counter() - began, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--most", type=int, default=100000)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--budget", type=int, default=4_000_000, help="wave instructions of a launch at most")
    chosen = parser.parse_args()
    folders = sorted(f for f in chosen.folder.iterdir() if (f / "launch.txt").exists())
    random.Random(1).shuffle(folders)
    rows: list[dict[str, Any]] = []
    began = time.monotonic()
    made: dict[Any, Any] = {}
    for folder in folders[: chosen.most]:
        for target in chosen.targets:
            if time.monotonic() - began > chosen.seconds:
                break
            rows.append(row(folder, target, chosen.budget, made))
            if rows[-1]["status"] != "right" or rows[-1]["findings"] or "DEFECT" in rows[-1]["predict"]:
                print(json.dumps(rows[-1])[:500], flush=True)
            if chosen.out:
                chosen.out.write_text(json.dumps(rows, indent=1) + "\n")
    for target in chosen.targets:
        mine = [r for r in rows if r["target"] == target]
        print(
            target,
            len(mine),
            dict(Counter(r["status"] for r in mine)),
            sum(bool(r.get("findings")) for r in mine),
            "with findings",
        )


if __name__ == "__main__":
    main()
